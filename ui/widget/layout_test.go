package widget

import (
	"fmt"
	"strings"
	"testing"
)

func TestColumnsStandBesideEachOtherHoweverManyLinesEachHas(t *testing.T) {
	left := []Line{Plain("a"), Plain("bc")}
	right := []Line{Plain("1"), Plain("2"), Plain("3")}
	for _, c := range []struct {
		left, right []Line
		want        string
	}{
		{left, right, "a   │ 1/bc  │ 2/    │ 3"},
		{right, left, "1   │ a/2   │ bc/3   │ "},
		{nil, nil, ""},
	} {
		var got []string
		for _, line := range Columns(c.left, c.right, 3) {
			got = append(got, line.String())
		}
		if joined := strings.Join(got, "/"); joined != c.want {
			t.Errorf("got %q, want %q", joined, c.want)
		}
	}
}

func TestABoxIsNeverSmallerThanNothing(t *testing.T) {
	for _, c := range []struct{ box, left, remainder, inner Box }{
		{box: Box{10, 5}, left: Box{4, 5}, remainder: Box{6, 5}, inner: Box{6, 3}},
		{box: Box{4, 2}, left: Box{4, 2}, remainder: Box{0, 2}, inner: Box{0, 0}},
		{box: Box{2, 1}, left: Box{2, 1}, remainder: Box{0, 1}, inner: Box{0, 0}},
		{box: Box{-3, 1}, left: Box{0, 1}, remainder: Box{0, 1}, inner: Box{0, 0}},
	} {
		left, remainder := c.box.SplitLeft(4)
		if left != c.left || remainder != c.remainder || FrameInner(c.box) != c.inner {
			t.Errorf("%v: %v, %v, inside %v", c.box, left, remainder, FrameInner(c.box))
		}
	}
}

func TestShowBringsALineIntoViewAndIgnoresOneThatIsMissing(t *testing.T) {
	s := NewScroll()
	s.Resize(Box{20, 5})
	var lines []Line
	for i := range 30 {
		lines = append(lines, Plain(fmt.Sprint("line ", i)))
	}
	s.Set(lines)
	for _, index := range []int{29, 0, 12, 30, 99} {
		before := s.top
		s.Show(index)
		isThere := strings.Contains(s.View(dark), fmt.Sprint("line ", index))
		if isMissing := index >= len(lines); isMissing && s.top != before || !isMissing && !isThere {
			t.Errorf("line %d: from %d to %d:\n%s", index, before, s.top, s.View(dark))
		}
	}
}

func TestAChooserSelectsAnItemByItsID(t *testing.T) {
	c := NewChooser(Item{ID: "a", Title: "first"}, Item{ID: "b", Title: "second"})
	c.Resize(Box{20, 5})
	c.Select("b")
	if item, _ := c.Current(); item.ID != "b" {
		t.Errorf("the cursor is on %q", item.ID)
	}
	c.Select("missing")
	if item, _ := c.Current(); item.ID != "b" {
		t.Errorf("a missing item moves the cursor to %q", item.ID)
	}
}

func TestATableWithoutRowsHasNoCursorAndSearchesOnlyWhileItWaitsForMore(t *testing.T) {
	tab := NewTable(tokenColumns()...)
	tab.Resize(Box{40, 6})
	if _, hasRow := tab.Cursor(); hasRow {
		t.Error("an empty table has a row under its cursor")
	}
	req, _ := tab.NextRequest()
	next := "ape-9"
	tab.Set(Page{RequestNumber: req.Number, Rows: []Row{tokenRow("ape-1")}, NextBelow: &next, RowsBefore: 0, Total: -1, StoppedEarly: true})
	if tab.IsSearching() {
		t.Error("it searches before it has asked for more")
	}
	req, _ = tab.NextRequest()
	if !tab.IsSearching() || req.Seek != After {
		t.Errorf("it does not search: %+v", req)
	}
	tab.Set(Page{RequestNumber: req.Number, RowsBefore: -1, Total: -1})
	if tab.IsSearching() {
		t.Error("it searches behind the end of the list")
	}
}
