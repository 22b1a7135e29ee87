package themes

import (
	"cmp"
	"math"
	"regexp"
	"testing"

	"github.com/muesli/termenv"
)

// luminance returns WCAG 2's relative luminance of "#rrggbb", which is the Y of CIE XYZ.
func luminance(rgb string) float64 {
	_, y, _ := termenv.ConvertToRGB(termenv.RGBColor(rgb)).Xyz()
	return y
}

// contrast returns WCAG 2's contrast of two colours, from 1 to 21.
func contrast(a, b string) float64 {
	x, y := luminance(a), luminance(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

// requireContrast fails if a text cannot be read on its background in a palette. want is the
// least contrast, which WCAG sets at 4.5 for text.
func requireContrast(t *testing.T, p Palette, text, background string, want float64) {
	t.Helper()
	if got := contrast(text, background); got < want {
		t.Errorf("%s: %s on %s has contrast %.2f, want %.1f", p.Name, text, background, got, want)
	}
}

// texts are the colours of text on the background of a palette.
var texts = []string{"text", "muted", "faint", "accent", "accent2", "good", "warn", "bad", "live", "expired"}

var rgb = regexp.MustCompile("^#[0-9a-f]{6}$")

func TestEveryPaletteHasTheColoursOfEveryRole(t *testing.T) {
	for _, p := range builtInPalettes() {
		for _, look := range looks {
			for _, name := range []string{look.colour, cmp.Or(look.background, "background")} {
				if !rgb.MatchString(p.Colours[name]) {
					t.Errorf("%s: the colour %q is %q, expected #rrggbb", p.Name, name, p.Colours[name])
				}
			}
		}
	}
}

func TestEveryTextRoleStandsOutFromItsBackground(t *testing.T) {
	for _, p := range builtInPalettes() {
		for _, name := range texts {
			requireContrast(t, p, p.Colours[name], p.Colours["background"], 4.5)
		}
		for _, role := range []Role{Selected, Idle, Caret} {
			requireContrast(t, p, p.Colours[looks[role].colour], p.Colours[looks[role].background], 4.5)
		}
		// A bar is a picture, not text: WCAG asks 3:1.
		requireContrast(t, p, p.Colours["bar"], p.Colours["background"], 3)
	}
}

func TestAPaletteThatKeepsTheTerminalsBackgroundIsReadableOnUsualOnes(t *testing.T) {
	usual := map[bool][]string{true: {"#000000", "#1e1e1e", "#282c34"}, false: {"#ffffff", "#f5f5f5", "#fdf6e3"}}
	for _, p := range builtInPalettes() {
		if p.PaintsBackground {
			continue
		}
		for _, background := range usual[p.Dark] {
			for _, name := range texts {
				requireContrast(t, p, p.Colours[name], background, 4.5)
			}
		}
	}
}

func TestContrastHoldsInTwoHundredAndFiftySixColours(t *testing.T) {
	for _, p := range builtInPalettes() {
		nearest := func(name string) string {
			return termenv.ConvertToRGB(termenv.ANSI256.Color(p.colour(name).ANSI256)).Hex()
		}
		for _, name := range texts {
			requireContrast(t, p, nearest(name), nearest("background"), 4.5)
		}
		requireContrast(t, p, nearest("selectText"), nearest("selectBack"), 4.5)
		if nearest("idleBack") == nearest("background") {
			t.Errorf("%s: the row under the cursor of another pane cannot be seen in 256 colours", p.Name)
		}
	}
}

func TestTheColourBlindPalettesKeepGoodAndBadApartWithoutRedAndGreen(t *testing.T) {
	for _, name := range []string{"colour-blind", "colour-blind-light"} {
		p, err := Lookup(name, UnknownBackground)
		if err != nil {
			t.Fatal(err)
		}
		for _, pair := range [][2]string{{"good", "bad"}, {"live", "expired"}, {"good", "warn"}} {
			if d := dichromatDistance(p.Colours[pair[0]], p.Colours[pair[1]]); d < 0.15 {
				t.Errorf("%s: %s and %s look alike to a deuteranope (distance %.3f)", name, pair[0], pair[1], d)
			}
		}
	}
	// The measure itself tells: a plain red and green of equal weight fail it.
	if d := dichromatDistance("#d75f5f", "#5f9f3f"); d >= 0.15 {
		t.Errorf("a red and a green have distance %.3f, so the measure shows nothing", d)
	}
}

// dichromatDistance returns how far two colours are apart for an eye without the green
// receptor (Machado, Oliveira and Fernandes, 2009, full severity).
func dichromatDistance(a, b string) float64 {
	see := func(rgb string) [3]float64 {
		r, g, b := termenv.ConvertToRGB(termenv.RGBColor(rgb)).LinearRgb()
		return [3]float64{
			0.367322*r + 0.860646*g - 0.227968*b,
			0.280085*r + 0.672501*g + 0.047413*b,
			-0.011820*r + 0.042940*g + 0.968881*b,
		}
	}
	x, y := see(a), see(b)
	return math.Hypot(math.Hypot(x[0]-y[0], x[1]-y[1]), x[2]-y[2])
}
