package ui

import (
	"slices"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	"ephemera/core/kv/kvtest"
	"ephemera/ui/app"
	"ephemera/ui/uitest"
	"ephemera/ui/widget"
)

func TestAFullScreenViewCoversHeaderAndClock(t *testing.T) {
	for _, size := range uitest.Sizes {
		d := uitest.New(t, New, size[0], size[1])
		d.Press("L")
		d.Fits()
		d.DoesNotSee("EPHEMERA", "CLOCK")
		if line := d.Line(0); !strings.HasPrefix(line, "┌") || !strings.HasSuffix(line, "┐") {
			t.Errorf("the first line is %q", line)
		}
	}
}

func TestACentredDialogKeepsItsRowWhenItsPreviewGrows(t *testing.T) {
	d := uitest.New(t, New, 98, 36)
	top := func() (y int) {
		for y, l := range strings.Split(d.Screen(), "\n") {
			if strings.Contains(l, "Approve a spender") {
				return y
			}
		}
		return -1
	}
	d.Press("p")
	was := top()
	d.Keys("bob", "tab")
	for _, typed := range []string{"+", "1", "0", "q"} {
		d.Types(typed)
		if now := top(); now != was {
			t.Fatalf("it was on line %d and is on %d:\n%s", was, now, d.Screen())
		}
	}
}

func TestADialogBesideTheListCoversNeitherTheListNorTheFirstLinesOfTheDetailAndAHigherOneIsWhole(t *testing.T) {
	skipInShort(t)
	const title, uri, blank, heading, approvals = 1, 1, 1, 1, 3
	const detailLines = title + uri + blank + heading + approvals
	sizes := [][2]int{{100, 26}, {120, 36}, {200, 55}}
	if kvtest.Times() > 1 {
		sizes = append(sizes, [2]int{100, 30}, [2]int{160, 40})
	}
	for _, size := range sizes {
		for _, keys := range [][]string{{"p"}, {"p", "dave", "tab", "+10"}, {"t", "bob"}, {"d"}, {"m"}, {"b"}, {"r"}, {"i"}, {"w"}, {"T", "+10"}, {".", "q"}, {"space", "j", "space", "t", "bob", "enter"}} {
			d := uitest.On(t, New, uitest.Crowded(t), size[0], size[1])
			moving := keys[:0:0]
			for len(keys) > 0 && slices.Contains([]string{".", "space", "j"}, keys[0]) {
				moving = append(moving, keys[0])
				keys = keys[1:]
			}
			d.Keys(moving...)
			before := strings.Split(d.Screen(), "\n")
			d.Keys(keys...)
			after := strings.Split(d.Screen(), "\n")
			d.Fits()

			ruleColumn := widget.Width(strings.SplitN(before[3], "│", 2)[0])
			dialog := uitest.Dialog(after)
			border, _, _ := strings.Cut(d.Screen(), "┌")
			border = border[strings.LastIndex(border, "\n")+1:]
			if widget.Width(border) < ruleColumn {
				// It is too high for the pane, so it is in the middle, and whole.
				if size[0] >= 120 && keys[0] != "i" {
					t.Errorf("%v at %v is not beside the list:\n%s", keys, size, d.Screen())
				}
				if strings.ContainsAny(dialog, "▾▴") {
					t.Errorf("%v at %v is not whole:\n%s", keys, size, d.Screen())
				}
				continue
			}
			for y := 3; y < len(before)-6; y++ {
				if got, want := ansi.Cut(after[y], 0, ruleColumn), ansi.Cut(before[y], 0, ruleColumn); got != want {
					t.Errorf("%v at %v: line %d of the list was %q and is %q", keys, size, y, want, got)
				}
			}
			for y := 3; y < 3+detailLines; y++ {
				if after[y] != before[y] {
					t.Errorf("%v at %v: line %d was %q and is %q", keys, size, y, before[y], after[y])
				}
			}
			if dialog == "" {
				t.Errorf("%v at %v: no dialog is open:\n%s", keys, size, d.Screen())
			}
		}
	}
}

func TestAScreenWithoutAPaneGivesADialogTheColumnsAtItsRight(t *testing.T) {
	for _, size := range [][2]int{{100, 26}, {120, 36}, {200, 55}} {
		for screen, key := range map[string]string{"Approvals": "p", "Operators": "o", "Accounts": "n", "Console": "T", "Lessons": "T", "History": "T"} {
			d := uitest.On(t, New, uitest.Crowded(t), size[0], size[1])
			d.To(screen)
			before := d.Screen()
			d.Press(key)
			d.Fits()
			left, _, _ := strings.Cut(d.Screen(), "┌")
			left = left[strings.LastIndex(left, "\n")+1:]
			if width := widget.Width(left); width < size[0]*2/5 {
				t.Errorf("%s at %v: the dialog begins at column %d:\n%s", screen, size, width, d.Screen())
			}
			d.Press("esc")
			if after := d.Screen(); after != before {
				t.Errorf("%s at %v was\n%s\nand is\n%s", screen, size, before, after)
			}
		}
	}
}

// workingDialog is a dialog with work under way, which any message closes.
type workingDialog struct {
	app.Dialog
	isStopped bool
}

func (d *workingDialog) Update(*app.State, tea.Msg) (tea.Cmd, bool) { return nil, true }
func (d *workingDialog) Close()                                     { d.isStopped = true }

func TestTheWorkOfADialogStopsWhenItIsClosed(t *testing.T) {
	m := New(app.Options{})
	byItself, withAllOthers := &workingDialog{}, &workingDialog{}
	m.dialogs.open = []app.Dialog{byItself}
	m.dialogs.update(m.state, byItself, nil)
	m.dialogs.open = []app.Dialog{withAllOthers}
	m.dialogs.closeAll()
	if !byItself.isStopped || !withAllOthers.isStopped || len(m.dialogs.open) > 0 {
		t.Errorf("closed by itself: stopped is %t; with all others: %t; %d dialogs are left", byItself.isStopped, withAllOthers.isStopped, len(m.dialogs.open))
	}
}
