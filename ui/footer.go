package ui

import (
	"slices"
	"strings"

	"ephemera/ui/app"
	"ephemera/ui/widget"
)

// footer is the last line: the keys that matter most now.
func (m *Model) footer() string { return m.hints().View(m.state.Theme, m.size.W) }

// hints are the keys that the footer shows: those of the top dialog or of the
// field that is typed in, which take them all, or else those of the screen and
// of the program.
func (m *Model) hints() widget.Hints {
	switch n := len(m.dialogs); {
	case n > 0:
		return inOrder(m.dialogs[n-1].Commands(m.state))
	case !m.state.HasCollection():
		return nil
	}
	if s, ok := m.screen().(app.TypingScreen); ok && s.Typing() {
		return inOrder(s.TypingCommands(m.state))
	}
	return essentials(m.Commands())
}

// inOrder shows keys as they are listed, but what is done and the way out first:
// there is always room for those.
func inOrder(commands []app.Command) (all widget.Hints) {
	var rest widget.Hints
	for _, c := range commands {
		h := widget.Hint{Binding: c.Binding, Rank: len(all) + len(rest) + 2}
		word, _, _ := strings.Cut(c.Binding.Help().Key, " ")
		if rank := slices.Index([]string{"esc", "enter"}, word); rank >= 0 {
			h.Rank = rank
			all = append(all, h)
		} else {
			rest = append(rest, h)
		}
	}
	return append(all, rest...)
}

// hereFirst is how many keys of the screen the footer shows before those that
// a newcomer needs on every screen.
const hereFirst = 4

// ranks are the places of the keys of the program in the order in which room is
// given; those of the screen stand between them, and the two questions behind the
// first of its other keys.
var ranks = map[string]int{"?": 0, "u": 2, "e": 3, "a": 4, ".": 8, ":": 9, "w": 10 + hereFirst, "W": 10 + hereFirst}

// essentials picks the keys for the footer: some of the screen's, then what is
// of use everywhere, then the rest, and help at the end. Where not all fit, help,
// the way back and undo stay longest, beside the first keys of the screen.
func essentials(commands []app.Command) widget.Hints {
	var here, always, rest, last widget.Hints
	for i, c := range commands {
		h := widget.Hint{Binding: c.Binding, Rank: 10 + i}
		k := c.Binding.Help().Key
		if rank, ok := ranks[k]; ok {
			h.Rank = rank
		}
		switch {
		case c.Reason() != "":
		case k == "?", k == ":":
			last = append(last, h)
		case strings.Contains(k, "esc"): // the way back
			h.Rank = 1
			always = append(always, h)
		case c.Name == "" || c.Group == app.GroupScreens:
		case slices.ContainsFunc(here, func(x widget.Hint) bool { return x.Binding.Help().Desc == c.Binding.Help().Desc }):
			// the same under another key
		case ranks[k] > 0 && c.Group != app.GroupAsk:
			always = append(always, h)
		case c.Group == app.GroupHere && len(here) < hereFirst:
			h.Rank = 2*len(here) + 1
			here = append(here, h)
		default:
			rest = append(rest, h)
		}
	}
	return append(append(append(here, always...), rest...), last...)
}

// pressed says what a click on the footer presses.
func (m *Model) pressed(x int) (string, bool) {
	b, ok := m.hints().At(x, m.size.W)
	if !ok || len(b.Keys()) == 0 {
		return "", false
	}
	return b.Keys()[0], true
}
