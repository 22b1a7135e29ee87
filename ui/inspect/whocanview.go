package inspect

import (
	"fmt"

	"ephemera/core/cw721"
	"ephemera/core/human"
	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/widget"
)

// whoCanMaxWidth is the largest width of the dialog, in cells.
const whoCanMaxWidth = 104

// View draws the question and the answer below it. The dialog is as high as its text,
// but no higher than its box, and then the text scrolls.
func (w *whoCan) View(state *app.State) string {
	// Two lines are above the answer: the question and a horizontal line.
	const linesAboveAnswer = 2
	outer := widget.Box{W: min(w.box.W, whoCanMaxWidth), H: w.box.H}
	inner := widget.FrameInner(outer)
	inner.H = max(inner.H-linesAboveAnswer, 1)

	// Write the answer, and make the dialog lower by the lines that the answer does not need.
	answer, cursorLine := w.answerText(state)
	w.answerScroll.Resize(inner)
	w.answerScroll.Write(answer)
	unusedLines := max(inner.H-w.answerScroll.Lines(), 0)
	w.answerScroll.Resize(widget.Box{W: inner.W, H: inner.H - unusedLines})
	if w.mustShowStep {
		w.answerScroll.Show(cursorLine)
		w.mustShowStep = false
	}

	body := widget.JoinVertically(
		widget.Muted("who can ").Text(w.search.question.String()).Fit(state.Theme, inner.W),
		app.RuleAcross(state, inner.W, false),
		w.answerScroll.View(state.Theme))
	frame := widget.Box{W: outer.W, H: outer.H - unusedLines}
	return widget.Frame(state.Theme, state.WithRuleBookNote("Who can"), body, frame, widget.HiddenCounts{})
}

// answerText returns the text below the question: who can now, the verdict, the way on the screen, which
// is a sequence of messages, and the notes. cursorLine is the index of the line with the
// message under the cursor. It is 0 if there is no way.
func (w *whoCan) answerText(state *app.State) (text widget.Text, cursorLine int) {
	if w.search.verdict != nil {
		text.Add(w.search.now...)
		text.Add(w.search.verdict)
	}
	if !w.search.isOver {
		states := human.Thousands(w.search.answer.States)
		searching := widget.Styled(themes.Accent, "  searching"+themes.GlyphEllipsis)
		text.Add(searching.Muted(" " + states + " states so far; / asks something else, esc leaves"))
	}

	if steps, stepIndex := w.currentSteps(); len(steps) > 0 {
		text.Add(nil, w.wayHeading(steps[stepIndex].sender))
		cursorLine = w.addSteps(state, &text, steps, stepIndex)
	}
	text.Add(w.search.notes...)
	return text, cursorLine
}

// wayHeading returns the line above the messages of a way: "Way 1 of 2", and the keys that
// show or search other ways. currentSender is the sender of the message under the cursor.
func (w *whoCan) wayHeading(currentSender string) widget.Line {
	position := fmt.Sprintf("Way %d of %d", w.wayIndex+1, len(w.search.ways))
	return widget.Header(position).
		Append(themes.Key, "  n").Muted(" another  ").
		Append(themes.Key, "x").Muted(" not through "+currentSender+"  ").
		Append(themes.Key, "L").Muted(" later")
}

// addSteps adds the messages of a way to a text, each with the rule that permits it. The
// message at stepIndex is highlighted. cursorLine is the index of its line.
func (w *whoCan) addSteps(
	state *app.State,
	text *widget.Text,
	steps []describedStep,
	stepIndex int,
) (cursorLine int) {
	for i, step := range steps {
		pointer := "  "
		role := themes.Text
		reasons := []widget.Line{widget.Muted("allowed: " + step.allowedBy)}

		// The highlighted message can show all rules that were tried.
		if i == stepIndex {
			cursorLine = text.Len()
			pointer = themes.GlyphPointer + " "
			role = themes.Strong
			if w.showsRules {
				reasons = app.RuleLines(step.explanation)
			}
		}
		number := i + 1
		line := append(widget.Styled(themes.Accent, pointer), step.line(state, number, role)...)
		text.Add(line)
		for _, reason := range reasons {
			reasonLine := append(widget.Plain("     "), reason...)
			text.Add(reasonLine)
		}
	}
	return cursorLine
}

// line returns the line that describes a message: "2  in 8 blocks  bob: transfer ape-04 →
// bob". It has the number of the message, the first block in which it can be sent, the
// sender, and what it does.
func (s describedStep) line(state *app.State, number int, role themes.Role) widget.Line {
	when := "now"
	if s.Block.Height != state.Clock.Height {
		when = state.When(cw721.UntilHeight(s.Block.Height))
	}
	return widget.Muted(fmt.Sprintf("%d  %s  ", number, when)).Append(role, s.sender+": "+s.message)
}
