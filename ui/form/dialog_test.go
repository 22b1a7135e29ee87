package form_test

import (
	"strings"
	"testing"

	"ephemera/themes"
	"ephemera/ui"
	"ephemera/ui/uitest"
)

func TestEverythingThatADialogSaysCanBeReadInTheSmallestTerminal(t *testing.T) {
	for _, x := range []struct {
		keys []string
		want []string
	}{
		{[]string{"w"}, []string{"alice may transfer", "alice owns", "What would change that", "gives the token"}},
		{[]string{"p", "b", "o", "b", "tab", "n", "tab"}, []string{"will work", "bob gets an approval", `{"approve":`, `01"}}`}},
	} {
		d := uitest.New(t, ui.New, 40, 12)
		d.Press(x.keys...)
		d.Sees("more pgdn ─┘")
		d.Fits()
		all := d.Reads()
		for _, want := range x.want {
			if !strings.Contains(all, want) {
				t.Errorf("%v: %q cannot be read:\n%s", x.keys, want, all)
			}
		}
	}
}

func TestTheFieldThatIsTypedInAndItsErrorShowInTheSmallestTerminal(t *testing.T) {
	d := uitest.New(t, ui.New, 40, 12)
	d.Keys("p", "nobody", "tab", "soon")
	d.Sees("▸ Expires", "✗ expires")
	d.Press("shift+tab")
	d.SeesIn(uitest.Dialog, "▸ Spender", "more")
	d.Fits()
}

func TestAQuestionShowsItsButtonsInTheSmallestTerminal(t *testing.T) {
	d := uitest.New(t, ui.New, 40, 12)
	d.Press("8", "D")
	d.SeesIn(uitest.Dialog, "Forget alice", "Cancel", "  Forget  ", "more")
	d.Press("j", "j", "j", "j")
	d.SeesIn(uitest.Dialog, "Cancel", "address does.")
	d.Fits()
}

func TestHelpTellsWhatIsAboveAndBelow(t *testing.T) {
	d := uitest.New(t, ui.New, 60, 20)
	d.Press("?")
	d.Sees("more lines", "pgdn read on", "esc close")
	d.Press("pgdown")
	d.SeesIn(uitest.Dialog, "▴ ")
}

func TestAListOfChoicesTellsThatItGoesOn(t *testing.T) {
	d := uitest.New(t, ui.New, 60, 20)
	d.Press(":")
	d.Sees("more ─┘")
	d.Press("up")
	d.Sees("more ─┐")
}

func TestAClickChoosesFromAList(t *testing.T) {
	d := uitest.New(t, ui.New, 80, 24)
	d.Press("a")
	d.Click("carol", 4)
	d.Sees("as ● carol")
	d.Keys(":", "+10", "esc", ":", "ten blocks")
	d.Click("Clock: ten blocks on", 3)
	d.Sees("height 1,112")
}

func TestAClickGoesToAFieldOfAFormAndTurnsItsChoices(t *testing.T) {
	d := uitest.New(t, ui.New, 80, 24)
	d.Keys("p", "bob")
	d.Click("Expires", 4)
	d.Types("+10")
	d.Sees("▸ Expires  +10", "until height 1,112")
	d.Press("esc", "w")
	d.Click("◂ transfer", 4)
	d.DoesNotSee("◂ transfer ▸")
}

func TestAFormStandsAloneOverTheWelcome(t *testing.T) {
	d := uitest.Empty(t, ui.New, 80, 24, nil)
	d.Click("Create a collection", 2)
	d.SeesIn(uitest.Dialog, "Symbol")
	d.SeesIn(uitest.Footer, "esc cancel")
	d.DoesNotSee("Look at the demo", "1 Tokens", "CLOCK")
	d.Press("esc")
	d.Sees("Look at the demo")
}

func TestTheDoorsShowInTheSmallestTerminal(t *testing.T) {
	d := uitest.Empty(t, ui.New, 40, 12, nil)
	d.Sees("d  Look at the demo", "c  Create a collection", "q quits")
	d.Fits()
}

func TestAFormThatWasOpenedFromADialogHidesItUntilItIsDone(t *testing.T) {
	d := uitest.New(t, ui.New, 80, 24)
	d.ActAs("carol")
	d.Press("w", "enter")
	d.Sees("Change the decision")
	d.DoesNotSee("The rules, the first")
	d.Press("esc")
	d.Sees("The rules, the first")
}

func TestABatchKeepsItsKeysInTheSmallestTerminal(t *testing.T) {
	d := uitest.New(t, ui.New, 40, 12)
	d.Keys("space", "space", "t", "bob", "enter")
	if footer := d.Line(11); !strings.Contains(footer, "enter send 1") || !strings.Contains(footer, "esc cancel") {
		t.Errorf("the footer is %q", footer)
	}
}

func TestALabelThatIsCutKeepsItsDistanceFromTheValue(t *testing.T) {
	d := uitest.New(t, ui.New, 40, 12)
	d.Press("T")
	d.Sees("Seconds a…  5")
}

func TestTheClockIsToldOfNoEndsAndOfNoNanoseconds(t *testing.T) {
	d := uitest.New(t, ui.New, 120, 36)
	d.Press("T")
	for text, want := range map[string][]string{
		"never":      {`"never" is no moment, expected one of: +10 blocks`, "+90m · h1110 · 2026-12-01 09:00"},
		"soon":       {`"soon" is no moment, expected one of: +10 blocks`, "+90m · h1110 · 2026-12-01 09:00"},
		"h5":         {"height: 5 is before block 1,102; the clock only"},
		"2020-01-01": {"time: 2020-01-01 00:00:00 UTC is before the", "2026-11-21 12:00:05 UTC"},
	} {
		d.Types(text)
		d.Sees(want...)
		d.Press("enter")
		d.Sees("Seconds a block")
		d.Press("ctrl+u")
	}
	d.Types("+10")
	d.Sees("to height 1,112, 2026-11-21 12:00:55 UTC")
}

func TestTheThemesAreToldApartInANarrowTerminal(t *testing.T) {
	d := uitest.New(t, ui.New, 60, 20)
	d.Keys(":", "theme", "enter")
	d.Sees("blue and orange, no red-green", "white, strongest contrast")
	d.DoesNotSee(themes.GlyphEllipsis + " │")
	d.Fits()
}

func TestTheMessageOfAFormOpensInTheConsole(t *testing.T) {
	d := uitest.New(t, ui.New, 120, 36)
	d.Keys("t", "bob", "ctrl+t")
	d.DoesNotSee("Transfer ape-01 as")
	d.Sees(`"transfer_nft": {`, `"token_id": "ape-01"`, "will work")
}
