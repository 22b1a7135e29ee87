package ui

import (
	"strings"
	"testing"

	"ephemera/themes"
)

// reads pages through what the dialog says and gives all of it.
func (d *drive) reads() string {
	var all []string
	for range 6 {
		all = append(all, d.screen())
		d.press("pgdown")
	}
	return strings.Join(all, "\n")
}

func TestEverythingThatADialogSaysCanBeReadInTheSmallestTerminal(t *testing.T) {
	for _, x := range []struct {
		keys []string
		want []string
	}{
		{[]string{"w"}, []string{"alice may transfer", "alice owns", "The smallest change", "gives the token"}},
		{[]string{"p", "b", "o", "b"}, []string{"will work", "bob gets an approval", `{"approve":`, `01"}}`}},
	} {
		d := newDrive(t, New, 40, 12)
		d.press(x.keys...)
		d.sees("more pgdn ─┘")
		d.fits()
		all := d.reads()
		for _, want := range x.want {
			if !strings.Contains(all, want) {
				t.Errorf("%v: %q cannot be read:\n%s", x.keys, want, all)
			}
		}
	}
}

func TestTheFieldThatIsTypedInAndItsErrorShowInTheSmallestTerminal(t *testing.T) {
	d := newDrive(t, New, 40, 12)
	d.press("p")
	d.types("nobody")
	d.press("tab")
	d.types("soon")
	d.sees("▸ Expires", "✗ expires")
	d.press("shift+tab")
	d.sees("▸ Spender", "more")
	d.fits()
}

func TestAQuestionShowsItsButtonsInTheSmallestTerminal(t *testing.T) {
	d := newDrive(t, New, 40, 12)
	d.press("8", "D")
	d.sees("Forget alice", "Cancel", "  Forget  ", "more")
	d.press("j", "j", "j", "j")
	d.sees("Cancel", "address does.")
	d.fits()
}

func TestHelpTellsWhatIsAboveAndBelow(t *testing.T) {
	d := newDrive(t, New, 60, 20)
	d.press("?")
	d.sees("more lines", "j read on", "esc close")
	d.press("j", "j")
	d.sees("▴ 2 more")
}

func TestAListOfChoicesTellsThatItGoesOn(t *testing.T) {
	d := newDrive(t, New, 60, 20)
	d.press(":")
	d.sees("more ─┘")
	d.press("up")
	d.sees("more ─┐")
}

func TestAClickChoosesFromAList(t *testing.T) {
	d := newDrive(t, New, 80, 24)
	d.press("a")
	d.click("carol", 4)
	d.sees("as ● carol")
	d.press(":")
	d.types("+10")
	d.press("esc", ":")
	d.types("ten blocks")
	d.click("Clock: ten blocks on", 3)
	d.sees("height 1,112")
}

func TestAClickPressesTheButtonsOfAQuestion(t *testing.T) {
	d := newDrive(t, New, 80, 24)
	d.press(".", "q")
	d.click("Cancel", 5)
	d.doesNotSee("only in memory")
	d.press("q")
	d.click("Quit  ", 8)
	if !d.quit {
		t.Error("a click on Quit does not")
	}
}

func TestAClickGoesToAFieldOfAFormAndTurnsItsChoices(t *testing.T) {
	d := newDrive(t, New, 80, 24)
	d.press("p")
	d.types("bob")
	d.click("Expires", 4)
	d.types("+10")
	d.sees("▸ Expires  +10", "until height 1,112")
	d.press("esc", "w")
	d.click("◂ transfer", 4)
	d.doesNotSee("◂ transfer ▸")
}

func TestAFormStandsAloneOverTheWelcome(t *testing.T) {
	d := driveEmpty(t, New, 80, 24, nil)
	d.click("Create a collection", 2)
	d.sees("Symbol", "esc cancel")
	d.doesNotSee("Look at the demo", "1 Tokens", "CLOCK")
	d.press("esc")
	d.sees("Look at the demo")
}

func TestTheDoorsShowInTheSmallestTerminal(t *testing.T) {
	d := driveEmpty(t, New, 40, 12, nil)
	d.sees("d  Look at the demo", "c  Create a collection", "q quits")
	d.fits()
}

func TestAFormThatWasOpenedFromADialogHidesItUntilItIsDone(t *testing.T) {
	d := newDrive(t, New, 80, 24)
	d.actAs("carol")
	d.press("w", "enter")
	d.sees("Turn it around")
	d.doesNotSee("The rules, the first")
	d.press("esc")
	d.sees("The rules, the first")
}

func TestABatchKeepsItsKeysInTheSmallestTerminal(t *testing.T) {
	d := newDrive(t, New, 40, 12)
	d.press("space", "space", "t")
	d.types("bob")
	d.press("enter")
	if footer := d.line(11); !strings.Contains(footer, "enter send 1") || !strings.Contains(footer, "esc cancel") {
		t.Errorf("the footer is %q", footer)
	}
}

func TestALabelThatIsCutKeepsItsDistanceFromTheValue(t *testing.T) {
	d := newDrive(t, New, 40, 12)
	d.press("T")
	d.sees("Seconds a…  5")
}

func TestTheClockIsToldOfNoEndsAndOfNoNanoseconds(t *testing.T) {
	d := newDrive(t, New, 120, 36)
	d.press("T")
	for text, want := range map[string][]string{
		"never":      {`"never" is no moment, expected one of:`, "+10 blocks · +90m · h1110 · 2026-12-01 09:00"},
		"soon":       {`"soon" is no moment, expected one of:`, "+10 blocks · +90m · h1110 · 2026-12-01 09:00"},
		"h5":         {"height: 5 is before block 1,102; the clock only"},
		"2020-01-01": {"time: 2020-01-01 00:00:00 UTC is before the", "2026-11-21 12:00:05 UTC"},
	} {
		d.types(text)
		d.sees(want...)
		d.press("enter")
		d.sees("Seconds a block")
		d.press("ctrl+u")
	}
	d.types("+10")
	d.sees("to height 1,112, 2026-11-21 12:00:55 UTC")
}

func TestTheThemesAreToldApartInANarrowTerminal(t *testing.T) {
	d := newDrive(t, New, 60, 20)
	d.press(":")
	d.types("theme")
	d.press("enter")
	d.sees("blue and orange, no red-green", "white, strongest contrast")
	d.doesNotSee(themes.GlyphEllipsis + " │")
	d.fits()
}
