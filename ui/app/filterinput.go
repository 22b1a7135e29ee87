package app

import (
	"reflect"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/themes"
	"ephemera/ui/widget"
)

// FilterInput is the filter of a list, which every list opens with the key "/": the line in
// which it is typed, and the filter of type F that was last applied. The two differ while
// the text is incomplete or wrong.
type FilterInput[F any] struct {
	IsTyping bool   // keys go to the line
	Applied  string // the text that Filter was parsed from; "" if the list shows every row
	Filter   F

	list       *widget.Table
	restart    func(*State)
	parse      func(text string, book chain.Book) (F, error)
	keys       []string // the words with a meaning, such as "owner:"
	help       string   // says what can be typed
	edit       widget.Edit
	problem    string // why the typed text is no filter; "" if it is one
	unknownKey string // such as "color:", which is searched for as text; "" if none
}

// NewFilterInput returns an empty filter of a list. When the filter changes, it calls
// restart, which reads the list anew from its first row. parse parses a typed text. keys are
// the words that mean something to parse, such as "owner:", and help says what can be typed.
func NewFilterInput[F any](list *widget.Table, restart func(*State), parse func(string, chain.Book) (F, error), keys []string, help string) FilterInput[F] {
	return FilterInput[F]{list: list, restart: restart, parse: parse, keys: keys, help: help, edit: widget.NewEdit()}
}

// Command returns the command of the key "/", which begins to type the filter.
func (f *FilterInput[F]) Command() Command {
	return ScreenCommand("/", "filter", "Filter this list", func() tea.Cmd {
		f.IsTyping = true
		return nil
	}, "/")
}

// ShowAllCommand returns the command of the key esc, which clears the filter.
func (f *FilterInput[F]) ShowAllCommand(st *State) Command {
	showAll := func() tea.Cmd {
		f.Set(st, "")
		return nil
	}
	return DialogCommand("esc", "show all", showAll)
}

// FilterKeys lists the keys that do more than edit while a filter is typed.
var FilterKeys = KeysForHelp(GroupHere,
	Bind("enter", "to the rows"),
	Bind("tab", "complete"),
	Bind("esc", "drop the filter"))

// Update handles a key while the filter is typed; it returns false if it is not typed. Esc
// ends typing and clears the filter. Enter and down end typing if the text is a filter. Tab
// completes the last word. Any other key edits the text. The filter follows each key.
func (f *FilterInput[F]) Update(st *State, msg tea.KeyMsg) (handled bool) {
	if !f.IsTyping {
		return false
	}
	switch msg.String() {
	case "esc":
		f.IsTyping = false
		f.edit.Set("")
	case "enter", "down":
		f.IsTyping = f.problem != ""
	case "tab":
		f.edit.Set(completeFilter(f.edit.Value(), f.keys, st.Accounts))
	default:
		f.edit.Update(msg)
	}

	// Whatever the key did, the list follows the text.
	f.apply(st)
	if !f.IsTyping {
		f.list.Reload() // keys typed ahead wait for the rows
	}
	return true
}

// Set replaces the text of the filter.
func (f *FilterInput[F]) Set(st *State, text string) {
	f.edit.Set(text)
	f.apply(st)
}

// apply parses the text, and restarts the list if the filter has changed. While a typed text
// is incomplete, or if the text is wrong, the filter that was applied before stays. A wrong
// text also sets the problem that is shown above the list.
func (f *FilterInput[F]) apply(st *State) {
	text := f.edit.Value()
	filter, err := f.parse(text, chain.NewBook(st.Config.Prefix, st.Accounts))
	f.problem = ""
	f.unknownKey = unknownFilterKey(normalizeFilter(text), f.keys)

	// "own" may become "owner:", so it filters nothing yet.
	if f.IsTyping && endsWithinKey(text, f.keys) {
		return
	}
	if err != nil {
		f.problem = err.Error()
		return
	}

	// Only a filter that means something else restarts the list.
	f.Applied = text
	changed := !reflect.DeepEqual(filter, f.Filter)
	f.Filter = filter
	if changed {
		f.restart(st)
	}
}

// Problem returns a line about the filter that replaces the titles of the list; nil if there
// is nothing to say. An unknown key is mentioned while the filter is typed, and if the list
// has no rows.
func (f *FilterInput[F]) Problem(width int) widget.Line {
	_, hasRows := f.list.Cursor()
	switch {
	case f.IsTyping && f.problem != "":
		return widget.In(themes.Warn, " "+themes.GlyphWarn+" "+f.problem)
	case f.unknownKey != "" && (f.IsTyping || !hasRows):
		return unknownKeyWarning(f.unknownKey, f.keys, width)
	}
	return nil
}

// minFilterWidth is the least width, in cells, of the line in which a filter is typed.
const minFilterWidth = 16

// Heading draws the line above a list. While the filter is typed, its line is on the left.
// Otherwise left is there, followed by the applied filter. right stays at the right end.
func (f *FilterInput[F]) Heading(st *State, left, right widget.Line, width int) string {
	rightText := right.Render(st.Theme)
	if f.IsTyping {
		inputWidth := max(width-4-right.Width(), minFilterWidth)
		inputWidth = min(inputWidth, width-3)
		text := f.edit.View(st.Theme, inputWidth, true, f.help)
		return widget.JoinEnds(" "+st.Theme.Render(themes.Key, "/ ")+text, rightText, width)
	}
	if f.Applied != "" {
		left = left.And(themes.Key, " / ").Strong(f.Applied)
	}
	return widget.JoinEnds(left.Render(st.Theme), rightText, width)
}
