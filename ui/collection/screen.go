// Package collection is the screen of the collection itself: its fields, the
// roles of minter and creator, the royalty, and the forms that change them.
//
// Package core/explain says who may change what. This package must not decide that.
package collection

import (
	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/ui/app"
	"ephemera/ui/widget"
)

// Screen lists the fields of the collection, and beside the list shows the field under the
// cursor in full, with who may change it. A field with all that it shows and the form that
// changes it is an entry of [collectionFields] in list.go; the keys are in commands.go.
type Screen struct {
	app.ListScreen
	facts         *collectionFacts // nil until they are read
	shownFieldKey string           // the key of the field in the detail
	isStale       bool             // the facts may be out of date
}

// New returns the screen. It reads nothing until the root calls [Screen.NextRead].
func New() *Screen {
	const listShare = 52 // percent of the width
	return &Screen{ListScreen: app.ListScreen{
		Tab: app.NewTab(app.KindCollection, "Collection"),
		Panes: app.NewMasterDetail(listShare,
			widget.Column{Title: "FIELD", Width: 18},
			widget.Column{Title: "VALUE", Width: 10, Flex: 1},
			widget.Column{Title: "YOU", Width: 3},
		),
	}}
}

// Refresh lets the next NextRead read the facts again.
func (s *Screen) Refresh(*app.State) { s.isStale = true }

// NextRead returns a Read of the collection and of who may change it, once after each
// Refresh, and nil otherwise.
func (s *Screen) NextRead(*app.State) app.Read {
	if !s.isStale {
		return nil
	}
	s.isStale = false
	return func(view *chain.View, facts app.Facts) (tea.Msg, error) {
		return readCollection(view, facts)
	}
}

// Update handles a key, the mouse, or the answer of a background read.
func (s *Screen) Update(state *app.State, msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case *collectionFacts:
		s.facts = msg
		s.Panes.Table.Reload()
		s.showRowsAndDetail(state)
	case app.ReadFailedMsg:
		s.Panes.Scroll.Set([]widget.Line{app.VerdictSign(false).Text(msg.Err.Error())})
	case tea.KeyMsg, tea.MouseMsg:
		if s.Panes.UpdatePane(msg) {
			s.showRowsAndDetail(state)
		}
	}
	return nil
}

// showRowsAndDetail gives the table the rows that it has requested, and shows the field
// under the cursor in the detail.
func (s *Screen) showRowsAndDetail(state *app.State) {
	if s.facts == nil {
		return
	}
	if request, ok := s.Panes.Table.NextRequest(); ok {
		s.Panes.Table.Set(widget.WholePage(request, s.facts.buildRows(state)))
	}
	field, ok := s.fieldUnderCursor()
	if !ok {
		return
	}

	// The same field stays scrolled as it is, and another field is shown from its top.
	lines := s.facts.detailLines(state, field)
	if field.key == s.shownFieldKey {
		s.Panes.Scroll.RefreshLines(lines)
		return
	}
	s.shownFieldKey = field.key
	s.Panes.Scroll.Set(lines)
}

// fieldUnderCursor returns the field in the row under the cursor. ok is false before the facts
// are read, or if the row is older than the facts.
func (s *Screen) fieldUnderCursor() (field collectionField, ok bool) {
	row, ok := s.Panes.Table.Cursor()
	if !ok || s.facts == nil {
		return collectionField{}, false
	}
	for _, field := range s.facts.fields {
		if field.key == row.Key {
			return field, true
		}
	}
	return collectionField{}, false
}

// Subject returns the account in the field under the cursor; empty if there is none.
func (s *Screen) Subject() app.Subject {
	field, ok := s.fieldUnderCursor()
	if !ok || field.accountIn == nil {
		return app.Subject{}
	}
	account := field.accountIn(s.facts.Collection)
	if account == nil {
		return app.Subject{}
	}
	return app.Subject{Account: *account}
}

// View draws the list and the detail.
func (s *Screen) View(state *app.State) string { return s.Panes.View(state) }
