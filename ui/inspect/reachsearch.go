package inspect

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/explain"
	"ephemera/core/reach"
	"ephemera/core/scenario"
	"ephemera/ui/app"
)

// searched is what a search has come to. What it says is in words already, as
// the view is gone when it is drawn.
type searched struct {
	ctx      context.Context // of the search
	asked    explain.Asked
	wanted   int  // ways
	over     bool // nothing more will come
	err      error
	question reach.Question
	answer   reach.Answer
	verdict  string
	ways     [][]stepWords
	mends    []scenario.Step // that nobody can do what a way does
	refused  []string        // the ways that a compiled contract refuses
}

// stepWords is one message of a way.
type stepWords struct {
	reach.Step
	sends, allowed string
	rules          explain.Explanation
}

// searchTime bounds a search. An answer that it cuts says so.
const searchTime = 30 * time.Second

// deeper searches for ways of one message more. What was searched before is
// searched again, as the view is another: a small part, since each depth has many
// times the states of the one before.
func (s searched) deeper(e app.Engine, w app.Words) searched {
	depth := s.answer.Depth + 1
	s.err = e.View(func(v *chain.View) (err error) {
		if s.question, err = s.asked.Question(v); err != nil {
			return err
		}
		q := s.question
		q.Depth, q.Ways = depth, s.wanted
		if s.answer, err = reach.Ask(s.ctx, v, q); err == nil {
			s.read(v, w)
		}
		return err
	})
	found := s.answer.Verdict == reach.None || len(s.ways) >= s.wanted
	s.over = s.err != nil || found || s.answer.Depth < depth || depth >= cmp.Or(s.asked.Depth, reach.DefaultDepth)
	return s
}

// read puts the answer into words.
func (s *searched) read(v *chain.View, w app.Words) {
	a, call := s.answer, w.Call
	w.Call = func(who cw721.Address) string {
		if who == a.Anyone {
			return explain.Anyone
		}
		return call(who)
	}
	s.verdict, s.ways, s.mends, s.refused = explain.WhoCould(v, s.question, a), nil, nil, nil
	for i, way := range a.Ways {
		s.mends = append(s.mends, scenario.WayStep(v, s.question, a, i))
		var steps []stepWords
		for _, step := range way {
			rules := explain.ReadDecision(v, step.Decision)
			for i, r := range rules.Rules {
				rules.Rules[i].Text = strings.ReplaceAll(r.Text, string(a.Anyone), explain.Anyone)
			}
			_, allowed := explain.StepWords(v, a, step)
			steps = append(steps, stepWords{step, w.Call(step.As) + ": " + w.Message(cw721.Encode(step.Message)), allowed, rules})
		}
		s.ways = append(s.ways, steps)
	}
	for i := range a.Refused {
		s.refused = append(s.refused, explain.RefusedWay(v, a, i))
	}
}

// play carries the messages of a way out, each in its block, from where the
// chain stands. It stops where one is refused.
func play(e app.Engine, way []stepWords) tea.Msg {
	for i, step := range way {
		block := step.Block
		_, err := e.Advance(chain.Step{Height: &block.Height, Time: &block.Time})
		var r chain.Receipt
		if err == nil {
			r, err = e.Execute(step.As, cw721.Encode(step.Message))
		}
		if err == nil {
			err = r.Err()
		}
		if err != nil {
			return app.ChangedMsg{Err: fmt.Errorf("message %d of the way: %w", i+1, err)}
		}
	}
	return app.ChangedMsg{Text: fmt.Sprintf("played the way, %s: u goes back, and History keeps it as a branch", app.Plural(len(way), "message"))}
}
