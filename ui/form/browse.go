package form

import (
	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/ui/app"
	"ephemera/ui/widget"
)

// Browser is a dialog over the whole terminal: a list, and the detail of the row
// under its cursor. It reads both again after every write. [Browser.AddFilter] gives the
// list a filter.
type Browser[D any] struct {
	app.MasterDetail
	Title   string
	OpenKey string // the key that opens the browser, which also closes it
	// ReadRows answers a request of the list for rows. ReadDetail reads the detail of a
	// row. Both run in a command, which may be on another goroutine.
	ReadRows   func(*chain.View, app.Facts, app.Filter, widget.Request) (widget.Page, error)
	ReadDetail func(*chain.View, app.Facts, widget.Row) (D, error)
	// DetailLines writes a detail, in width cells.
	DetailLines func(st *app.State, detail D, width int) []widget.Line
	// DetailHead, which can be nil, draws the line above the detail.
	DetailHead func(st *app.State, detail widget.Box) string
	// RowCommands returns the commands for the row under the cursor. hasRow is false for
	// an empty list.
	RowCommands func(st *app.State, row widget.Row, hasRow bool) []app.Command

	filter      app.FilterInput[app.Filter]
	hasFilter   bool
	headingText func(*app.State) widget.Line // see [Browser.AddFilter]
	box         widget.Box
	detail      D    // the detail on the screen
	hasDetail   bool // detail was read
	isReading   bool // a reading is under way; there is one at a time
	isStale     bool // something was written since the reading began, so the reading must be repeated
}

// NewBrowser returns a browser whose list takes listPercent of the width, beside the
// detail.
func NewBrowser[D any](title string, listPercent int, columns ...widget.Column) *Browser[D] {
	return &Browser[D]{MasterDetail: app.NewMasterDetail(listPercent, columns...), Title: title}
}

// NewStack returns a browser with the list above the detail in every width.
func NewStack[D any](title string, columns ...widget.Column) *Browser[D] {
	const listPercent = 0 // not used, because the list takes the whole width
	b := NewBrowser[D](title, listPercent, columns...)
	b.StackAlways()
	return b
}

// AddFilter gives the list a filter of words, which the key "/" opens. b.ReadRows must
// leave out the rows that the filter does not match. searchedTexts tells the user in
// which texts the words are searched. headingText returns the line above the list while
// the filter is not typed; nil shows the key of the filter.
func (b *Browser[D]) AddFilter(searchedTexts string, headingText func(*app.State) widget.Line) {
	restart := func(*app.State) { b.Table.Restart() }
	b.filter = app.NewFilterInput(b.Table, restart, app.ParseWords, nil, searchedTexts)
	b.hasFilter = true
	b.HasListHead = true
	b.headingText = headingText
}

// Typing reports whether the filter is being typed.
func (b *Browser[D]) Typing() bool { return b.filter.IsTyping }

// Open returns the command that opens the browser and reads its first rows.
func (b *Browser[D]) Open(state *app.State) tea.Cmd {
	return app.OpenDialogThen(b, b.readMissing(state))
}

// readMissing returns the command that reads missing rows and a missing detail, or nil while
// another reading is under way.
func (b *Browser[D]) readMissing(state *app.State) tea.Cmd {
	if b.isReading {
		return nil
	}

	// Read on another goroutine, so with copies of what the browser has now. The rows are read
	// before the detail. If they move the cursor to another row, the detail is that of this row.
	readPage := b.ReadRows
	readRowDetail := b.ReadDetail
	filter := b.filter.Filter
	facts := state.Facts
	selectedRow, hasSelectedRow := b.Table.Cursor()
	read := app.ReadListAndDetail(&b.MasterDetail,
		func(view *chain.View, f app.Facts, req widget.Request) (widget.Page, error) {
			page, err := readPage(view, f, filter, req)
			if err != nil {
				return page, err
			}
			cursorKey, _ := page.Cursor(req, selectedRow.Key, hasSelectedRow)
			for _, row := range page.Rows {
				if row.Key == cursorKey {
					selectedRow = row
				}
			}
			return page, nil
		},
		func(view *chain.View, f app.Facts, _ string) (D, error) { return readRowDetail(view, f, selectedRow) })
	if read == nil {
		return nil
	}

	b.isReading = true
	cmd := state.Ask(b, func(engine app.Engine) tea.Msg {
		msg, err := chain.Read(engine, func(view *chain.View) (tea.Msg, error) { return read(view, facts) })
		if err != nil {
			return app.ReadFailedMsg{Err: err}
		}
		return msg
	})

	// A search through the list runs in the background, so that no key waits for its end.
	if b.Table.IsSearching() {
		return app.Background(cmd)
	}
	return cmd
}

// FullScreen marks the browser as a dialog over the whole terminal.
func (b *Browser[D]) FullScreen() {}

// Resize gives the browser its box, with the frame.
func (b *Browser[D]) Resize(box widget.Box) {
	b.box = box
	b.HasDetailHead = b.DetailHead != nil
	b.MasterDetail.Resize(widget.FrameInner(box))
}

// Commands returns the commands for the row under the cursor, and lists the keys that
// close the browser and move in it.
func (b *Browser[D]) Commands(state *app.State) []app.Command {
	if b.filter.IsTyping {
		return app.FilterKeys
	}
	row, hasRow := b.Table.Cursor()
	commands := b.RowCommands(state, row, hasRow)
	if b.hasFilter {
		commands = append(commands, b.filter.Command())
	}
	if b.filter.AppliedText != "" && !b.HasDetailFocus {
		commands = append(commands, b.filter.ShowAllCommand(state))
	}
	commands = append(commands, app.KeysForHelp(app.GroupHere, b.closingKeys())...)
	return append(commands, b.MasterDetail.Commands()...)
}

// closingKeys returns the binding of the keys that close the browser. Esc first goes back from the
// detail to the list, and from the filtered list to all rows.
func (b *Browser[D]) closingKeys() key.Binding {
	if b.HasDetailFocus || b.filter.AppliedText != "" {
		return app.Bind("q", "close", "q", b.OpenKey)
	}
	return app.Bind("esc", "close", "esc", "q", b.OpenKey)
}

// Update handles the answers of readings, the outcomes of writes, keys and the mouse, and reads
// what is missing then. A failed reading is repeated after the next key.
func (b *Browser[D]) Update(state *app.State, msg tea.Msg) (cmd tea.Cmd, mustClose bool) {
	switch msg := msg.(type) {
	case app.LoadedPane[D]:
		app.ApplyLoaded(&b.MasterDetail, msg)
		b.detail = msg.Detail
		b.hasDetail = msg.HasRow
		b.isReading = false
		if b.isStale {
			b.Invalidate()
			b.isStale = false
		}
		b.Resize(b.box) // the list may need more or fewer lines
	case app.ReadFailedMsg:
		b.isReading = false
		b.Table.Fail(msg.Err.Error())
		return nil, false // a key tries again
	case app.ExecutedMsg, app.MovedMsg, app.UndoRedoMsg, app.ChangedMsg:
		b.Invalidate()
		b.isStale = b.isReading
	case tea.MouseMsg:
		b.UpdatePane(msg)
	case tea.KeyMsg:
		command, isBound := app.FindCommand(b.Commands(state), msg)
		isForFilter := b.filter.Update(state, msg)
		switch {
		case isForFilter: // the filter has used the key
		case key.Matches(msg, b.closingKeys()):
			return nil, true
		case isBound:
			cmd = command.Do()
		default:
			b.UpdatePane(msg)
		}
	}
	if cmd == nil {
		cmd = b.readMissing(state)
	}
	return cmd, false
}

// View draws the browser in its frame. The title says which rows are in view.
func (b *Browser[D]) View(state *app.State) string {
	listBox, detailBox := b.Split()
	var heads app.Heads
	if b.hasFilter {
		left := widget.Muted(" / filter")
		if b.headingText != nil {
			left = b.headingText(state)
		}
		heads.List = b.filter.Heading(state, left, nil, listBox.W)
	}
	if b.DetailHead != nil {
		heads.Detail = b.DetailHead(state, detailBox)
	}
	var lines []widget.Line
	if b.hasDetail {
		lines = b.DetailLines(state, b.detail, detailBox.W)
	}
	b.Scroll.RefreshLines(lines)

	title := b.Title
	if position := b.Table.Position(); position != "" {
		title += " · " + position
	}
	return widget.Frame(state.Theme, title, b.Draw(state, heads), b.box, widget.HiddenCounts{})
}
