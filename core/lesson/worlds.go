package lesson

import (
	"errors"
	"fmt"
	"strings"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/explain"
	"ephemera/core/scenario"
)

// Worlds is a task played in two worlds: under the contract that somebody
// believes in, and under the true one.
type Worlds struct {
	Lie  Lie
	Rows []Row
	// Why is what the true contract decides where the two part, in words, one
	// rule each; nil where they part in the answer to a query.
	Why []string
}

// Row is one step in both worlds. The two answers differ in the last row alone.
type Row struct {
	Block cw721.Block
	// Step says who does what.
	Step            string
	Believed, Truth string
}

// Worlds plays the steps of a task (from 0) in both worlds, to the step where
// they part. ok is false where they never do. open gives an empty chain, on which
// the true contract is asked why; it is closed. It fails as open and the store do,
// and where the lesson does not play as it is written.
func (l Lesson) Worlds(open func() (*chain.Chain, error), task int, lie Lie) (w Worlds, ok bool, err error) {
	honest, err := l.world()
	if err != nil {
		return w, false, err
	}
	for _, t := range l.Tasks[:task] {
		if miss, err := honest.judgeAll(t.steps); err != nil || miss != nil {
			return w, false, notPlaying(miss, err)
		}
	}
	lying, err := honest.copy(lie)
	if err != nil {
		return w, false, err
	}
	w.Lie = lie
	steps := l.Tasks[task].steps
	for i := range steps {
		s := &steps[i]
		truth, err1 := honest.play(s)
		believed, err2 := lying.play(s)
		if err := errors.Join(err1, err2); err != nil {
			return w, false, err
		}
		row := Row{honest.clock.Block(), honest.say(s), lying.told(s, believed), honest.told(s, truth)}
		if row.Step == "" {
			continue
		}
		if w.Rows = append(w.Rows, row); row.Believed != row.Truth {
			w.Why, err = l.why(open, task, steps[:i+1])
			return w, true, err
		}
	}
	return w, false, nil
}

// say says what a step does; "" for one that does nothing.
func (w *world) say(s *scenario.Step) string {
	switch {
	case s.Kind == scenario.Query:
		return "query " + string(s.Message)
	case s.Kind != scenario.None:
		return s.As + " sends " + string(s.Message)
	case s.At != nil || s.Advance != nil:
		return fmt.Sprintf("the clock goes to height %s, %s", chain.Thousands(uint64(w.clock.Height)), chain.InUTC(w.clock.Time))
	}
	return ""
}

// told says what a step came to, with names in the place of addresses.
func (w *world) told(s *scenario.Step, a scenario.Answer) string {
	text := "done"
	switch {
	case s.Kind == scenario.None:
		return ""
	case a.Refusal != nil:
		text = "refused: " + a.Refusal.Text
	case s.Kind == scenario.Query:
		text = string(a.JSON)
	}
	for _, known := range w.genesis.Accounts {
		text = strings.ReplaceAll(text, string(known.Address), known.Name)
	}
	return text
}

// why plays a task on a chain up to the last of some of its steps, and explains
// what the true contract decides there; nil for a query.
func (l Lesson) why(open func() (*chain.Chain, error), task int, steps []scenario.Step) (why []string, err error) {
	last := &steps[len(steps)-1]
	if last.Kind != scenario.Execute {
		return nil, nil
	}
	s, err := Begin(open, l, task)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, s.chain.Close()) }()
	moment := scenario.Step{At: last.At, Advance: last.Advance}
	for _, step := range append(steps[:len(steps)-1:len(steps)-1], moment) {
		if _, err := s.player.Play(&step); err != nil {
			return nil, err
		}
	}
	return why, s.chain.View(func(v *chain.View) error {
		msg, _, err := v.Contract().DecodeExecute(last.Message, names(v))
		if err != nil {
			return nil // it cannot be read, and the answer says so
		}
		sender, err := v.Resolve(last.As)
		if err != nil {
			return err
		}
		w, err := explain.WhyMessage(v, sender, cw721.NameOf(msg), msg)
		if cw721.AsError(err) != nil {
			return nil
		}
		for _, r := range w.Rules {
			why = append(why, r.Text)
		}
		return err
	})
}
