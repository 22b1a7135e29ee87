package uitest

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"ephemera/ui/widget"
)

// Part returns the text of a part of the frame from the lines of the frame.
type Part func(lines []string) string

// Header returns the lines of the collection and of the tabs.
func Header(lines []string) string { return strings.Join(lines[:2], "\n") }

// Footer returns the line of the keys.
func Footer(lines []string) string { return lines[len(lines)-1] }

// Clock returns the line of the block, and the lanes if they show.
func Clock(lines []string) string {
	return strings.Join(lines[lastRule(lines)+1:len(lines)-1], "\n")
}

// News returns the rule above the clock, which holds the notice.
func News(lines []string) string { return lines[lastRule(lines)] }

// List returns the part of the body left of its detail or above it, or the whole body
// if there is no detail. No dialog may be open.
func List(lines []string) string {
	list, _ := splitBody(lines)
	return list
}

// Detail returns the part of the body right of the list or below it. No dialog may be
// open.
func Detail(lines []string) string {
	_, detail := splitBody(lines)
	return detail
}

// Dialog returns the top dialog with its frame; empty if none is open.
func Dialog(lines []string) string {
	for y := len(lines) - 1; y >= 0; y-- {
		before, after, found := strings.Cut(lines[y], "┌")
		if !found {
			continue
		}
		border, _, _ := strings.Cut(after, "┐")
		left := widget.Width(before)
		right := left + widget.Width(border) + 2

		var box []string
		for _, l := range lines[y:] {
			box = append(box, ansi.Cut(l, left, right))
			if strings.HasPrefix(box[len(box)-1], "└") {
				return strings.Join(box, "\n")
			}
		}
	}
	return ""
}

// lastRule returns the index of the rule above the clock.
func lastRule(lines []string) int {
	y := len(lines) - 1
	for y > 0 && !strings.HasPrefix(lines[y], "─") {
		y--
	}
	return y
}

// splitBody divides the body at the vertical rule of its first line, or else at a
// horizontal rule.
func splitBody(lines []string) (list, detail string) {
	const headerHeight = 3
	lines = lines[headerHeight:lastRule(lines)]
	left, _, _ := strings.Cut(lines[0], "│")
	ruleColumn := widget.Width(left)
	for y, l := range lines {
		if strings.HasPrefix(l, "──") {
			return list, detail + strings.Join(lines[y+1:], "\n")
		}
		list += ansi.Cut(l, 0, ruleColumn) + "\n"
		detail += ansi.Cut(l, ruleColumn, widget.Width(l)) + "\n"
	}
	return list, detail
}

// SeesIn fails the test unless a part of the screen shows every text. It is for
// texts that are short, or that another part shows too. A text may be wrapped in a dialog.
func (d *Driver) SeesIn(part Part, texts ...string) {
	d.T.Helper()
	shown := d.shownIn(part)
	for _, text := range texts {
		if !shown.has(text) {
			d.T.Fatalf("the screen does not show %q, or not there:\n%s", text, d.Screen())
		}
	}
}

// DoesNotSeeIn fails the test if a part of the screen shows one of the texts.
func (d *Driver) DoesNotSeeIn(part Part, texts ...string) {
	d.T.Helper()
	shown := d.shownIn(part)
	for _, text := range texts {
		if shown.has(text) {
			d.T.Fatalf("the screen shows %q:\n%s", text, d.Screen())
		}
	}
}

// shownText is what a part of the screen shows: its lines as they are, and the text of
// the top dialog without line ends and spaces if the dialog belongs to the part.
type shownText struct {
	lines, dialog string
}

// has reports whether the part shows a text, which a dialog may have wrapped.
func (s shownText) has(text string) bool {
	return strings.Contains(s.lines, text) || strings.Contains(s.dialog, withoutSpaces(text))
}

// shownIn returns what a part of the screen shows.
func (d *Driver) shownIn(part Part) shownText {
	lines := strings.Split(d.Screen(), "\n")
	shown := shownText{lines: part(lines)}
	dialog := strings.Split(Dialog(lines), "\n")
	if !strings.Contains(shown.lines, dialog[0]) {
		return shown
	}
	for i, line := range dialog {
		dialog[i] = strings.Trim(line, "│")
	}
	shown.dialog = withoutSpaces(strings.Join(dialog, ""))
	return shown
}

// withoutSpaces returns a text without its spaces, so that a text that was wrapped can be
// compared with one that was not.
func withoutSpaces(text string) string { return strings.ReplaceAll(text, " ", "") }
