package widget

import (
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"ephemera/themes"
	"ephemera/ui/term"
)

func TestABarIsEmptyOnlyForZeroAndFullOnlyForOne(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := rapid.IntRange(2, 40).Draw(t, "w")
		part := rapid.Float64Range(0, 1).Draw(t, "part")
		bar := Bar(w, part, themes.Bar).Render(dark)
		fillsBox(t, bar, Box{w, 1})
		full := strings.Count(bar, themes.GlyphFull)
		if (full == 0) != (part == 0) || (full == w) != (part == 1) {
			t.Fatalf("%g shows %d of %d cells", part, full, w)
		}
	})
}

func TestALinkUnderTheCursorIsNotCutForThePointer(t *testing.T) {
	s := NewScroll()
	s.HasFocus = true
	s.links = map[int]tea.Cmd{0: func() tea.Msg { return nil }}
	for w, want := range map[int]string{12: "in 13 blocks", 14: "in 13 blocks ▸"} {
		s.Resize(Box{w, 2})
		s.Set([]Line{Plain("in 13 blocks")})
		if got := ansi.Strip(s.View(dark)); !strings.HasPrefix(got, want+"\n") {
			t.Errorf("%d cells: %q", w, got)
		}
	}
}

func TestJSONKeepsItsMeaningAndItsOrder(t *testing.T) {
	in := `{"z":1.50,"a":[true,null,"x\"y: \u202e"],"a":{},"big":123456789012345678901234567890,"e":-1E+9}`
	var plain []string
	roles := map[string]themes.Role{}
	for _, l := range JSONLines(in) {
		plain = append(plain, l.String())
		for _, s := range l {
			roles[s.Text] = s.Role
		}
	}
	joined := strings.Join(plain, "\n")
	if got := strings.Join(strings.Fields(joined), ""); got != strings.Join(strings.Fields(in), "") {
		t.Errorf("got\n%s", joined)
	}
	for text, want := range map[string]themes.Role{`"z"`: themes.Accent, "1.50": themes.Accent2, "true": themes.Warn, `"x\"y: \u202e"`: themes.Good, "-1E+9": themes.Accent2} {
		if roles[text] != want {
			t.Errorf("%s has role %d, want %d", text, roles[text], want)
		}
	}
	if got := JSONLines("not json\n\x1b"); len(got) != 2 || got[1].String() != `\x1b` {
		t.Errorf("what is not JSON became %v", got)
	}
}

func TestAScrollFillsItsBoxAndLosesNoText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := NewScroll()
		var lines []Line
		var all strings.Builder
		for range rapid.IntRange(0, 20).Draw(t, "lines") {
			text := nasty().Draw(t, "text")
			lines = append(lines, Styled(themes.Good, text).Append(themes.Text, text))
			all.WriteString(Safe(text) + Safe(text))
		}
		s.Set(lines)
		b := boxes().Draw(t, "box")
		s.Resize(b)
		for range rapid.IntRange(0, 6).Draw(t, "keys") {
			s.Update(term.Key(rapid.SampledFrom([]string{"j", "k", "G", "g", "ctrl+d", "pgup"}).Draw(t, "key")))
			fillsBox(t, s.View(dark), b)
		}
		if b.W < 4 {
			return
		}
		var got strings.Builder
		for _, l := range s.wrapped {
			if l.widthUpTo(b.W) > b.W {
				t.Fatalf("a line of %q is wider than %d", l.String(), b.W)
			}
			got.WriteString(l.String())
		}
		letters := func(s string) string { return strings.ReplaceAll(s, " ", "") }
		if letters(got.String()) != letters(all.String()) {
			t.Fatalf("lost text: %q became %q", all.String(), got.String())
		}
	})
}

func TestAChooserFindsByLettersAndReturnsTheItem(t *testing.T) {
	c := NewChooser(Item{"approve", "Approve a spender", "on this token", "p", false, ""}, Item{"revoke", "Revoke an approval", "", "r", false, ""}, Item{"mint", "Mint a token", "", "m", false, ""})
	c.Resize(Box{50, 6})
	for _, k := range []string{"r", "v", "k"} {
		if e := c.Update(term.Key(k)); e != ChooserMove {
			t.Fatalf("typing %s gave event %d", k, e)
		}
	}
	if it, _ := c.Current(); it.ID != "revoke" || c.Update(term.Key("enter")) != ChooserPick {
		t.Errorf("rvk finds %q", it.ID)
	}
	for range 3 {
		c.Update(term.Key("backspace"))
	}
	if it, _ := c.Current(); it.ID != "approve" {
		t.Errorf("without a search the first is %q", it.ID)
	}
	c.Update(term.Key("up"))
	if it, _ := c.Current(); it.ID != "mint" {
		t.Errorf("up from the first leads to %q", it.ID)
	}
	c.Set([]Item{{"x", "another", "", "", false, ""}, {"mint", "Mint", "", "", false, ""}})
	if it, _ := c.Current(); it.ID != "mint" {
		t.Errorf("after new items the cursor is on %q", it.ID)
	}
	click := tea.MouseMsg{Y: 1, Button: tea.MouseButtonLeft, Action: tea.MouseActionPress}
	if c.Update(click) != ChooserPick || c.cursor != 0 {
		t.Error("a click on the first item does not choose it")
	}
	for _, y := range []int{0, 4, 6} { // the search text, below the items, below the box
		click.Y = y
		if c.Update(click) != ChooserNone {
			t.Errorf("a click on line %d is taken", y)
		}
	}
	if c.Update(term.Key("esc")) != ChooserCancel {
		t.Error("escape does not cancel")
	}
}

func TestDisabledItemsComeLastWithTheirReasonBesideTheTitle(t *testing.T) {
	c := NewChooser(Item{"b", "Rename it", "it has no name", "r", true, ""}, Item{"a", "Record it all", "here", "R", false, ""}, Item{"c", "Burn", "here", "b", false, ""})
	c.Resize(Box{40, 5})
	if view := ansi.Strip(c.View(dark)); !strings.Contains(view, "▸ Record it all") || strings.Contains(view, " r ") {
		t.Errorf("it shows\n%s", view)
	}
	shows(t, c.View(dark), "· Rename it  it has no name ")
	c.Update(term.Key("up"))
	shows(t, c.View(dark), "▸ Rename it  it has no name ")
	c.Update(term.Key("r"))
	c.Update(term.Key("e"))
	if it, _ := c.Current(); it.ID != "a" {
		t.Errorf("of two that fit as well the first is %q", it.ID)
	}
	c.Update(term.Key("n"))
	if it, _ := c.Current(); it.ID != "b" || c.Update(term.Key("enter")) != ChooserPick {
		t.Errorf("the only one that fits is %q", it.ID)
	}
}

func TestAChooserFillsItsBoxWithAnyText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var items []Item
		for range rapid.IntRange(0, 12).Draw(t, "items") {
			items = append(items, Item{"", nasty().Draw(t, "title"), nasty().Draw(t, "detail"), nasty().Draw(t, "hint"), rapid.Bool().Draw(t, "off"), ""})
		}
		c := NewChooser(items...)
		b := boxes().Draw(t, "box")
		c.Resize(b)
		for range rapid.IntRange(0, 8).Draw(t, "keys") {
			c.Update(term.Key(rapid.SampledFrom([]string{"up", "down", "a", "e", "日", "backspace"}).Draw(t, "key")))
			fillsBox(t, c.View(dark), b)
		}
	})
}

func TestHintsAndTabsFillTheirLines(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := boxes().Draw(t, "box")
		right := Plain(nasty().Draw(t, "right"))
		tabs := Tabs{
			Items: []Tab{
				{Key: "1", Title: "Tokens"},
				{Key: "2", Title: nasty().Draw(t, "tab"), Short: "x"},
				{Key: "3", Title: "Operators", Short: "Ops"},
			},
			Active: 1,
		}

		fillsBox(t, hints(rapid.IntRange(0, 12).Draw(t, "hints")).View(dark, b.W), Box{b.W, 1})
		fillsBox(t, tabs.View(dark, b.W, right), Box{b.W, 1})
	})
}

func TestAHintNamesItsFirstKeyOrAPairOfLetters(t *testing.T) {
	h := Hints{hint("enter i", "change", 0), hint("j k ↓ ↑", "choose", 1)}
	if got := strings.TrimSpace(ansi.Strip(h.View(dark, 60))); got != "enter change  j k choose" {
		t.Errorf("shown: %q", got)
	}
}

// hint returns a hint with a key and its label.
func hint(name, does string, rank int) Hint {
	return Hint{key.NewBinding(key.WithKeys("x"), key.WithHelp(name, does)), rank}
}

// hints ranks the last first, and the others as they come.
func hints(n int) (h Hints) {
	for i := range n {
		h = append(h, hint(fmt.Sprint("k", i), fmt.Sprint("does ", i), i+1))
	}
	if n > 0 {
		h[n-1].Rank = 0
	}
	return h
}

func TestHintsOfTheLowestRanksStayLongestAndNoneIsCut(t *testing.T) {
	for w, want := range map[int]string{60: "k0 does 0  k1 does 1  k2 does 2  k3 does 3", 33: "k0 does 0  k1 does 1  k3 does 3", 22: "k0 does 0  k3 does 3", 12: "k3 does 3", 5: ""} {
		if got := strings.TrimSpace(ansi.Strip(hints(4).View(dark, w))); got != want {
			t.Errorf("in %d cells: %q, want %q", w, got, want)
		}
	}
}

func TestAShortHintTakesTheRoomThatALongerOneCannotUse(t *testing.T) {
	h := Hints{hint("a", "one", 0), hint("b", "far too long", 1), hint("c", "two", 2)}
	if got := strings.TrimSpace(ansi.Strip(h.View(dark, 16))); got != "a one  c two" {
		t.Errorf("shown: %q", got)
	}
}

// tabs are five, of which two have a short form.
func tabs(active int) Tabs {
	return Tabs{Items: []Tab{{"1", "Tokens", ""}, {"2", "Approvals", ""}, {"3", "Operators", "Ops"}, {"4", "Collection", "Info"}, {"5", "History", ""}}, Active: active}
}

func TestNoTabIsEverCut(t *testing.T) {
	for w, want := range map[int]string{
		61: " 1 Tokens  2 Approvals  3 Operators  4 Collection  5 History ",
		60: " 1 Tokens 2 Approvals 3 Operators 4 Collection 5 History",
		56: " 1 Tokens 2 Approvals 3 Ops 4 Info 5 History",
		45: " 1 Tokens 2 Approvals 3 Ops 4 Info 5 History",
		44: " 1  2 Approvals  3 Operators  4 Info  5",
		38: " 1  2  3 Operators  4  5",
	} {
		if got := strings.TrimRight(ansi.Strip(tabs(2).View(dark, w, nil)), " "); got != strings.TrimRight(want, " ") {
			t.Errorf("in %d cells: %q, want %q", w, got, want)
		}
	}
}

func TestATabIsFoundInTheColumnsWhereItIsDrawn(t *testing.T) {
	for _, w := range []int{70, 60, 52, 46, 30} {
		for active := range 5 {
			bar := tabs(active)
			view := ansi.Strip(bar.View(dark, w, nil))
			for x := range w {
				i := bar.At(x, w)
				if (i < 0) != (x >= w-bar.Room(w)) {
					t.Errorf("at column %d of %q: tab %d", x, view, i)
				}
				if i >= 0 && strings.Contains("12345", view[x:x+1]) && view[x:x+1] != bar.Items[i].Key {
					t.Errorf("column %d of %q is tab %d", x, view, i)
				}
			}
		}
	}
}

func TestANoticeShowsUntilItIsDismissedAndStaysInTheLog(t *testing.T) {
	var n Notices
	n.Push(Done, "approved bob", "1,102")
	n.Push(Fail, "Caller is not\x1b minter", "")
	if got, ok := n.Current(); !ok || got.Line().String() != `✗ Caller is not\x1b minter` {
		t.Errorf("shown: %v", got)
	}
	n.Dismiss()
	if _, ok := n.Current(); ok {
		t.Error("the notice stays")
	}
	if log := n.Log(); len(log) != 2 || log[1].String() != "1,102  ✓ approved bob" {
		t.Errorf("log %v", log)
	}
	for range 2 * maxNotices {
		n.Push(Info, "tick", "")
	}
	if len(n.Log()) != maxNotices {
		t.Errorf("%d notices are kept", len(n.Log()))
	}
}
