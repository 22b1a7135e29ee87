package ui

import (
	"testing"

	"ephemera/ui/uitest"
)

func TestStories(t *testing.T) { uitest.Stories(t, New) }

func TestEveryDialogOfTheRootLooksAsKept(t *testing.T) {
	uitest.LookAsKept(t, New,
		uitest.Scene{Name: "clock", Keys: []string{"T"}},
		uitest.Scene{Name: "expired", Keys: []string{"e"}},
		uitest.Scene{Name: "commands", Keys: []string{":"}},
		uitest.Scene{Name: "help", Keys: []string{"?"}},
		uitest.Scene{Name: "quit", Keys: []string{".", "q"}},
	)
}
