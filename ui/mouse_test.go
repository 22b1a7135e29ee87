package ui

import (
	"fmt"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"pgregory.net/rapid"

	"ephemera/ui/uitest"
)

func TestRandomKeysAndClicksNeverBreakTheFrameOrLoseTheCollection(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		d := uitest.On(t, New, uitest.Crowded(t), 120, 36)
		to := func(label string, most int) int { return rapid.IntRange(0, most).Draw(rt, label) }
		for range rapid.IntRange(20, 80).Draw(rt, "steps") {
			switch rapid.SampledFrom([]string{"press", "press", "press", "press", "click", "click", "wheel", "resize", "wait"}).Draw(rt, "step") {
			case "press":
				d.Press(rapid.SampledFrom(uitest.EveryKey).Draw(rt, "key"))
			case "click":
				d.ClickAt(to("x", d.Size.W-1), to("y", d.Size.H-1))
			case "wheel":
				d.Wheel(to("x", d.Size.W-1), to("y", d.Size.H-1))
			case "resize":
				d.Send(tea.WindowSizeMsg{Width: 1 + to("w", 159), Height: 1 + to("h", 49)})
			case "wait":
				d.Wait()
			}
			if d.Quit {
				return // the palette knows Quit, and that is as it should be
			}
			if why := uitest.Misfit(d.Model.View(), d.Size); why != "" {
				rt.Fatalf("%s:\n%s", why, d.Screen())
			}
		}
		if d.Model.State().Collection.Name == "" {
			rt.Fatal("the collection is gone")
		}
	})
}

func TestAClickOnATabShowsItsScreenInEveryWidth(t *testing.T) {
	for _, w := range []int{40, 60, 80, 90, 120} {
		d := uitest.New(t, New, w, 36)
		for i := range root(d).screens.all {
			bar := strings.Split(d.Screen(), "\n")[tabsRow]
			d.ClickAt(strings.Index(bar, fmt.Sprint(i+1)), tabsRow)
			if root(d).screens.current != i {
				t.Fatalf("at %d columns a click on tab %d shows screen %d:\n%s", w, i+1, root(d).screens.current+1, bar)
			}
		}
	}
}

func TestAClickBesideADialogChangesNothing(t *testing.T) {
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

func TestAClickOnAMarkOfTheLanesOpensTheTimelineThere(t *testing.T) {
	d := uitest.New(t, New, 120, 36)
	marks := markColumns(d, "time")
	d.ClickAt(marks[0], 34)
	d.Sees("Timeline · grant 1 of 3", "height 1,581 in 479 blocks", "▸ ○ bob → erin (operator)", "○ ape-07 → carol", "✗ erin transfer")
	d.Press("E")
	d.Sees("height 1,580 in 478 blocks", "▸ ● bob → erin (operator)", "✓ erin transfer")
	d.Press("j", "w")
	d.Sees("carol may transfer ape-07")
}

func TestTheTimelineOfAMarkMovesTheClockToJustBeforeAnExpiryAndToIt(t *testing.T) {
	d := uitest.New(t, New, 120, 36)
	d.ClickAt(markColumns(d, "height")[0], 33)
	d.Sees("▸ ○ ape-04 → bob", "✗ bob transfer")
	d.Press("E", "enter")
	d.Sees("▸ ● ape-04 → bob", "✓ bob transfer")
	d.Press("e", "enter")
	d.Sees("▸ ○ ape-04 → bob", "✗ bob transfer")
	d.Press("esc")
	d.SeesIn(uitest.Clock, "height 1,110 · 2026-11-21 12:00:45 UTC")
}

func TestAClickOnNeverOpensTheTimelineWithAGrantThatNeverExpires(t *testing.T) {
	d := uitest.New(t, New, 120, 36)
	lane := []rune(strings.TrimRight(d.Line(33), " "))
	d.ClickAt(len(lane)-1, 33)
	d.Sees("Timeline", "▸ ● alice → dave (operator)", "never expires")
}

func TestADoubleClickOnARowIsEnter(t *testing.T) {
	d := uitest.New(t, New, 120, 36)
	now := time.Unix(1_795_262_400, 0)
	root(d).state.WallTime = func() time.Time { return now }
	clickTwice := func(firstY, secondY int, between time.Duration) {
		now = now.Add(time.Hour)
		d.ClickAt(4, firstY)
		now = now.Add(between)
		d.ClickAt(4, secondY)
	}

	// On the screen of tokens, enter gives the keys to the details.
	clickTwice(6, 6, time.Second)
	clickTwice(6, 7, time.Millisecond)
	clickTwice(4, 4, time.Millisecond) // the titles
	d.SeesIn(uitest.Footer, "t transfer")
	clickTwice(6, 6, 400*time.Millisecond)
	d.SeesIn(uitest.Footer, "esc back")

	d.Press("2")
	clickTwice(6, 6, 300*time.Millisecond)
	d.SeesIn(uitest.List, "▸ ape-07")

	// A dialog with a list takes it too.
	d.Press("5", "v")
	clickTwice(3, 3, 401*time.Millisecond)
	d.DoesNotSee("went to")
	clickTwice(3, 3, 100*time.Millisecond)
	d.Sees("went to #30")
}
