package tokens

import (
	"slices"

	"ephemera/core/chain"
	"ephemera/core/chain/expiry"
	"ephemera/core/cw721"
	"ephemera/core/human"
	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/widget"
)

// tokenDetail is the pane that shows one token: its owner, its approvals, who may act on
// it, and its metadata with the picture.
type tokenDetail struct {
	facts    *tokenFacts    // what was read of the token; nil until then
	scroll   *widget.Scroll // shows the lines of the details
	drawnKey detailKey      // what the lines in scroll were written from
	picture  shownPicture   // the picture beside the metadata
}

// detailKey holds everything that the lines of the details depend on.
type detailKey struct {
	facts       *tokenFacts // compared by address, because every read makes new facts
	width       int         // of the pane, in cells
	isLow       bool        // the pane has fewer than [lowDetail] lines
	times       app.TimeForm
	hideExpired bool
	nameCount   int // number of accounts with names; a new name can change a line
	picture     pictureKey
}

// lowDetail is the height in lines below which the details leave no line empty.
const lowDetail = 8

// tokenIfShown returns the token with an id. isShown is false if the pane shows another
// token or none.
func (d *tokenDetail) tokenIfShown(id string) (token chain.Token, isShown bool) {
	if d.facts == nil || d.facts.token.ID != id {
		return chain.Token{}, false
	}
	return d.facts.token, true
}

// tokenFacts is what was read of one token for the details.
type tokenFacts struct {
	token         chain.Token
	movers        []mover                      // the accounts whose permissions are shown, the owner first
	noRulesText   string                       // says that the rules are not known, so movers is empty, or that nobody may, whatever the rule; or ""
	hasMoreMovers bool                         // there are more accounts, whose permissions were not read
	approvals     []cw721.Grant                // the token's first approvals
	entries       map[cw721.Grant]expiry.Entry // the same with the blocks in which they were given
	realExpiries  app.RealExpiries             // until when they let the token be moved
}

// readToken reads a token, and the permissions of its owner, of everyone with a grant
// over it, and of the actor. It returns nil if the token does not exist.
func readToken(view *chain.View, id string, actor cw721.Address) (*tokenFacts, error) {
	token, exists, err := view.Token(id)
	if err != nil || !exists {
		return nil, err
	}
	grants, hasMore, err := app.ReadAtMost(view.GrantsOver(id), maxMovers-1)
	if err != nil {
		return nil, err
	}
	approvalCount := min(len(grants), len(token.Approvals)) // the operators follow
	facts := &tokenFacts{
		token:         token,
		hasMoreMovers: hasMore,
		approvals:     grants[:approvalCount],
		entries:       map[cw721.Grant]expiry.Entry{},
	}
	for _, grant := range facts.approvals {
		facts.entries[grant], err = view.WithBlock(grant)
		if err != nil {
			return nil, err
		}
	}

	// Without a rule set nobody knows who may do what.
	if err := view.CheckRules(); err != nil {
		facts.noRulesText = err.Error()
		return facts, nil
	}

	// These accounts may be able to move the token.
	accounts := []cw721.Address{token.Owner}
	for _, grant := range grants {
		accounts = append(accounts, grant.Spender)
	}
	accounts = append(accounts, actor)
	for i, account := range accounts {
		if slices.Contains(accounts[:i], account) {
			continue
		}
		mover, err := readMover(view, account, id)
		if err != nil {
			return nil, err
		}
		facts.movers = append(facts.movers, mover)
		facts.noRulesText = mover.unreadable
	}
	return facts, nil
}

// heading returns the line above the details: the id at the left, and the owner at the right.
func (d *tokenDetail) heading(state *app.State, width int) string {
	if d.facts == nil {
		return ""
	}
	token := d.facts.token
	const label = " owned by "
	freeCells := width - len(label) - 2 // the blank at the end, and one to spare
	owner := state.DisplayName(token.Owner)
	idWidth := freeCells - min(widget.Width(owner), app.NarrowAddress)
	idLine := widget.Styled(themes.Title, widget.Shorten(human.TokenID(token.ID), idWidth))
	if token.ID == "" {
		idLine = widget.Faint("(the empty id)")
	}
	ownerName := widget.Shorten(owner, max(freeCells-idLine.Width(), app.NarrowAddress))
	ownedBy := widget.Muted(label).Strong(ownerName).Text(" ")
	return widget.JoinEnds(idLine.Render(state.Theme), ownedBy.Render(state.Theme), width)
}

// write writes the details into the scroll, unless the scroll already has them for the same
// facts, size and options.
func (d *tokenDetail) write(state *app.State, box widget.Box) {
	if d.facts == nil {
		d.scroll.Set(nil)
		d.drawnKey = detailKey{}
		return
	}
	key := detailKey{
		facts:       d.facts,
		width:       box.W,
		isLow:       box.H < lowDetail,
		times:       state.Times,
		hideExpired: state.HideExpired,
		nameCount:   len(state.Names),
		picture:     d.picture.key,
	}
	if key == d.drawnKey {
		return
	}
	d.drawnKey = key

	// A low pane has no empty lines, and who may transfer comes first, so that it is in view.
	var text widget.Text
	if key.isLow {
		d.facts.writeMovers(state, &text, box.W)
	}
	uri := d.facts.token.TokenURI
	if uri != nil {
		text.Add(widget.Muted("uri  ").Text(shortURI(*uri, box.W)))
	}
	if !key.isLow {
		text.Add(nil)
	}
	d.facts.writeApprovals(state, &text, box.W)
	if !key.isLow {
		text.Add(nil)
		d.facts.writeMovers(state, &text, box.W)
	}

	// The picture stands at the right of the metadata, below their heading. A URI that was
	// shortened follows in full.
	const headingLines = 2
	d.scroll.SetAside(d.picture.Rows, d.picture.Width, text.Len()+headingLines)
	text.Add(metadataLines(d.facts.token.Extension.Metadata, box.W, d.picture.fault)...)
	text.Add(keptLines(d.facts.token.KeptMembers)...)
	if uri != nil && shortURI(*uri, box.W) != *uri {
		text.Add(nil, widget.Muted("uri  ").Text(*uri))
	}
	d.scroll.Write(text)
}

// minNameWidth is the least width of a column of names.
const minNameWidth = 6

// columnNameWidth returns how many cells an account's name takes in a column: at most
// [app.AddressWidth], to which a longer name is shortened.
func columnNameWidth(state *app.State, account cw721.Address) int {
	name := widget.Safe(state.DisplayName(account))
	return min(widget.Width(name), app.AddressWidth)
}

// columnName returns the name of an account in exactly width cells.
func columnName(state *app.State, account cw721.Address, width int) string {
	name := widget.Safe(state.DisplayName(account))
	return widget.Fit(widget.Shorten(name, width), width)
}

// absoluteExpiry writes an expiry as a height or a time. A time of today is written without
// its date, unless the user has chosen to see whole dates or nanoseconds.
func absoluteExpiry(state *app.State, expiration cw721.Expiration) string {
	if state.Times == app.Exact {
		return app.ExactTime(expiration)
	}
	text := human.Expiry(expiration)
	if expiration.Axis == cw721.AtTime && state.Times == app.Relative {
		return state.WithoutToday(text)
	}
	return text
}
