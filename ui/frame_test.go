package ui

import (
	"fmt"
	"strings"
	"testing"

	"ephemera/core/chain"
	"ephemera/core/cw721"
)

// allSizes are the sizes that the explorer is made for.
var allSizes = [][2]int{{40, 12}, {60, 20}, {80, 24}, {120, 36}}

func (d *drive) line(y int) string { return strings.Split(d.screen(), "\n")[y] }

func TestTheTabsNeverCutATitle(t *testing.T) {
	step := 1
	if testing.Short() {
		step = 7
	}
	for w := leastW; w <= 130; w += step {
		d := newDrive(t, New, w, 24)
		for i, s := range root(d).screens {
			d.press(fmt.Sprint(i + 1))
			whole := map[string]bool{}
			for _, s := range root(d).screens {
				whole[s.Name()], whole[shortTitles[s.Name()]] = true, true
			}
			bar, _, _ := strings.Cut(d.line(tabsRow), "standard")
			for _, word := range strings.Fields(bar) {
				if len(word) > 1 && !whole[word] {
					t.Fatalf("at %d columns %q is on the tabs: %s", w, word, d.line(tabsRow))
				}
			}
			if name, short := s.Name(), shortTitles[s.Name()]; !strings.Contains(bar, name) && (short == "" || !strings.Contains(bar, short)) {
				t.Fatalf("at %d columns nothing says that this is %s: %s", w, name, d.line(tabsRow))
			}
		}
	}
}

func TestTheHeightAndWhoActsShowInEverySize(t *testing.T) {
	for _, size := range allSizes {
		d := newDrive(t, New, size[0], size[1])
		for i := range root(d).screens {
			d.press(fmt.Sprint(i + 1))
			d.sees("height 1,102", "as ● alice", "Interchain Apes")
		}
	}
}

func TestAReadOnlySessionSaysSoInEverySize(t *testing.T) {
	for _, size := range allSizes {
		d := newDrive(t, New, size[0], size[1])
		d.doesNotSee("read-only")
		d.given(func(st *Desk) { st.ReadOnly, st.InMemory = true, false })
		d.sees("read-only", "as ● alice")
		d.fits()
	}
}

func TestAFormSaysThatAReadOnlySessionWillNotSendIt(t *testing.T) {
	d := newDrive(t, New, 80, 24)
	d.model.State().ReadOnly, d.model.State().InMemory = true, false
	d.press("b")
	d.sees("this session is read-only")
	d.doesNotSee("will work")
}

func TestOneTokenIsNotCalledTokens(t *testing.T) {
	d := newDrive(t, New, 120, 36)
	d.given(func(st *Desk) { st.Collection.Tokens = 1 })
	d.sees("· 1 token ")
	d.given(func(st *Desk) { st.Collection.Tokens = 1204 })
	d.sees("· 1,204 tokens ")
}

func TestTheFooterKeepsHelpAndUndoWhateverIsSaid(t *testing.T) {
	for _, size := range allSizes {
		d := newDrive(t, New, size[0], size[1])
		for i := range root(d).screens {
			d.press(fmt.Sprint(i + 1))
			d.send(sayMsg{levelBad, "a notice that is as long as the refusals of the contract are when they name two addresses and a token"})
			footer := d.line(size[1] - 1)
			if !strings.HasSuffix(strings.TrimRight(footer, " "), "? help") {
				t.Errorf("on %s at %d columns help is not there: %q", root(d).screens[i].Name(), size[0], footer)
			}
			if i != 5 && !strings.Contains(footer, "u undo") { // nothing is undone while a message is typed
				t.Errorf("on %s at %d columns undo is not there: %q", root(d).screens[i].Name(), size[0], footer)
			}
			if !strings.Contains(d.line(root(d).noticeRow()), "✗ a notice that is as long") {
				t.Errorf("the notice does not stand on its line:\n%s", d.screen())
			}
			d.fits()
		}
	}
}

func TestADialogShowsWhatIsDoneAndTheWayOutInEveryWidth(t *testing.T) {
	for _, size := range allSizes {
		for keys, want := range map[string][]string{
			"a": {"enter choose", "esc cancel"}, "t": {"enter send", "esc cancel"}, "w": {"enter", "esc close"}, ":": {"enter", "esc cancel"}, "T": {"enter", "esc cancel"},
		} {
			d := newDrive(t, New, size[0], size[1])
			if keys == "w" {
				d.actAs("bob") // there is a step that turns it around
			}
			d.press(keys)
			for _, hint := range want {
				if footer := d.line(size[1] - 1); !strings.Contains(footer, hint) {
					t.Errorf("%s at %d columns: no %q in %q", keys, size[0], hint, footer)
				}
			}
		}
	}
}

func TestWhatIsSaidWhileADialogCoversThePlaceOfNoticesStandsBelowIt(t *testing.T) {
	for _, size := range allSizes {
		for _, key := range []string{"?", ":", "w", "B"} {
			d := newDrive(t, New, size[0], size[1])
			d.send(sayMsg{levelWarn, "said before"})
			d.press(key)
			covered := !strings.Contains(d.screen(), "said before")
			d.send(sayMsg{levelWarn, "said while it was open"})
			at := root(d).noticeRow()
			if covered {
				at = size[1] - 2
			}
			if line := d.line(at); !strings.Contains(line, "─ ▲ said while it was open ─") {
				t.Errorf("%s at %d×%d: line %d is %q:\n%s", key, size[0], size[1], at, line, d.screen())
			}
			if n := strings.Count(d.screen(), "said while it was open"); n != 1 {
				t.Errorf("%s at %d×%d: said %d times", key, size[0], size[1], n)
			}
			if footer := d.line(size[1] - 1); !strings.Contains(footer, "esc ") {
				t.Errorf("%s at %d×%d: the footer is %q", key, size[0], size[1], footer)
			}
			d.sees("┘") // the frame of the dialog ends above it
			d.fits()
			d.press("esc")
			if line := d.line(root(d).noticeRow()); !strings.Contains(line, "▲ said while it was open") {
				t.Errorf("%s at %d×%d: after it closed the notice is %q", key, size[0], size[1], line)
			}
			d.press(key)
			if covered {
				d.doesNotSee("said while it was open") // it is not about this one
			}
		}
	}
}

func TestARefusalIsReadWithTheFormThatItIsAbout(t *testing.T) {
	d := newDrive(t, New, 40, 12)
	d.press("b")
	d.do("alice", `{"burn":{"token_id":"ape-01"}}`) // by somebody else, meanwhile
	d.press("enter")
	d.sees("Burn ape-01", "─ ✗ ", "enter send", "esc cancel")
	d.fits()
}

func TestWhatTheClockSaysInFullIsNotSaidTwice(t *testing.T) {
	d := newDrive(t, New, 80, 24)
	d.press("e")
	if n := strings.Count(d.screen(), "bob's approval on ape-04 is over"); n != 1 {
		t.Errorf("said %d times:\n%s", n, d.screen())
	}
	d = newDrive(t, New, 40, 12)
	d.press("e")
	d.sees("▲ bob's approval on ape-04 is over")
}

func TestATerminalThatIsTooSmallIsToldWhatItNeedsInItsMiddle(t *testing.T) {
	d := newDrive(t, New, 39, 11)
	d.fits()
	for y := range 11 {
		if line := strings.TrimSpace(d.line(y)); (line != "") != (y == 4 || y == 5) {
			t.Errorf("line %d is %q", y, line)
		}
	}
	d.sees("needs 40×12", "39×11")
	for _, size := range [][2]int{{1, 1}, {5, 3}, {200, 2}, {30, 40}} {
		newDrive(t, New, size[0], size[1]).fits()
	}
}

func TestTheHeaderSaysOfAnActorOnlyWhatIsRead(t *testing.T) {
	d := newDrive(t, New, 120, 36)
	d.sees("as ● alice", "owner of")
	carol, err := chain.AddressFor("cosmos", "carol", cw721.AccountBytes)
	if err != nil {
		t.Fatal(err)
	}
	_, read := d.model.Update(actAsMsg(carol))
	if header := d.line(0); !strings.Contains(header, "as ● ") || strings.Contains(header, "alice") || strings.Contains(header, "owner of") {
		t.Errorf("before it is read the header says %q", header)
	}
	d.run(read)
	d.sees("owner of")
}

func TestTheHeaderKeepsItsTwoEndsApart(t *testing.T) {
	for w := 40; w <= 140; w++ {
		d := newDrive(t, New, w, 24)
		line, _, _ := strings.Cut(d.screen(), "\n")
		if left, _, found := strings.Cut(line, "as ●"); found && !strings.HasSuffix(left, "  ") && strings.Contains(left, "·") {
			t.Errorf("at %d: %s", w, line)
		}
	}
}

func TestABatchSaysThatAReadOnlySessionWillNotSendIt(t *testing.T) {
	d := newDrive(t, New, 60, 20)
	d.model.State().ReadOnly, d.model.State().InMemory = true, false
	d.press("space", "space", "b")
	d.sees("1 would work, but this session is read-only")
	d.fits()
}

// root is the explorer that is driven.
func root(d *drive) *Model { return d.model.(*Model) }
