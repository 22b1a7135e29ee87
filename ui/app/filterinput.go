package app

import (
	"reflect"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/themes"
	"ephemera/ui/widget"
)

// FilterInput is the text field for the filter of a list, which the key "/" opens, together
// with the filter that is applied. F is the type of a parsed filter. While the typed text is
// incomplete or wrong, the filter of an earlier text stays applied.
type FilterInput[F any] struct {
	IsTyping    bool   // the text field has the focus
	AppliedText string // the text that Filter was parsed from; "" if the list shows every row
	Filter      F      // the filter that is applied

	list       *widget.Table
	restart    func(*State) // reads the list again around the cursor
	parse      func(text string, keys []string, book chain.Book) (F, error)
	keys       []string    // those of the filter, such as "owner:"
	help       string      // shown in the empty field
	edit       widget.Edit // the text field
	problem    string      // why the typed text is wrong; "" if it is not
	unknownKey string      // an unknown key in the text, such as "color:"; "" for none
}

// NewFilterInput returns an empty filter of a list. When the filter changes, it calls
// restart, which must read the list again around the cursor. parse parses a typed text, which
// can have the given keys, such as "owner:". help says what can be typed.
func NewFilterInput[F any](
	list *widget.Table,
	restart func(*State),
	parse func(text string, keys []string, book chain.Book) (F, error),
	keys []string,
	help string,
) FilterInput[F] {
	return FilterInput[F]{
		list:    list,
		restart: restart,
		parse:   parse,
		keys:    keys,
		help:    help,
		edit:    widget.NewEdit(),
	}
}

// Command returns the command of the key "/", which gives the focus to the text field.
func (f *FilterInput[F]) Command() Command {
	return ScreenCommand("/", "filter", "Filter this list", func() tea.Cmd {
		f.IsTyping = true
		f.list.HoldCursor(true)
		return nil
	}).FoundBy("search, find, look for, where is, owned by, my tokens")
}

// ShowAllCommand returns the command of the key esc, which clears the filter.
func (f *FilterInput[F]) ShowAllCommand(state *State) Command {
	return DialogCommand("esc", "show all", func() tea.Cmd {
		f.Set(state, "")
		return nil
	})
}

// FilterKeys lists the keys that do something else than edit the text while a filter is
// typed.
var FilterKeys = KeysForHelp(GroupHere,
	Bind("enter", "to the rows"),
	Bind("tab", "complete"),
	Bind("esc", "drop the filter"))

// Update handles a key while the text field has the focus; otherwise it returns false. Esc
// clears the filter and ends typing. Enter and down end typing unless the text is wrong.
func (f *FilterInput[F]) Update(state *State, msg tea.KeyMsg) (handled bool) {
	if !f.IsTyping {
		return false
	}
	switch msg.String() {
	case "esc":
		f.IsTyping = false
		f.edit.Set("")
		f.list.HoldCursor(false) // it stays on the row that was found
	case "enter", "down":
		f.IsTyping = f.problem != ""
	case "tab":
		f.edit.Set(completeFilter(f.edit.Value(), f.keys, state.Accounts))
	default:
		f.edit.Update(msg)
	}

	// Filter the list by the new text. At the end of typing, read the rows again in any case,
	// so that the keys that were typed ahead wait for them.
	f.apply(state)
	if !f.IsTyping {
		f.list.Reload()
		f.list.HoldCursor(false)
	}
	return true
}

// Set replaces the text of the filter, and applies it.
func (f *FilterInput[F]) Set(state *State, text string) {
	f.edit.Set(text)
	f.apply(state)
}

// apply applies the text in the field as the filter. If that changes the filter, it restarts
// the list. If the text is incomplete or wrong, the earlier filter stays.
func (f *FilterInput[F]) apply(state *State) {
	typedText := f.edit.Value()
	f.problem = ""
	f.unknownKey = unknownFilterKey(normalizeFilter(typedText), f.keys)

	// While the user is typing, "own" may become "owner:", so it is not applied yet.
	if f.IsTyping && endsWithIncompleteKey(typedText, f.keys) {
		return
	}
	book := chain.NewBook(state.Config.Prefix, state.Accounts)
	filter, err := f.parse(typedText, f.keys, book)
	if err != nil {
		f.problem = err.Error()
		return
	}

	// A text with the same meaning, for example with one more space, needs no restart.
	f.AppliedText = typedText
	if reflect.DeepEqual(filter, f.Filter) {
		return
	}
	f.Filter = filter
	f.restart(state)
}

// Problem returns a line that says what is wrong with the filter; nil if nothing is. The
// list shows it in place of its titles. The line warns of an unknown key only while the
// user is typing, or if the list has no rows, which the unknown key may explain.
func (f *FilterInput[F]) Problem(width int) widget.Line {
	_, hasRows := f.list.Cursor()
	switch {
	case f.IsTyping && f.problem != "":
		return widget.Styled(themes.Warn, " "+themes.GlyphWarn+" "+f.problem)
	case f.unknownKey != "" && (f.IsTyping || !hasRows):
		return unknownKeyWarning(f.unknownKey, f.keys, width)
	}
	return nil
}

// minFilterWidth is the least width, in cells, of the field in which a filter is typed.
const minFilterWidth = 16

// Heading draws the line above a list. At its left end is the line left, followed by the
// applied filter, such as "12 tokens / owner:alice". While the filter is typed, the text
// field is there instead. At the right end is the line right.
func (f *FilterInput[F]) Heading(state *State, left, right widget.Line, width int) string {
	rightText := right.Render(state.Theme)
	if f.IsTyping {
		const promptWidth = 3 // " / "
		prompt := " " + state.Theme.Render(themes.Key, "/ ")
		maxInputWidth := width - promptWidth

		// The field keeps its least width even if it then covers a part of the text right.
		inputWidth := max(maxInputWidth-1-right.Width(), minFilterWidth)
		field := f.edit.View(state.Theme, min(inputWidth, maxInputWidth), f.IsTyping, f.help)
		return widget.JoinEnds(prompt+field, rightText, width)
	}
	if f.AppliedText != "" {
		left = left.Append(themes.Key, " / ").Strong(f.AppliedText)
	}
	return widget.JoinEnds(left.Render(state.Theme), rightText, width)
}
