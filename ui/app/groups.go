package app

import (
	"slices"
)

// Groups of commands, the headings of help.
const (
	GroupHere    = "On this screen"
	GroupClock   = "Clock"
	GroupScreens = "Screens"
	GroupProgram = "Everywhere"
	GroupMove    = "Moving"
)

// GroupAsk heads the commands that only look.
const GroupAsk = "Asking"

// Claims tells whether one of the commands has the key, also where it cannot be done now.
func Claims(commands []Command, key string) bool {
	return slices.ContainsFunc(commands, func(c Command) bool { return slices.Contains(c.Binding.Keys(), key) })
}
