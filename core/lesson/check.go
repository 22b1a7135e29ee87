package lesson

import (
	"fmt"
	"strconv"
	"strings"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/scenario"
)

// Check is how far a task is.
type Check struct {
	Done  bool
	Goals []Goal
}

// Goal is one thing to reach.
type Goal struct {
	// Text says what is to be reached: "bob owns rose".
	Text    string
	Reached bool
	// Instead says what is there instead; "" when the goal is reached, or
	// when nothing short can be said.
	Instead string
}

// Missing lists the goals that are not reached, in words.
func (c Check) Missing() (out []string) {
	for _, g := range c.Goals {
		if g.Reached {
			continue
		}
		text := g.Text
		if g.Instead != "" {
			text += " (" + g.Instead + ")"
		}
		out = append(out, text)
	}
	return out
}

// Viewer is what a check needs of a chain.
type Viewer interface {
	View(func(*chain.View) error) error
}

// Look looks which goals of the task are reached, all in one moment of the
// chain. It changes nothing, so it can be asked after every step.
func (t *Task) Look(c Viewer) (Check, error) {
	out := Check{Done: true}
	err := c.View(func(v *chain.View) error {
		for i := range t.Checks {
			g, err := look(v, &t.Checks[i])
			if err != nil {
				return err
			}
			out.Goals = append(out.Goals, g)
			out.Done = out.Done && g.Reached
		}
		return nil
	})
	return out, err
}

func look(v *chain.View, s *scenario.Step) (Goal, error) {
	g := Goal{Text: strings.Join(s.Hints, " ")}
	if g.Text == "" {
		g.Text = s.Doing()
	}
	if g.Instead = elsewhere(v.Clock, s.At); g.Instead != "" {
		return g, nil
	}
	miss, err := s.Look(v)
	if err != nil {
		return g, err
	}
	if g.Reached = miss == nil; !g.Reached {
		g.Instead = instead(v, miss)
	}
	return g, nil
}

// elsewhere says where the clock is when it should be in another block; "" when
// it is there.
func elsewhere(c chain.Clock, at *scenario.At) string {
	const past = "; undo goes back"
	if at == nil {
		return ""
	}
	if h := at.Height; h != nil && *h != c.Height {
		text := "the clock is at height " + chain.Thousands(uint64(c.Height))
		if c.Height > *h {
			text += past
		}
		return text
	}
	if t := at.Time; t != nil && *t != c.Time {
		text := "the clock is at " + chain.UTC(c.Time)
		if c.Time > *t {
			text += past
		}
		return text
	}
	return ""
}

// longest is how long a value may be to be told, in bytes.
const longest = 40

// instead says in a few words what was answered, where that is short.
func instead(v *chain.View, m *scenario.Mismatch) string {
	if len(m.Differences) == 0 || m.More > 0 {
		return ""
	}
	d := m.Differences[0]
	got := d.Got
	if text, err := strconv.Unquote(got); err == nil {
		if got = text; text == "" {
			got = "empty"
		}
		if cw721.ValidateAddress(v.Prefix, cw721.Address(text)) == nil {
			got = v.Call(cw721.Address(text))
		}
	}
	name := d.At[strings.LastIndexByte(d.At, '.')+1:]
	if len(got) > longest || name == "" || strings.ContainsAny(got+name, "{[") {
		return ""
	}
	return fmt.Sprintf("%s is %s now", strings.ReplaceAll(name, "_", " "), got)
}
