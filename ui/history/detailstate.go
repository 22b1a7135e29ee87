package history

import (
	"ephemera/core/chain"
	"ephemera/core/explain"
	"ephemera/core/human"
	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/widget"
)

// readState reads the collection and the token as they were after the node. If the node
// is too far from the head, it reads nothing, because each step between them would be
// undone or redone in memory. An error is stored as d.unknownReason and not returned,
// because everything else about the node can still be shown.
func (d *nodeDetail) readState(view *chain.View) {
	d.layout = view.Layout
	if d.isTooFar {
		d.unknownReason = tooFarSentence()
		return
	}
	if err := view.At(d.node.ID, d.readStateFrom); err != nil {
		d.unknownReason = err.Error()
	}
}

// readStateFrom reads the collection, the token and what expired in the node from a view of
// the chain as it was after the node.
func (d *nodeDetail) readStateFrom(view *chain.View) (err error) {
	d.layout = view.Layout
	d.block = view.Clock.Block()
	d.collection, err = view.Collection()
	if err != nil {
		return err
	}
	if clockBefore, _, isMove := chain.ClocksOf(d.node); isMove {
		expired := view.ExpiredSince(clockBefore.Block())
		d.expired, d.hasMoreExpired, err = app.ReadAtMost(expired, app.MaxListLines)
		return err
	}
	if d.tokenID == nil {
		return nil
	}

	token, found, err := view.Token(*d.tokenID)
	if err != nil || !found {
		return err
	}
	d.token = &token
	return nil
}

// writeExpired writes what expired in a move of the clock. If the state after it was not read,
// this is not known either.
func (d *nodeDetail) writeExpired(state *app.State, text *widget.Text) {
	if d.unknownReason != "" {
		return
	}
	var sentences []string
	for _, entry := range d.expired {
		grantText := explain.DescribeGrant(entry.Grant, human.TokenID(entry.Token), state.DisplayName)
		sentences = append(sentences, grantText.Expired)
	}
	writeHeading(text, "What expired on the way")
	text.Add(bulletLines(sentences)...)
	if d.hasMoreExpired {
		text.Add(widget.Faint("  " + themes.GlyphEllipsis + " and more"))
	}
}

// writeState writes the collection, the height and the token as they were after the
// node. If the contract's storage is unreadable, only the name and the height are
// known.
func (d *nodeDetail) writeState(state *app.State, text *widget.Text) {
	writeHeading(text, "The collection after it")
	if d.unknownReason != "" {
		text.Add(widget.Faint("  " + d.unknownReason))
		return
	}

	heightText := " · height " + human.Thousands(d.block.Height)
	nameLine := widget.Plain("  " + d.collection.Name)
	if state.UnreadableReason != "" {
		text.Add(nameLine.Muted(heightText))
		return
	}
	tokensText := human.Plural(int(d.collection.TokenCount), "token")
	text.Add(nameLine.Muted(" · " + tokensText + heightText))
	if d.tokenID != nil {
		d.writeToken(state, text)
	}
}

// writeToken writes the owner and the approvals that the token had after the node. The sign of
// an approval says whether it was in force in that block.
func (d *nodeDetail) writeToken(state *app.State, text *widget.Text) {
	idLine := widget.Plain("  " + human.TokenID(*d.tokenID))
	if d.token == nil {
		text.Add(idLine.Muted(" does not exist"))
		return
	}
	ownerLine := idLine.Muted(" owned by ").Strong(state.DisplayName(d.token.Owner))
	text.AddLinked(ownerLine, app.ShowToken(*d.tokenID))
	for _, approval := range d.token.Approvals {
		sign, role := app.LivenessSign(approval.Expires, d.block)
		line := widget.Styled(role, "    "+sign+" ").Text(state.DisplayName(approval.Spender) + " ")
		text.Add(line.Append(role, human.ExpiresIn(approval.Expires, d.block)))
	}
	if len(d.token.Approvals) == 0 {
		text.Add(widget.Faint("    no approvals"))
	}
}
