package form

import (
	"fmt"

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
// their states.
func (b *Batch) View(state *app.State) string {
	// Make the frame as high as the messages need. A refusal may take a second line.
	const linesAround = 4 // the frame, the headline and the horizontal line
	refusedCount := b.countJobs(jobWillBeRefused) + b.countJobs(jobRefused)
	height := max(len(b.jobs)+refusedCount, 1) + linesAround
	frame := widget.Box{W: min(b.box.W, batchWidth), H: min(b.box.H, height)}
	inner := widget.FrameInner(frame)

	const headLines = 2
	b.scroll.Resize(widget.Box{W: inner.W, H: max(inner.H-headLines, 0)})
	b.scroll.RefreshLines(b.jobLines(inner.W))

	// The title says as whom the messages are sent.
	senders := widget.Safe(state.DisplayName(b.actor))
	if b.asOwners {
		senders = "their owners"
	}
	const hasFocus = false
	body := widget.JoinVertically(
		b.headline().Fit(state.Theme, inner.W),
		app.RuleAcross(state, inner.W, hasFocus),
		b.scroll.View(state.Theme))
	title := state.WithRuleBookNote(b.title + " as " + senders)
	return widget.Frame(state.Theme, title, body, frame, widget.HiddenCounts{})
}

// headline returns the first line of the batch. Depending on the phase, it says how many
// messages are previewed, will work, or are done. If the messages could not be read, it
// says why.
func (b *Batch) headline() widget.Line {
	if b.readError != "" {
		return widget.Styled(themes.Bad, " "+themes.GlyphNo+" "+b.readError)
	}
	switch b.phase {
	case batchPreviewing:
		progress := fmt.Sprintf(" previewing: %d of %d", b.previewedCount, len(b.jobs))
		return widget.Muted(progress + themes.GlyphEllipsis)
	case batchSending:
		progress := fmt.Sprintf(" sending: %d done", b.countJobs(jobDone))
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
		switch {
		case n < len(b.jobs):
			return fmt.Sprint(n)
		case n == 1:
			return "it"
		}
		return fmt.Sprint("all ", n)
	}

	// Leave out the half of the sentence that counts no message.
	willWork := howMany(acceptedCount) + " will work"
	willBeRefused := howMany(refusedCount) + " will be refused"
	acceptedHalf := widget.Styled(themes.Good, " "+themes.GlyphYes+" "+willWork)
	refusedHalf := widget.Styled(themes.Bad, " "+themes.GlyphNo+" "+willBeRefused)
	switch {
	case refusedCount == 0:
		return acceptedHalf
	case acceptedCount == 0:
		return refusedHalf
	}
	return append(acceptedHalf.Append(themes.Good, " "), refusedHalf...)
}

// jobLines returns a line for each message of the batch: a sign for its state, what it
// does, and the state in words, such as why it will be refused.
func (b *Batch) jobLines(width int) []widget.Line {
	maxWidth := 0
	for _, job := range b.jobs {
		description := widget.Safe(job.Description)
		maxWidth = max(maxWidth, widget.Width(description))
	}

	// The descriptions leave room for the text of a usual refusal. In a narrow dialog
	// they may take half of the width, up to 26 cells.
	const refusalWidth = 49 // cells
	minRoom := min(width/2, 26)
	descriptionWidth := min(maxWidth, max(width-refusalWidth, minRoom))

	lines := make([]widget.Line, len(b.jobs))
	for i, job := range b.jobs {
		sign, role, text := job.describeState()
		description := widget.Fit(widget.Safe(job.Description), descriptionWidth)
		lines[i] = widget.Styled(role, " "+sign+" ").
			Text(description + "  ").
			Muted(text)
	}
	return lines
}

// describeState describes a job's state by a sign, its role, that is its colour, and
// words. For a job without a preview the words are "".
func (j Job) describeState() (sign string, role themes.Role, text string) {
	switch j.state {
	case jobWillWork:
		return themes.GlyphYes, themes.Good, "will work"
	case jobWillBeRefused:
		return themes.GlyphNo, themes.Bad, j.stateText
	case jobDone:
		return themes.GlyphYes, themes.Good, "done"
	case jobRefused:
		return themes.GlyphNo, themes.Bad, "refused: " + j.stateText
	case jobNotSent:
		return themes.GlyphDot, themes.Faint, "not sent"
	}
	return themes.GlyphDot, themes.Faint, ""
}
