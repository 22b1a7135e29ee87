package inspect

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/explain"
	"ephemera/core/reach"
	"ephemera/core/scenario"
	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/widget"
)

// searched is what a search has come to. It is in words already, as the view is
// gone when it is drawn.
type searched struct {
	ctx     context.Context // of the search
	line    string          // the question
	wanted  int             // ways
	over    bool            // nothing more will come
	asked   explain.WhoCouldQuestion
	answer  reach.Answer
	verdict widget.Line // or what is wrong with the question
	ways    [][]stepWords
	nobody  []scenario.Step // each says that nobody can do what a way does
	notes   []widget.Line   // the ways that a compiled contract refuses, and what is assumed
}

// stepWords is one message of a way.
type stepWords struct {
	reach.Step
	who, sends, allowed string
	rules               explain.Explanation
}

// searchTime bounds a search. An answer that it cuts says so.
const searchTime = 30 * time.Second

// deeper searches for ways of one message more. What was searched before is
// searched again, as the view is another: a small part, since each depth has many
// times the states of the one before.
func (s searched) deeper(e app.Engine, w app.Words) searched {
	depth := s.answer.Depth + 1
	s.ways, s.nobody, s.notes = nil, nil, nil
	err := e.View(func(v *chain.View) (err error) {
		if s.asked, err = explain.ParseWhoCouldQuestion(s.line); err != nil {
			return err
		}
		q, err := s.asked.Question(v)
		one := q
		one.Depth, one.Ways = depth, s.wanted
		if err == nil {
			s.answer, err = reach.Ask(s.ctx, v, one)
		}
		if err == nil {
			s.read(v, q, w)
		}
		return err
	})
	if err != nil {
		s.verdict = widget.In(themes.Bad, themes.GlyphNo+" ").And(themes.Text, err.Error())
	}
	found := s.answer.Verdict == reach.None || len(s.ways) >= s.wanted
	s.over = err != nil || found || s.answer.Depth < depth || depth >= cmp.Or(s.asked.Depth, reach.DefaultDepth)
	return s
}

// read puts the answer to a question into words.
func (s *searched) read(v *chain.View, q reach.Question, w app.Words) {
	a := s.answer
	s.verdict = app.Verdict(len(a.Ways) > 0).And(themes.Strong, explain.WhoCould(v, q, a))
	for i := range a.Ways {
		s.ways = append(s.ways, stepsOf(v, a, i, w))
		s.nobody = append(s.nobody, scenario.WayStep(v, q, a, i))
	}
	for i := range a.Refused {
		s.notes = append(s.notes, nil, widget.In(themes.Warn, themes.GlyphWarn+" ").And(themes.Text, explain.RefusedWay(v, a, i)))
	}
	s.notes = append(s.notes, nil, widget.In(themes.Header, "Assumed"))
	for _, text := range a.Assumptions {
		s.notes = append(s.notes, widget.In(themes.Muted, "  "+themes.GlyphDot+" "+text))
	}
}

// stepsOf puts a way of an answer into words.
func stepsOf(v *chain.View, a reach.Answer, way int, w app.Words) (steps []stepWords) {
	anyone := strings.NewReplacer(string(a.Anyone), reach.AnyoneName, w.Call(a.Anyone), reach.AnyoneName)
	for _, step := range a.Ways[way] {
		out := stepWords{Step: step, who: anyone.Replace(w.Call(step.As))}
		out.sends = anyone.Replace(w.Message(cw721.Encode(step.Message)))
		_, out.allowed = explain.DescribeStep(v, a, step)
		out.rules = explain.ExplainDecision(v, step.Decision)
		steps = append(steps, out)
	}
	return steps
}

// head says when the step can happen first, and what is sent by whom.
func (s stepWords) head(st *app.State, number int, role themes.Role) widget.Line {
	when := "now"
	if s.Block.Height != st.Clock.Height {
		when = st.When(cw721.UntilHeight(s.Block.Height))
	}
	return widget.In(themes.Muted, fmt.Sprintf("%d  %s  ", number, when)).And(role, s.who+": "+s.sends)
}

const reachWidth = 104

func (x *whoCould) View(st *app.State) string {
	box := widget.Box{W: min(x.box.W, reachWidth), H: x.box.H}
	inner := widget.FrameInner(box)
	inner.H = max(inner.H-2, 1) // below the question and a rule
	text, at := x.lines(st)
	x.text.Resize(inner)
	x.text.Write(text)
	unused := max(inner.H-x.text.Lines(), 0)
	x.text.Resize(widget.Box{W: inner.W, H: inner.H - unused})
	if x.moved {
		x.text.Show(at)
		x.moved = false
	}
	const before = "who can "
	line := st.Theme.Render(themes.Muted, widget.Fit(before, min(len(before), inner.W))) +
		x.line.View(st.Theme, inner.W-len(before), x.typing, "transfer TOKEN as WHO passive WHO after MOMENT until MOMENT unmoved")
	body := widget.JoinV(line, app.RuleAcross(st, inner.W, x.typing), x.text.View(st.Theme))
	return widget.Frame(st.Theme, "Who could", body, widget.Box{W: box.W, H: box.H - unused}, widget.Hidden{})
}

// lines are the verdict, the way that is shown, and what they rest on; at is the line
// of the step under the cursor.
func (x *whoCould) lines(st *app.State) (t widget.Text, at int) {
	s := x.seen
	if s.verdict != nil {
		t.Add(s.verdict)
	}
	if !s.over {
		states := chain.Thousands(uint64(s.answer.States))
		t.Add(widget.In(themes.Accent, "  searching"+themes.GlyphEllipsis).And(themes.Muted, " "+states+" states so far; / asks something else, esc leaves"))
	}
	way, current := x.current()
	if len(way) > 0 {
		t.Add(nil, widget.In(themes.Header, fmt.Sprintf("Way %d of %d", x.way+1, len(s.ways))).And(themes.Key, "  n").And(themes.Muted, " another  ").
			And(themes.Key, "x").And(themes.Muted, " not through "+way[current].who+"  ").And(themes.Key, "L").And(themes.Muted, " later"))
	}
	for i, step := range way {
		pointer, role, rights := "  ", themes.Text, []widget.Line{widget.In(themes.Muted, "allowed: "+step.allowed)}
		if i == current {
			pointer, role, at = themes.GlyphPointer+" ", themes.Strong, t.Len()
			if x.rules {
				rights = app.RuleLines(step.rules)
			}
		}
		t.Add(append(widget.In(themes.Accent, pointer), step.head(st, i+1, role)...))
		for _, l := range rights {
			t.Add(append(widget.Plain("     "), l...))
		}
	}
	t.Add(s.notes...)
	return t, at
}
