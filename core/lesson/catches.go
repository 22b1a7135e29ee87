package lesson

import (
	"fmt"

	"ephemera/core/scenario"
)

// Catches tells which tasks of the lesson (from 0) would not come out as they
// are written if the contract were wrong in one rule: those that show the rule
// to whoever does them. Up to each task the contract tells the truth. It fails
// where the lesson does not play as it is written.
func (l Lesson) Catches(lie Lie) (tasks []int, err error) {
	honest, err := l.world()
	if err != nil {
		return nil, err
	}
	for i, t := range l.Tasks {
		lying, err := honest.copy(lie)
		if err != nil {
			return nil, err
		}
		miss, err := lying.judgeAll(t.steps)
		if err != nil {
			return nil, err
		}
		if miss != nil {
			tasks = append(tasks, i)
		}
		if miss, err = honest.judgeAll(t.steps); err != nil || miss != nil {
			return nil, notPlaying(miss, err)
		}
	}
	return tasks, nil
}

// world gives the world in which the first task begins.
func (l Lesson) world() (*world, error) {
	w, err := newWorld(l.header)
	if err != nil {
		return nil, err
	}
	if miss, err := w.judgeAll(l.setup); err != nil || miss != nil {
		return nil, notPlaying(miss, err)
	}
	return w, nil
}

// judgeAll plays steps to the first that does not come out as expected.
func (w *world) judgeAll(steps []scenario.Step) (*scenario.Mismatch, error) {
	for i := range steps {
		if miss, err := w.judge(&steps[i]); miss != nil || err != nil {
			return miss, err
		}
	}
	return nil, nil
}

func notPlaying(miss *scenario.Mismatch, err error) error {
	if miss == nil {
		return err
	}
	return fmt.Errorf("the lesson does not play: %s", miss)
}
