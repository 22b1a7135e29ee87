package history_test

import (
	"testing"

	"ephemera/ui"
	"ephemera/ui/uitest"
)

func TestTheHistoryScreenLooksAsKept(t *testing.T) {
	uitest.LookAsKept(t, ui.New,
		uitest.Scene{Name: "history", Keys: []string{"5"}},
	)
}

func TestStoriesOfHistory(t *testing.T) { uitest.Stories(t, ui.New) }
