package form

import (
	"slices"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/ui/app"
	"ephemera/ui/widget"
)

// Browser is a dialog over the whole terminal: a list and, beside the row under its
// cursor or below it, what is known of that row. It reads both again whenever
// something has changed.
type Browser[D any] struct {
	app.MasterDetail
	Title string
	Opens string // the key that opens it, which closes it as well
	// Rows answers a request of the list, Read reads what is known of a row. They
	// run in a command and know only what they captured.
	Rows func(*chain.View, app.Facts, widget.Request) (widget.Page, error)
	Read func(*chain.View, app.Facts, widget.Row) (D, error)
	// Lines writes what is known of a row out, in w cells.
	Lines func(st *app.State, d D, w int) []widget.Line
	// Keys are what can be done with the row under the cursor; there is none where
	// the list is empty.
	Keys func(st *app.State, row widget.Row, some bool) []app.Command

	box         widget.Box
	detail      D
	some        bool
	busy, stale bool
}

// NewBrowser makes a browser whose list takes share percent of the width.
func NewBrowser[D any](title string, share int, cols ...widget.Column) *Browser[D] {
	return &Browser[D]{MasterDetail: app.NewMasterDetail(share, cols...), Title: title}
}

// NewStack makes a browser whose list always stands above what is known of a row.
func NewStack[D any](title string, cols ...widget.Column) *Browser[D] {
	b := NewBrowser[D](title, 0, cols...)
	b.StackAlways()
	return b
}

// Open gives the command that opens it.
func (b *Browser[D]) Open(st *app.State) tea.Cmd { return app.OpenDialogThen(b, b.load(st)) }

// load reads what the list and the row under its cursor lack. One reading runs at
// a time.
func (b *Browser[D]) load(st *app.State) tea.Cmd {
	if b.busy {
		return nil
	}
	row, some := b.Table.Cursor()
	rows, detail, facts := b.Rows, b.Read, st.Facts
	read := app.ReadListAndDetail(&b.MasterDetail, func(v *chain.View, f app.Facts, req widget.Request) (page widget.Page, err error) {
		if page, err = rows(v, f, req); err != nil {
			return page, err
		}
		key, _ := page.Cursor(req, row.Key, some)
		if i := slices.IndexFunc(page.Rows, func(r widget.Row) bool { return r.Key == key }); i >= 0 {
			row = page.Rows[i]
		}
		return page, nil
	}, func(v *chain.View, f app.Facts, _ string) (D, error) { return detail(v, f, row) })
	if read == nil {
		return nil
	}
	b.busy = true
	cmd := st.Ask(b, func(e app.Engine) tea.Msg {
		msg, err := chain.Read(e, func(v *chain.View) (tea.Msg, error) { return read(v, facts) })
		if err != nil {
			return app.ReadFailedMsg{Err: err}
		}
		return msg
	})
	if b.Table.Searching() {
		return app.Background(cmd)
	}
	return cmd
}

// Whole has it take the whole terminal.
func (b *Browser[D]) FullScreen() {}

func (b *Browser[D]) Resize(box widget.Box) {
	b.box = box
	b.MasterDetail.Resize(widget.FrameInner(box))
}

func (b *Browser[D]) Commands(st *app.State) []app.Command {
	row, some := b.Table.Cursor()
	all := append(b.Keys(st, row, some), app.Listed(app.GroupHere, b.closing())...)
	return append(all, b.MasterDetail.Commands()...)
}

// closing are the keys that close it: in the detail esc goes back to the list.
func (b *Browser[D]) closing() key.Binding {
	if b.InDetail {
		return app.Bind("q", "close", "q", b.Opens)
	}
	return app.Bind("esc", "close", "esc", "q", b.Opens)
}

func (b *Browser[D]) Update(st *app.State, msg tea.Msg) (cmd tea.Cmd, done bool) {
	switch msg := msg.(type) {
	case app.Loaded[D]:
		b.apply(msg)
	case app.ReadFailedMsg:
		b.busy = false
		b.Table.Fail(msg.Err.Error())
		return nil, false // a key tries again
	case app.ExecutedMsg, app.MovedMsg, app.WalkedMsg, app.ChangedMsg:
		b.Invalidate()
		b.stale = b.busy
	case tea.MouseMsg:
		b.Move(msg)
	case tea.KeyMsg:
		if key.Matches(msg, b.closing()) {
			return nil, true
		}
		if c, ok := app.Find(b.Commands(st), msg); ok {
			cmd = c.Do()
		} else {
			b.Move(msg)
		}
	}
	if cmd == nil {
		cmd = b.load(st)
	}
	return cmd, false
}

// apply shows what was read; what was read before something changed is read again.
func (b *Browser[D]) apply(msg app.Loaded[D]) {
	app.Apply(&b.MasterDetail, msg)
	b.detail, b.some, b.busy = msg.Detail, msg.Some, false
	if b.stale {
		b.Invalidate()
		b.stale = false
	}
	b.Resize(b.box) // the list may need another part of it
}

func (b *Browser[D]) View(st *app.State) string {
	var lines []widget.Line
	if _, detail := b.Split(); b.some {
		lines = b.Lines(st, b.detail, detail.W)
	}
	b.Scroll.Keep(lines)
	title := b.Title
	if at := b.Table.Position(); at != "" {
		title += " · " + at
	}
	return widget.Frame(st.Theme, title, b.MasterDetail.View(st), b.box, widget.Hidden{})
}
