package app

import (
	"iter"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/ui/widget"
)

// Read reads what a screen lacks, in the view in which the root reads the facts:
// what is on the screen is of one revision. It runs in a command and knows only
// what it captured; f are the facts of the same view.
type Read func(v *chain.View, f Facts) (tea.Msg, error)

// ReadFailedMsg tells a screen that what it asked for could not be read.
type ReadFailedMsg struct{ Err error }

// Answer is what a command read for one screen or dialog. The root hands it to
// no other, and to none once another engine is shown.
type Answer struct {
	Engine Engine // what it was read from
	To     any    // the screen or dialog that asked, by identity
	Msg    tea.Msg
}

// Ask gives the command that reads for a screen or dialog, outside of the view
// of the facts.
func (st *State) Ask(to any, read func(Engine) tea.Msg) tea.Cmd {
	engine := st.Engine
	return func() tea.Msg { return Answer{engine, to, read(engine)} }
}

// ReadThen gives the command that reads what a key lacks, and then goes on in Update.
func ReadThen(st *State, read func(*chain.View) error, then func() tea.Cmd) tea.Cmd {
	engine := st.Engine
	return func() tea.Msg {
		if err := engine.View(read); err != nil {
			return NoticeMsg{LevelBad, err.Error()}
		}
		return ContinueMsg{engine, then}
	}
}

// ShownMsg says to a dialog that it is on the screen, and knows its box.
type ShownMsg struct{}

// Loaded is what was read for a list and for what stands beside it.
type Loaded[D any] struct {
	Page   *widget.Page // nil when the list lacked nothing
	key    string       // of the row that detail is about
	Some   bool         // whether there is such a row
	Detail D
}

// ReadListAndDetail gives the Read of what a list and its detail lack; nil when they lack
// nothing. rows answers a request of the list, detail reads what stands beside
// the row of a key.
func ReadListAndDetail[D any](p *MasterDetail, rows func(*chain.View, Facts, widget.Request) (widget.Page, error), detail func(*chain.View, Facts, string) (D, error)) Read {
	req, more := p.Table.Want()
	row, some := p.Table.Cursor()
	key := row.Key
	if !more && (!some || p.fresh && p.key == key) {
		return nil
	}
	return func(v *chain.View, f Facts) (tea.Msg, error) {
		var out Loaded[D]
		if more {
			page, err := rows(v, f, req)
			if err != nil {
				return nil, err
			}
			out.Page = &page
			key, some = page.Cursor(req, key, some)
		}
		out.key, out.Some = key, some
		var err error
		if some {
			out.Detail, err = detail(v, f, key)
		}
		return out, err
	}
}

// Apply takes the rows of an answer, and says whether its detail is of another
// row than the one before: that is read from its top.
func Apply[D any](p *MasterDetail, l Loaded[D]) (other bool) {
	if l.Page != nil {
		p.Table.Set(*l.Page)
	}
	if other = l.key != p.key; other {
		p.Scroll.Set(nil)
	}
	p.key, p.fresh = l.key, l.Some
	return other
}

// TakeFirst gives the first n of a listing; more tells that it goes on.
func TakeFirst[T any](listing iter.Seq2[T, error], n int) (all []T, more bool, err error) {
	for x, err := range listing {
		if err != nil || len(all) == n {
			return all, err == nil, err
		}
		all = append(all, x)
	}
	return all, false, nil
}
