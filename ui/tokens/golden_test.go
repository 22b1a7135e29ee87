package tokens_test

import (
	"testing"

	"ephemera/ui"
	"ephemera/ui/uitest"
)

func TestTheTokensScreenWithItsFormsLooksAsKept(t *testing.T) {
	uitest.LookAsKept(t, ui.New,
		uitest.Scene{Name: "tokens", Keys: []string{"1"}},
		uitest.Scene{Name: "transfer", Keys: []string{"t", "bob"}},
		uitest.Scene{Name: "approve", Keys: []string{"p", "bob", "tab", "+10"}},
		uitest.Scene{Name: "revoke", Keys: []string{"r"}},
		uitest.Scene{Name: "send", Keys: []string{"d", "vault"}},
		uitest.Scene{Name: "burn", Keys: []string{"b"}},
		uitest.Scene{Name: "mint", Keys: []string{"m"}},
		uitest.Scene{Name: "token-info", Keys: []string{"i"}},
		uitest.Scene{Name: "filter", Keys: []string{"/", "owner:bob", "enter"}},
	)
}

func TestStoriesOfTokens(t *testing.T) { uitest.Stories(t, ui.New) }
