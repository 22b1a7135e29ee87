package ui

import (
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/uitest"
	"ephemera/ui/widget"
)

// helpOf is the help over so many keys of each group.
func helpOf(groups map[string]int, more ...app.Command) *help {
	var all []app.Command
	for _, name := range []string{"Moving", "Clock", "None"} {
		for i := range groups[name] {
			all = append(all, app.KeysForHelp(name, app.Bind(fmt.Sprint("k", i), fmt.Sprint("does ", i), "x"))...)
		}
	}
	return newHelp(append(all, more...))
}

var plainState = &app.State{Options: app.Options{Theme: themes.New(themes.Palette{}, themes.Options{NoColor: true})}}

func TestALongDescriptionInHelpContinuesOnTheNextLine(t *testing.T) {
	h := newHelp(app.KeysForHelp("Here", app.Bind("enter", "filter: text, or owner:alice, or spender:bob, or ends<10", "x")))
	h.Resize(widget.Box{W: 44, H: 8})
	for _, want := range []string{"│ Here   ", "│ enter  filter: text, or owner:alice, or ", "│        spender:bob, or ends<10 "} {
		if view := ansi.Strip(h.View(plainState)); !strings.Contains(view, want) {
			t.Errorf("nowhere stands %q:\n%s", want, view)
		}
	}
}

func TestTheChosenKeyInHelpIsInView(t *testing.T) {
	h := helpOf(map[string]int{"Moving": 30})
	h.Resize(widget.Box{W: 30, H: 8})
	for i := range 30 {
		h.Update(plainState, uitest.Key("down"))
		if view := ansi.Strip(h.View(plainState)); !strings.Contains(view, fmt.Sprintf("does %d ", i)) {
			t.Fatalf("binding %d is not in view:\n%s", i, view)
		}
	}
}

func TestHelpExplainsTheSignsWhichAreNoKeys(t *testing.T) {
	for _, size := range uitest.AllSizes[1:] {
		d := uitest.New(t, New, size[0], size[1])
		before := d.Screen()
		d.Keys("?", "clock: so many")
		d.Sees("Signs and colours", "◗ 2 +")
		d.Fits()
		d.Press("enter")
		if after := d.Screen(); after != before {
			t.Errorf("at %v the sign did something:\n%s", size, after)
		}
		d.Keys("?", "bold on the clock", "enter")
		if after := d.Screen(); after != before {
			t.Errorf("at %v the colours did something:\n%s", size, after)
		}
	}
}
