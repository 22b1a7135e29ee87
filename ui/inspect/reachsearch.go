package inspect

import (
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
	search   int  // which one it is of
	over     bool // nothing more will come
	err      error
	question reach.Question
	answer   reach.Answer
	verdict  string
	ways     [][]stepWords
	mends    []scenario.Step // that nobody can do what a way does
	refused  []string        // the ways that a compiled contract refuses
	broken   any             // what the search has panicked with
}

// stepWords is one message of a way.
type stepWords struct {
	reach.Step
	sends, allowed string
	rules          explain.Explanation
}

// searchTime bounds a search. An answer that it cuts says so.
const searchTime = 30 * time.Second

// run searches, on a goroutine of its own, and tells what was found after each
// depth, and at the end. Once ctx is over nobody listens.
func (s searched) run(ctx context.Context, e app.Engine, asked explain.Asked, ways int, w app.Words, told chan<- searched) {
	defer close(told)
	tell := func() {
		select {
		case told <- s:
		case <-ctx.Done():
		}
	}
	defer func() {
		s.broken, s.over = recover(), true
		tell()
	}()
	s.err = e.View(func(v *chain.View) (err error) {
		if s.question, err = asked.Question(v); err != nil {
			return err
		}
		s.question.Ways = ways
		bound, stop := context.WithTimeout(ctx, searchTime)
		defer stop()
		s.answer, err = reach.Ask(bound, v, s.question, func(a reach.Answer) {
			s.read(v, a, w)
			tell()
		})
		if err == nil {
			s.read(v, s.answer, w)
		}
		return err
	})
}

// next gives the command that waits for what the search tells next.
func next(st *app.State, x *whoCould, told <-chan searched) tea.Cmd {
	return st.Ask(x, func(app.Engine) tea.Msg {
		s := <-told
		if s.broken != nil {
			panic(s.broken) // here a guard is around it
		}
		return s
	})
}

// read puts an answer into words.
func (s *searched) read(v *chain.View, a reach.Answer, w app.Words) {
	s.answer, s.ways, s.mends, s.refused = a, nil, nil, nil
	call := w.Call
	w.Call = func(who cw721.Address) string {
		if who == a.Anyone {
			return explain.Anyone
		}
		return call(who)
	}
	if len(a.Ways) > 0 {
		a.Verdict = reach.Way // though more is searched
	}
	s.verdict = explain.WhoCould(v, s.question, a)
	for i, way := range a.Ways {
		only := a
		only.Ways = a.Ways[i:]
		s.mends = append(s.mends, scenario.WayStep(v, s.question, only))
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
