package ui

import (
	"ephemera/ui/accounts"
	"ephemera/ui/app"
	"ephemera/ui/collection"
	"ephemera/ui/console"
	"ephemera/ui/grants"
	"ephemera/ui/history"
	"ephemera/ui/lessons"
	"ephemera/ui/tokens"
)

// newScreens makes the screens in the order of their keys, with columns hidden by
// the names of the screens. This file alone knows them all.
func newScreens(book *lessons.Book, hidden map[string][]string) []app.Screen {
	all := []app.Screen{
		tokens.New(),
		grants.NewApprovals(),
		grants.NewOperators(),
		collection.New(),
		history.New(),
		console.New(),
		lessons.New(book),
		accounts.New(),
	}
	for _, s := range all {
		if l, ok := s.(app.Lister); ok {
			l.List().HideColumns(hidden[s.Name()])
		}
	}
	return all
}
