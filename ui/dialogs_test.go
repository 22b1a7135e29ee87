package ui

import (
	"strings"
	"testing"

	"ephemera/ui/uitest"
)

func TestHelpFindsACommandByItsWordsAndRunsIt(t *testing.T) {
	d := uitest.New(t, New, 120, 36)
	d.Keys("?", "next expiry")
	d.DoesNotSee("Mint a token")

	d.Press("enter")
	d.Sees("height 1,110")
	d.DoesNotSee("Help")

	d.Keys("?", "nothing of this name")
	d.Sees("no key here does that")
	d.Fits()

	d.Press("?")
	d.DoesNotSee("no key here does that")
}

func TestHelpOpensOverDialogsAndFullScreenViews(t *testing.T) {
	d := uitest.New(t, New, 120, 36)
	for key, shows := range map[string]string{"L": "zoom", "b": "send"} {
		d.Press(key, "?")
		d.SeesIn(uitest.Dialog, "Help", shows)

		d.Press("esc", "esc")
	}
	d.Press("t", "f1")
	d.SeesIn(uitest.Dialog, "Help", "show what fits here")
}

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

func TestADialogKeepsItsRowWhenItsPreviewGrows(t *testing.T) {
	d := uitest.New(t, New, 120, 36)
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

func TestTabCompletesANameAndTypingReplacesASuggestedValue(t *testing.T) {
	d := uitest.New(t, New, 120, 36)
	d.Press("p")
	d.Sees("alice    cosmos1", "bob      cosmos1")

	d.Keys("ca", "tab")
	d.Sees("Spender  carol", "will work")

	d.Press("esc", "2", "p")
	d.Sees("height 1,110")

	d.Types("+3")
	d.Sees("height 1,105")
}
