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
	app.MasterDetail
	detail        tokenDetail
	filterInput   app.FilterInput[app.Filter]
	sortsByExpiry bool // the list is sorted by expiry and not by id
}

// usualListShare is how much of the width the list takes, in percent.
const usualListShare = 47

// New returns the screen. It reads nothing before [Screen.NextRead] is called.
func New() *Screen {
	s := &Screen{
		Tab:          app.NewTab(app.KindTokens, "Tokens"),
		MasterDetail: app.NewMasterDetail(usualListShare),
	}
	s.filterInput = app.NewFilterInput(s.Table, s.restart,
		app.ParseTokenFilter, app.TokenFilterKeys, filterHelp)
	s.MinWidthBeside = 80 // in less width, the details are below the list
	s.detail.scroll = s.Scroll
	s.LineAbove = s.listHeading
	s.TitlesCover = s.filterInput.Problem
	s.DetailHead = s.detail.heading
	s.setColumns()
	return s
}

// filterHelp says how a filter is typed.
const filterHelp = "text · owner:alice · spender:bob · can:bob · expires<10 or <90m"

// Typing reports whether the filter is being typed.
func (s *Screen) Typing() bool { return s.filterInput.IsTyping }

// TypingCommands lists the keys that work while the filter is typed.
func (s *Screen) TypingCommands(*app.State) []app.Command { return app.FilterKeys }

// Resize divides the box between the list and the details. The list usually takes 47 % of
// the width. In a box of fewer than 100 cells it takes 53 %. In a box of 160 or more cells
// it takes 56 %, which is enough for long ids and whole addresses.
func (s *Screen) Resize(box widget.Box) {
	s.ListShare = listShare(box.W)
	s.MasterDetail.Resize(box)
	s.setColumns()
}

// listShare returns how much of a width the list takes, in percent.
func listShare(width int) int {
	switch {
	case width < 100:
		return 53
	case width >= 160:
		return 56
	}
	return usualListShare
}

// NextRead returns the next background read for the screen, or nil if nothing is missing on
// it. The rows and the token under the cursor are read first, and the picture last. The
// real expiries of the token's approvals are read in between. A real expiry is the time
// until which an approval lets the token be moved if its owner does nothing.
func (s *Screen) NextRead(state *app.State) app.Read {
	list := s.list(state)
	knownFacts := s.detail.facts

	// The rows and the detail are read with the facts of the same view.
	readRows := func(view *chain.View, facts app.Facts, req widget.Request) (widget.Page, error) {
		list.rowView.Facts = facts
		return list.readPage(view, req)
	}
	readDetail := func(view *chain.View, facts app.Facts, id string) (*tokenFacts, error) {
		newFacts, err := readToken(view, id, facts.FactsActor)
		if err != nil {
			return nil, err
		}
		isShown := knownFacts != nil && knownFacts.token.ID == id
		if newFacts == nil || !isShown {
			return newFacts, nil
		}

		// The real expiries of this token are on the screen, so they are read together
		// with it and don't disappear for a moment.
		newFacts.realExpiries, err = knownFacts.realExpiries.Read(view, newFacts.approvals)
		return newFacts, err
	}

	if readBoth := app.ReadListAndDetail(&s.MasterDetail, readRows, readDetail); readBoth != nil {
		return readBoth
	}

	// Then read until when each approval really lets the token be moved.
	if knownFacts != nil {
		readExpiries := knownFacts.realExpiries.NextRead(state, knownFacts.approvals)
		if readExpiries != nil {
			return readExpiries
		}
	}
	_, box := s.Split()
	return s.detail.readPicture(state, box)
}

// Update handles one event: a key, the mouse, the answer of a background read, or a change
// of the chain. Keys go to the filter while it is typed.
func (s *Screen) Update(state *app.State, msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case app.LoadedPane[*tokenFacts]:
		s.applyRead(msg)
	case app.RealExpiries:
		// A copy has another address, so the details are written anew.
		facts := *s.detail.facts
		facts.realExpiries = msg
		s.detail.facts = &facts
	case shownPicture:
		s.detail.picture = msg
	case app.ReadFailedMsg:
		s.Table.Fail(msg.Err.Error())
	case app.ShowTokenMsg:
		s.showToken(state, msg)
	case form.BatchOverMsg:
		s.Table.ClearMarks()
	case tea.KeyMsg:
		if !s.filterInput.Update(state, msg) {
			s.UpdatePane(msg)
		}
	case tea.MouseMsg:
		const titlesY = 1 // the line of the titles, below the filter
		listBox, _ := s.Split()
		isOnTitles := msg.Y == titlesY && msg.X < listBox.W
		if widget.IsClick(msg) && isOnTitles {
			return s.sortByColumn(state, s.Table.TitleAt(msg.X))
		}
		s.UpdatePane(msg)
	}
	return nil
}

// applyRead shows the rows and the token that were read. It forgets the picture if the
// token is another one.
func (s *Screen) applyRead(read app.LoadedPane[*tokenFacts]) {
	isOtherToken := app.ApplyLoaded(&s.MasterDetail, read)
	if isOtherToken {
		s.detail.picture = s.detail.picture.withoutCells()
	}
	s.detail.facts = read.Detail
}

// showToken applies the filter of a message and puts the cursor on its token.
func (s *Screen) showToken(state *app.State, msg app.ShowTokenMsg) {
	s.sortsByExpiry = false
	s.SetDetailFocus(false)
	s.filterInput.Set(state, msg.Filter)
	s.setColumns()
	s.Table.Goto(msg.ID, msg.ID)
}

// View draws the list and the details. Rows whose approvals have just expired flash.
func (s *Screen) View(state *app.State) string {
	s.Table.FlashingKeys = state.FlashingRowKeys(func(entry expiry.Entry) string { return entry.Token })
	return s.MasterDetail.View(state)
}

// listHeading draws the line above the column titles. While the filter is typed, it is on
// the left. Otherwise the left shows the number of selected tokens, and the filter or the
// order. On the right is the position in the list, such as "1–24 of 100".
func (s *Screen) listHeading(state *app.State, width int) string {
	position := widget.Muted(s.Table.Position() + " ")
	if s.Table.IsSearching() { // more rows may come
		position = widget.Styled(themes.Warn, position.String())
	}

	// The selection and the order stand on the left, or the filter, or what the signs mean.
	left := s.selectionLine()
	room := width - position.Width() - 1
	switch {
	case s.filterInput.AppliedText != "":
	case s.sortsByExpiry:
		left = left.Append(themes.Faint, expiryOrderText(room+1))
	case len(left) == 0:
		left = app.SignLegend(room)
	}
	return s.filterInput.Heading(state, left, position, width)
}

// selectionLine says how many tokens are selected, such as "3 selected". The line is
// empty if none is.
func (s *Screen) selectionLine() widget.Line {
	count := len(s.Table.MarkedKeys())
	if count == 0 {
		return nil
	}
	return widget.Styled(themes.Accent, fmt.Sprintf(" %s %d selected ", themes.GlyphMarked, count))
}

// expiryOrderText describes the order of expiry, in full if that is narrower than width
// cells, and otherwise in short.
func expiryOrderText(width int) string {
	const fullText = " with approvals, soonest to expire first"
	if len(fullText) < width {
		return fullText
	}
	return " soonest to expire first"
}

// emptyText returns what a list without rows shows, and the key that changes that.
func (s *Screen) emptyText() string {
	switch {
	case s.filterInput.AppliedText != "":
		return "no token fits the filter: esc shows all"
	case s.sortsByExpiry:
		return "no approvals: s sorts by id again"
	}
	return "no tokens yet: m mints one"
}

// Subject returns what other screens and dialogs start from, which is the token under the
// cursor. When the token's details have been read, Subject also has the expiries of its
// approvals and of its owner's operators. It is empty if no token is under the cursor.
func (s *Screen) Subject() app.Subject {
	row, hasRow := s.Table.Cursor()
	if !hasRow {
		return app.Subject{}
	}
	subject := app.Subject{Token: &row.Key}
	token, isRead := s.detail.tokenIfShown(row.Key)
	if !isRead {
		return subject
	}

	// The marks of these expiries are highlighted on the clock.
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
