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
	"ephemera/core/human"
	"ephemera/core/reach"
	"ephemera/core/scenario"
	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/widget"
)

// search is a search for ways and what it has found so far. Everything that is drawn is
// text already, because the view that it was read from is closed by then.
type search struct {
	ctx          context.Context // identifies the search, and stops it
	questionText string          // the question as it was typed
	waysWanted   int             // the search is over when so many ways were found
	isOver       bool

	question     explain.WhoCouldQuestion
	answer       reach.Answer
	verdict      widget.Line // or what is wrong with the question
	ways         [][]wayStep
	expectations []scenario.Step // for each way, the step that expects nobody to have it
	notes        []widget.Line   // ways that a compiled contract refuses, and the assumptions
}

// wayStep is one message of a way, with the texts that describe it.
type wayStep struct {
	reach.Step
	sender      string
	message     string
	allowedBy   string
	explanation explain.Explanation
}

// searchTimeout is how long a search may run. The verdict says so if it was cut short.
const searchTimeout = 30 * time.Second

// searchDeeper searches for ways that may be one message longer than those searched for
// so far, and returns the search with its new answer. The shorter ways are searched
// again, because the chain is read in another view. They are a small part of the work:
// every depth has many times the states of the one before.
//
// The search is over if the answer is found, if the time was up, or at the largest
// depth.
func (s search) searchDeeper(e app.Engine, words app.Words) search {
	depth := s.answer.Depth + 1
	s.ways = nil
	s.expectations = nil
	s.notes = nil
	err := e.View(func(v *chain.View) error { return s.searchTo(v, depth, words) })
	if err != nil {
		s.verdict = faultLine(err)
		s.isOver = true
		return s
	}

	// Stop if deeper searches would find nothing new, or may not go deeper.
	isAnswered := s.answer.Verdict == reach.None || len(s.ways) >= s.waysWanted
	wasCutShort := s.answer.Depth < depth
	maxDepth := cmp.Or(s.question.Depth, reach.DefaultDepth)
	s.isOver = isAnswered || wasCutShort || depth >= maxDepth
	return s
}

// searchTo answers the question with ways of at most depth messages, and describes the
// answer.
func (s *search) searchTo(v *chain.View, depth int, words app.Words) error {
	var err error
	if s.question, err = explain.ParseWhoCouldQuestion(s.questionText); err != nil {
		return err
	}
	question, err := s.question.Question(v)
	if err != nil {
		return err
	}

	// Limit the search to this depth, and to the ways that are wanted.
	bounded := question
	bounded.Depth = depth
	bounded.Ways = s.waysWanted
	if s.answer, err = reach.Ask(s.ctx, v, bounded); err != nil {
		return err
	}
	s.describe(v, question, words)
	return nil
}

// describe sets the texts of the search: the verdict, the ways, the ways that the
// compiled contract refused, and the assumptions of the answer.
func (s *search) describe(v *chain.View, question reach.Question, words app.Words) {
	answer := s.answer
	s.verdict = app.VerdictSign(len(answer.Ways) > 0).Strong(explain.WhoCould(v, question, answer))

	// Keep each way in words, and as the step of a scenario that expects it not to exist.
	for i := range answer.Ways {
		s.ways = append(s.ways, wayInWords(v, answer, i, words))
		s.expectations = append(s.expectations, scenario.NobodyStep(v, question, answer, i))
	}
	for i := range answer.Refused {
		refused := widget.In(themes.Warn, themes.GlyphWarn+" ").Text(explain.RefusedWay(v, answer, i))
		s.notes = append(s.notes, nil, refused)
	}
	if answer.Unproven != "" && len(answer.Ways) == 0 {
		s.notes = append(s.notes, nil, widget.In(themes.Warn, themes.GlyphWarn+" ").Text(answer.Unproven))
	}

	// The answer holds only under these conditions.
	s.notes = append(s.notes, nil, widget.Header("Assumed"))
	for _, assumption := range answer.Assumptions {
		s.notes = append(s.notes, widget.Muted("  "+themes.GlyphDot+" "+assumption))
	}
}

// wayInWords returns one way of an answer with the texts of its steps. The search uses
// one fresh address in place of every account without a record; in the texts its name
// is [reach.AnyoneName].
func wayInWords(v *chain.View, answer reach.Answer, wayIndex int, words app.Words) []wayStep {
	nameAnyone := strings.NewReplacer(
		string(answer.Anyone), reach.AnyoneName,
		words.Call(answer.Anyone), reach.AnyoneName)
	var way []wayStep
	for _, step := range answer.Ways[wayIndex] {
		_, allowedBy := explain.DescribeStep(v, answer, step)
		way = append(way, wayStep{
			Step:        step,
			sender:      nameAnyone.Replace(words.Call(step.As)),
			message:     nameAnyone.Replace(explain.DescribeMessage(step.Message, step.As, words.Call).Request),
			allowedBy:   allowedBy,
			explanation: explain.ExplainDecision(v, step.Decision),
		})
	}
	return way
}

// line returns the line of a step: its number, the first block in which it can happen,
// the sender and the message, such as "2  in 8 blocks  bob: transfer ape-04 → bob".
func (s wayStep) line(st *app.State, number int, role themes.Role) widget.Line {
	when := "now"
	if s.Block.Height != st.Clock.Height {
		when = st.When(cw721.UntilHeight(s.Block.Height))
	}
	return widget.Muted(fmt.Sprintf("%d  %s  ", number, when)).And(role, s.sender+": "+s.message)
}

// whoCouldMaxWidth is the largest width of the dialog, in cells.
const whoCouldMaxWidth = 104

// View draws the question and the answer below it. The dialog is as high as its text,
// but no higher than its box, and then the text scrolls.
func (w *whoCould) View(st *app.State) string {
	const questionAndRule = 2 // lines above the answer
	outer := widget.Box{W: min(w.box.W, whoCouldMaxWidth), H: w.box.H}
	inner := widget.FrameInner(outer)
	inner.H = max(inner.H-questionAndRule, 1)

	// Fit the dialog to the height of the answer.
	answer, cursorLine := w.answerText(st)
	w.answerScroll.Resize(inner)
	w.answerScroll.Write(answer)
	unusedLines := max(inner.H-w.answerScroll.Lines(), 0)
	w.answerScroll.Resize(widget.Box{W: inner.W, H: inner.H - unusedLines})
	if w.cursorMoved {
		w.answerScroll.Show(cursorLine)
		w.cursorMoved = false
	}

	body := widget.JoinV(
		w.questionLine(st, inner.W),
		app.RuleAcross(st, inner.W, w.isTyping),
		w.answerScroll.View(st.Theme))
	return widget.Frame(st.Theme, st.ByRuleBook("Who could"), body, widget.Box{W: outer.W, H: outer.H - unusedLines}, widget.Hidden{})
}

// questionLine returns the line in which the question is typed, behind "who can".
func (w *whoCould) questionLine(st *app.State, width int) string {
	const begin = "who can "
	const placeholder = "transfer TOKEN as WHO passive WHO after MOMENT until MOMENT unmoved"
	label := st.Theme.Render(themes.Muted, widget.Fit(begin, min(len(begin), width)))
	return label + w.question.View(st.Theme, width-len(begin), w.isTyping, placeholder)
}

// answerText returns the verdict, the way on the screen, and the notes. cursorLine is
// the index of the line with the step under the cursor; 0 without a way.
func (w *whoCould) answerText(st *app.State) (text widget.Text, cursorLine int) {
	if w.search.verdict != nil {
		text.Add(w.search.verdict)
	}
	if !w.search.isOver {
		states := human.Thousands(w.search.answer.States)
		text.Add(widget.In(themes.Accent, "  searching"+themes.GlyphEllipsis).Muted(" " + states + " states so far; / asks something else, esc leaves"))
	}

	// List the messages of the way, each with the rule that permits it.
	way, current := w.currentWay()
	if len(way) > 0 {
		text.Add(nil, w.wayHeading(way[current].sender))
	}
	for i, step := range way {
		pointer := "  "
		role := themes.Text
		reasons := []widget.Line{widget.Muted("allowed: " + step.allowedBy)}

		// The step under the cursor can show all its rules.
		if i == current {
			cursorLine = text.Len()
			pointer = themes.GlyphPointer + " "
			role = themes.Strong
			if w.showsRules {
				reasons = app.RuleLines(step.explanation)
			}
		}
		text.Add(append(widget.In(themes.Accent, pointer), step.line(st, i+1, role)...))
		for _, reason := range reasons {
			text.Add(append(widget.Plain("     "), reason...))
		}
	}
	text.Add(w.search.notes...)
	return text, cursorLine
}

// wayHeading returns the line above a way: "Way 1 of 2", and the keys for other ways.
func (w *whoCould) wayHeading(currentSender string) widget.Line {
	number := fmt.Sprintf("Way %d of %d", w.wayIndex+1, len(w.search.ways))
	return widget.Header(number).
		And(themes.Key, "  n").Muted(" another  ").
		And(themes.Key, "x").Muted(" not through "+currentSender+"  ").
		And(themes.Key, "L").Muted(" later")
}
