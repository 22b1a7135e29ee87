package lesson

import (
	"errors"
	"fmt"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/explain"
	"ephemera/core/kv"
	"ephemera/core/scenario"
)

// Worlds is a task played in two worlds: under the contract that somebody
// believes in, and under the true one.
type Worlds struct {
	Misconception  Misconception
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
func (l Lesson) Worlds(task int, lie Misconception) (w Worlds, ok bool, err error) {
	w.Misconception = lie
	honest, err := l.world(task, NoMisconception)
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
		if step := describeStep(&s, block); step != "" {
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
func (l Lesson) Catches(lie Misconception) (tasks []int, err error) {
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

// describeStep says what a step does; "" for one that does nothing.
func describeStep(s *scenario.Step, b cw721.Block) string {
	switch {
	case s.Kind == scenario.Query:
		return "query " + string(s.Message)
	case s.Kind != scenario.NoMessage:
		return s.As + " sends " + string(s.Message)
	case s.At != nil || s.Advance != nil:
		return fmt.Sprintf("the clock goes to height %s, %s", chain.Thousands(uint64(b.Height)), chain.InUTC(b.Time))
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
				e, err = explain.WhyMessage(v, n.Sender, cw721.NameOf(msg), msg)
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
