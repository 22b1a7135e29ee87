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

// hints returns the keys that the footer shows. While a dialog is open or a text field has
// the focus, these are the keys of that dialog or field, which get every key that is typed.
// Otherwise they are the keys of the screen and of the whole program.
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

// listedHints returns the footer's hints for the keys of a dialog or a text field. Esc and
// enter come first, then the other keys in the order of commands. If the line is too narrow,
// hints with a high rank are left out first. Esc and enter have the lowest ranks, so they
// stay longest.
func listedHints(commands []app.Command) widget.Hints {
	var first, others widget.Hints
	for i, command := range commands {
		hint := widget.Hint{Binding: command.Binding, Rank: i + 2}
		key, _, _ := strings.Cut(command.Binding.Help().Key, " ")
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

// hintRanks holds the ranks of keys that work everywhere. If the footer is too narrow, hints
// with a high rank are left out first, so "?" stays longest. The screen's own keys have the
// ranks 1, 3, 5 and 7, between these.
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

// backRank is the rank of the key that goes back, such as esc.
const backRank = 1

// screenHints returns the footer's hints for the commands of a screen, from left to right:
// at most four keys of the screen itself, keys that work everywhere, all others, and at the
// end the keys of the palette and of help. If the line is too narrow, hints with a high rank
// are left out first. Disabled commands and the keys that change the screen have no hint.
func screenHints(commands []app.Command) widget.Hints {
	var ofScreen, everywhere, others, atEnd widget.Hints
	for i, command := range commands {
		isDisabled := command.Reason() != ""
		if isDisabled {
			continue
		}
		key := command.Binding.Help().Key
		rank, isRanked := hintRanks[key]
		if !isRanked {
			rank = 10 + i // after the ranked keys, in the order of commands
		}
		hint := widget.Hint{Binding: command.Binding, Rank: rank}

		// Put the hint into its part of the line.
		isUnimportant := command.Name == "" || command.Group == app.GroupScreens
		switch {
		case key == "?" || key == ":":
			atEnd = append(atEnd, hint)
		case strings.Contains(key, "esc"):
			hint.Rank = backRank
			everywhere = append(everywhere, hint)
		case isUnimportant || hasSameLabel(ofScreen, hint):
			continue
		case isRanked && command.Group != app.GroupAsk:
			everywhere = append(everywhere, hint)
		case command.Group == app.GroupHere && len(ofScreen) < maxScreenHints:
			hint.Rank = 2*len(ofScreen) + 1
			ofScreen = append(ofScreen, hint)
		default:
			others = append(others, hint)
		}
	}
	return slices.Concat(ofScreen, everywhere, others, atEnd)
}

// hasSameLabel reports whether one of hints has the same label as hint. Then two keys do the
// same, and the footer shows only the first.
func hasSameLabel(hints widget.Hints, hint widget.Hint) bool {
	label := hint.Binding.Help().Desc
	return slices.ContainsFunc(hints, func(h widget.Hint) bool { return h.Binding.Help().Desc == label })
}
