package ui

import (
	"slices"
	"strings"

	"ephemera/ui/app"
	"ephemera/ui/widget"
)

// footer draws the last line of the screen: the keys that matter most now, with their
// labels.
func (m *Model) footer() string { return m.hints().View(m.state.Theme, m.size.W) }

// hints returns the keys for the footer: those of the top dialog or of the field
// with the focus, which take every key, or else those of the screen and of the
// program.
func (m *Model) hints() widget.Hints {
	if top := m.topDialog(); top != nil {
		return listedHints(top.Commands(m.state))
	}
	if !m.state.HasCollection() {
		return nil
	}
	if s, ok := m.screen().(app.TypingScreen); ok && s.Typing() {
		return listedHints(s.TypingCommands(m.state))
	}
	return screenHints(m.Commands())
}

// listedHints returns the hints for the keys of a dialog or a text field: esc and enter
// first, then the others in the order of commands. A hint with a lower rank stays longer
// when the line gets too narrow; esc and enter have the lowest.
func listedHints(commands []app.Command) widget.Hints {
	var first, others widget.Hints
	for i, c := range commands {
		hint := widget.Hint{Binding: c.Binding, Rank: i + 2}
		key, _, _ := strings.Cut(c.Binding.Help().Key, " ")
		switch key {
		case "esc":
			hint.Rank = 0
			first = append(first, hint)
		case "enter":
			hint.Rank = 1
			first = append(first, hint)
		default:
			others = append(others, hint)
		}
	}
	return append(first, others...)
}

// maxScreenHints is the number of keys of the screen that the footer shows
// before those that work everywhere.
const maxScreenHints = 4

// hintRanks are the ranks of the program's keys: the lower, the longer a hint
// keeps its room. The keys of the screen take the ranks 1, 3, 5 and 7; "who could" comes
// after them.
var hintRanks = map[string]int{
	"?": 0,                   // help
	"u": 2,                   // undo
	"e": 3,                   // move the clock to the next expiry
	"a": 4,                   // act as somebody else
	"w": 6,                   // why
	".": 8,                   // move the clock by a block
	":": 9,                   // all commands by name
	"W": 10 + maxScreenHints, // who could
}

// wayBackRank is the rank of the key that leads back.
const wayBackRank = 1

// screenHints returns the hints for the keys of a screen, in the order of the footer: at
// most four of the screen's own, then those that work everywhere, then the others, and
// at the end the palette and help. The rank of a hint decides how long it stays when
// the line gets narrow. Disabled commands and the keys that change the screen have no
// hint.
func screenHints(commands []app.Command) widget.Hints {
	var ofScreen, everywhere, others, last widget.Hints
	for i, c := range commands {
		if c.Reason() != "" {
			continue
		}
		key := c.Binding.Help().Key
		rank, isRanked := hintRanks[key]
		if !isRanked {
			rank = 10 + i // behind the program's keys, in the order of commands
		}
		hint := widget.Hint{Binding: c.Binding, Rank: rank}

		switch {
		case key == "?" || key == ":":
			last = append(last, hint)
		case strings.Contains(key, "esc"):
			hint.Rank = wayBackRank
			everywhere = append(everywhere, hint)
		case c.Name == "" || c.Group == app.GroupScreens || hasSameLabel(ofScreen, hint):

			// not in the footer
		case isRanked && c.Group != app.GroupAsk:
			everywhere = append(everywhere, hint)
		case c.Group == app.GroupHere && len(ofScreen) < maxScreenHints:
			hint.Rank = 2*len(ofScreen) + 1
			ofScreen = append(ofScreen, hint)
		default:
			others = append(others, hint)
		}
	}
	return slices.Concat(ofScreen, everywhere, others, last)
}

// hasSameLabel reports whether one of hints has the label of hint, because another key
// does the same.
func hasSameLabel(hints widget.Hints, hint widget.Hint) bool {
	label := hint.Binding.Help().Desc
	return slices.ContainsFunc(hints, func(h widget.Hint) bool { return h.Binding.Help().Desc == label })
}
