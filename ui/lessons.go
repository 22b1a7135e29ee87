package ui

import (
	"ephemera/ui/app"
)

// home is what a lesson was begun from.
type home struct {
	session app.Session
	screens []app.Screen
	current int
}
