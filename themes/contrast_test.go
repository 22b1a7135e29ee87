package themes

import (
	"math"
	"strconv"
	"testing"

	"github.com/muesli/termenv"
)

// luminance is WCAG 2's relative luminance of "#rrggbb".
func luminance(t *testing.T, hex string) float64 {
	t.Helper()
	r, g, b := channels(t, hex)
	return 0.2126*r + 0.7152*g + 0.0722*b
}

// channels gives the linear red, green and blue of "#rrggbb".
func channels(t *testing.T, hex string) (r, g, b float64) {
	t.Helper()
	if len(hex) != 7 || hex[0] != '#' {
		t.Fatalf("%q is not a colour of the form #rrggbb", hex)
	}
	var c [3]float64
	for i := range c {
		n, err := strconv.ParseUint(hex[1+2*i:3+2*i], 16, 8)
		if err != nil {
			t.Fatalf("%q is not a colour of the form #rrggbb", hex)
		}
		v := float64(n) / 255
		if v <= 0.04045 {
			c[i] = v / 12.92
		} else {
			c[i] = math.Pow((v+0.055)/1.055, 2.4)
		}
	}
	return c[0], c[1], c[2]
}

func contrast(t *testing.T, a, b string) float64 {
	t.Helper()
	x, y := luminance(t, a), luminance(t, b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

func (p Palette) texts() map[string]string {
	return map[string]string{
		"text": p.Text, "muted": p.Muted, "faint": p.Faint, "accent": p.Accent, "accent2": p.Accent2,
		"good": p.Good, "warn": p.Warn, "bad": p.Bad, "live": p.Live, "expired": p.Expired,
	}
}

func TestEveryTextRoleStandsOutFromItsBackground(t *testing.T) {
	for _, p := range builtin {
		for name, c := range p.texts() {
			if got := contrast(t, c, p.Background); got < 4.5 {
				t.Errorf("%s: %s %s on %s has contrast %.2f, want 4.5", p.Name, name, c, p.Background, got)
			}
		}
		pairs := map[string][2]string{
			"selected text":        {p.SelectText, p.SelectBack},
			"text in an idle pane": {p.Text, p.IdleBack},
			"text cursor":          {p.Background, p.Accent},
		}
		for name, c := range pairs {
			if got := contrast(t, c[0], c[1]); got < 4.5 {
				t.Errorf("%s: %s, %s on %s, has contrast %.2f, want 4.5", p.Name, name, c[0], c[1], got)
			}
		}
		// A bar is a picture, not text: WCAG asks 3:1.
		if got := contrast(t, p.Bar, p.Background); got < 3 {
			t.Errorf("%s: bar has contrast %.2f, want 3", p.Name, got)
		}
	}
}

func TestAPaletteThatKeepsTheTerminalsBackgroundIsReadableOnUsualOnes(t *testing.T) {
	usual := map[bool][]string{true: {"#000000", "#1e1e1e", "#282c34"}, false: {"#ffffff", "#f5f5f5", "#fdf6e3"}}
	for _, p := range builtin {
		if p.PaintsBackground {
			continue
		}
		for _, ground := range usual[p.Dark] {
			for name, c := range p.texts() {
				if got := contrast(t, c, ground); got < 4.5 {
					t.Errorf("%s: %s %s on %s has contrast %.2f, want 4.5", p.Name, name, c, ground, got)
				}
			}
		}
	}
}

func TestContrastHoldsInTwoHundredAndFiftySixColours(t *testing.T) {
	nearest := func(rgb string) string {
		n, err := strconv.Atoi(hex(rgb).ANSI256)
		if err != nil {
			t.Fatal(err)
		}
		return termenv.ConvertToRGB(termenv.ANSI256Color(n)).Hex()
	}
	for _, p := range builtin {
		for name, c := range p.texts() {
			if got := contrast(t, nearest(c), nearest(p.Background)); got < 4.5 {
				t.Errorf("%s: %s %s becomes %s on %s with contrast %.2f, want 4.5", p.Name, name, c, nearest(c), nearest(p.Background), got)
			}
		}
		if nearest(p.IdleBack) == nearest(p.Background) {
			t.Errorf("%s: the idle ground cannot be told from the background in 256 colours", p.Name)
		}
		if got := contrast(t, nearest(p.SelectText), nearest(p.SelectBack)); got < 4.5 {
			t.Errorf("%s: selected text has contrast %.2f in 256 colours, want 4.5", p.Name, got)
		}
	}
}

func TestTheColourBlindPalettesKeepGoodAndBadApartWithoutRedAndGreen(t *testing.T) {
	for _, name := range []string{"colour-blind", "colour-blind-light"} {
		p, err := Lookup(name, UnknownBackground)
		if err != nil {
			t.Fatal(err)
		}
		for _, pair := range [][2]string{{p.Good, p.Bad}, {p.Live, p.Expired}, {p.Good, p.Warn}} {
			if d := dichromatDistance(t, pair[0], pair[1]); d < 0.15 {
				t.Errorf("%s: %s and %s look alike to a deuteranope (distance %.3f)", name, pair[0], pair[1], d)
			}
		}
	}
	// The measure itself tells: a plain red and green of equal weight fail it.
	if d := dichromatDistance(t, "#d75f5f", "#5f9f3f"); d >= 0.15 {
		t.Errorf("a red and a green have distance %.3f, so the measure shows nothing", d)
	}
}

// dichromatDistance is how far two colours are apart for an eye without the
// green receptor (Machado, Oliveira and Fernandes, 2009, full severity).
func dichromatDistance(t *testing.T, a, b string) float64 {
	t.Helper()
	see := func(hex string) [3]float64 {
		r, g, bl := channels(t, hex)
		return [3]float64{
			0.367322*r + 0.860646*g - 0.227968*bl,
			0.280085*r + 0.672501*g + 0.047413*bl,
			-0.011820*r + 0.042940*g + 0.968881*bl,
		}
	}
	x, y := see(a), see(b)
	return math.Sqrt(math.Pow(x[0]-y[0], 2) + math.Pow(x[1]-y[1], 2) + math.Pow(x[2]-y[2], 2))
}
