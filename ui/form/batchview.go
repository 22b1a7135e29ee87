package form

import (
	"cmp"
	"fmt"
	"strings"

	"ephemera/core/human"
	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/widget"
)

// batchWidth is the largest width of a batch, in cells.
const batchWidth = 96

// BesideList marks the batch as an [app.PaneDialog].
func (b *Batch) BesideList() {}

// Resize gives the batch its largest box.
func (b *Batch) Resize(box widget.Box) { b.box = box }

// View draws the batch in its frame: a headline, a horizontal line, and the messages with
// their states. The frame is as high as they need.
func (b *Batch) View(state *app.State) string {
	const headLines = 2
	frame := widget.Box{W: min(b.box.W, batchWidth), H: b.box.H}
	inner := widget.FrameInner(frame)
	inner.H = max(inner.H-headLines, 0)
	b.scroll.Resize(inner)
	b.scroll.RefreshLines(b.jobLines())
	unusedLines := max(inner.H-max(b.scroll.Lines(), 1), 0)
	b.scroll.Resize(widget.Box{W: inner.W, H: inner.H - unusedLines})
	frame.H -= unusedLines

	// The title says as whom the messages are sent.
	senders := widget.Safe(state.DisplayName(b.actor))
	if b.asOwners {
		senders = "their owners"
	}
	body := widget.JoinVertically(
		b.headline().Fit(state.Theme, inner.W),
		app.RuleAcross(state, inner.W, false),
		b.scroll.View(state.Theme))
	title := state.WithRuleBookNote(b.title + " as " + senders)
	return widget.Frame(state.Theme, title, body, frame, widget.HiddenCounts{})
}

func (b *Batch) headline() widget.Line {
	switch b.phase {
	case batchPreviewing:
		progress := fmt.Sprintf(" previewing: %s of %s",
			human.Thousands(b.previewedCount), human.Thousands(len(b.jobs)))
		return widget.Muted(progress + themes.GlyphEllipsis)
	case batchSending:
		progress := fmt.Sprintf(" sending: %s done", human.Thousands(b.countJobs(jobDone)))
		return widget.Styled(themes.Warn, progress+themes.GlyphEllipsis)
	case batchOver:
		_, text := b.outcomeNotice()
		return widget.Styled(themes.Strong, " "+text)
	}
	return b.forecastLine()
}

// forecastLine says how many messages will work and how many will be refused.
func (b *Batch) forecastLine() widget.Line {
	if len(b.jobs) == 0 {
		return widget.Muted(" nothing to do")
	}
	acceptedCount := b.countJobs(jobWillWork)
	refusedCount := b.countJobs(jobWillBeRefused)

	// howMany names n of the messages: "3", "all 3", or "it" for the only one.
	howMany := func(n int) string {
		count := human.Thousands(n)
		switch {
		case n < len(b.jobs):
			return count
		case n == 1:
			return "it"
		}
		return "all " + count
	}

	// Leave out the half of the sentence that counts no message.
	acceptedHalf := widget.Styled(themes.Good, " "+themes.GlyphYes+" "+howMany(acceptedCount)+" will work")
	refusedHalf := widget.Styled(themes.Bad, " "+themes.GlyphNo+" "+howMany(refusedCount)+" will be refused")
	switch {
	case refusedCount == 0:
		return acceptedHalf
	case acceptedCount == 0:
		return refusedHalf
	}
	return append(acceptedHalf.Append(themes.Good, " "), refusedHalf...)
}

// jobLines returns the lines of the messages. Those that work come first, each on a line of
// its own. All that are refused for the same reason share a line with their number, and name
// the first of them.
func (b *Batch) jobLines() (lines []widget.Line) {
	dot := widget.Styled(themes.Faint, " "+themes.GlyphDot+" ")
	var outcomes []string // in the order of the first message with each
	jobsByOutcome := map[string][]Job{}
	for _, job := range b.jobs {
		if outcome := job.outcome(); outcome != "" {
			if jobsByOutcome[outcome] == nil {
				outcomes = append(outcomes, outcome)
			}
			jobsByOutcome[outcome] = append(jobsByOutcome[outcome], job)
			continue
		}
		sign := widget.Styled(themes.Good, " "+themes.GlyphYes+" ")
		if b.phase == batchSending && job.state == jobWillWork { // its turn comes
			sign = dot
		}
		lines = append(lines, sign.Text(job.Description))
	}

	for _, outcome := range outcomes {
		const maxNamed = 3
		jobs := jobsByOutcome[outcome]
		sign := dot
		if jobs[0].reason != "" {
			sign = widget.Styled(themes.Bad, " "+themes.GlyphNo+" ")
		}
		if len(jobs) == 1 {
			lines = append(lines, sign.Text(jobs[0].Description+"  ").Muted(cmp.Or(jobs[0].stateText, outcome)))
			continue
		}

		var names []string
		for _, job := range jobs[:min(len(jobs), maxNamed)] {
			names = append(names, job.Description)
		}
		if others := len(jobs) - len(names); others > 0 {
			names = append(names, human.Thousands(others)+" more")
		}
		lines = append(lines,
			sign.Text(human.Thousands(len(jobs))+" "+outcome),
			widget.Muted("   "+strings.Join(names, ", ")))
	}
	return lines
}

// outcome says what became of a message that did not work: the same text for all messages
// that are refused for the same reason. It is empty for one that will work or is done.
func (j Job) outcome() string {
	switch j.state {
	case jobWillBeRefused, jobRefused:
		return "refused: " + j.reason
	case jobNotSent:
		return "not sent"
	case jobUnknown:
		return "not tried yet"
	}
	return ""
}
