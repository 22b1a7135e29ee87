package ui

import (
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"pgregory.net/rapid"

	"ephemera/core/chain"
	"ephemera/core/kv"
	"ephemera/ui/demo"
	"ephemera/ui/widget"
)

// click presses the left button on the first place where a text shows, as far
// down as from the line given.
func (d *drive) click(text string, from int) {
	d.t.Helper()
	for y, line := range strings.Split(d.screen(), "\n") {
		if at := strings.Index(line, text); at >= 0 && y >= from {
			d.clickAt(widget.Width(line[:at]), y)
			return
		}
	}
	d.t.Fatalf("there is no %q to click on:\n%s", text, d.screen())
}

func (d *drive) clickAt(x, y int) {
	d.t.Helper()
	d.send(tea.MouseMsg{X: x, Y: y, Button: tea.MouseButtonLeft, Action: tea.MouseActionPress})
	d.send(tea.MouseMsg{X: x, Y: y, Button: tea.MouseButtonLeft, Action: tea.MouseActionRelease})
}

func (d *drive) wheel(x, y int) {
	d.t.Helper()
	d.send(tea.MouseMsg{X: x, Y: y, Button: tea.MouseButtonWheelDown, Action: tea.MouseActionPress})
}

// Mouse events land anywhere, on every screen and on every dialog.
func TestTheMouseBreaksNothing(t *testing.T) {
	for _, size := range [][2]int{{100, 30}, {40, 12}, {20, 6}} {
		d := newDrive(t, New, size[0], size[1])
		for y := range size[1] {
			for x := 0; x < size[0]; x += 7 {
				for _, button := range []tea.MouseButton{tea.MouseButtonLeft, tea.MouseButtonWheelDown, tea.MouseButtonWheelUp, tea.MouseButtonRight, tea.MouseButtonNone} {
					d.send(tea.MouseMsg{X: x, Y: y, Button: button, Action: tea.MouseActionPress})
					d.send(tea.MouseMsg{X: x, Y: y, Button: button, Action: tea.MouseActionMotion})
				}
				if d.fits(); d.quit {
					t.Fatal("a click left the program without a question")
				}
			}
		}
	}
}

func TestNoClickAmongKeysOnTheDemoBreaksTheFrameAtAnySize(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		c, err := demo.Open(func() (*chain.Chain, error) { return chain.Open(kv.NewMemory()) })
		if err != nil {
			rt.Fatal(err)
		}
		w, h := rapid.IntRange(leastW, 140).Draw(rt, "w"), rapid.IntRange(leastH, 40).Draw(rt, "h")
		d := driveOn(t, New, c, w, h)
		for range rapid.IntRange(10, 40).Draw(rt, "steps") {
			switch rapid.IntRange(0, 2).Draw(rt, "what") {
			case 0:
				d.press(rapid.SampledFrom(everyKey).Draw(rt, "key"))
			case 1:
				d.clickAt(rapid.IntRange(0, w-1).Draw(rt, "x"), rapid.IntRange(0, h-1).Draw(rt, "y"))
			default:
				d.wheel(rapid.IntRange(0, w-1).Draw(rt, "x"), rapid.IntRange(0, h-1).Draw(rt, "y"))
			}
			if d.quit {
				return
			}
			if why := misfit(d.model.View(), d.size); why != "" {
				rt.Fatalf("%s:\n%s", why, d.screen())
			}
		}
	})
}

func TestAClickOnATabShowsItsScreenInEveryWidth(t *testing.T) {
	for _, w := range []int{40, 60, 80, 90, 120} {
		d := newDrive(t, New, w, 36)
		for i := range root(d).screens {
			bar := strings.Split(d.screen(), "\n")[tabsRow]
			d.clickAt(strings.Index(bar, root(d).tabBar().Items[i].Key), tabsRow)
			if root(d).current != i {
				t.Fatalf("at %d columns a click on tab %d shows screen %d:\n%s", w, i+1, root(d).current+1, bar)
			}
		}
	}
}

func TestAClickOnAHintOfTheFooterDoesWhatItsKeyDoes(t *testing.T) {
	d := newDrive(t, New, 80, 24)
	d.click("p approve", 20)
	d.sees("Approve a spender for ape-01")
	d.click("esc cancel", 20)
	d.doesNotSee("Approve a spender")
	d.click("e next end", 20)
	d.sees("height 1,110")
	d.click("u undo", 20)
	d.sees("height 1,102")
	d.click("? help", 20)
	d.sees("On this screen")
}

func TestAClickBesideADialogDoesNothingAndLosesNothing(t *testing.T) {
	d := newDrive(t, New, 80, 24)
	d.press("t")
	d.types("bob")
	d.clickAt(1, tabsRow)
	d.clickAt(1, 4)
	d.clickAt(40, 20)
	d.sees("Transfer ape-01", "Recipient  bob")
}

func TestAClickOnARowAndTheWheelMoveTheCursor(t *testing.T) {
	d := newDrive(t, New, 80, 24)
	d.click("ape-05", 4)
	d.sees("▸ ape-05")
	d.wheel(5, 8)
	d.sees("▸ ape-08")
}

func TestAClickOnAMarkOfTheClockShowsWhatEndsThere(t *testing.T) {
	d := newDrive(t, New, 120, 36)
	d.press("8")
	d.click("◗ape-04 → bob", 30)
	d.sees("▸ ape-04", "ape-04 → bob in 8 blocks")
	d.click("2 bob → erin", 30)
	d.sees("all operators", "▸ ●  erin")
	d.click("◗minter offer", 30)
	d.sees("minter offer → carol", "FIELD")
}

func TestAClickOnTheHeightSetsTheClockAndOneOnWhatEndsNextShowsIt(t *testing.T) {
	d := newDrive(t, New, 80, 24)
	d.click("height 1,102", 18)
	d.sees("Move to")
	d.press("esc")
	d.click("ends next: ape-04", 18)
	d.sees("▸ ape-04")
}

func TestAClickOnTheActorOpensTheListOfWhomToActAs(t *testing.T) {
	d := newDrive(t, New, 80, 24)
	d.click("● alice", 0)
	d.sees("Act as")
}
