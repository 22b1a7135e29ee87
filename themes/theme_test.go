package themes

import (
	"regexp"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/muesli/termenv"
)

var colourCode = regexp.MustCompile(`\x1b\[[0-9;]*\b(3[0-7]|4[0-7]|9[0-7]|10[0-7]|38;[25];[0-9;]+|48;[25];[0-9;]+)[0-9;]*m`)

func mustTheme(t *testing.T, name string, o Options) *Theme {
	t.Helper()
	p, err := Lookup(name, o.Terminal)
	if err != nil {
		t.Fatal(err)
	}
	return New(p, o)
}

func TestAnUnknownThemeGivesASentenceThatListsTheKnownOnes(t *testing.T) {
	_, err := Lookup("neon", UnknownBackground)
	if err == nil {
		t.Fatal("no error")
	}
	for _, n := range append(Names(), "neon", Auto) {
		if !strings.Contains(err.Error(), n) {
			t.Errorf("%q does not name %q", err, n)
		}
	}
}

func TestAutoFollowsTheBackgroundAndIsDarkWhenNothingIsKnown(t *testing.T) {
	for bg, want := range map[Background]string{UnknownBackground: "dark", DarkBackground: "dark", LightBackground: "light"} {
		if p, _ := Lookup(Auto, bg); p.Name != want {
			t.Errorf("auto on background %d is %s, want %s", bg, p.Name, want)
		}
	}
}

func TestWithoutColourNoColourIsWrittenAndTheSelectionStillShows(t *testing.T) {
	for _, o := range []Options{{NoColor: true, Profile: termenv.TrueColor}, {Profile: termenv.Ascii}} {
		for _, name := range Names() {
			th := mustTheme(t, name, o)
			for role := range roleCount {
				out := th.Paint(th.Render(role, "x"))
				if colourCode.MatchString(out) {
					t.Errorf("%s role %d writes a colour: %q", name, role, out)
				}
			}
			for role, code := range map[Role]string{ // what colours must not carry alone
				Selected: "\x1b[1;7m", Title: "\x1b[1m", Match: "\x1b[1m", Idle: "\x1b[4;4m", Caret: "\x1b[7m", Bad: "\x1b[1m",
			} {
				if out := th.Render(role, "x"); !strings.HasPrefix(out, code) {
					t.Errorf("%s: role %d is %q", name, role, out)
				}
			}
		}
	}
}

func TestSixteenColoursAreTheTerminalsOwn(t *testing.T) {
	for _, name := range Names() {
		th := mustTheme(t, name, Options{Profile: termenv.ANSI})
		for role := range roleCount {
			if out := th.Paint(th.Render(role, "x")); strings.Contains(out, "38;") || strings.Contains(out, "48;") {
				t.Errorf("%s role %d writes more than sixteen colours: %q", name, role, out)
			}
		}
		if sel := th.Render(Selected, "x"); sel == "x" {
			t.Errorf("%s: the selection cannot be seen", name)
		}
	}
}

func TestPaintGroundsEveryCellUnlessTheTerminalAgrees(t *testing.T) {
	agreeing := mustTheme(t, "light", Options{Profile: termenv.TrueColor, Terminal: LightBackground})
	frame := "a" + agreeing.Render(Good, "b") + "c\nd"
	if got := agreeing.Paint(frame); got != frame {
		t.Errorf("a light theme on a light terminal painted %q", got)
	}
	for _, bg := range []Background{UnknownBackground, DarkBackground} {
		th := mustTheme(t, "light", Options{Profile: termenv.TrueColor, Terminal: bg})
		got := th.Paint("a" + th.Render(Good, "b") + "c\nd")
		if n := strings.Count(got, th.background.opening); n != 3 {
			t.Errorf("on background %d the ground is set %d times in %q, want after each line start and each reset", bg, n, got)
		}
		if ansi.Strip(got) != "abc\nd" {
			t.Errorf("painting changed the text: %q", got)
		}
	}
}

func TestEveryGlyphIsOneCellAndItsStandInOnePrintableByte(t *testing.T) {
	for i := 0; i < len(plainGlyphs); i += 2 {
		if w := ansi.StringWidth(plainGlyphs[i]); w != 1 || ansi.StringWidthWc(plainGlyphs[i]) != 1 {
			t.Errorf("%s is %d cells wide", plainGlyphs[i], w)
		}
		if s := plainGlyphs[i+1]; len(s) != 1 || s[0] <= ' ' || s[0] > '~' {
			t.Errorf("%s has the stand-in %q", plainGlyphs[i], s)
		}
	}
	th := mustTheme(t, "dark", Options{ASCII: true, NoColor: true})
	if got := th.Paint(GlyphLive + GlyphExpired + GlyphEllipsis + " end − 1: “no”"); got != `*o~ end - 1: "no"` {
		t.Errorf("painted %q", got)
	}
}

func TestInkStylesEachLineForItself(t *testing.T) {
	th := mustTheme(t, "dark", Options{Profile: termenv.TrueColor})
	ink := th.Ink(Bad)
	for _, line := range strings.Split(ink.Render("one\ntwo"), "\n") {
		if !strings.HasPrefix(line, ink.opening) || !strings.HasSuffix(line, ink.closing) || ink.opening == "" {
			t.Errorf("line %q is not styled by itself", line)
		}
	}
}
