package ui

import (
	"strings"
	"testing"

	"ephemera/ui/uitest"
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
