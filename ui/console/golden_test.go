package console_test

import (
	"testing"

	"ephemera/ui"
	"ephemera/ui/uitest"
)

func TestTheConsoleAndItsFormsMatchTheirGoldenViews(t *testing.T) {
	uitest.LookAsKept(t, ui.New,
		uitest.Scene{Name: "console", Keys: []string{"6"}},
		uitest.Scene{Name: "message", Keys: []string{"6", "enter", `{"burn":{"token_id":"ape-01"}}`}},
	)
}

func TestStoriesOfConsole(t *testing.T) { uitest.Stories(t, ui.New) }
