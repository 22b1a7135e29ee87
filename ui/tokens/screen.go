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

// Screen shows all tokens, and the details of the token under the cursor. Its keys are in
// commands.go, which tokens it lists in list.go, and the columns in row.go. detail.go has the
// details, whose sections are approvals.go, movers.go, metadata.go and picture.go.
type Screen struct {
	app.FilteredScreen[app.Filter]
	detail        tokenDetail
	sortsByExpiry bool // the list is sorted by expiry and not by id
}

// usualListShare is how much of the width the list takes, in percent.
const usualListShare = 47

// New returns the screen. It reads nothing before [Screen.NextRead] is called.
func New() *Screen {
	s := &Screen{}
	s.Tab = app.NewTab(app.KindTokens, "Tokens")
	s.Panes = app.NewMasterDetail(usualListShare)
	s.Panes.MinWidthBeside = 80 // in less width, the details are below the list
	s.Panes.HasListHead = true
	s.Panes.HasDetailHead = true
	s.detail.scroll = s.Panes.Scroll
	s.Filter = app.NewFilterInput(s.Panes.Table, s.restart,
		app.ParseFilter, app.TokenFilterKeys, filterHelp)
	s.setColumns()
	return s
}

// filterHelp says how a filter is typed.
const filterHelp = "text · owner:alice · spender:bob · can:bob · expires<10 or <90m"

// Resize divides the box between the list and the details. In a box of 160 cells or more,
// the list gets enough for long ids and whole addresses.
func (s *Screen) Resize(box widget.Box) {
	s.Panes.ListShare = usualListShare
	switch {
	case box.W < 100:
		s.Panes.ListShare = 53
	case box.W >= 160:
		s.Panes.ListShare = 56
	}
	s.Panes.Resize(box)
	s.setColumns()
}

// NextRead returns the next background read for the screen, or nil if nothing is missing on
// it. The rows and the token under the cursor are read first, then until when each approval
// really lets the token be moved, and the picture last.
func (s *Screen) NextRead(state *app.State) app.Read {
	list := s.list(state)
	knownFacts := s.detail.facts
	readBoth := app.ReadListAndDetail(&s.Panes, list.readPage,
		func(view *chain.View, facts app.Facts, id string) (*tokenFacts, error) {
			newFacts, err := readToken(view, id, facts.FactsActor)
			isShown := knownFacts != nil && knownFacts.token.ID == id
			if err != nil || newFacts == nil || !isShown {
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
	_, box := s.Panes.Split()
	return s.detail.readPicture(state, box)
}

// Update handles one event: a key, the mouse, the answer of a background read, or a change
// of the chain. Keys go to the filter while it is typed.
func (s *Screen) Update(state *app.State, msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case app.LoadedPane[*tokenFacts]:
		if isOtherToken := app.ApplyLoaded(&s.Panes, msg); isOtherToken {
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
	case app.ShowTokenMsg:
		s.sortsByExpiry = false
		s.Panes.SetDetailFocus(false)
		s.Filter.Set(state, msg.Filter)
		s.setColumns()
		s.Panes.Table.Goto(msg.ID, msg.ID)
	case form.BatchOverMsg:
		s.Panes.Table.ClearMarks()
	case tea.MouseMsg:
		if title, isClicked := s.Panes.ClickedTitle(msg); isClicked {
			return s.sortByColumn(state, title)
		}
		s.UpdatePanes(state, msg)
	default:
		s.UpdatePanes(state, msg)
	}
	return nil
}

// View draws the list and the details. Rows whose approvals have just expired flash.
func (s *Screen) View(state *app.State) string {
	s.Panes.Table.FlashingKeys = state.FlashingRowKeys(func(entry expiry.Entry) string { return entry.Token })
	listBox, detailBox := s.Panes.Split()
	s.detail.write(state, detailBox)
	return s.Panes.Draw(state, app.Heads{
		List:   s.listHeading(state, listBox.W),
		Titles: s.Filter.Problem(listBox.W),
		Detail: s.detail.heading(state, detailBox.W),
	})
}

// listHeading draws the line above the column titles. While the filter is typed, it is on
// the left. Otherwise the left shows the number of selected tokens, and the filter, the
// order or what the signs mean. On the right is the position in the list, such as "1–24 of
// 100".
func (s *Screen) listHeading(state *app.State, width int) string {
	position := widget.Muted(s.Panes.Table.Position() + " ")
	if s.Panes.Table.IsSearching() { // more rows may come
		position = widget.Styled(themes.Warn, position.String())
	}
	room := width - position.Width()

	var left widget.Line
	if count := len(s.Panes.Table.MarkedKeys()); count > 0 {
		left = widget.Styled(themes.Accent, fmt.Sprintf(" %s %d selected ", themes.GlyphMarked, count))
	}
	switch {
	case s.Filter.AppliedText != "": // Heading adds it
	case s.sortsByExpiry:
		order := " with approvals, soonest to expire first"
		if len(order) >= room {
			order = " soonest to expire first"
		}
		left = left.Append(themes.Faint, order)
	case len(left) == 0:
		left = app.SignLegend(room - 1)
	}
	return s.Filter.Heading(state, left, position, width)
}

// Subject returns what other screens and dialogs start from, which is the token under the
// cursor. When the token's details have been read, Subject also has the expiries of its
// approvals and of its owner's operators, whose marks are highlighted on the clock. It is
// empty if no token is under the cursor.
func (s *Screen) Subject() app.Subject {
	row, hasRow := s.Panes.Table.Cursor()
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
