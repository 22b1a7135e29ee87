package ui

// The places of those screens to which other screens lead.
const (
	placeTokens     = 0
	placeOperators  = 2
	placeCollection = 3
)

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
