package app

import (
	"iter"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/chain/history"
	"ephemera/ui/widget"
)

// Read reads what a screen needs. It gets the same view of the chain from which the facts
// were read, so that everything on the screen is of one revision. It runs on another
// goroutine, so it must not use the [State].
type Read func(v *chain.View, f Facts) (tea.Msg, error)

// ReadFailedMsg brings a screen or dialog the error with which its [Read] failed.
type ReadFailedMsg struct{ Err error }

// Answer brings what a command has read for one screen or dialog. The explorer hands Msg to
// that screen or dialog. It drops the answer if the screen or dialog is gone, or if another
// engine is shown by now.
type Answer struct {
	Engine Engine // the engine that was read
	Asker  any    // the screen or dialog that asked
	Msg    tea.Msg
}

// Ask returns the command that calls read on another goroutine. asker is the screen or
// dialog that gets the message that read returns. While the session is locked, read gets
// an engine that refuses to preview messages.
func (st *State) Ask(asker any, read func(Engine) tea.Msg) tea.Cmd {
	engine := st.Engine
	permittedEngine := st.permittedEngine()
	return func() tea.Msg {
		return Answer{Engine: engine, Asker: asker, Msg: read(permittedEngine)}
	}
}

// ReadThen returns the command that calls read in a read transaction on another
// goroutine, and after it calls then on the goroutine of Update, where the State may be
// used. If read fails, it shows the error as a notice and does not call then.
func ReadThen(state *State, read func(*chain.View) error, then func() tea.Cmd) tea.Cmd {
	engine := state.Engine
	return func() tea.Msg {
		if err := engine.View(read); err != nil {
			return NoticeMsg{Level: LevelBad, Text: err.Error()}
		}
		return ContinueMsg{Engine: engine, Do: then}
	}
}

// ShownMsg is sent to a dialog or a screen when it is shown and has its box.
type ShownMsg struct{}

// LoadedPane is what was read for a [MasterDetail], which is a list and the detail of a row.
type LoadedPane[D any] struct {
	Page   *widget.Page // the rows that were read; nil if the list needed none
	key    string       // the key of the row under the cursor
	HasRow bool         // there is a row under the cursor
	Detail D            // the detail of that row
	head   history.ID   // the position in the history at which all this was read
}

// ReadListAndDetail returns a function that reads the rows that the list needs, and the
// detail of the row under the cursor. It returns nil if nothing is missing. The function
// reads the rows first, because new rows can put the cursor on another row.
func ReadListAndDetail[D any](
	pane *MasterDetail,
	readRows func(*chain.View, Facts, widget.Request) (widget.Page, error),
	readDetail func(view *chain.View, facts Facts, key string) (D, error),
) Read {
	// Find out now what is missing, since the returned function runs on another goroutine.
	request, needsRows := pane.Table.NextRequest()
	row, hasRow := pane.Table.Cursor()
	key := row.Key
	needsDetail := hasRow && (!pane.isDetailRead || pane.detailKey != key)
	if !needsRows && !needsDetail {
		return nil
	}

	return func(view *chain.View, facts Facts) (tea.Msg, error) {
		loaded := LoadedPane[D]{key: key, HasRow: hasRow, head: view.Head}
		if needsRows {
			page, err := readRows(view, facts, request)
			if err != nil {
				return nil, err
			}
			loaded.Page = &page
			loaded.key, loaded.HasRow = page.Cursor(request, key, hasRow)
		}

		// The detail belongs to the row that has the cursor once the rows are shown.
		if !loaded.HasRow {
			return loaded, nil
		}
		var err error
		loaded.Detail, err = readDetail(view, facts, loaded.key)
		return loaded, err
	}
}

// ApplyLoaded shows the rows that were read by [ReadListAndDetail]. The caller must then
// show the detail. isOtherRow reports whether it is the detail of another row than
// before. In that case ApplyLoaded clears the pane of the detail, so that the new one
// begins at its top.
func ApplyLoaded[D any](pane *MasterDetail, loaded LoadedPane[D]) (isOtherRow bool) {
	if loaded.Page != nil {
		pane.Table.Set(*loaded.Page)
		pane.ReadHead = loaded.head
	}
	isOtherRow = loaded.key != pane.detailKey
	if isOtherRow {
		pane.Scroll.Set(nil)
	}
	pane.detailKey = loaded.key
	pane.isDetailRead = loaded.HasRow
	return isOtherRow
}

// ReadAtMost returns the first items of a listing, at most limit. hasMore reports
// whether the listing goes on.
func ReadAtMost[T any](listing iter.Seq2[T, error], limit int) (items []T, hasMore bool, err error) {
	for item, err := range listing {
		if err != nil {
			return items, false, err
		}
		if len(items) == limit {
			return items, true, nil
		}
		items = append(items, item)
	}
	return items, false, nil
}
