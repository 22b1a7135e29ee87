package uitest

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"ephemera/ui/widget"
)

// Part is a part of the frame: it gives the text of its own from the lines of all.
type Part func(lines []string) string

// Header is the line of the collection and that of the tabs.
func Header(lines []string) string { return strings.Join(lines[:2], "\n") }

// Footer is the line of the keys.
func Footer(lines []string) string { return lines[len(lines)-1] }

// Clock is the line of the block, and the lanes of what expires where they show.
func Clock(lines []string) string {
	return strings.Join(lines[lastRule(lines)+1:len(lines)-1], "\n")
}

// News is the rule above the clock, on which the explorer says what came of a key.
func News(lines []string) string { return lines[lastRule(lines)] }

// List is the body of the screen, or what of it stands left of its detail or
// above it. It is read where no dialog is open.
func List(lines []string) string { list, _ := body(lines); return list }

// Detail is what stands right of the list, or below it.
func Detail(lines []string) string { _, detail := body(lines); return detail }

// Dialog is the dialog on top, with its frame; it is empty where none is open.
func Dialog(lines []string) string {
	for y := len(lines) - 1; y >= 0; y-- {
		before, in, found := strings.Cut(lines[y], "┌")
		if !found {
			continue
		}
		at := widget.Width(before)
		width, _, _ := strings.Cut(in, "┐")
		var box []string
		for _, l := range lines[y:] {
			box = append(box, ansi.Cut(l, at, at+widget.Width(width)+2))
			if strings.HasPrefix(box[len(box)-1], "└") {
				return strings.Join(box, "\n")
			}
		}
	}
	return ""
}

// lastRule is the line of the rule above the clock.
func lastRule(lines []string) int {
	y := len(lines) - 1
	for y > 0 && !strings.HasPrefix(lines[y], "─") {
		y--
	}
	return y
}

// body parts the body where its first line is parted, or else at a rule.
func body(lines []string) (list, detail string) {
	lines = lines[3:lastRule(lines)]
	left, _, _ := strings.Cut(lines[0], "│")
	at := widget.Width(left)
	for y, l := range lines {
		if strings.HasPrefix(l, "──") {
			return list, detail + strings.Join(lines[y+1:], "\n")
		}
		list, detail = list+ansi.Cut(l, 0, at)+"\n", detail+ansi.Cut(l, at, widget.Width(l))+"\n"
	}
	return list, detail
}

// SeesIn fails the test unless a part of the screen shows every text. It is for
// texts that are short, or that another part shows too.
func (d *Driver) SeesIn(part Part, texts ...string) {
	d.T.Helper()
	shown := part(strings.Split(d.Screen(), "\n"))
	for _, text := range texts {
		if !strings.Contains(shown, text) {
			d.T.Fatalf("the screen does not show %q, or not there:\n%s", text, d.Screen())
		}
	}
}
