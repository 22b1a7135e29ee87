package widget

import (
	"slices"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
	"github.com/sahilm/fuzzy"

	"ephemera/themes"
)

// Item is something to choose.
type Item struct {
	ID     string // what the owner gets back
	Title  string
	Detail string // a few words more; they are searched too
	Hint   string // the key that does the same
	Off    bool   // cannot be done now, which Detail says why
	Also   string // other words that it is found by, which do not show
}

// ChooserEvent is what a key meant to a chooser.
type ChooserEvent int

// What a key can mean to a chooser.
const (
	ChooserNone   ChooserEvent = iota
	ChooserMove                // another item is under the cursor: time for a preview
	ChooserPick                // the item under the cursor is chosen
	ChooserCancel              // the person wants out
)

// ChooserKeys are the keys of a chooser. All others go to its search text.
type ChooserKeys struct{ Up, Down, Pick, Cancel key.Binding }

// Bindings lists the keys for help texts.
func (k ChooserKeys) Bindings() []key.Binding {
	return []key.Binding{k.Pick, k.Cancel, k.Up, k.Down}
}

// Chooser is a list with a search text on top: the command palette, the people
// to act as, the themes. The search is fuzzy and ranks the best match first.
type Chooser struct {
	Keys   ChooserKeys
	Prompt string // stands where the search text will be
	items  []Item
	query  Edit
	found  []found
	cursor int
	top    int
	box    Box
}

// found is an item that matches, with the bytes of its safe title that do.
type found struct {
	item int
	at   []int
}

// NewChooser makes a chooser with the cursor on the first item.
func NewChooser(items ...Item) *Chooser {
	c := &Chooser{Prompt: "type to search", query: NewEdit(), Keys: ChooserKeys{
		Up:     key.NewBinding(key.WithKeys("up", "ctrl+p", "shift+tab"), key.WithHelp("↑", "up")),
		Down:   key.NewBinding(key.WithKeys("down", "ctrl+n", "tab"), key.WithHelp("↓", "down")),
		Pick:   key.NewBinding(key.WithKeys("enter"), key.WithHelp("enter", "choose")),
		Cancel: key.NewBinding(key.WithKeys("esc"), key.WithHelp("esc", "cancel")),
	}}
	c.Set(items)
	return c
}

// Set replaces the items. The search text stays, and so does the cursor if its
// item does.
func (c *Chooser) Set(items []Item) {
	was, _ := c.Current()
	c.items = items
	c.search()
	c.Select(was.ID)
}

// SelectFirst puts the cursor on the best match.
func (c *Chooser) SelectFirst() { c.cursor = 0 }

// Select puts the cursor on an item if it is in the list.
func (c *Chooser) Select(id string) {
	if i := slices.IndexFunc(c.found, func(f found) bool { return c.items[f.item].ID == id }); i >= 0 {
		c.cursor = i
	}
}

// Resize gives the chooser its box.
func (c *Chooser) Resize(b Box) { c.box = b }

// Current is the item under the cursor; there is none when nothing matches.
func (c *Chooser) Current() (Item, bool) {
	if c.cursor >= len(c.found) {
		return Item{}, false
	}
	return c.items[c.found[c.cursor].item], true
}

// Query is the search text.
func (c *Chooser) Query() string { return c.query.Value() }

// Update takes a key, a paste or the wheel.
func (c *Chooser) Update(msg tea.Msg) ChooserEvent {
	switch msg := msg.(type) {
	case tea.MouseMsg:
		return c.move(Wheeled(msg))
	case tea.KeyMsg:
		return c.press(msg)
	}
	return ChooserNone
}

func (c *Chooser) press(k tea.KeyMsg) ChooserEvent {
	switch {
	case k.Paste:
	case key.Matches(k, c.Keys.Up):
		return c.move(-1)
	case key.Matches(k, c.Keys.Down):
		return c.move(1)
	case key.Matches(k, c.Keys.Cancel):
		return ChooserCancel
	case key.Matches(k, c.Keys.Pick):
		if _, ok := c.Current(); ok {
			return ChooserPick
		}
		return ChooserNone
	}
	was := c.query.Value()
	if c.query.Update(k); c.query.Value() == was {
		return ChooserNone
	}
	c.search()
	c.cursor, c.top = 0, 0
	return ChooserMove
}

func (c *Chooser) move(d int) ChooserEvent {
	n := len(c.found)
	if n == 0 || d == 0 {
		return ChooserNone
	}
	c.cursor = ((c.cursor+d)%n + n) % n
	return ChooserMove
}

// Click puts the cursor on the item at line y of the box and says whether there
// is one.
func (c *Chooser) Click(y int) bool {
	i := c.top + y - 1
	if y < 1 || y >= c.box.H || i >= len(c.found) {
		return false
	}
	c.cursor = i
	return true
}

// search ranks the items: titles, or words of Also, that start with the search
// text, then other titles, then details; what is off comes last of each. Titles
// are searched as they are shown, so that the letters found can be marked.
func (c *Chooser) search() {
	c.found = c.found[:0]
	pattern := strings.TrimSpace(c.query.Value())
	if pattern == "" {
		for i := range c.items {
			c.found = append(c.found, found{item: i})
		}
	} else {
		titles, details := make([]string, len(c.items)), make([]string, len(c.items))
		for i, it := range c.items {
			titles[i], details[i] = Safe(it.Title), Safe(it.Detail)
		}
		seen := make([]bool, len(c.items))
		for _, m := range fuzzy.Find(pattern, titles) {
			c.found, seen[m.Index] = append(c.found, found{m.Index, m.MatchedIndexes}), true
		}
		starts := func(text string) bool {
			return len(text) >= len(pattern) && strings.EqualFold(text[:len(pattern)], pattern)
		}
		for i, it := range c.items {
			if !seen[i] && slices.ContainsFunc(strings.Fields(it.Also), starts) {
				c.found, seen[i] = append(c.found, found{item: i}), true
			}
		}
		rank := func(f found) (n int) {
			if !starts(titles[f.item]) && !slices.ContainsFunc(strings.Fields(c.items[f.item].Also), starts) {
				n = 2
			}
			if c.items[f.item].Off {
				n++
			}
			return n
		}
		slices.SortStableFunc(c.found, func(a, b found) int {
			if n := rank(a) - rank(b); n != 0 || rank(a) >= 2 {
				return n
			}
			return a.item - b.item // all begin with it: as they are listed
		})
		for _, m := range fuzzy.Find(pattern, details) {
			if !seen[m.Index] {
				c.found = append(c.found, found{item: m.Index})
			}
		}
	}
	c.cursor = clamp(c.cursor, 0, max(0, len(c.found)-1))
}

// View draws the search text and the items around the cursor.
func (c *Chooser) View(th *themes.Theme) string {
	b := c.box
	if b.W <= 0 || b.H <= 0 {
		return Fill("", b)
	}
	c.top = firstInView(c.top, c.cursor, b.H-1, len(c.found))
	lines := []string{In(themes.Key, "/ ").Fit(th, min(2, b.W)) + c.query.View(th, b.W-2, true, c.Prompt)}
	for i := c.top; i < len(c.found) && len(lines) < b.H; i++ {
		lines = append(lines, c.row(th, i))
	}
	if len(c.found) == 0 {
		lines = append(lines, In(themes.Faint, "  nothing matches").Fit(th, b.W))
	}
	return Fill(strings.Join(lines, "\n"), b)
}

// Natural is the width at which nothing of the items is cut.
func (c *Chooser) Natural() int {
	title, hint, detail := c.widest()
	w := chooserPointer + title
	for _, more := range []int{hint, detail} {
		if more > 0 {
			w += chooserGap + more
		}
	}
	for _, it := range c.items {
		if it.Off {
			w = max(w, chooserPointer+Width(Safe(it.Title))+chooserGap+Width(Safe(it.Detail)))
		}
	}
	return w
}

const (
	chooserPointer = 2 // cells before a title
	chooserGap     = 2 // cells between columns
	chooserTitle   = 34
)

func (c *Chooser) widest() (title, hint, detail int) {
	for _, it := range c.items {
		if it.Off { // its reason stands right behind it
			continue
		}
		title = max(title, Width(Safe(it.Title)))
		hint = max(hint, Width(Safe(it.Hint)))
		detail = max(detail, Width(Safe(it.Detail)))
	}
	return title, hint, detail
}

// columns are the widths of the titles, the keys and the words more, so that
// each begins below the one above. The titles come first: words that would
// leave them little room are left out, and then the keys.
func (c *Chooser) columns() (title, hint, detail int) {
	title, hint, detail = c.widest()
	room := c.box.W - chooserPointer
	least := min(title, chooserTitle)
	if hint > 0 {
		if room-chooserGap-hint < min(least, room/2) {
			hint = 0
		} else {
			room -= chooserGap + hint
		}
	}
	const fewest, enough = 6, 24 // cells of the words more
	detail = min(detail, room-chooserGap-least, max(room-chooserGap-title, enough))
	if detail < fewest {
		detail = 0
	} else {
		room -= chooserGap + detail
	}
	return min(title, max(room, 0)), hint, detail
}

func (c *Chooser) row(th *themes.Theme, i int) string {
	it := c.items[c.found[i].item]
	title, hint, detail := c.columns()
	texts := struct{ text, match, hint, detail themes.Role }{themes.Text, themes.Match, themes.Key, themes.Faint}
	pointer := "  "
	if it.Off {
		pointer = themes.GlyphDot + " "
		texts.text, texts.detail = themes.Faint, themes.Muted
		title, hint, detail = Width(Safe(it.Title)), 0, Width(Safe(it.Detail))
	}
	if i == c.cursor {
		pointer = themes.GlyphPointer + " "
		texts.text, texts.match, texts.hint, texts.detail = themes.Selected, themes.Selected, themes.Selected, themes.Selected
	}
	row := append(In(texts.text, pointer), marked(Fit(Safe(it.Title), title), c.found[i].at, texts.text, texts.match)...)
	if hint > 0 {
		row = row.And(texts.hint, "  "+Fit(Safe(it.Hint), hint))
	}
	if detail > 0 {
		row = row.And(texts.detail, "  "+Fit(Safe(it.Detail), detail))
	}
	return row.And(texts.text, spaces(c.box.W-Width(row.String()))).Fit(th, c.box.W)
}

// marked gives the matched characters of a title their own role.
func marked(title string, at []int, text, match themes.Role) Line {
	var l Line
	from := 0
	for i := 0; i < len(title); {
		cluster, _ := ansi.FirstGraphemeCluster(title[i:], ansi.GraphemeWidth)
		n := i + max(1, len(cluster))
		if slices.ContainsFunc(at, func(b int) bool { return b >= i && b < n }) {
			l = l.And(text, title[from:i]).And(match, title[i:n])
			from = n
		}
		i = n
	}
	return l.And(text, title[from:])
}

// Hidden counts the items that the last View had no room for.
func (c *Chooser) Hidden() Hidden { return hiddenLines(c.top, c.box.H-1, len(c.found)) }
