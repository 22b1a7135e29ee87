package ui

import (
	"strings"
	"testing"

	"ephemera/ui/uitest"
)

func TestQuittingAsksOnlyIfChangesWouldBeLost(t *testing.T) {
	d := uitest.New(t, New, 120, 36)
	d.Press(".", "q")
	d.SeesIn(uitest.Dialog, "only in memory", "Cancel")

	d.Press("enter")
	d.DoesNotSee("only in memory")

	d.Press("q", "y")
	if !d.Quit {
		t.Fatal("y did not quit")
	}

	d = uitest.New(t, New, 120, 36)
	d.Press("q")
	if !d.Quit {
		t.Fatal("q asked although nothing was done")
	}
}

func TestSlashFiltersEveryListAndDDeletesOnEveryScreen(t *testing.T) {
	for screen, found := range map[string]struct{ text, cursor string }{
		"Tokens": {"ape-13", "▸ ape-13"}, "Approvals": {"carol", "▸ ●  ape-07"}, "Operators": {"owner:bob", "▸ ●  erin"},
		"Collection": {"withdraw", "▸ withdraw address"}, "History": {"approve_all", "dave an operator"},
		"Lessons": {"royalt", "▸ ·  14"}, "Accounts": {"erin", "▸   erin"},
	} {
		d := uitest.New(t, New, 120, 36)
		d.To(screen)
		d.Press("/")
		d.Types(found.text)
		d.Press("enter")
		d.Sees(found.cursor)
	}
	for _, way := range []struct{ keys, says string }{
		{"D", "Burn ape-01"}, {"2 D", "Revoke an approval"}, {"3 D", "Act as bob"}, {"8 D", "Forget"},
		{"5 n x enter D", "Delete"}, {"5 n x enter v D", "Delete"}, {"v d a n g enter D", "revoke"},
	} {
		d := uitest.New(t, New, 120, 36)
		d.Press(strings.Fields(way.keys)...)
		d.Sees(way.says)
	}
}
