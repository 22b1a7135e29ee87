package ui

import "slices"

// newScreens makes the screens in the order of their keys. This file alone knows
// them all.
func newScreens(book *lessonBook) []Screen {
	return []Screen{
		newTokens(),
		newApprovals(),
		newOperators(),
		newCollection(),
		newHistoryScreen(),
		newConsole(),
		newLessons(book),
		newAccounts(),
	}
}

// at is the place of the screen of a kind.
func (m *Model) at(k Kind) int {
	return slices.IndexFunc(m.screens, func(s Screen) bool { return s.Kind() == k })
}
