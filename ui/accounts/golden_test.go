package accounts_test

import (
	"testing"

	"ephemera/ui"
	"ephemera/ui/uitest"
)

func TestTheAccountsScreenWithItsFormsLooksAsKept(t *testing.T) {
	uitest.LookAsKept(t, ui.New,
		uitest.Scene{Name: "accounts", Keys: []string{"8"}},
		uitest.Scene{Name: "act-as", Keys: []string{"a"}},
	)
}
