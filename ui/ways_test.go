package ui

import (
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

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
		{"5 n x enter D", "Delete"}, {"5 n x enter v D", "Delete"}, {": d a n g l enter tab D", "Act as bob"},
	} {
		d := uitest.New(t, New, 120, 36)
		d.Press(strings.Fields(way.keys)...)
		d.Sees(way.says)
	}
}

// TestTasksAtTheDemoTakeAFewKeys plays the keys of some tasks on the demo, and counts them.
// A letter of a typed text is a key.
func TestTasksAtTheDemoTakeAFewKeys(t *testing.T) {
	for _, task := range []struct {
		name    string
		keys    []string // names of keys, and texts
		maxKeys int
		sees    []string
	}{
		{
			// Each of the 12 approvals and the operator had to be selected by hand: 13 marks.
			name: "revoke everything that alice gave",
			keys: []string{
				"2", "/", "owner:alice", "enter", "*", "r", "enter", "enter",
				"tab", "*", "r", "enter",
			},
			maxKeys: 23,
			sees:    []string{"/ owner:alice", "nothing fits the filter"},
		},
		{
			name:    "see who could take ape-0002",
			keys:    []string{"j", "W"},
			maxKeys: 2,
			sees:    []string{"Who can", "can transfer ape-0002"},
		},
		{
			name:    "find what bob was given",
			keys:    []string{"2", "tab"}, // the first approval to expire is bob's
			maxKeys: 2,
			sees:    []string{"/ spender:bob", "1–1 of 1", "dave"},
		},
		{
			name:    "name the next three expiries",
			keys:    []string{"2"},
			maxKeys: 1,
			sees:    []string{"in 3 blocks", "in 8 blocks", "in 13 blocks"},
		},
	} {
		t.Run(task.name, func(t *testing.T) {
			d := uitest.On(t, New, uitest.Crowded(t), 120, 36)
			d.Keys(task.keys...)
			count := 0
			for _, key := range task.keys {
				isTextForField := uitest.Key(key).Type == tea.KeyRunes
				if isTextForField {
					count += len(key)
				} else {
					count++
				}
			}
			t.Logf("%d keys", count)
			if count > task.maxKeys {
				t.Errorf("%d keys, and no more than %d are needed", count, task.maxKeys)
			}
			d.Sees(task.sees...)
			d.Fits()
		})
	}
}
