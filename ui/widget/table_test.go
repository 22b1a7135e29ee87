package widget

import (
	"fmt"
	"maps"
	"slices"
	"sort"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
	"github.com/dustin/go-humanize"
	"github.com/muesli/termenv"
	"pgregory.net/rapid"

	"ephemera/themes"
	"ephemera/ui/term"
)

// list is a store for tests: keys in order, read only by seeking.
type list struct {
	keys  []string
	keeps func(key string) bool // the filter; nil keeps all
	reads int
}

func numbered(n int) *list {
	l := &list{}
	for i := range n {
		l.keys = append(l.keys, fmt.Sprintf("ape-%07d", i))
	}
	return l
}

func (l *list) walk(s ListPart, yield func(string, *Row) bool) error {
	part := l.keys
	if s.From != nil {
		i, isPresent := slices.BinarySearch(l.keys, *s.From)
		switch {
		case s.Backward && isPresent && s.Inclusive:
			part = l.keys[:i+1]
		case s.Backward:
			part = l.keys[:i]
		case isPresent && !s.Inclusive:
			part = l.keys[i+1:]
		default:
			part = l.keys[i:]
		}
	}
	keys := slices.All(part)
	if s.Backward {
		keys = slices.Backward(part)
	}
	for _, key := range keys {
		l.reads++
		var row *Row
		if l.keeps == nil || l.keeps(key) {
			row = new(tokenRow(key))
		}
		if !yield(key, row) {
			break
		}
	}
	return nil
}

func tokenRow(key string) Row {
	return Row{Key: key, Cells: []Line{Plain(key), Styled(themes.Muted, "alice"), Styled(themes.Live, "●●").Append(themes.Expired, "○"), Plain("bob in 8 blocks")}}
}

func tokenColumns() []Column {
	return []Column{
		{Title: "TOKEN", Width: 12, Flex: 2}, {Title: "OWNER", Width: 8, Flex: 1, DropRank: 1},
		{Title: "GRANTS", Width: 6, DropRank: 3}, {Title: "ENDS NEXT", Width: 10, Flex: 2, DropRank: 2},
	}
}

// tester is what both testing and rapid give.
type tester interface {
	Helper()
	Fatalf(format string, args ...any)
}

// pump answers requests until the table wants nothing more.
func pump(tb tester, t *Table, l *list) {
	tb.Helper()
	for range 1000 {
		req, ok := t.NextRequest()
		if !ok {
			return
		}
		p, err := Load(req, l.walk)
		if err != nil {
			tb.Fatalf("load: %v", err)
		}
		if l.keeps == nil {
			p.Total = len(l.keys)
		}
		t.Set(p)
	}
	tb.Fatalf("the table never stops asking")
}

// shows fails unless a view shows every text.
func shows(tb testing.TB, view string, texts ...string) {
	tb.Helper()
	for _, text := range texts {
		if !strings.Contains(ansi.Strip(view), text) {
			tb.Errorf("it does not show %q:\n%s", text, ansi.Strip(view))
		}
	}
}

// tableOf is a table over a store, in a box.
func tableOf(tb tester, b Box, l *list) *Table {
	tb.Helper()
	t := NewTable(tokenColumns()...)
	t.Resize(b)
	pump(tb, t, l)
	return t
}

// tableWith is a table of rows that are all there, in a box.
func tableWith(b Box, rows []Row, columns ...Column) *Table {
	t := NewTable(columns...)
	t.Resize(b)
	req, _ := t.NextRequest()
	t.Set(WholePage(req, rows))
	return t
}

// titlesOf returns the line of a table with its titles.
func titlesOf(t *Table) string {
	titles, _, _ := strings.Cut(ansi.Strip(t.View(dark)), "\n")
	return titles
}

func cursorKey(t *Table) string {
	r, _ := t.Cursor()
	return r.Key
}

func TestTheCursorMovesAsIfTheTableHeldAllRows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := numbered(rapid.IntRange(0, 700).Draw(t, "rows"))
		h := rapid.IntRange(2, 40).Draw(t, "h")
		tab := tableOf(t, Box{100, h}, l)
		at, last, page := 0, len(l.keys)-1, max(1, h-2)
		steps := map[string]int{"j": 1, "k": -1, "ctrl+d": (page + 1) / 2, "ctrl+u": -(page + 1) / 2, "pgdown": page, "pgup": -page}
		for range rapid.IntRange(0, 60).Draw(t, "keys") {
			k := rapid.SampledFrom([]string{"j", "k", "ctrl+d", "ctrl+u", "pgdown", "pgup", "g", "G"}).Draw(t, "key")
			for range rapid.IntRange(1, 30).Draw(t, "times") {
				tab.Update(term.Key(k))
				pump(t, tab, l)
				switch k {
				case "g":
					at = 0
				case "G":
					at = max(0, last)
				default:
					at = clamp(at+steps[k], 0, max(0, last))
				}
			}
			if len(l.keys) > 0 && cursorKey(tab) != l.keys[at] {
				t.Fatalf("after %s the cursor is on %q, want %q", k, cursorKey(tab), l.keys[at])
			}
			if limit := tab.maxRows() + 3*tab.rowsPerRequest(); tab.Len() > limit {
				t.Fatalf("the table holds %d rows, want at most %d", tab.Len(), limit)
			}
			fillsBox(t, tab.View(dark), Box{100, h})
			if len(l.keys) > 0 {
				want := fmt.Sprintf("%s–%s of %s", humanize.Comma(int64(tab.rowsBefore+tab.top+1)), humanize.Comma(int64(min(len(l.keys), tab.rowsBefore+tab.top+h-1))), humanize.Comma(int64(len(l.keys))))
				if got := tab.Position(); got != want || l.keys[tab.rowsBefore+tab.top] != tab.rows[tab.top].Key {
					t.Fatalf("the position reads %q, want %q with %q on top", got, want, tab.rows[tab.top].Key)
				}
			}
		}
	})
}

func TestTheCursorMovesOverTheRowsThatASparseFilterKeeps(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := numbered(rapid.IntRange(0, 3*maxElementsSearched).Draw(t, "elements"))
		every := rapid.SampledFrom([]int{1, 7, 900, 10_000}).Draw(t, "every")
		kept := []string{}
		keeps := map[string]bool{}
		for i := every / 2; i < len(l.keys); i += every {
			kept = append(kept, l.keys[i])
			keeps[l.keys[i]] = true
		}
		l.keeps = func(key string) bool { return keeps[key] }
		tab := tableOf(t, Box{100, 12}, l)
		at := 0
		for range rapid.IntRange(1, 40).Draw(t, "keys") {
			tab.HidesMostRows = rapid.Bool().Draw(t, "sparse")
			k := rapid.SampledFrom([]string{"j", "k", "pgdown", "pgup", "g", "G", "reload"}).Draw(t, "key")
			switch k {
			case "reload":
				tab.Reload()
			case "g":
				at = 0
			case "G":
				at = len(kept) - 1
			default:
				at += map[string]int{"j": 1, "k": -1, "pgdown": 10, "pgup": -10}[k]
			}
			tab.Update(term.Key(k))
			pump(t, tab, l)
			at = clamp(at, 0, max(0, len(kept)-1))
			if len(kept) > 0 && cursorKey(tab) != kept[at] || len(kept) == 0 && tab.Len() > 0 {
				t.Fatalf("after %s the cursor is on %q, want row %d of %d", k, cursorKey(tab), at, len(kept))
			}
		}
	})
}

func TestNoKeyIsLostWhileTheTableWaitsForRows(t *testing.T) {
	l := numbered(5000)
	tab := NewTable(tokenColumns()...)
	tab.Resize(Box{100, 21})
	for range 300 { // nothing has been read yet
		tab.Update(term.Key("j"))
	}
	pump(t, tab, l)
	if got := cursorKey(tab); got != l.keys[300] {
		t.Errorf("300 steps before the first answer lead to %s", got)
	}
	tab.Update(term.Key("G"))
	for range 40 {
		tab.Update(term.Key("k"))
	}
	pump(t, tab, l)
	if got := cursorKey(tab); got != l.keys[4959] {
		t.Errorf("the end and 40 steps back lead to %s", got)
	}
}

func TestAMillionRowsAreReadAWindowAtATime(t *testing.T) {
	l := numbered(1_000_000)
	tab := tableOf(t, Box{120, 31}, l)
	tab.Update(term.Key("G"))
	pump(t, tab, l)
	tab.Goto(l.keys[500_000], l.keys[500_000])
	pump(t, tab, l)
	if cursorKey(tab) != l.keys[500_000] || l.reads > 1000 {
		t.Errorf("the cursor is on %s after %d reads", cursorKey(tab), l.reads)
	}
}

func TestTheCursorFollowsItsRowThroughAReload(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := numbered(rapid.IntRange(1, 300).Draw(t, "rows"))
		tab := tableOf(t, Box{80, rapid.IntRange(2, 30).Draw(t, "h")}, l)
		for range rapid.IntRange(0, 8).Draw(t, "pages") {
			tab.Update(term.Key("pgdown"))
			pump(t, tab, l)
		}
		before, line := cursorKey(tab), tab.cursor-tab.top
		for range rapid.IntRange(0, 40).Draw(t, "changes") {
			i := rapid.IntRange(0, len(l.keys)-1).Draw(t, "at")
			switch {
			case rapid.Bool().Draw(t, "insert"):
				l.keys = slices.Insert(l.keys, i+1, l.keys[i]+"+")
			case l.keys[i] != before:
				l.keys = slices.Delete(l.keys, i, i+1)
			}
			sort.Strings(l.keys)
			l.keys = slices.Compact(l.keys)
		}
		gone := rapid.Bool().Draw(t, "gone")
		want, at := before, slices.Index(l.keys, before)
		if gone {
			l.keys = slices.Delete(l.keys, at, at+1)
			want = ""
			if len(l.keys) > 0 {
				want = l.keys[min(at, len(l.keys)-1)]
			}
		}
		tab.Reload()
		pump(t, tab, l)
		if got := cursorKey(tab); got != want {
			t.Fatalf("the cursor went from %q to %q, want %q", before, got, want)
		}
		h := tab.height()
		inMiddle := at >= line && at-line+h <= len(l.keys)
		if inMiddle && !gone && tab.cursor-tab.top != line {
			t.Fatalf("the cursor jumped from line %d to %d", line, tab.cursor-tab.top)
		}
	})
}

func TestAnAnswerToAnOlderRequestChangesNothing(t *testing.T) {
	l := numbered(100)
	tab := NewTable(tokenColumns()...)
	tab.Resize(Box{80, 11})
	old, _ := tab.NextRequest()
	tab.Restart()
	req, ok := tab.NextRequest()
	if !ok || req.Number == old.Number {
		t.Fatalf("a restart asks with %+v, %v", req, ok)
	}
	late, _ := Load(old, l.walk)
	tab.Set(late)
	if tab.Len() != 0 || !tab.Loading() {
		t.Error("the late answer was taken")
	}
}

func TestAFailedReadIsShownAndReloadTriesAgain(t *testing.T) {
	tab := NewTable(tokenColumns()...)
	tab.Resize(Box{60, 5})
	tab.NextRequest()
	shows(t, tab.View(dark), "reading…")
	tab.Fail("the disk is full\x1b")
	view := tab.View(dark)
	fillsBox(t, view, Box{60, 5})
	shows(t, view, `✗ the disk is full\x1b`)
	if _, ok := tab.NextRequest(); ok {
		t.Error("it asks again by itself")
	}
	tab.Reload()
	pump(t, tab, numbered(3))
	if tab.Len() != 3 {
		t.Error("reload did not read")
	}
}

func TestAFailedReadIsShownInFullOverRowsThatFillTheBox(t *testing.T) {
	tab := NewTable(tokenColumns()...)
	tab.Resize(Box{40, 9})
	req, _ := tab.NextRequest()
	p, err := Load(req, numbered(1000).walk)
	if err != nil {
		t.Fatal(err)
	}
	tab.Set(p)
	for range p.Rows { // to the last row that is there
		tab.moveCursor(1)
	}
	if _, ok := tab.NextRequest(); !ok {
		t.Fatal("no more rows are asked for")
	}
	tab.Fail("the database is damaged: the table 000001.sst is broken; restore a backup")
	for width := 26; width <= 90; width++ {
		b := Box{width, 9}
		tab.Resize(b)
		view := tab.View(dark)
		fillsBox(t, view, b)
		if said := strings.Join(strings.Fields(ansi.Strip(view)), " "); !strings.Contains(said, "✗ the database is damaged: the table 000001.sst is broken; restore a backup") {
			t.Errorf("the failure does not show:\n%s", view)
		}
	}
}

func TestMarksFollowKeysAndKeepTheirOrder(t *testing.T) {
	l := numbered(2000)
	tab := tableOf(t, Box{80, 11}, l)
	press := func(keys ...string) {
		for _, k := range keys {
			tab.Update(term.Key(k))
			pump(t, tab, l)
		}
	}
	press("G", " ", "g", " ", " ", "k", " ")
	want := []string{l.keys[1999], l.keys[0]}
	if got := tab.MarkedKeys(); !slices.Equal(got, want) {
		t.Errorf("marked %v, want %v", got, want)
	}
	if line := strings.Split(ansi.Strip(tab.View(dark)), "\n")[1]; !strings.HasPrefix(line, " ■ape") && !strings.HasPrefix(line, " ■") {
		t.Errorf("the mark does not show: %q", line)
	}
}

func TestATableFillsItsBoxWithAnyDataAndSize(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := boxes().Draw(t, "box")
		var rows []Row
		for range rapid.IntRange(0, 12).Draw(t, "rows") {
			key := nasty().Draw(t, "key")
			rows = append(rows, Row{Key: key, Cells: []Line{Plain(key), Plain(nasty().Draw(t, "owner")), Styled(themes.Live, nasty().Draw(t, "grants"))}})
		}
		tab := tableWith(b, rows, tokenColumns()...)
		for range rapid.IntRange(0, 5).Draw(t, "steps") {
			tab.Update(term.Key(rapid.SampledFrom([]string{"j", "k", " ", "G"}).Draw(t, "key")))
		}
		tab.IsBlurred = rapid.Bool().Draw(t, "blur")
		fillsBox(t, tab.View(dark), b)
	})
}

// A row that was drawn before is not drawn again while it looks the same, so View is compared
// with what it draws when InView has dropped all that was drawn.
func TestARowThatWasDrawnBeforeIsNotOutOfDate(t *testing.T) {
	palette, _ := themes.Lookup("light", themes.DarkBackground)
	light := themes.New(palette, themes.Options{Profile: termenv.TrueColor, Terminal: themes.DarkBackground})
	rapid.Check(t, func(t *rapid.T) {
		l := numbered(rapid.IntRange(1, 90).Draw(t, "rows"))
		tab := tableOf(t, Box{60, 12}, l)
		theme := dark
		changes := map[string]func(){
			"key": func() {
				tab.Update(term.Key(rapid.SampledFrom([]string{"j", "k", " ", "pgdown", "G", "g"}).Draw(t, "key")))
			},
			"blur":     func() { tab.IsBlurred = !tab.IsBlurred },
			"flash":    func() { tab.FlashingKeys = map[string]bool{cursorKey(tab): true} },
			"no flash": func() { tab.FlashingKeys = nil },
			"no marks": func() { tab.ClearMarks() },
			"theme":    func() { theme = rapid.SampledFrom([]*themes.Theme{dark, light}).Draw(t, "theme") },
			"size":     func() { tab.Resize(Box{rapid.IntRange(20, 90).Draw(t, "w"), rapid.IntRange(1, 20).Draw(t, "h")}) },
			"hide":     func() { tab.HideColumns(rapid.SampledFrom([][]string{nil, {"OWNER"}}).Draw(t, "hidden")) },
			"reload":   func() { tab.Reload() },
			"columns": func() {
				columns := tokenColumns()
				columns[1].AlignRight = rapid.Bool().Draw(t, "right")
				tab.SetColumns(columns...)
			},
			"cells": func() {
				for _, row := range tab.InView() {
					row.Cells[1][0].Text = rapid.SampledFrom([]string{"alice", "bob"}).Draw(t, "owner")
				}
			},
		}
		for range 30 {
			name := rapid.SampledFrom(slices.Sorted(maps.Keys(changes))).Draw(t, "change")
			changes[name]()
			pump(t, tab, l)
			view := tab.View(theme)
			tab.InView()
			if fresh := tab.View(theme); view != fresh {
				t.Fatalf("after %s the table is out of date:\n%s\n-- now\n%s", name, view, fresh)
			}
		}
	})
}

func TestANarrowTableDropsItsLeastColumnsFirst(t *testing.T) {
	tab := NewTable(tokenColumns()...)
	for w, want := range map[int]string{80: "TOKEN OWNER GRANTS ENDS", 36: "TOKEN OWNER ENDS", 30: "TOKEN OWNER", 16: "TOKEN"} {
		tab.Resize(Box{w, 3})
		titles := strings.NewReplacer(" NEXT", "", " ▴", "").Replace(titlesOf(tab))
		if got := strings.Join(strings.Fields(titles), " "); got != want {
			t.Errorf("at %d cells the columns are %q, want %q", w, got, want)
		}
	}
}

func TestAColumnIsFoundByItsPlace(t *testing.T) {
	rows := []Row{{Key: "1", Cells: []Line{Plain("one"), Plain("-"), Plain("a"), Plain("b")}}, {Key: "2", Cells: []Line{Plain("two"), Plain("-"), Plain("a"), Plain("b")}}}
	tab := tableWith(Box{W: 30, H: 4}, rows, Column{Title: "NAME", Width: 6}, Column{Title: "HIDDEN", Width: 5, Hide: true}, Column{Title: "A", Width: 3}, Column{Title: "B", Width: 3})
	for x, want := range map[int]string{0: "", 1: "", 2: "NAME", 7: "NAME", 8: "", 10: "A", 12: "A", 14: "", 15: "B", 17: "B", 18: "", -5: ""} {
		if got := tab.TitleAt(x); got != want {
			t.Errorf("cell %d is in column %q, expected %q", x, got, want)
		}
	}
}

func TestTheTitleOfTheSortColumnHasAnArrow(t *testing.T) {
	tab := tableWith(Box{W: 30, H: 4}, nil, Column{Title: "", Width: 1}, Column{Title: "NAME", Width: 6}, Column{Title: "OWNS", Width: 6})
	for _, c := range []struct {
		title  string
		isDown bool
		want   string
	}{{"", false, "NAME OWNS"}, {"NAME", false, "NAME ▴ OWNS"}, {"OWNS", true, "NAME OWNS ▾"}, {"GONE", true, "NAME OWNS"}} {
		tab.SortTitle, tab.SortsDown = c.title, c.isDown
		if got := strings.Join(strings.Fields(titlesOf(tab)), " "); got != c.want {
			t.Errorf("sorted by %q the titles are %q, expected %q", c.title, got, c.want)
		}
	}
}

func TestTheCellsOfARowAreInTheOrderOfTheColumns(t *testing.T) {
	columns := func(n int) []Column {
		return []Column{
			{Title: "N", Width: 3, Cell: Plain(fmt.Sprint(n))},
			{Title: "DOUBLE", Width: 6, Cell: Plain(fmt.Sprint(2 * n))},
		}
	}
	tab := tableWith(Box{W: 30, H: 4}, []Row{{Key: "4", Cells: Cells(columns(4))}}, columns(0)...)
	rows := strings.Split(ansi.Strip(tab.View(dark)), "\n")
	if got := strings.Fields(rows[1]); !slices.Equal(got, []string{"▸", "4", "8"}) {
		t.Errorf("the row of 4 is %q below %q", rows[1], rows[0])
	}
}

func TestOnlyTheCursorRowIsHighlightedAndDifferentlyInABlurredTable(t *testing.T) {
	tab := tableOf(t, Box{80, 4}, numbered(5))
	for blur, role := range map[bool]themes.Role{false: themes.Selected, true: themes.Idle} {
		tab.IsBlurred = blur
		rows := strings.Split(tab.View(dark), "\n")
		style, _, _ := strings.Cut(dark.Render(role, "x"), "x")
		if !strings.HasPrefix(rows[1], style) || strings.HasPrefix(rows[2], style) {
			t.Errorf("blurred %t, the rows are\n%q\n%q", blur, rows[1], rows[2])
		}
	}
}

func TestAClickPutsTheCursorOnTheRowThere(t *testing.T) {
	l := numbered(5)
	tab := tableOf(t, Box{80, 11}, l)
	if tab.Click(0) || tab.Click(6) || tab.Click(11) || tab.Click(-1) {
		t.Error("a click beside the rows was taken")
	}
	if !tab.Click(3) || cursorKey(tab) != l.keys[2] {
		t.Errorf("the cursor is on %s", cursorKey(tab))
	}
}

func TestALongIdLosesItsMiddle(t *testing.T) {
	rows := []Row{}
	for _, id := range []string{"gen-0000665", "gen-0000666", "short", "日本語のとても長い名前", "a\x1b[31m" + strings.Repeat("x", 9000) + "\x1bz", ""} {
		rows = append(rows, Row{Key: id, Cells: []Line{Plain(id), Plain(id)}})
	}
	tab := tableWith(Box{24, 8}, rows, Column{Title: "ID", Width: 9, Shorten: Shorten}, Column{Title: "NAME", Width: 9})
	seen := strings.Split(ansi.Strip(tab.View(dark)), "\n")
	for i, want := range []string{"▸ gen…00665  gen-0000…", "  gen…00666  gen-0000…", "  short      short", "  日…名前    日本語の…", `  a\x…\x1bz  a\x1b[31…`} {
		if got := strings.TrimRight(seen[i+1], " "); got != want {
			t.Errorf("row %d: got %q, want %q", i, got, want)
		}
	}
}

// The list gets other filters and orders, rows come and go, and answers come late. The cursor
// stays on its row, or goes to the first of those after it that is still listed, or else to
// the nearest one before it.
func TestTheCursorStaysWithItsRowThroughFiltersOrdersAndLateAnswers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		stored := numbered(rapid.IntRange(1, 400).Draw(t, "rows")).keys
		h := rapid.IntRange(2, 30).Draw(t, "h")
		isReversed, isWhole := false, rapid.Bool().Draw(t, "whole")
		digit := ""                          // the filter: a text of the key
		placeOf := func(key string) string { // in the present order
			if isReversed {
				return strings.Map(func(r rune) rune { return 'z' - r }, key)
			}
			return key
		}
		listed := func() (keys []string) { // the keys of the rows in the present order
			for _, key := range stored {
				if strings.Contains(key, digit) {
					keys = append(keys, key)
				}
			}
			slices.SortFunc(keys, func(a, b string) int { return strings.Compare(placeOf(a), placeOf(b)) })
			return keys
		}
		answer := func(req Request) Page {
			var rows []Row
			l := &list{keeps: func(place string) bool { return strings.Contains(placeOf(place), digit) }}
			for _, key := range stored {
				l.keys = append(l.keys, placeOf(key))
			}
			sort.Strings(l.keys)
			if isWhole {
				for _, key := range listed() {
					rows = append(rows, tokenRow(key))
				}
				return WholePage(req, rows)
			}
			if req.Seek == RowsAround {
				if _, err := req.Locate(func(key string) (string, bool, error) {
					return placeOf(key), slices.Contains(stored, key) && strings.Contains(key, digit), nil
				}); err != nil {
					t.Fatalf("%v", err)
				}
			}
			page, err := Load(req, func(part ListPart, yield func(string, *Row) bool) error {
				return l.walk(part, func(place string, row *Row) bool {
					if row != nil {
						row.Key = placeOf(place) // the inverse is the same function
					}
					return yield(place, row)
				})
			})
			if err != nil {
				t.Fatalf("%v", err)
			}
			return page
		}

		tab := NewTable(tokenColumns()...)
		tab.Resize(Box{100, h})
		settle := func() {
			for req, ok := tab.NextRequest(); ok; req, ok = tab.NextRequest() {
				page := answer(req)
				if rapid.IntRange(0, 3).Draw(t, "late") == 0 && len(tab.rows) > 0 {
					tab.Click(1 + rapid.IntRange(0, h).Draw(t, "click")) // before the answer comes
				}
				tab.Set(page)
			}
		}
		settle()
		for range rapid.IntRange(1, 20).Draw(t, "changes") {
			for range rapid.IntRange(0, 3).Draw(t, "moves") {
				tab.Update(term.Key(rapid.SampledFrom([]string{"j", "j", "k", "pgdown", "pgup", "g", "G"}).Draw(t, "key")))
				settle()
			}
			before, order := cursorKey(tab), listed()
			switch rapid.IntRange(0, 4).Draw(t, "change") {
			case 0:
				isReversed = !isReversed
				tab.Restart()
			case 1, 2:
				digit = rapid.SampledFrom([]string{"", "", "1", "7", "33", "x"}).Draw(t, "filter")
				tab.Restart()
			case 3:
				at := rapid.IntRange(0, len(stored)-1).Draw(t, "from")
				stored = slices.Delete(stored, at, min(len(stored)-1, at+rapid.IntRange(0, 9).Draw(t, "count")))
				tab.Reload()
			case 4:
				if at, found := slices.BinarySearch(stored, before); found && len(stored) > 1 {
					stored = slices.Delete(stored, at, at+1)
				}
				tab.Reload()
			}
			at := slices.Index(order, before)
			clicked := ""
			for req, ok := tab.NextRequest(); ok; req, ok = tab.NextRequest() {
				page := answer(req)
				switch rapid.IntRange(0, 7).Draw(t, "late") {
				case 0:
					if tab.Click(1 + rapid.IntRange(0, h).Draw(t, "click")) {
						clicked = cursorKey(tab)
					}
				case 1:
					tab.Update(tea.MouseMsg{Button: tea.MouseButtonWheelDown, Action: tea.MouseActionPress})
					if row, hasRow := tab.Cursor(); hasRow && tab.pendingSteps == 0 {
						clicked = row.Key
					} else {
						tab.pendingSteps = 0
					}
				}
				tab.Set(page)
			}
			now := listed()
			if clicked != "" {
				before, at = clicked, slices.Index(order, clicked)
			}
			if before == "" || len(now) == 0 {
				continue
			}

			// Of the rows that were there, and of all rows by their places, the next one.
			rest := slices.DeleteFunc(slices.Clone(order[at:]), func(key string) bool { return !slices.Contains(now, key) })
			wanted := []string{now[len(now)-1]}
			if len(rest) > 0 {
				wanted = rest[:1]
			}
			if i := slices.IndexFunc(now, func(key string) bool { return placeOf(key) >= placeOf(before) }); i >= 0 && !slices.Contains(now, before) {
				wanted = append(wanted, now[i])
			}
			if got := cursorKey(tab); !slices.Contains(wanted, got) {
				t.Fatalf("the cursor went from %q to %q, want one of %q", before, got, wanted)
			}
		}
	})
}
