package widget

import (
	"fmt"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"ephemera/ui/term"
)

// longSheet has six fields and ten lines to say.
func longSheet() (*Sheet, []Line) {
	var fields []Field
	for i := range 6 {
		fields = append(fields, Field{Name: fmt.Sprint("f", i), Label: fmt.Sprint("Field ", i), Hint: fmt.Sprint("hint ", i)})
	}
	var said []Line
	for i := range 10 {
		said = append(said, Plain(fmt.Sprint("said ", i)))
	}
	return NewSheet(NewForm(fields...)), said
}

func TestASheetFillsItsWidthAndIsNoHigherThanItsBox(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, said := longSheet()
		said = said[:rapid.IntRange(0, 10).Draw(t, "said")]
		b := boxes().Draw(t, "box")
		s.Form.SetError("f2", nasty().Draw(t, "error"))
		for _, k := range rapid.SliceOfN(rapid.SampledFrom([]string{"tab", "shift+tab", "pgdown", "pgup", "x"}), 0, 8).Draw(t, "keys") {
			s.Update(term.Key(k))
			s.View(dark, nasty().Draw(t, "title"), b, said)
		}
		view := s.View(dark, "Title", b, said)
		fillsBox(t, view, Box{b.W, min(b.H, strings.Count(view, "\n")+1)})
	})
}

func TestALowSheetShowsTheFocusedFieldAndItsError(t *testing.T) {
	for h := 7; h < 24; h++ {
		s, said := longSheet()
		for i := range 6 {
			s.Form.SetError(fmt.Sprint("f", i), "wrong")
			view := s.View(dark, "T", Box{40, h}, said)
			shows(t, view, fmt.Sprint("▸ Field ", i), "✗ wrong", "said 0")
			s.Form.SetError(fmt.Sprint("f", i), "")
			s.Update(term.Key("tab"))
		}
	}
}

func TestASheetCountsHiddenLinesAndScrollsToThem(t *testing.T) {
	s, said := longSheet()
	draw := func() string { return ansi.Strip(s.View(dark, "T", Box{40, 12}, said)) }
	shows(t, draw(), "▾ 2 more", "▾ 6 more") // fields and lines
	if len(s.Bindings()) != len(s.Form.Bindings())+2 {
		t.Error("the keys that scroll are not listed")
	}
	seen := map[string]bool{}
	for range 6 {
		for _, l := range said {
			if strings.Contains(draw(), l.String()) {
				seen[l.String()] = true
			}
		}
		s.Update(term.Key("pgdown"))
	}
	if len(seen) != 10 {
		t.Errorf("paging down shows %d of 10 lines", len(seen))
	}
	shows(t, draw(), "▴ 6 more")
	said[0] = Plain("said anew")
	shows(t, draw(), "said anew") // something new is read from its start
	if draw(); len(NewSheet(NewForm()).Bindings()) != 2 {
		t.Error("a sheet that says nothing lists keys that scroll")
	}
}

func TestInASheetTheWheelScrollsTheText(t *testing.T) {
	s, said := longSheet()
	b := Box{40, 12}
	s.View(dark, "T", b, said)
	s.Update(tea.MouseMsg{X: 3, Y: 9, Button: tea.MouseButtonWheelDown, Action: tea.MouseActionPress})
	view := ansi.Strip(s.View(dark, "T", b, said))
	if !strings.Contains(view, "said 0") || strings.Contains(view, "said 3") || !strings.Contains(view, "said 4") {
		t.Errorf("the wheel does not scroll what stands below the first line:\n%s", view)
	}
}
