package lesson

import (
	"errors"
	"fmt"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/explain"
	"ephemera/core/human"
	"ephemera/core/kv"
	"ephemera/core/scenario"
)

// Worlds is a task played twice: under the contract of a misconception, and under the
// true contract.
type Worlds struct {
	Misconception Misconception
	Rows          []Row
	// Why has the rules of the true contract's decision in the last row, in words. It
	// is nil if the answers to a query differ.
	Why []string
}

// Row is one step in both worlds. Only in the last row do the outcomes differ.
type Row struct {
	Block cw721.Block
	// Step describes who does what.
	Step            string
	Believed, Truth string
}

// Worlds plays the steps of a task, counted from 0, in both worlds up to the first
// different outcome. ok is false if no outcome differs. It fails if the lesson's own
// steps don't have the outcome that the file expects.
func (l Lesson) Worlds(task int, misconception Misconception) (w Worlds, ok bool, err error) {
	w.Misconception = misconception
	honest, err := l.world(task, NoMisconception)
	if err != nil {
		return w, false, err
	}
	defer func() { err = errors.Join(err, honest.chain.Close()) }()
	lying, err := l.world(task, misconception)
	if err != nil {
		return w, false, err
	}
	defer func() { err = errors.Join(err, lying.chain.Close()) }()

	for _, step := range l.Tasks[task].steps {
		block, truth, err := honest.play(&step)
		if err != nil {
			return w, false, err
		}
		_, believed, err := lying.play(&step)
		if err != nil {
			return w, false, err
		}

		if text := describeStep(&step, block); text != "" {
			w.Rows = append(w.Rows, Row{Block: block, Step: text, Believed: believed, Truth: truth})
		}
		if believed == truth {
			continue
		}
		if step.Kind == scenario.Execute {
			w.Why, err = honest.why()
		}
		return w, true, err
	}
	return w, false, nil
}

// Catches returns the tasks, counted from 0, that have another outcome under the
// contract of a misconception. The tasks before each are played under the true one.
func (l Lesson) Catches(misconception Misconception) (tasks []int, err error) {
	for i := range l.Tasks {
		_, differs, err := l.Worlds(i, misconception)
		if err != nil {
			return nil, err
		}
		if differs {
			tasks = append(tasks, i)
		}
	}
	return tasks, nil
}

// describeStep describes a step, played up to block b; empty for one that does nothing.
func describeStep(s *scenario.Step, b cw721.Block) string {
	switch {
	case s.Kind == scenario.Query:
		return "query " + string(s.Message)
	case s.Kind != scenario.NoMessage:
		return s.As + " sends " + string(s.Message)
	case s.At != nil || s.Advance != nil:
		return fmt.Sprintf("the clock goes to height %s, %s", human.Thousands(uint64(b.Height)), human.TimeUTC(b.Time))
	}
	return ""
}

// world is a session of a lesson on a chain whose contract may be wrong in one
// rule: [liar] stands in the place of the built-in one.
type world struct {
	*Session
	code   cw721.Contract // the true one
	rule   rule           // the zero rule tells the truth
	memory memory
	last   turn // the message that the contract carried out last
}

// world gives the world in which a task (from 0) begins. Up to there the contract
// tells the truth.
func (l Lesson) world(task int, lie Misconception) (*world, error) {
	g, err := l.header.Genesis()
	if err != nil {
		return nil, err
	}
	w := &world{code: g.Config.WithDefaults().Contract(), memory: memory{}}
	w.Session, err = Begin(func() (*chain.Chain, error) {
		return chain.OpenWith(kv.NewMemory(), chain.Options{Wrap: func(c chain.Contract) chain.Contract { return liar{c, w} }})
	}, l, task)
	w.rule = find(lie).rule
	return w, err
}

// play plays a step. It gives the block after it, and what its message came to,
// with names in the place of addresses; "" for a step without one.
func (w *world) play(s *scenario.Step) (block cw721.Block, told string, err error) {
	w.last = turn{}
	out, err := w.player.Play(s)
	switch {
	case err != nil:
		return block, "", err
	case out.ClockStuck:
		return block, "", fmt.Errorf("the lesson does not play: %s", out.Mismatch)
	case out.Refusal != nil:
		told = "refused: " + out.Refusal.Text
		if w.last.kept != nil {
			_, err = w.chain.Execute(w.last.sender, cw721.Encode(w.last.kept))
		}
	case s.Kind == scenario.Query:
		var answer []byte
		answer, err = w.chain.Query(s.Message)
		told = string(answer)
	case s.Kind != scenario.NoMessage:
		told = "done"
	}
	if err != nil {
		return block, "", err
	}
	err = w.chain.View(func(v *chain.View) (err error) {
		block = v.Clock.Block()
		told, err = v.WithNames(told)
		return err
	})
	return block, told, err
}

// why tells by which rules the contract has decided about the message that was
// played last; nil where that was about no token.
func (w *world) why() (rules []string, err error) {
	err = w.chain.View(func(v *chain.View) error {
		n, err := v.Node(v.Head)
		if err != nil {
			return err
		}
		return v.At(n.Parent, func(v *chain.View) error {
			msg, err := v.DecodeExecute([]byte(n.Message))
			if err == nil {
				var e explain.Explanation
				e, err = explain.WhyMessage(v, n.Sender, cw721.MessageName(msg), msg)
				for _, r := range e.Rules {
					rules = append(rules, r.Text)
				}
			}
			if cw721.AsError(err) != nil {
				return nil // it cannot be read, or there is no token to decide about
			}
			return err
		})
	})
	return rules, err
}
