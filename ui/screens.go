package ui

// newScreens makes the screens in the order of their keys.
func newScreens() []Screen {
	return []Screen{
		newTokens(),
		newApprovals(),
		newOperators(),
		newCollection(),
		newHistoryScreen(),
		newConsole(),
		newLessons(),
		newAccounts(),
	}
}
