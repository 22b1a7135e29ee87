// Package tokens has the screen of the tokens: their list with its filter, the
// details of one token, and the forms that send messages about tokens.
//
// It decides nothing about permission. It shows what core/explain answers.
package tokens

import (
	"fmt"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/chain/expiry"
	"ephemera/core/cw721"
	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/form"
	"ephemera/ui/widget"
)

// Screen shows all tokens, and the details of the token under the cursor.
type Screen struct {
	app.Tab
	panes         app.MasterDetail // the list and the details
	detail        tokenDetail
	filter        app.FilterInput[app.Filter]
	sortsByExpiry bool // the list is sorted by expiry and not by id
}

// usualListShare is how much of the width the list takes, in percent.
const usualListShare = 47

// New returns the screen. It reads nothing before [Screen.NextRead] is called.
func New() *Screen {
	s := &Screen{
		Tab:   app.NewTab(app.KindTokens, "Tokens"),
		panes: app.NewMasterDetail(usualListShare),
	}
	s.panes.MinWidthBeside = 80 // in less width, the details are below the list
	s.panes.HasListHead = true
	s.panes.HasDetailHead = true
	s.detail.scroll = s.panes.Scroll
	s.filter = app.NewFilterInput(s.panes.Table, s.restart,
		app.ParseTokenFilter, app.TokenFilterKeys, filterHelp)
	s.setColumns()
	return s
}

// filterHelp says how a filter is typed.
const filterHelp = "text · owner:alice · spender:bob · can:bob · expires<10 or <90m"

// List returns the list.
func (s *Screen) List() *widget.Table { return s.panes.Table }

// DetailColumn implements [app.PaneScreen].
func (s *Screen) DetailColumn(width int) (column int, ok bool) { return s.panes.DetailColumn(width) }

// Typing reports whether the filter is being typed.
func (s *Screen) Typing() bool { return s.filter.IsTyping }

// TypingCommands lists the keys that work while the filter is typed.
func (s *Screen) TypingCommands(*app.State) []app.Command { return app.FilterKeys }

// Resize divides the box between the list and the details. In a box of 160 cells or more,
// the list gets enough for long ids and whole addresses.
func (s *Screen) Resize(box widget.Box) {
	s.panes.ListShare = usualListShare
	switch {
	case box.W < 100:
		s.panes.ListShare = 53
	case box.W >= 160:
		s.panes.ListShare = 56
	}
	s.panes.Resize(box)
	s.setColumns()
}

// Refresh makes the next reading read the rows and the details again.
func (s *Screen) Refresh(*app.State) { s.panes.Invalidate() }

// NextRead returns the next background read for the screen, or nil if nothing is missing on
// it. The rows and the token under the cursor are read first, then until when each approval
// really lets the token be moved, and the picture last.
func (s *Screen) NextRead(state *app.State) app.Read {
	list := s.list(state)
	knownFacts := s.detail.facts
	readBoth := app.ReadListAndDetail(&s.panes, list.readPage,
		func(view *chain.View, facts app.Facts, id string) (*tokenFacts, error) {
			newFacts, err := readToken(view, id, facts.FactsActor)
			if err != nil || newFacts == nil || knownFacts == nil || knownFacts.token.ID != id {
				return newFacts, err
			}

			// The real expiries of this token are on the screen, so they are read together
			// with it and don't disappear for a moment.
			newFacts.realExpiries, err = knownFacts.realExpiries.Read(view, newFacts.approvals)
			return newFacts, err
		})
	if readBoth != nil {
		return readBoth
	}
	if knownFacts != nil {
		readExpiries := knownFacts.realExpiries.NextRead(state, knownFacts.approvals)
		if readExpiries != nil {
			return readExpiries
		}
	}
	_, box := s.panes.Split()
	return s.detail.readPicture(state, box)
}

// Update handles one event: a key, the mouse, the answer of a background read, or a change
// of the chain. Keys go to the filter while it is typed.
func (s *Screen) Update(state *app.State, msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case app.LoadedPane[*tokenFacts]:
		if isOtherToken := app.ApplyLoaded(&s.panes, msg); isOtherToken {
			// The terminal keeps a picture that was sent to it until the explorer deletes it.
			s.detail.picture = shownPicture{key: pictureKey{isSent: s.detail.picture.key.isSent}}
		}
		s.detail.facts = msg.Detail
	case app.RealExpiries:
		// A copy has another address, so the details are written anew.
		facts := *s.detail.facts
		facts.realExpiries = msg
		s.detail.facts = &facts
	case shownPicture:
		s.detail.picture = msg
	case app.ReadFailedMsg:
		s.panes.Table.Fail(msg.Err.Error())
	case app.ShowTokenMsg:
		s.sortsByExpiry = false
		s.panes.SetDetailFocus(false)
		s.filter.Set(state, msg.Filter)
		s.setColumns()
		s.panes.Table.Goto(msg.ID, msg.ID)
	case form.BatchOverMsg:
		s.panes.Table.ClearMarks()
	case tea.KeyMsg:
		if !s.filter.Update(state, msg) {
			s.panes.UpdatePane(msg)
		}
	case tea.MouseMsg:
		const titlesY = 1 // the line of the titles, below the filter
		listBox, _ := s.panes.Split()
		if widget.IsClick(msg) && msg.Y == titlesY && msg.X < listBox.W {
			return s.sortByColumn(state, s.panes.Table.TitleAt(msg.X))
		}
		s.panes.UpdatePane(msg)
	}
	return nil
}

// View draws the list and the details. Rows whose approvals have just expired flash.
func (s *Screen) View(state *app.State) string {
	s.panes.Table.FlashingKeys = state.FlashingRowKeys(func(entry expiry.Entry) string { return entry.Token })
	listBox, detailBox := s.panes.Split()
	s.detail.write(state, detailBox)
	return s.panes.Draw(state, app.Heads{
		List:   s.listHeading(state, listBox.W),
		Titles: s.filter.Problem(listBox.W),
		Detail: s.detail.heading(state, detailBox.W),
	})
}

// listHeading draws the line above the column titles. While the filter is typed, it is on
// the left. Otherwise the left shows the number of selected tokens, and the filter, the
// order or what the signs mean. On the right is the position in the list, such as "1–24 of
// 100".
func (s *Screen) listHeading(state *app.State, width int) string {
	position := widget.Muted(s.panes.Table.Position() + " ")
	if s.panes.Table.IsSearching() { // more rows may come
		position = widget.Styled(themes.Warn, position.String())
	}
	room := width - position.Width()

	var left widget.Line
	if count := len(s.panes.Table.MarkedKeys()); count > 0 {
		left = widget.Styled(themes.Accent, fmt.Sprintf(" %s %d selected ", themes.GlyphMarked, count))
	}
	switch {
	case s.filter.AppliedText != "": // Heading adds it
	case s.sortsByExpiry:
		order := " with approvals, soonest to expire first"
		if len(order) >= room {
			order = " soonest to expire first"
		}
		left = left.Append(themes.Faint, order)
	case len(left) == 0:
		left = app.SignLegend(room - 1)
	}
	return s.filter.Heading(state, left, position, width)
}

// Subject returns what other screens and dialogs start from, which is the token under the
// cursor. When the token's details have been read, Subject also has the expiries of its
// approvals and of its owner's operators, whose marks are highlighted on the clock. It is
// empty if no token is under the cursor.
func (s *Screen) Subject() app.Subject {
	row, hasRow := s.panes.Table.Cursor()
	if !hasRow {
		return app.Subject{}
	}
	subject := app.Subject{Token: &row.Key}
	token, isRead := s.detail.tokenIfShown(row.Key)
	if !isRead {
		return subject
	}
	for _, approval := range token.Approvals {
		subject.Expiries = append(subject.Expiries, approval.Expires)
	}
	for _, mover := range s.detail.facts.movers {
		expires := mover.check.Expires
		if mover.check.Rule == cw721.RuleOperator && expires != nil {
			subject.Expiries = append(subject.Expiries, *expires)
		}
	}
	return subject
}
