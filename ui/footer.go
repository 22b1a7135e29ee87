package ui

import (
	"slices"
	"strings"

	"ephemera/ui/app"
	"ephemera/ui/widget"
)

// footerHints returns the keys that matter most now, which the last line of the screen shows.
// While a dialog is open or a text field has the focus, these are the keys of that dialog or
// field, which get every key that is typed. Otherwise they are the keys of the screen and of
// the whole program.
func footerHints(state *app.State, target keyTarget) widget.Hints {
	switch {
	case target.dialog != nil:
		return dialogHints(target.dialog.Commands(state))
	case target.screen == nil:
		return nil
	}
	if screen, ok := target.screen.(app.TypingScreen); ok && screen.Typing() {
		return dialogHints(screen.TypingCommands(state))
	}
	return screenHints(target.commands())
}

// dialogHints returns the footer's hints for the keys of a dialog or a text field. Esc
// and enter come first, then the other keys in the order of commands. If the line is too
// narrow, hints with a high rank are left out first. Esc and enter have the lowest ranks,
// so they stay longest.
func dialogHints(commands []app.Command) widget.Hints {
	var escAndEnter, otherHints widget.Hints
	for i, command := range commands {
		hint := widget.Hint{Binding: command.Binding, Rank: i + 2}
		key, _, _ := strings.Cut(command.Binding.Help().Key, " ")
		switch key {
		case "esc":
			hint.Rank = 0
			escAndEnter = append(escAndEnter, hint)
		case "enter":
			hint.Rank = 1
			escAndEnter = append(escAndEnter, hint)
		default:
			otherHints = append(otherHints, hint)
		}
	}
	return append(escAndEnter, otherHints...)
}

// maxScreenHints is the number of keys of the screen that the footer shows
// before those that work everywhere.
const maxScreenHints = 4

// hintRanks holds the ranks of keys that work everywhere. If the footer is too narrow, hints
// with a high rank are left out first, so "?" stays longest. The screen's own keys have the
// ranks 1, 3, 5 and 7, between these. "W" comes after them, so it is left out before them.
var hintRanks = map[string]int{
	"?": 0,                   // help
	"u": 2,                   // undo
	"e": 3,                   // move the clock to the next expiry
	"a": 4,                   // act as somebody else
	"w": 6,                   // why: who may do what, and by which rule
	".": 8,                   // move the clock by a block
	":": 9,                   // all commands by name
	"W": 10 + maxScreenHints, // who can: search for a way to do something
}

// backRank is the rank of the key that goes back, such as esc.
const backRank = 1

// screenHints returns the footer's hints for the commands of a screen, from left to right:
// at most four keys of the screen itself, keys that work everywhere, all others, and at the
// end the keys of the palette and of help. If the line is too narrow, hints with a high rank
// are left out first. Disabled commands and the keys that change the screen have no hint.
func screenHints(commands []app.Command) widget.Hints {
	var ownHints, globalHints, otherHints, lastHints widget.Hints
	for i, command := range commands {
		if command.Reason() != "" {
			continue // it is disabled
		}
		key := command.Binding.Help().Key
		rank, isRanked := hintRanks[key]
		if !isRanked {
			rank = 10 + i // after the ranked keys, in the order of commands
		}
		hint := widget.Hint{Binding: command.Binding, Rank: rank}

		// Put the hint into its part of the line, or leave it out.
		needsNoHint := command.Name == "" || command.Group == app.GroupScreens
		switch {
		case key == "?" || key == ":":
			lastHints = append(lastHints, hint)
		case strings.Contains(key, "esc"): // goes back to the screen before
			hint.Rank = backRank
			globalHints = append(globalHints, hint)
		case needsNoHint || hasSameLabel(ownHints, hint):
			continue
		case isRanked && command.Group != app.GroupAsk:
			globalHints = append(globalHints, hint)
		case command.Group == app.GroupHere && len(ownHints) < maxScreenHints:
			hint.Rank = 2*len(ownHints) + 1
			ownHints = append(ownHints, hint)
		default:
			otherHints = append(otherHints, hint)
		}
	}
	return slices.Concat(ownHints, globalHints, otherHints, lastHints)
}

// hasSameLabel reports whether one of hints has the same label as hint. Then two keys do the
// same, and the footer shows only the first.
func hasSameLabel(hints widget.Hints, hint widget.Hint) bool {
	return slices.ContainsFunc(hints, func(other widget.Hint) bool {
		return other.Binding.Help().Desc == hint.Binding.Help().Desc
	})
}
