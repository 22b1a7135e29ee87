package ui

import (
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/bubbles/key"
	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

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

func TestHelpShowsEveryBindingInForceAndNoOther(t *testing.T) {
	off := key.NewBinding(key.WithKeys("z"), key.WithHelp("z", "is off"), key.WithDisabled())
	h := helpOf(map[string]int{"Moving": 5, "Clock": 9}, app.KeysForHelp("None", off)...)
	for _, b := range []widget.Box{{W: 104, H: 30}, {W: 54, H: 30}, {W: 24, H: 30}} {
		h.Resize(b)
		view := ansi.Strip(h.View(plainState))
		for i := range 9 {
			want := 2
			if i >= 5 {
				want = 1
			}
			if got := strings.Count(view, fmt.Sprint("does ", i)); got != want {
				t.Errorf("in %v binding %d shows %d times, want %d:\n%s", b, i, got, want, view)
			}
		}
		if strings.Contains(view, "is off") || strings.Contains(view, "None") {
			t.Errorf("a disabled binding shows:\n%s", view)
		}
	}
}

func TestHelpFillsItsBox(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 20).Draw(t, "n")
		odd := app.KeysForHelp(uitest.Odd.Draw(t, "group"), app.Bind("o", uitest.Odd.Draw(t, "does"), "o"))
		h := helpOf(map[string]int{"Moving": n, "Clock": 3, "None": 7}, odd...)
		b := widget.Box{W: rapid.IntRange(8, 130).Draw(t, "w"), H: rapid.IntRange(4, 40).Draw(t, "h")}
		h.Resize(b)
		for _, k := range []string{"", "down", "pgdown", "d"} {
			h.Update(plainState, uitest.Key(k))
			if why := uitest.Misfit(h.View(plainState), h.box); why != "" || h.box.W > b.W || h.box.H > b.H {
				t.Fatalf("%v of %v: %s", h.box, b, why)
			}
		}
	})
}

func TestALongDescriptionInTheHelpGoesOnBelowItself(t *testing.T) {
	h := newHelp(app.KeysForHelp("Here", app.Bind("enter", "filter: text, or owner:alice, or spender:bob, or ends<10", "x")))
	h.Resize(widget.Box{W: 44, H: 8})
	for _, want := range []string{"│ Here   ", "│ enter  filter: text, or owner:alice, or ", "│        spender:bob, or ends<10 "} {
		if view := ansi.Strip(h.View(plainState)); !strings.Contains(view, want) {
			t.Errorf("nowhere stands %q:\n%s", want, view)
		}
	}
}

func TestTheKeyThatIsChosenInTheHelpIsInView(t *testing.T) {
	h := helpOf(map[string]int{"Moving": 30})
	h.Resize(widget.Box{W: 30, H: 8})
	for i := range 30 {
		h.Update(plainState, uitest.Key("down"))
		if view := ansi.Strip(h.View(plainState)); !strings.Contains(view, fmt.Sprintf("does %d ", i)) {
			t.Fatalf("binding %d is not in view:\n%s", i, view)
		}
	}
}
