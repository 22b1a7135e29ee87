package scenario

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	explained "ephemera/core/explain"
	"ephemera/core/reach"
	"ephemera/core/wire"
)

// nobodyQuestion is the message of a step that says that nobody can do something: a
// question of package reach, in the words of a file.
type nobodyQuestion struct {
	Can     string   `wire:"can"`
	Token   *string  `wire:"token"`
	As      string   `wire:"as,optional"`
	Passive []string `wire:"passive,optional"`
	After   *At      `wire:"after"`
	Until   *At      `wire:"until"`
	Unmoved bool     `wire:"unmoved,optional"`
	Depth   uint32   `wire:"depth,optional"`
}

// readNobodyQuestion reads the question of a step.
func readNobodyQuestion(raw []byte) (asked explained.WhoCouldQuestion, err error) {
	var n nobodyQuestion
	if err := wire.Decode(raw, &n); err != nil {
		field, text := fieldAndText(err)
		return asked, errors.New(strings.TrimPrefix(field+": "+text, ": "))
	}
	asked, err = explained.NewWhoCouldQuestion(n.Can, n.Token)
	asked.As, asked.Passive, asked.Unmoved, asked.Depth = n.As, n.Passive, n.Unmoved, int(n.Depth)
	asked.After, asked.Until = n.After.momentText(), n.Until.momentText()
	return asked, err
}

// momentText writes a moment as a person types it, see [chain.MomentHelp].
func (a *At) momentText() string {
	switch {
	case a != nil && a.Height != nil:
		return fmt.Sprintf("h%d", *a.Height)
	case a != nil && a.Time != nil:
		return fmt.Sprintf("%d ns", *a.Time)
	}
	return ""
}

// momentAt names a block by its height, or by its time where the clock does not
// come to both together.
func momentAt(v *chain.View, b *cw721.Block) *At {
	switch {
	case b == nil:
		return nil
	case v.Clock.At(b.Height) == b.Time:
		return &At{Height: &b.Height}
	}
	return &At{Time: &b.Time}
}

// checkNobody holds that nobody can do what a step says.
func (p *Player) checkNobody(s *Step) (miss *Mismatch, err error) {
	asked, err := readNobodyQuestion(s.Message)
	if err != nil {
		return nil, err
	}
	err = p.chain.View(func(v *chain.View) error {
		q, err := asked.Question(v)
		var a reach.Answer
		if err == nil {
			a, err = reach.Ask(p.ctx, v, q)
		}
		switch wrong := (*reach.QuestionError)(nil); {
		case errors.As(err, &wrong):
			return &Error{Field: string(Nobody) + "." + wrong.Field, Text: wrong.Err.Error(), Err: err}
		case cw721.AsError(err) != nil:
			return &Error{Field: string(Nobody), Text: err.Error(), Err: err}
		case err != nil:
		case len(a.Refused) > 0: // it has other rules than those that were searched by
			miss = &Mismatch{Subject: "way", Expected: "what the rules allow", Got: explained.RefusedWay(v, a, 0)}
		case a.Verdict == reach.Way:
			miss = &Mismatch{Subject: "answer", Expected: "nobody", Got: explained.WhoCould(v, q, a) + ": " + wayWords(v, a, 0)}
		case a.NotTried(q) != "":
			miss = &Mismatch{Subject: "answer", Expected: "nobody", Got: explained.WhoCould(v, q, a) + ": " + a.NotTried(q)}
		}
		return err
	})
	return miss, err
}

// wayWords says the messages of a way.
func wayWords(v *chain.View, a reach.Answer, way int) string {
	lines := make([]string, len(a.Ways[way]))
	for i, s := range a.Ways[way] {
		sends, may := explained.DescribeStep(v, a, s)
		lines[i] = fmt.Sprintf("at height %s %s, allowed: %s", chain.Thousands(uint64(s.Block.Height)), sends, may)
	}
	return strings.Join(lines, "; ")
}

// NobodyStep says that nobody can do what a search has found ways for, with one of them
// in its note. It fails until what came before does not allow the way any more.
func NobodyStep(v *chain.View, q reach.Question, a reach.Answer, way int) Step {
	n := nobodyQuestion{
		Can: q.Action.Name, Token: &q.Token, Unmoved: q.Unmoved, Depth: uint32(cmp.Or(q.Depth, reach.DefaultDepth)),
		As: v.DisplayName(q.As), After: momentAt(v, q.After), Until: momentAt(v, q.Until),
	}
	for _, who := range a.Passive {
		n.Passive = append(n.Passive, v.DisplayName(who))
	}
	return Step{Kind: Nobody, Message: wire.Compact(n), Note: "There was a way: " + wayWords(v, a, way)}
}

// ProbeSteps are the steps that send one message at every block of a probe, and
// leave nothing behind. It fails with a [*RecordError] where one of the blocks lies
// behind the clock, which never goes back.
func ProbeSteps(v *chain.View, sender cw721.Address, message []byte, rows []explained.ProbeRow) (steps []Step, err error) {
	for _, r := range rows {
		now, at := v.Clock.Block(), At{}
		if r.Block.Height < now.Height || r.Block.Time < now.Time {
			return nil, &RecordError{"the expiry lies behind the clock, where a scenario cannot go; undo to before it"}
		}
		if at.Height = &r.Block.Height; r.Block.Height == now.Height {
			at.Height = nil
		}
		if at.Time = &r.Block.Time; r.Block.Time == now.Time {
			at.Time = nil
		}
		s := Step{As: v.DisplayName(sender), Kind: Preview, Message: message, Expect: &Expect{}}
		if at != (At{}) {
			s.At = &at
		}
		if e := r.Receipt.Refusal; e != nil {
			s.Expect = expectRefusal(e.Kind, e.Text)
		}
		steps = append(steps, s)
	}
	return steps, nil
}
