package lesson

import (
	"errors"
	"fmt"

	"ephemera/core/chain"
	"ephemera/core/cw721"
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
// they part. ok is false where they never do. It fails where the lesson does not
// play as it is written.
func (l Lesson) Worlds(task int, lie Lie) (w Worlds, ok bool, err error) {
	w.Lie = lie
	honest, err := l.world(task, Truth)
	if err != nil {
		return w, false, err
	}
	defer func() { err = errors.Join(err, honest.chain.Close()) }()
	lying, err := l.world(task, lie)
	if err != nil {
		return w, false, err
	}
	defer func() { err = errors.Join(err, lying.chain.Close()) }()
	for _, s := range l.Tasks[task].steps {
		block, truth, err := honest.play(&s)
		if err != nil {
			return w, false, err
		}
		_, believed, err := lying.play(&s)
		if err != nil {
			return w, false, err
		}
		if step := say(&s, block); step != "" {
			w.Rows = append(w.Rows, Row{block, step, believed, truth})
		}
		if believed == truth {
			continue
		}
		if s.Kind == scenario.Execute {
			w.Why, err = honest.why()
		}
		return w, true, err
	}
	return w, false, nil
}

// Catches tells which tasks of the lesson (from 0) would not come out as they do
// if the contract were wrong in one rule: those that show the rule to whoever
// does them. Up to each task the contract tells the truth.
func (l Lesson) Catches(lie Lie) (tasks []int, err error) {
	for i := range l.Tasks {
		_, ok, err := l.Worlds(i, lie)
		if err != nil {
			return nil, err
		}
		if ok {
			tasks = append(tasks, i)
		}
	}
	return tasks, nil
}

// say says what a step does; "" for one that does nothing.
func say(s *scenario.Step, b cw721.Block) string {
	switch {
	case s.Kind == scenario.Query:
		return "query " + string(s.Message)
	case s.Kind != scenario.None:
		return s.As + " sends " + string(s.Message)
	case s.At != nil || s.Advance != nil:
		return fmt.Sprintf("the clock goes to height %s, %s", chain.Thousands(uint64(b.Height)), chain.InUTC(b.Time))
	}
	return ""
}
