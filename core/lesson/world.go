package lesson

import (
	"fmt"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/explain"
	"ephemera/core/kv"
	"ephemera/core/scenario"
)

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
func (l Lesson) world(task int, lie Lie) (*world, error) {
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
	case out.Stuck:
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
	case s.Kind != scenario.None:
		told = "done"
	}
	if err != nil {
		return block, "", err
	}
	err = w.chain.View(func(v *chain.View) (err error) {
		block = v.Clock.Block()
		told, err = v.Named(told)
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
