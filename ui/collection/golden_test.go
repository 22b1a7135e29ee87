package collection_test

import (
	"testing"

	"ephemera/ui"
	"ephemera/ui/uitest"
)

func TestTheCollectionScreenWithItsFormsLooksAsKept(t *testing.T) {
	uitest.LookAsKept(t, ui.New,
		uitest.Scene{Name: "collection", Keys: []string{"4"}},
		uitest.Scene{Name: "edit", Keys: []string{"4", "enter"}},
	)
}

func TestStoriesOfCollection(t *testing.T) { uitest.Stories(t, ui.New) }
