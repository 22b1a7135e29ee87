package ui

import (
	"fmt"
	"slices"

	"ephemera/core/chain/expiry"
	"ephemera/core/human"
	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/widget"
)

// minRightWidth is the number of cells that the right end of the first line needs to
// be readable.
const minRightWidth = 12

// headView draws the first line of the clock. At the left is the present block, and at the
// right the grant that expires next. A box of one line has no room for the chart of
// expiries, so the line then also has the number of grants, as in the second example.
//
//	CLOCK  height 1,204 · 12:40:00 UTC            next: ape-0042 → bob in 8 blocks
//	height 1,204 · 12:40:00 UTC            next: ape-0042 → bob · 31 ahead · 4 never
//
// The height always shows. In a narrow line the other parts are left out in this order, so that
// none is cut in its middle:
//
//  1. the date of the block
//  2. the moment of the expiry, in a box without lanes
//  3. the time of the block
//  4. the number of grants, in a box without lanes
//  5. everything except the height
//
// If the user chose times in nanoseconds, the time of the block stays as long as there are
// minRightWidth cells beside it.
func (c *clockPanel) headView(state *app.State, box widget.Box) string {
	if !state.HasCollection() {
		return widget.Fit("", box.W)
	}
	width := box.W
	hasTitle := hasLanes(box) && width >= 72 // less is better used for the expiry
	blockTexts := c.blockTexts(state, hasTitle)
	shortestWithTime := blockTexts[len(blockTexts)-2]
	if state.Times == app.Exact && shortestWithTime.Width()+minRightWidth < width {
		blockTexts = blockTexts[:len(blockTexts)-1] // without the text of the height alone
	}
	blockTextsWithTime := blockTexts[:len(blockTexts)-1]

	// The texts of the expiry, the longest first. Without lanes, the counts of the grants
	// stand here.
	expiryTexts := nextExpiryTexts(state)
	preferredExpiries := expiryTexts[:min(2, len(expiryTexts))] // with the moment
	if !hasLanes(box) {
		preferredExpiries = nil
		for _, line := range expiryTexts {
			preferredExpiries = append(preferredExpiries, slices.Clone(line).Muted(grantCountText(state.Lanes)))
		}
		expiryTexts = append(preferredExpiries, expiryTexts...)
	}

	// Try to keep the time and the moment, then everything but the height.
	left, right, fit := longestThatFit(blockTextsWithTime, preferredExpiries, width)
	if !fit {
		left, right, fit = longestThatFit(blockTexts, expiryTexts, width)
	}
	if !fit {
		left = blockTexts[len(blockTexts)-1]
		right = expiryTexts[len(expiryTexts)-1]
		if width-left.Width()-1 < minRightWidth {
			return left.Fit(state.Theme, width)
		}
	}
	rightWidth := min(right.Width(), width-left.Width()-1)
	return widget.JoinEnds(left.Render(state.Theme), right.Fit(state.Theme, rightWidth), width)
}

// longestThatFit chooses a left and a right text that fit together into a line of width
// cells. Both lists have the longest text first. A longer right text is preferred to a
// longer left one. ok is false if no two texts fit.
func longestThatFit(lefts, rights []widget.Line, width int) (left, right widget.Line, ok bool) {
	for _, right := range rights {
		for _, left := range lefts {
			if left.Width()+right.Width() < width {
				return left, right, true
			}
		}
	}
	return nil, nil, false
}

// grantCountText returns a text with the number of grants that will expire and of grants
// that never expire, such as "· 31 ahead · 4 never ". A number of 0 is left out. A plus,
// as in "31+", means that there may be more, because at most [expiry.MaxCount] grants are
// counted in each time span.
func grantCountText(lanes expiry.Lanes) (text string) {
	aheadCount := 0
	plus := ""
	for cell := range expiry.CellCount {
		aheadCount += int(lanes.Height[cell]) + int(lanes.Time[cell])
		if max(lanes.Height[cell], lanes.Time[cell]) == expiry.MaxCount {
			plus = "+"
		}
	}
	if aheadCount > 0 {
		text = fmt.Sprintf("· %s%s ahead ", human.Thousands(uint64(aheadCount)), plus)
	}
	if lanes.Never > 0 {
		neverCount := app.CountText(int(lanes.Never), lanes.Never == expiry.MaxCount)
		text += "· " + neverCount + " never "
	}
	return text
}

// blockTexts returns several texts about the present block, the longest first. The first has
// the height, the time, the seconds per block and whether the clock is paused. The last has
// only the height. While the clock moves by itself, all of them say so. If hasTitle is set,
// they begin with the title of the panel.
func (c *clockPanel) blockTexts(state *app.State, hasTitle bool) []widget.Line {
	title := widget.Plain(" ")
	if hasTitle {
		title = widget.Styled(themes.Title, " CLOCK").Text("  ")
	}

	// Write the parts that stand after the height.
	timeText, shortTimeText := blockTime(state)
	secondsPerBlock := fmt.Sprintf("%d s a block", state.Clock.SecondsPerBlock)
	playState := "paused"
	var essentialDetails []string // those of the shorter texts
	if c.runningPlay != 0 {
		playState = fmt.Sprintf("playing %d/s", speeds[c.speedIndex])
		essentialDetails = []string{playState}
	}

	return []widget.Line{
		blockText(state, title, timeText, secondsPerBlock, playState),
		blockText(state, title, timeText, playState),
		blockText(state, title, timeText, essentialDetails...),
		blockText(state, title, shortTimeText, essentialDetails...),
		blockText(state, title, "", essentialDetails...),
	}
}

// blockTime returns the time of the block in the form that the user chose for times,
// and without its date. Nanoseconds have no shorter form.
func blockTime(state *app.State) (text, withoutDate string) {
	if state.Times == app.Exact {
		nanoseconds := app.Decimal(uint64(state.Clock.Time)) + " ns"
		return nanoseconds, nanoseconds
	}
	const date = "2006-01-02 "
	text = app.TimeToSecond(state.Clock.Time)

	// A time after the year 2262 has another form, without a date.
	if len(text) != len(date+"15:04:05") {
		return text + " UTC", text
	}
	return text + " UTC", text[len(date):] + " UTC"
}

// blockText returns a title and the height of the block, followed by timeText unless that
// is empty, and by details.
func blockText(state *app.State, title widget.Line, timeText string, details ...string) widget.Line {
	line := slices.Clone(title).Strong("height " + human.Thousands(uint64(state.Clock.Height)))
	if timeText != "" {
		line = line.Muted(" · ").Text(timeText)
	}
	for _, detail := range details {
		line = line.Muted(" · " + detail)
	}
	return line
}

// nextExpiryTexts returns several texts about the grant that expires next, the longest
// first, such as "next, in 8 blocks: ape-0042 → bob". The last is without the moment. If no
// grant will expire, or if that is not known, it returns one text that says so.
func nextExpiryTexts(state *app.State) []widget.Line {
	if state.UnreadableReason != "" {
		warning := widget.Styled(themes.Warn, themes.GlyphWarn)
		return []widget.Line{warning.Muted(" what expires is not known ")}
	}
	if state.Next == nil {
		return []widget.Line{widget.Muted("nothing will expire ")}
	}

	// Others can expire at the same height or time.
	grantLabel := state.GrantLabel(*state.Next)
	othersText := ""
	if state.CountExpiringWithNext > 0 {
		othersText = fmt.Sprintf(", %d more", state.CountExpiringWithNext)
	}
	momentText := state.ExpiryInSentence(state.Next.Expires)
	return []widget.Line{
		widget.Muted("next, " + momentText + ": ").Text(grantLabel + othersText + " "),
		widget.Muted("next: ").Text(grantLabel + othersText).Muted(" " + momentText + " "),
		widget.Muted(momentText + ": ").Text(grantLabel + " "),
		widget.Muted("next: ").Text(grantLabel + " "),
	}
}
