package ui

import (
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"pgregory.net/rapid"

	"ephemera/ui/uitest"
)

// Mouse events land anywhere, on every screen and on every dialog.
func TestTheMouseBreaksNothing(t *testing.T) {
	for _, size := range [][2]int{{100, 30}, {40, 12}, {20, 6}} {
		d := uitest.New(t, New, size[0], size[1])
		for y := range size[1] {
			for x := 0; x < size[0]; x += 7 {
				for _, button := range []tea.MouseButton{tea.MouseButtonLeft, tea.MouseButtonWheelDown, tea.MouseButtonWheelUp, tea.MouseButtonRight, tea.MouseButtonNone} {
					d.Send(tea.MouseMsg{X: x, Y: y, Button: button, Action: tea.MouseActionPress})
					d.Send(tea.MouseMsg{X: x, Y: y, Button: button, Action: tea.MouseActionMotion})
				}
				if d.Fits(); d.Quit {
					t.Fatal("a click left the program without a question")
				}
			}
		}
	}
}

func TestNoClickAmongKeysOnTheDemoBreaksTheFrameAtAnySize(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		w, h := rapid.IntRange(leastW, 140).Draw(rt, "w"), rapid.IntRange(leastH, 40).Draw(rt, "h")
		d := uitest.On(t, New, uitest.Demo(t), w, h)
		for range rapid.IntRange(10, 40).Draw(rt, "steps") {
			switch rapid.IntRange(0, 2).Draw(rt, "what") {
			case 0:
				d.Press(rapid.SampledFrom(uitest.EveryKey).Draw(rt, "key"))
			case 1:
				d.ClickAt(rapid.IntRange(0, w-1).Draw(rt, "x"), rapid.IntRange(0, h-1).Draw(rt, "y"))
			default:
				d.Wheel(rapid.IntRange(0, w-1).Draw(rt, "x"), rapid.IntRange(0, h-1).Draw(rt, "y"))
			}
			if d.Quit {
				return
			}
			if why := uitest.Misfit(d.Model.View(), d.Size); why != "" {
				rt.Fatalf("%s:\n%s", why, d.Screen())
			}
		}
	})
}

func TestAClickOnATabShowsItsScreenInEveryWidth(t *testing.T) {
	for _, w := range []int{40, 60, 80, 90, 120} {
		d := uitest.New(t, New, w, 36)
		for i := range root(d).screens {
			bar := strings.Split(d.Screen(), "\n")[tabsRow]
			d.ClickAt(strings.Index(bar, root(d).tabBar().Items[i].Key), tabsRow)
			if root(d).current != i {
				t.Fatalf("at %d columns a click on tab %d shows screen %d:\n%s", w, i+1, root(d).current+1, bar)
			}
		}
	}
}

func TestAClickOnAHintOfTheFooterDoesWhatItsKeyDoes(t *testing.T) {
	d := uitest.New(t, New, 80, 24)
	d.Click("p approve", 20)
	d.Sees("Approve a spender for ape-01")
	d.Click("esc cancel", 20)
	d.DoesNotSee("Approve a spender")
	d.Click("e next expiry", 20)
	d.Sees("height 1,110")
	d.Click("u undo", 20)
	d.Sees("height 1,102")
	d.Click("? help", 20)
	d.Sees("On this screen")
}

func TestAClickBesideADialogDoesNothingAndLosesNothing(t *testing.T) {
	d := uitest.New(t, New, 80, 24)
	d.Keys("t", "bob")
	d.ClickAt(1, tabsRow)
	d.ClickAt(1, 4)
	d.ClickAt(40, 20)
	d.Sees("Transfer ape-01", "Recipient  bob")
}

func TestAClickOnARowAndTheWheelMoveTheCursor(t *testing.T) {
	d := uitest.New(t, New, 80, 24)
	d.Click("ape-05", 4)
	d.Sees("▸ ape-05")
	d.Wheel(5, 8)
	d.Sees("▸ ape-08")
}

func TestAClickOnAMarkOfTheClockShowsWhatEndsThere(t *testing.T) {
	d := uitest.New(t, New, 120, 36)
	d.Press("8")
	d.Click("◗ape-04 → bob", 30)
	d.Sees("▸ ape-04", "ape-04 → bob in 8 blocks")
	d.Click("2 bob → erin", 30)
	d.Sees("all operators", "▸ ●  erin")
	d.Click("◗minter offer", 30)
	d.Sees("minter offer → carol", "FIELD")
}

func TestAClickOnTheHeightSetsTheClockAndOneOnWhatEndsNextShowsIt(t *testing.T) {
	d := uitest.New(t, New, 80, 24)
	d.Click("height 1,102", 18)
	d.Sees("Move to")
	d.Press("esc")
	d.Click("expires next: ape-04", 18)
	d.Sees("▸ ape-04")
}

func TestAClickOnTheActorOpensTheListOfWhomToActAs(t *testing.T) {
	d := uitest.New(t, New, 80, 24)
	d.Click("● alice", 0)
	d.SeesIn(uitest.Dialog, "Act as")
}
