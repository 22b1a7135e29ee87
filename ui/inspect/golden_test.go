package inspect_test

import (
	"testing"

	"ephemera/ui"
	"ephemera/ui/uitest"
)

func TestEveryAnswerMatchesItsGoldenView(t *testing.T) {
	uitest.LookAsKept(t, ui.New,
		uitest.Scene{Name: "why", Keys: []string{"w"}},
		uitest.Scene{Name: "probe", Keys: []string{"B"}},
		uitest.Scene{Name: "timeline", Keys: []string{"L"}},
	)
}

func TestStoriesOfInspection(t *testing.T) { uitest.Stories(t, ui.New) }
