package lesson

import (
	"errors"
	"fmt"
	"slices"

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

	step int // of the task
}

// Worlds plays the steps of a task (from 0) in both worlds, to the step where
// they part. ok is false where they never do. open gives an empty chain, on which
// the true contract is asked why; it is closed. It fails as open and the store do,
// and where the lesson does not play as it is written.
func (l Lesson) Worlds(open func() (*chain.Chain, error), task int, lie Lie) (w Worlds, ok bool, err error) {
	if w, ok, err = l.part(task, lie); ok {
		w.Why, err = l.why(open, task, w.Rows[len(w.Rows)-1].step)
	}
	return w, ok, err
}

// Catches tells which tasks of the lesson (from 0) would not come out as they do
// if the contract were wrong in one rule: those that show the rule to whoever
// does them. Up to each task the contract tells the truth.
func (l Lesson) Catches(lie Lie) (tasks []int, err error) {
	for i := range l.Tasks {
		_, ok, err := l.part(i, lie)
		if err != nil {
			return nil, err
		}
		if ok {
			tasks = append(tasks, i)
		}
	}
	return tasks, nil
}

// part plays a task in both worlds to where they part, without the reasons.
func (l Lesson) part(task int, lie Lie) (w Worlds, parted bool, err error) {
	begin, err := l.world(task)
	if err != nil {
		return w, false, err
	}
	w.Lie = lie
	honest, lying := begin.copy(Truth), begin.copy(lie)
	for i := range l.Tasks[task].steps {
		s := &l.Tasks[task].steps[i]
		truth, err1 := honest.play(s)
		believed, err2 := lying.play(s)
		if err := errors.Join(err1, err2); err != nil {
			return w, false, err
		}
		if step := honest.say(s); step != "" {
			w.Rows = append(w.Rows, Row{honest.clock.Block(), step, believed, truth, i})
		}
		if believed != truth {
			return w, true, nil
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

// why plays a task on a chain up to one of its steps, and explains what the true
// contract decides there; nil for a query.
func (l Lesson) why(open func() (*chain.Chain, error), task, step int) (why []string, err error) {
	last := l.Tasks[task].steps[step]
	if last.Kind != scenario.Execute {
		return nil, nil
	}
	s, err := Begin(open, l, task)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, s.chain.Close()) }()
	steps := slices.Clone(l.Tasks[task].steps[:step+1])
	steps[step] = scenario.Step{At: last.At, Advance: last.Advance} // its block, without its message
	for i := range steps {
		if _, err := s.player.Play(&steps[i]); err != nil {
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
		for _, r := range w.Rules {
			why = append(why, r.Text)
		}
		if cw721.AsError(err) != nil {
			return nil // there is no token to decide about
		}
		return err
	})
}
