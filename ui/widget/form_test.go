package widget

import (
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"ephemera/themes"
	"ephemera/ui/term"
)

func people(text string) []Candidate {
	var out []Candidate
	for _, c := range []Candidate{{"cosmos1aaa", "alice", "owner of 12"}, {"cosmos1bbb", "bob", "operator of alice"}, {"cosmos1ccc", "carol", ""}} {
		if text == "" || strings.HasPrefix(c.Label, text) || strings.HasPrefix(c.Value, text) {
			out = append(out, c)
		}
	}
	return out
}

func approveForm() *Form {
	f := NewForm(
		Field{Label: "Approval", Kind: Heading},
		Field{Name: "spender", Label: "Spender", Placeholder: "name or address", Hint: "who may take it", Complete: people},
		Field{Name: "until", Label: "Until", Kind: ChoiceField, Options: []Candidate{{"never", "never", ""}, {"height", "at a height", "blocks"}}},
		Field{Name: "height", Label: "Height", Hidden: true},
		Field{Name: "ask", Label: "Ask first", Kind: ToggleField, Value: "true"},
	)
	f.Resize(Box{60, 14})
	return f
}

func press(f *Form, keys ...string) (last FormEvent) {
	for _, k := range keys {
		last = f.Update(term.Key(k))
	}
	return last
}

func TestAFormIsFilledInWithTheKeyboardAlone(t *testing.T) {
	f := approveForm()
	if e := press(f, "b"); e != FormChange {
		t.Fatalf("typing gave event %d", e)
	}
	shows(t, f.View(dark), "operator of alice")
	if e := press(f, "down", "enter"); e != FormChange {
		t.Fatalf("taking an offer gave event %d", e)
	}
	press(f, "tab", "right", "tab", " ")
	want := map[string]string{"spender": "cosmos1bbb", "until": "height", "ask": "false"}
	if diff := cmp.Diff(want, f.Values()); diff != "" {
		t.Error(diff)
	}
	if e := press(f, "enter"); e != FormSubmit {
		t.Errorf("enter gave event %d", e)
	}
}

func TestTabTakesTheHighlightedOfferAndMovesTheFocus(t *testing.T) {
	f := approveForm()
	press(f, "a", "down", "tab")
	if f.Value("spender") != "cosmos1aaa" || f.Focused() != "until" {
		t.Errorf("spender is %q and the focus on %s", f.Value("spender"), f.Focused())
	}
}

func TestEscapeClosesTheOffersFirstAndThenTheForm(t *testing.T) {
	f := approveForm()
	if e := press(f, "b", "down", "esc"); e != FormNone || f.Value("spender") != "b" {
		t.Errorf("the first escape gave event %d and left %q", e, f.Value("spender"))
	}
	if e := press(f, "esc"); e != FormCancel {
		t.Errorf("the second escape gave event %d", e)
	}
}

func TestEnterSubmitsIfNoOfferIsHighlighted(t *testing.T) {
	if e := press(approveForm(), "b", "enter"); e != FormSubmit {
		t.Errorf("enter gave event %d", e)
	}
}

func TestAnErrorShowsUnderItsFieldAndKeepsTheValue(t *testing.T) {
	f := approveForm()
	press(f, "d", "a", "v", "e")
	press(f, "enter")
	f.SetError("spender", "spender: no account is named dave")
	view := strings.Split(ansi.Strip(f.View(dark)), "\n")
	at := 0
	for i, line := range view {
		if strings.Contains(line, "✗ spender: no account is named dave") {
			at = i
		}
	}
	if at == 0 || !strings.Contains(view[at-1], "dave") || f.Value("spender") != "dave" {
		t.Errorf("the error stands on line %d of\n%s", at, strings.Join(view, "\n"))
	}
	press(f, "2")
	if strings.Contains(ansi.Strip(f.View(dark)), "no account") {
		t.Error("the error stays after the value changed")
	}
}

func TestTakingAnOfferRemovesTheErrorOfTheField(t *testing.T) {
	for _, take := range []string{"enter", "tab"} {
		f := approveForm()
		press(f, "b")
		f.SetError("spender", "spender: no account is named b")
		press(f, "down", take)
		if f.Value("spender") == "b" {
			t.Fatalf("%s took nothing", take)
		}
		if strings.Contains(ansi.Strip(f.View(dark)), "no account") {
			t.Errorf("after %s the error stays under %q", take, f.Value("spender"))
		}
	}
}

func TestTheFocusGoesAroundAndSkipsHiddenFields(t *testing.T) {
	f := approveForm()
	var seen []string
	for range 4 {
		seen = append(seen, f.Focused())
		press(f, "tab")
	}
	if diff := cmp.Diff([]string{"spender", "until", "ask", "spender"}, seen); diff != "" {
		t.Error(diff)
	}
	f.SetShown("height", true)
	press(f, "shift+tab", "shift+tab")
	f.Focus("ask")
	press(f, "shift+tab")
	if f.Focused() != "height" {
		t.Errorf("back from ask the focus is on %s", f.Focused())
	}
	f.SetShown("height", false)
	if f.Focused() != "ask" {
		t.Errorf("when its field is hidden the focus goes to %s", f.Focused())
	}
}

func TestAPasteGoesIntoTheFieldAndTriggersNothing(t *testing.T) {
	f := approveForm()
	e := f.Update(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("cos\nmos\x1b"), Paste: true})
	if e != FormChange || f.Value("spender") != "cos mos" {
		t.Errorf("event %d, value %q", e, f.Value("spender"))
	}
}

func TestTheFocusedFieldIsInViewInALowBox(t *testing.T) {
	var fields []Field
	for _, n := range []string{"one", "two", "three", "four", "five", "six"} {
		fields = append(fields, Field{Name: n, Label: n, Hint: "hint for " + n})
	}
	f := NewForm(fields...)
	f.Resize(Box{40, 2})
	for range 14 {
		shows(t, f.View(dark), "▸ "+f.Focused(), "hint for "+f.Focused())
		press(f, "tab")
	}
}

// at finds the line and the column at which a text shows.
func at(t *testing.T, view, text string) (x, y int) {
	t.Helper()
	for y, line := range strings.Split(ansi.Strip(view), "\n") {
		if i := strings.Index(line, text); i >= 0 {
			return Width(line[:i]), y
		}
	}
	t.Fatalf("no %q in\n%s", text, ansi.Strip(view))
	return 0, 0
}

func TestAClickFocusesAFieldAndChangesAToggleOrChoice(t *testing.T) {
	f := approveForm()
	click := func(text string, right int) FormEvent {
		x, y := at(t, f.View(dark), text)
		return f.Click(x+right, y)
	}
	if e := click("Ask first", 0); e != FormNone || f.Focused() != "ask" || f.Value("ask") != "true" {
		t.Errorf("a click on a label gave event %d, focus %s, value %s", e, f.Focused(), f.Value("ask"))
	}
	if e := click("[✓]", 1); e != FormChange || f.Value("ask") != "false" {
		t.Errorf("a click on a box gave event %d, value %s", e, f.Value("ask"))
	}
	if e := click("◂ never", 3); e != FormChange || f.Value("until") != "height" {
		t.Errorf("a click on a choice gave event %d, value %s", e, f.Value("until"))
	}
	if e := click("◂ at a height", 0); e != FormChange || f.Value("until") != "never" {
		t.Errorf("a click on its left sign gave event %d, value %s", e, f.Value("until"))
	}
	if e := click("Approval", 0); e != FormNone || f.Focused() != "until" {
		t.Error("a click on a heading was taken")
	}
	if e := f.Click(0, 13); e != FormNone || f.Focused() != "until" {
		t.Error("a click beside the fields was taken")
	}
}

func TestAClickOnAnOfferTakesIt(t *testing.T) {
	f := approveForm()
	press(f, "ctrl+n")
	x, y := at(t, f.View(dark), "bob")
	if e := f.Click(x, y); e != FormChange || f.Value("spender") != "cosmos1bbb" {
		t.Errorf("event %d, value %q", e, f.Value("spender"))
	}
}

func TestTheHighlightedOfferIsInViewInALowBox(t *testing.T) {
	f := approveForm()
	f.Resize(Box{60, 2})
	press(f, "ctrl+n", "down", "down")
	at(t, f.View(dark), "▸ carol")
}

func TestAFormFillsItsBoxWhateverIsTyped(t *testing.T) {
	keys := []string{"tab", "shift+tab", "enter", "left", "right", "up", "down", "backspace", "esc", " ", "b", "日"}
	rapid.Check(t, func(t *rapid.T) {
		f := NewForm(
			Field{Name: "a", Label: nasty().Draw(t, "label"), Placeholder: nasty().Draw(t, "placeholder"), Hint: nasty().Draw(t, "hint"), Complete: people},
			Field{Name: "b", Label: "choice", Kind: ChoiceField, Options: []Candidate{{nasty().Draw(t, "option"), "", nasty().Draw(t, "detail")}, {"x", "", ""}}},
			Field{Name: "c", Kind: ChoiceField}, Field{Label: nasty().Draw(t, "heading"), Kind: Heading},
			Field{Name: "d", Label: "toggle", Kind: ToggleField}, Field{Name: "e", Value: nasty().Draw(t, "value")},
		)
		b := boxes().Draw(t, "box")
		f.Resize(b)
		f.SetNotes("e", Plain(nasty().Draw(t, "note")))
		for range rapid.IntRange(0, 12).Draw(t, "keys") {
			if rapid.Bool().Draw(t, "paste") {
				f.Update(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(nasty().Draw(t, "pasted")), Paste: true})
			} else {
				press(f, rapid.SampledFrom(keys).Draw(t, "key"))
			}
			f.SetError(f.Focused(), nasty().Draw(t, "error"))
			fillsBox(t, f.View(dark), b)
		}
		fillsBox(t, Frame(dark, nasty().Draw(t, "title"), f.View(dark), b, HiddenCounts{}), b)
	})
}

func TestAnEditShowsItsCaretAtEveryPosition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e := NewEdit()
		e.Set(nasty().Draw(t, "text"))
		w := rapid.IntRange(0, 30).Draw(t, "w")
		for range rapid.IntRange(0, 20).Draw(t, "left") {
			e.Update(term.Key("left"))
		}
		view := e.View(dark, w, true, "type here")
		fillsBox(t, view, Box{w, 1})
		if open, _, _ := strings.Cut(dark.Render(themes.Caret, "x"), "x"); w > 0 && !strings.Contains(view, open) {
			t.Fatalf("no caret in %q", view)
		}
		fillsBox(t, e.View(dark, w, false, "type here"), Box{w, 1})
	})
}

func TestANarrowFormWrapsHeadingsNotesAndHintsWithoutCutting(t *testing.T) {
	f := NewForm(
		Field{Label: "The token goes, with its approvals", Kind: Heading},
		Field{Name: "kind", Label: "Is", Kind: ChoiceField, Options: []Candidate{{"rejects", "a contract", "refuses every token"}}, Hint: "arrows choose"},
		Field{Name: "until", Label: "Until", Hint: "never, +10 blocks, or a date"},
	)
	f.SetNotes("until", Plain("height 1,112, in ten blocks, about noon"))
	f.Resize(Box{30, 20})
	f.Focus("until")
	seen := strings.Join(strings.Fields(ansi.Strip(f.View(dark))), " ")
	shows(t, seen, "The token goes, with its approvals", "a contract ▸ refuses every token", "height 1,112, in ten blocks, about noon", "never, +10 blocks, or a date")
	if strings.Contains(seen, themes.GlyphEllipsis) {
		t.Errorf("something is cut:\n%s", ansi.Strip(f.View(dark)))
	}
}

func TestTheKeysToOtherFieldsAreListedOnlyIfThereAreOthers(t *testing.T) {
	one, two := NewForm(Field{Name: "a"}), NewForm(Field{Name: "a"}, Field{Name: "b"})
	if keys := len(one.Bindings()); keys != 2 {
		t.Errorf("a form of one field lists %d keys", keys)
	}
	if keys := len(two.Bindings()); keys != 4 {
		t.Errorf("a form of two fields lists %d keys", keys)
	}
}

func foldedForm() *Form {
	f := NewForm(
		Field{Name: "name", Label: "Name"},
		Field{Name: "more", Label: "More", Kind: FoldField},
		Field{Name: "link", Label: "Link", Value: "ipfs://x"},
		Field{Name: "ask", Label: "Ask", Kind: ToggleField},
	)
	f.Resize(Box{60, 14})
	return f
}

func TestAFoldHidesTheFieldsBelowItAndTheirValuesCount(t *testing.T) {
	f := foldedForm()
	view := f.View(dark)
	shows(t, view, "▸ 2 fields")
	if strings.Contains(view, "Link") {
		t.Error("the closed fold shows a field")
	}
	press(f, "tab", "tab")
	if got := f.Focused(); got != "name" {
		t.Errorf("behind the closed fold the focus is on %q", got)
	}
	if got := f.Value("link"); got != "ipfs://x" || f.Values()["link"] != got {
		t.Errorf("the folded value is %q", got)
	}
	for _, key := range []string{"enter", " ", "right"} {
		f := foldedForm()
		if e := press(f, "tab", key); e == FormSubmit || f.Value("more") != "true" {
			t.Errorf("%q: event %d, and the fold is open: %q", key, e, f.Value("more"))
		}
		shows(t, f.View(dark), "▾ 2 fields", "Link", "Ask")
		if e := press(f, "enter"); e != FormSubmit {
			t.Errorf("enter on the open fold gave event %d", e)
		}
		press(f, "tab", "a", "shift+tab", " ")
		if f.Value("more") == "true" || f.Values()["link"] != "a" {
			t.Errorf("closed again, the values are %v", f.Values())
		}
	}
}

func TestAClickAProblemAndAFocusOpenAFold(t *testing.T) {
	for name, open := range map[string]func(*Form){
		"a click":              func(f *Form) { f.Click(3, 1) },
		"a problem":            func(f *Form) { f.SetError("link", "expected a link") },
		"the focus on a field": func(f *Form) { f.Focus("ask") },
	} {
		f := foldedForm()
		f.SetError("link", "")
		f.SetError("name", "a problem above the fold")
		f.SetError("none", "a problem of no field")
		f.View(dark)
		if f.Value("more") == "true" {
			t.Error("what is not below the fold opened it")
		}
		f.SetError("name", "")
		f.View(dark)
		open(f)
		if f.Value("more") != "true" || !strings.Contains(f.View(dark), "Ask") {
			t.Errorf("%s did not open the fold", name)
		}
	}
}
