package widget

import (
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"ephemera/themes"
)

func TestFitIsExactlyAsWideAsAsked(t *testing.T) {
	th := dark
	rapid.Check(t, func(t *rapid.T) {
		s, w := Safe(nasty().Draw(t, "text")), rapid.IntRange(0, 60).Draw(t, "w")
		if rapid.Bool().Draw(t, "styled") {
			s = th.Render(themes.Good, s) + th.Render(themes.Bad, s)
		}
		for name, got := range map[string]string{"Fit": Fit(s, w), "FitRight": FitRight(s, w), "cut": cut(s, w, ""), "Ends": JoinEnds(s, "right", w)} {
			if Width(got) != w {
				t.Fatalf("%s(%q, %d) = %q is %d wide", name, s, w, got, Width(got))
			}
		}
	})
}

func TestFitCutsAndPadsExamples(t *testing.T) {
	for _, c := range []struct {
		got, want string
	}{
		{Fit("ape", 5), "ape  "},
		{Fit("ape-0042", 5), "ape-…"},
		{Fit("日本語", 4), "日… "},
		{Fit("日本語", 5), "日本…"},
		{FitRight("42", 5), "   42"},
		{JoinEnds("left", "right", 12), "left   right"},
		{JoinEnds("a long left", "right", 12), "a lon… right"},
		{JoinEnds("left", "right", 6), "left  "},
	} {
		if c.got != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
}

func TestAnIdAndAnAddressKeepBothEnds(t *testing.T) {
	const address = "cosmos1df6y7m4nkhefvvxp7umh3zzp33ugkxrx87r7kq"
	for _, c := range []struct {
		text  string
		width int
		want  string
	}{
		{"short", 5, "short"},
		{address, 45, address},
		{address, 30, "cosmos1df6y7m4nkhefv…xrx87r7kq"},
		{address, 18, "cosmos1df6y7…7r7kq"},
		{address, 11, "cosmo…7r7kq"},
		{address, 7, "c…7r7kq"},
		{address, 4, "c…kq"},
		{address, 3, "c…q"},
		{address, 2, "c…"},
		{address, 1, "…"},
		{address, 0, ""},
		{address, -4, ""},
		{"interchain-ape-season-2-000001", 24, "interchain-ape-s…-000001"},
		{"interchain-ape-season-2-000001", 11, "inter…00001"},
		{"日本語のとても長い名前", 9, "日…名前"},
		{"a\x1b[31m" + strings.Repeat("x", 9000) + "\x1bz", 12, `a\x1b[…\x1bz`},
	} {
		if got := Shorten(c.text, c.width); got != c.want {
			t.Errorf("Shorten(%q, %d) = %q, want %q", c.text, c.width, got, c.want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		text, width := strings.ReplaceAll(nasty().Draw(t, "text"), "…", ""), rapid.IntRange(0, 60).Draw(t, "width")
		got, whole := Shorten(text, width), Safe(text)
		switch {
		case Width(got) > width:
			t.Fatalf("Shorten(%q, %d) = %q is %d wide", text, width, got, Width(got))
		case Width(whole) <= width && got != whole:
			t.Fatalf("Shorten(%q, %d) = %q, but it fits", text, width, got)
		case Width(whole) > width && width >= 8: // from here on the beginning has room for a wide character
			head, tail, _ := strings.Cut(got, "…")
			if !strings.HasPrefix(whole, head) || head == "" || tail == "" || !strings.HasSuffix(whole, tail) {
				t.Fatalf("Shorten(%q, %d) = %q does not keep both ends", text, width, got)
			}
		}
	})
}

func TestWrapBreaksAtSpaces(t *testing.T) {
	for _, c := range []struct {
		text string
		w    int
		want string
	}{
		{"an approval ends here", 11, "an approval|ends here"},
		{"an approval ends here", 10, "an|approval|ends here"},
		{"a bcdef", 4, "a|bcde|f"},
		{"ape-0042-and-more", 8, "ape-0042|-and-mor|e"},
		{"日本語 text", 5, "日本|語|text"},
		{"a\nb", 9, "a|b"},
		{"", 9, ""},
	} {
		if got := strings.Join(Wrap(c.text, c.w), "|"); got != c.want {
			t.Errorf("Wrap(%q, %d) = %q, want %q", c.text, c.w, got, c.want)
		}
	}
}

func TestEveryWrappedLineFitsAndNoWordIsLost(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, w := Safe(nasty().Draw(t, "text")), rapid.IntRange(2, 60).Draw(t, "w")
		lines := Wrap(s, w)
		for _, line := range lines {
			if Width(line) > w {
				t.Fatalf("Wrap(%q, %d) has the line %q of %d cells", s, w, line, Width(line))
			}
		}
		letters := func(s string) string { return strings.ReplaceAll(ansi.Strip(s), " ", "") }
		if got := letters(strings.Join(lines, "")); got != letters(s) {
			t.Fatalf("Wrap(%q, %d) lost text: %q", s, w, got)
		}
	})
}

func TestAnOverlayKeepsTheSizeOfTheFrameAmongWideCharacters(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := boxes().Draw(t, "box")
		frame := Fill(Safe(nasty().Draw(t, "frame"))+"\n"+strings.Repeat("日本", b.W)+"\n x"+strings.Repeat("語", b.W), b)
		dialog := Fill(strings.Repeat("語x", 9)+"\n"+Safe(nasty().Draw(t, "dialog")), Box{rapid.IntRange(1, 20).Draw(t, "dw"), 3})
		x, y := rapid.IntRange(-10, 150).Draw(t, "x"), rapid.IntRange(-4, 50).Draw(t, "y")
		fillsBox(t, Overlay(frame, dialog, x, y), b)
	})
}

func TestAnOverlayShowsTheDialogAndTheFrameAroundIt(t *testing.T) {
	got := Overlay("日本語日本語\nabcdefghijkl", "[x]\n[y]", 3, 0)
	if want := "日 [x]日本語\nabc[y]ghijkl"; got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

func TestALineIsExactlyAsWideAsAsked(t *testing.T) {
	th := dark
	rapid.Check(t, func(t *rapid.T) {
		var l Line
		for range rapid.IntRange(0, 4).Draw(t, "spans") {
			l = l.Append(themes.Good, nasty().Draw(t, "text"))
		}
		w := rapid.IntRange(0, 60).Draw(t, "w")
		fillsBox(t, l.Fit(th, w), Box{w, 1})
		fillsBox(t, l.FitRight(th, w), Box{w, 1})
		if got := l.Fit(th, w); l.widthUpTo(w) > w && w > 0 && !strings.Contains(ansi.Strip(got), "…") {
			t.Fatalf("the line %q was cut to %q without a sign", l.String(), got)
		}
	})
}

func TestWrapLineMovesAShortWordOfAnotherRoleToTheNextLine(t *testing.T) {
	l := Styled(themes.Muted, "given at height 1,030 · ").Append(themes.Text, "ended 7 blocks ago")
	var got []string
	for _, part := range WrapLine(l, 27) {
		got = append(got, part.String())
	}
	if want := []string{"given at height 1,030 · ", "  ended 7 blocks ago"}; !slices.Equal(got, want) {
		t.Errorf("got %q, expected %q", got, want)
	}
}
