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

// answerText returns the text below the question: who can now, the verdict, the way on the
// screen, and the notes. cursorLine is the index of the line with the step under the cursor. It
// is 0 if there is no way.
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
		position := fmt.Sprintf("Way %d of %d", w.wayIndex+1, len(w.search.ways))
		text.Add(nil, widget.Header(position).
			Append(themes.Key, "  n").Muted(" another  ").
			Append(themes.Key, "x").Muted(" not through "+steps[stepIndex].sender+"  ").
			Append(themes.Key, "L").Muted(" later"))
		cursorLine = w.addSteps(state, &text, steps, stepIndex)
	}
	text.Add(w.search.notes...)
	return text, cursorLine
}

// addSteps adds a line for each step of a way to a text, such as "2  in 8 blocks  bob: transfer
// ape-04 → bob", and below it the rule that permits the step. The step at stepIndex is
// highlighted, and can show all rules that were tried. cursorLine is the index of its line.
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
		if i == stepIndex {
			cursorLine = text.Len()
			pointer = themes.GlyphPointer + " "
			role = themes.Strong
			if w.showsRules {
				reasons = app.RuleLines(step.explanation)
			}
		}

		when := "now"
		if step.Block.Height != state.Clock.Height {
			when = state.When(cw721.UntilHeight(step.Block.Height))
		}
		text.Add(widget.Styled(themes.Accent, pointer).
			Muted(fmt.Sprintf("%d  %s  ", i+1, when)).
			Append(role, step.sender+": "+step.message))
		for _, reason := range reasons {
			text.Add(append(widget.Plain("     "), reason...))
		}
	}
	return cursorLine
}
