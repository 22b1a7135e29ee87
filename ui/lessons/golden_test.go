package lessons_test

import (
	"testing"

	"ephemera/ui"
	"ephemera/ui/uitest"
)

func TestTheLessonsScreenMatchesItsGoldenViews(t *testing.T) {
	uitest.LookAsKept(t, ui.New,
		uitest.Scene{Name: "lessons", Keys: []string{"7"}},
		uitest.Scene{Name: "find", Keys: []string{"7", "v", "v", "enter", "esc", "j", "j"}},
	)
}
