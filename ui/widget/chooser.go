package widget

import (
	"slices"
	"strings"
	"unicode"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
	"github.com/sahilm/fuzzy"

	"ephemera/themes"
)

// Item is something to choose.
type Item struct {
	ID       string // identifies the item for the owner
	Title    string
	Detail   string // a few words more, searched too
	Hint     string // the key that does the same without the chooser, such as "t"; may be empty
	Disabled bool   // it would do nothing now; Detail gives the reason
	Keywords string // further phrases to search for, with commas between them; they do not show
}

// ChooserEvent is what a key did to a chooser.
type ChooserEvent int

// The events of a chooser.
const (
	ChooserNone   ChooserEvent = iota
	ChooserMove                // another item is under the cursor, so a preview is out of date
	ChooserPick                // the user chose the item under the cursor
	ChooserCancel              // the user cancels
)

// ChooserKeys are the keys of a chooser. All other keys edit its search text.
type ChooserKeys struct {
	Up     key.Binding // moves the cursor to the item above
	Down   key.Binding // moves the cursor to the item below
	Pick   key.Binding // chooses the item under the cursor
	Cancel key.Binding
}

// Bindings lists the keys.
func (k ChooserKeys) Bindings() []key.Binding {
	return []key.Binding{k.Pick, k.Cancel, k.Up, k.Down}
}

// Chooser is a list with a search text on top, such as the command palette. It lists the
// items that match the text, the best match first. If no item has its words, the search is
// fuzzy: "trt" finds "Transfer this token".
type Chooser struct {
	Keys    ChooserKeys
	Prompt  string // shown while the search text is empty
	items   []Item
	query   Edit    // the search text
	matches []match // the items that match the search text, the best first
	cursor  int     // index into matches
	top     int     // index into matches of the first one in view
	box     Box
}

// match is an item that the search found.
type match struct {
	itemIndex int // index into the chooser's items
	rank      int // the lower, the better
}

// NewChooser makes a chooser with the cursor on the first item.
func NewChooser(items ...Item) *Chooser {
	c := &Chooser{
		Prompt: "type to search",
		query:  NewEdit(),
		Keys: ChooserKeys{
			Up:     bind("↑", "up", "up", "ctrl+p", "shift+tab"),
			Down:   bind("↓", "down", "down", "ctrl+n", "tab"),
			Pick:   bind("enter", "choose", "enter"),
			Cancel: bind("esc", "cancel", "esc"),
		},
	}
	c.Set(items)
	return c
}

// Set replaces the items. The search text stays. The cursor stays on the item with the
// same ID if the search still finds one.
func (c *Chooser) Set(items []Item) {
	previous, _ := c.Current()
	c.items = items
	c.search()
	c.Select(previous.ID)
}

// SelectFirst puts the cursor on the best match.
func (c *Chooser) SelectFirst() { c.cursor = 0 }

// Select puts the cursor on an item if it is in the list.
func (c *Chooser) Select(id string) {
	hasID := func(m match) bool { return c.items[m.itemIndex].ID == id }
	if i := slices.IndexFunc(c.matches, hasID); i >= 0 {
		c.cursor = i
	}
}

// Resize gives the chooser its box.
func (c *Chooser) Resize(box Box) { c.box = box }

// Current returns the item under the cursor; there is none if nothing matches.
func (c *Chooser) Current() (Item, bool) {
	if c.cursor >= len(c.matches) {
		return Item{}, false
	}
	current := c.matches[c.cursor]
	return c.items[current.itemIndex], true
}

// Query returns the search text.
func (c *Chooser) Query() string { return c.query.Value() }

// HiddenCounts counts the items that the last View had no room for.
func (c *Chooser) Hidden() HiddenCounts { return countHidden(c.top, c.box.H-1, len(c.matches)) }

// Update handles a key, a paste and the mouse. A click chooses the item under the mouse,
// and the wheel moves the cursor. The coordinates of the mouse count from the top left
// corner of the box.
func (c *Chooser) Update(msg tea.Msg) ChooserEvent {
	switch msg := msg.(type) {
	case tea.MouseMsg:
		if IsClick(msg) {
			return c.click(msg.Y)
		}
		return c.move(WheelTurn(msg))
	case tea.KeyMsg:
		return c.press(msg)
	}
	return ChooserNone
}

// press handles a key. The keys of the chooser move the cursor, choose an item or cancel.
// All other keys, and a pasted text, edit the search text.
func (c *Chooser) press(msg tea.KeyMsg) ChooserEvent {
	if msg.Paste {
		return c.editQuery(msg)
	}
	switch {
	case key.Matches(msg, c.Keys.Up):
		return c.move(-1)
	case key.Matches(msg, c.Keys.Down):
		return c.move(1)
	case key.Matches(msg, c.Keys.Cancel):
		return ChooserCancel
	case key.Matches(msg, c.Keys.Pick):
		if _, hasItem := c.Current(); !hasItem {
			return ChooserNone
		}
		return ChooserPick
	}
	return c.editQuery(msg)
}

// editQuery edits the search text. A new text puts the cursor on the best match.
func (c *Chooser) editQuery(msg tea.KeyMsg) ChooserEvent {
	oldText := c.query.Value()
	c.query.Update(msg)
	if c.query.Value() == oldText {
		return ChooserNone
	}
	c.search()
	c.cursor = 0
	c.top = 0
	return ChooserMove
}

// move moves the cursor down by a number of items, or up by a negative one. Behind the
// last item it starts again at the first.
func (c *Chooser) move(steps int) ChooserEvent {
	count := len(c.matches)
	if count == 0 || steps == 0 {
		return ChooserNone
	}

	// Above the first item the remainder is negative, so count is added to it.
	remainder := (c.cursor + steps) % count
	c.cursor = (remainder + count) % count
	return ChooserMove
}

// click chooses the item at a line of the box, if there is one.
func (c *Chooser) click(line int) ChooserEvent {
	// The first line is the search text.
	index := c.top + line - 1
	if line < 1 || line >= c.box.H || index >= len(c.matches) {
		return ChooserNone
	}
	c.cursor = index
	return ChooserPick
}

// search sets c.matches to the items that match the search text. An empty text matches
// all items. Disabled items come last. A cursor that is behind the last match moves to it.
func (c *Chooser) search() {
	c.matches = nil
	if pattern := strings.TrimSpace(c.query.Value()); pattern != "" {
		c.findAll(pattern)
	} else {
		for i := range c.items {
			c.add(i, 0)
		}
	}
	slices.SortStableFunc(c.matches, func(a, b match) int { return a.rank - b.rank })
	c.cursor = clamp(c.cursor, 0, max(0, len(c.matches)-1))
}

// add adds the item with an index to the matches, behind those with a lower rank. A disabled
// item comes behind all others.
func (c *Chooser) add(index, rank int) {
	if c.items[index].Disabled {
		rank += 1 << 20
	}
	c.matches = append(c.matches, match{itemIndex: index, rank: rank})
}

// findAll adds the items that match a pattern. The best is an item with the pattern as a keyword,
// then comes one whose title or keyword starts with it, then one that has each of its words in
// its title or its keywords, then one that needs its detail for that. If there is none, it adds
// the items that have some of the words, or else those whose title, or else whose detail,
// contains the letters of the pattern.
func (c *Chooser) findAll(pattern string) {
	pattern = strings.ToLower(pattern)
	patternWords := wordsOf(pattern)
	startsWithPattern := func(phrase string) bool { return strings.HasPrefix(phrase, pattern) }
	var titles, details []string
	for i, item := range c.items {
		title, detail := Safe(item.Title), Safe(item.Detail)
		titles = append(titles, title)
		details = append(details, detail)

		phrases := strings.Split(item.Keywords, ", ")
		words := wordsOf(title + " " + item.Keywords)
		rank := 0
		switch {
		case slices.Contains(phrases, pattern):
		case slices.ContainsFunc(append(phrases, strings.ToLower(title)), startsWithPattern):
			rank = 1
		case haveWords(words, patternWords):
			rank = 2
		case haveWords(append(words, wordsOf(detail)...), patternWords):
			rank = 3
		default:
			continue
		}
		c.add(i, rank)
	}

	if len(c.matches) > 0 {
		return
	}

	// If no item has each word, look for those with most of them. Short words such as "my" say
	// little.
	for i, item := range c.items {
		words := wordsOf(titles[i] + " " + item.Keywords)
		rank := 0
		for _, word := range patternWords {
			if len(word) > 2 && haveWords(words, []string{word}) {
				rank--
			}
		}
		if rank < 0 {
			c.add(i, rank)
		}
	}
	if len(c.matches) > 0 {
		return
	}
	letters := fuzzy.Find(pattern, titles)
	if len(letters) == 0 {
		letters = fuzzy.Find(pattern, details)
	}
	for rank, item := range letters {
		c.add(item.Index, rank)
	}
}

// wordsOf returns the words of a text in lower case.
func wordsOf(text string) []string {
	isBetweenWords := func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' }
	return strings.FieldsFunc(strings.ToLower(text), isBetweenWords)
}

// wordEndings make another form of a word of it.
var wordEndings = []string{"s", "es", "d", "ed", "ing"}

// haveWords reports whether each wanted word is the beginning of a word, or a form of a word, such
// as "expires" of "expire". It is false without wanted words.
func haveWords(words, wanted []string) bool {
	for _, want := range wanted {
		isMeant := func(word string) bool {
			ending, isLonger := strings.CutPrefix(want, word)
			return strings.HasPrefix(word, want) || isLonger && slices.Contains(wordEndings, ending)
		}
		if !slices.ContainsFunc(words, isMeant) {
			return false
		}
	}
	return len(wanted) > 0
}

// View draws the search text and the items around the cursor.
func (c *Chooser) View(theme *themes.Theme) string {
	box := c.box
	if box.W <= 0 || box.H <= 0 {
		return Fill("", box)
	}

	// The search text takes the first line, behind the sign "/ ".
	const (
		signWidth = 2
		hasFocus  = true // all letters go to the search text
	)
	sign := Styled(themes.Key, "/ ").Fit(theme, min(signWidth, box.W))
	searchText := c.query.View(theme, box.W-signWidth, hasFocus, c.Prompt)
	lines := []string{sign + searchText}

	// The items take the other lines.
	c.top = firstInView(c.top, c.cursor, box.H-1, len(c.matches))
	for i := c.top; i < len(c.matches) && len(lines) < box.H; i++ {
		lines = append(lines, c.viewItem(theme, i))
	}
	if len(c.matches) == 0 {
		lines = append(lines, Faint("  nothing matches").Fit(theme, box.W))
	}
	return Fill(strings.Join(lines, "\n"), box)
}

const (
	chooserPointerWidth = 2 // cells in front of a title
	chooserGapWidth     = 2 // cells between columns
)

// chooserColumns holds the widths of the columns, in cells. A column with 0 is not shown.
type chooserColumns struct {
	title  int
	hint   int
	detail int
}

// NaturalWidth returns the width, in cells, at which no text of any item is cut.
func (c *Chooser) NaturalWidth() int {
	widest := c.widestColumns()
	width := chooserPointerWidth + widest.title
	for _, column := range []int{widest.hint, widest.detail} {
		if column > 0 {
			width += chooserGapWidth + column
		}
	}

	// A disabled item is not drawn in columns: the reason follows its title.
	for _, item := range c.items {
		if !item.Disabled {
			continue
		}
		columns := c.layOut(item)
		width = max(width, chooserPointerWidth+columns.title+chooserGapWidth+columns.detail)
	}
	return width
}

// widestColumns returns the widths of the widest title, hint and detail, in cells.
// Disabled items don't count, because they are not drawn in columns. Their detail, which
// says why they are disabled, follows the title directly.
func (c *Chooser) widestColumns() (widest chooserColumns) {
	for _, item := range c.items {
		if item.Disabled {
			continue
		}
		widest.title = max(widest.title, safeWidth(item.Title))
		widest.hint = max(widest.hint, safeWidth(item.Hint))
		widest.detail = max(widest.detail, safeWidth(item.Detail))
	}
	return widest
}

// layOut shares the width of the box among the columns of titles, hints and details. A
// hint is the key that does the same as the item. Titles are the most important. The
// hints or the details are left out, with width 0, if they would leave too few cells for
// the titles.
//
// A disabled item is not drawn in columns: its title and its detail, which says why it is
// disabled, get the cells that they need.
func (c *Chooser) layOut(item Item) chooserColumns {
	if item.Disabled {
		return chooserColumns{
			title:  safeWidth(item.Title),
			detail: safeWidth(item.Detail),
		}
	}
	const (
		minTitleWidth      = 34 // cells that the other columns leave to the titles, if these need them
		minDetailWidth     = 6  // fewer cells of a detail are of no use
		desiredDetailWidth = 24 // cells that details get even if titles are cut for them
	)

	// Show the hints if the titles keep enough cells beside them.
	columns := c.widestColumns()
	room := c.box.W - chooserPointerWidth
	keptTitleWidth := min(columns.title, minTitleWidth)
	if columns.hint > 0 {
		roomBesideHint := room - chooserGapWidth - columns.hint
		if roomBesideHint < min(keptTitleWidth, room/2) {
			columns.hint = 0
		} else {
			room = roomBesideHint
		}
	}

	// Give the details the cells that the titles don't need, or desiredDetailWidth cells
	// if these are more. The titles keep keptTitleWidth cells.
	roomBesideTitle := max(room-chooserGapWidth-columns.title, desiredDetailWidth)
	maxDetailWidth := room - chooserGapWidth - keptTitleWidth
	columns.detail = min(columns.detail, maxDetailWidth, roomBesideTitle)
	if columns.detail < minDetailWidth {
		columns.detail = 0
	} else {
		room -= chooserGapWidth + columns.detail
	}
	columns.title = min(columns.title, max(room, 0))
	return columns
}

// itemRoles are the roles, that is the styles, of the texts of an item.
type itemRoles struct {
	title  themes.Role
	match  themes.Role // the letters of the title that match the search text
	hint   themes.Role
	detail themes.Role
}

// viewItem draws an item that was found, in the width of the box, with the matching
// letters of its title highlighted. matchIndex is its index in c.matches. The detail of a
// disabled item, which says why it is disabled, follows its title directly.
func (c *Chooser) viewItem(theme *themes.Theme, matchIndex int) string {
	item := c.items[c.matches[matchIndex].itemIndex]
	var titleIndexes []int // the bytes of the title that match the search text
	for _, letters := range fuzzy.Find(c.Query(), []string{Safe(item.Title)}) {
		titleIndexes = letters.MatchedIndexes
	}
	sign, roles := itemStyle(item.Disabled, matchIndex == c.cursor)
	columns := c.layOut(item)

	// Draw the columns from left to right.
	title := Fit(Safe(item.Title), columns.title)
	highlighted := highlightMatches(title, titleIndexes, roles.title, roles.match)
	line := append(Styled(roles.title, sign), highlighted...)
	if columns.hint > 0 {
		line = line.Append(roles.hint, "  "+Fit(Safe(item.Hint), columns.hint))
	}
	if columns.detail > 0 {
		line = line.Append(roles.detail, "  "+Fit(Safe(item.Detail), columns.detail))
	}

	// The style of the item goes on to the right end of the box.
	padding := spaces(c.box.W - line.Width())
	return line.Append(roles.title, padding).Fit(theme, c.box.W)
}

// itemStyle returns the sign in front of an item, and the styles of its texts. The item
// under the cursor has a pointer, and one style throughout. A disabled item has a dot.
func itemStyle(isDisabled, hasCursor bool) (sign string, roles itemRoles) {
	switch {
	case hasCursor:
		return themes.GlyphPointer + " ", itemRoles{
			title:  themes.Selected,
			match:  themes.Selected,
			hint:   themes.Selected,
			detail: themes.Selected,
		}
	case isDisabled: // its hint is not drawn
		return themes.GlyphDot + " ", itemRoles{
			title:  themes.Faint,
			match:  themes.Match,
			detail: themes.Muted,
		}
	}
	return "  ", itemRoles{
		title:  themes.Text,
		match:  themes.Match,
		hint:   themes.Key,
		detail: themes.Faint,
	}
}

// highlightMatches returns a title in which matching characters have the style matchRole,
// and all others have role. matchIndexes holds the indexes of the matching bytes. A
// character of several bytes, such as "é", is highlighted as a whole.
func highlightMatches(title string, matchIndexes []int, role, matchRole themes.Role) (line Line) {
	plainStart := 0 // where the text begins that is not added yet
	for start := 0; start < len(title); {
		// Go from character to character, since a character can have several bytes.
		cluster, _ := ansi.FirstGraphemeCluster(title[start:], ansi.GraphemeWidth)
		end := start + max(1, len(cluster))
		isInCluster := func(i int) bool { return i >= start && i < end }
		if slices.ContainsFunc(matchIndexes, isInCluster) {
			line = line.Append(role, title[plainStart:start]).Append(matchRole, title[start:end])
			plainStart = end
		}
		start = end
	}
	return line.Append(role, title[plainStart:])
}
