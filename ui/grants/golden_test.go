package grants_test

import (
	"testing"

	"ephemera/ui"
	"ephemera/ui/uitest"
)

func TestEveryScreenOfGrantsLooksAsKept(t *testing.T) {
	uitest.LookAsKept(t, ui.New,
		uitest.Scene{Name: "approvals", Keys: []string{"2"}},
		uitest.Scene{Name: "operators", Keys: []string{"3"}},
		uitest.Scene{Name: "grant-operator", Keys: []string{"3", "o"}},
		uitest.Scene{Name: "dangling", Keys: []string{"3", "/", "i", "s", ":", "d", "enter"}},
	)
}
