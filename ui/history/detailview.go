package history

import (
	"fmt"
	"strings"

	"ephemera/core/chain"
	"ephemera/core/chain/history"
	"ephemera/core/cw721"
	"ephemera/core/explain"
	"ephemera/core/human"
	"ephemera/core/wire"
	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/widget"
)

// text returns the detail of a node. Two of its lines are links: to the sender and to the
// token. A clock move has no message and no answer, so these and the changes are left
// out. The text is empty if d is nil.
func (d *nodeDetail) text(state *app.State) (text widget.Text) {
	if d == nil {
		return text
	}
	d.writeTitle(state, &text)

	if d.node.Kind == history.KindClock {
		d.writeExpired(state, &text) // first, for a pane of few lines
		text.Add(d.positionLines()...)
		d.writeDifferences(&text)
		d.writeState(state, &text)
		return text
	}

	text.Add(d.positionLines()...)
	d.writeOutcome(state, &text)
	writeHeading(&text, "What it changed")
	text.Add(bulletLines(d.changeSentences)...)
	for line := range strings.Lines(d.node.Log) {
		text.Add(widget.Muted("  debug ").Text(strings.TrimSuffix(line, "\n")))
	}
	d.writeDifferences(&text)
	d.writeState(state, &text)
	writeAttributes(state, &text, d.node)
	writeJSON(&text, "Message", d.node.Message)
	writeJSON(&text, "Answer", string(d.node.Answer))
	if len(d.changedRecords) > 0 {
		writeHeading(&text, "In bytes")
		text.Add(d.changedRecords...)
	}
	return text
}

// writeTitle writes the number, the message and the names of the node, and below them
// its sender and its block: "#12 transfer ape-04 → bob [sold]", "by alice at height
// 1,102 · 12:00:05 UTC". The time has no date if that is today.
func (d *nodeDetail) writeTitle(state *app.State, text *widget.Text) {
	number := fmt.Sprintf("#%d ", d.node.ID)
	title := widget.Styled(themes.Title, number).Strong(state.Words().DescribeNode(d.node))
	for _, name := range d.names {
		title = title.Append(themes.Accent, " ["+name+"]")
	}
	text.Add(title)

	sender := ""
	if d.node.Sender != "" {
		sender = "by " + state.DisplayName(d.node.Sender) + " "
	}
	height := human.Thousands(d.node.Height)
	blockTime := state.WithoutToday(app.TimeToSecond(d.node.Time))
	blockText := fmt.Sprintf("%sat height %s · %s UTC", sender, height, blockTime)
	text.AddLinked(widget.Muted(blockText), state.LinkToAccount(d.node.Sender))
}

// writeOutcome writes whether the message was carried out or refused and why. If the
// built-in contract answered differently from the compiled one that ran, it writes both
// answers.
func (d *nodeDetail) writeOutcome(state *app.State, text *widget.Text) {
	if refusal := d.node.Refusal; refusal != nil {
		line := app.VerdictSign(false).Text("refused")
		line = line.Muted(" (" + string(refusal.Kind) + "): ")
		text.Add(line.Text(state.RefusalText(refusal.Kind, refusal.Text)))
	} else {
		text.Add(app.VerdictSign(true).Text("carried out"))
	}
	if difference := chain.DifferenceOf(d.node); difference != nil {
		text.Add(state.DifferenceLines(*difference)...)
	}
}

// writeHeading starts a section with a blank line and its title.
func writeHeading(text *widget.Text, title string) {
	text.Add(nil, widget.Header(title))
}

// writeJSON writes a section of indented JSON. It writes nothing if json is "".
func writeJSON(text *widget.Text, title, json string) {
	if json == "" {
		return
	}
	writeHeading(text, title)
	text.Add(app.Indent(widget.JSONLines(json))...)
}

// bulletLines returns a line for each sentence, or one line that says "nothing".
func bulletLines(sentences []string) (lines []widget.Line) {
	if len(sentences) == 0 {
		return []widget.Line{widget.Faint("  nothing")}
	}
	for _, sentence := range sentences {
		lines = append(lines, widget.Muted("  "+themes.GlyphDot+" ").Text(sentence))
	}
	return lines
}

// writeAttributes writes the attributes of the contract's response, such as "action
// transfer_nft". An address is replaced by its name. The section is omitted if the
// answer has no attributes, as that of a refused message.
func writeAttributes(state *app.State, text *widget.Text, node history.Node) {
	var answer cw721.Response
	err := wire.Decode(node.Answer, &answer)
	if err != nil || len(answer.Attributes) == 0 {
		return
	}
	writeHeading(text, "Attributes")
	const keyWidth = 12
	for _, attribute := range answer.Attributes {
		value := attribute.Value
		if name, found := state.Names[cw721.Address(value)]; found {
			value = name
		}
		key := widget.Fit(widget.Safe(attribute.Key), keyWidth)
		text.Add(widget.Muted("  " + key + " ").Text(value))
	}
}

// positionLines describes where the node is in the tree of the history. Unless the node
// is the head, it also says how many steps lead there.
func (d *nodeDetail) positionLines() []widget.Line {
	positionLine, _ := d.position.signAndRole()
	positionLine = positionLine.Muted(" " + d.position.String())
	if d.isReachedByRedo {
		positionLine = positionLine.Muted("; redo leads here")
	}
	if d.position == atHead {
		return []widget.Line{positionLine}
	}

	goThere := widget.Styled(themes.Key, "enter").Muted(" goes there" + d.stepsText())
	return []widget.Line{positionLine, goThere}
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

// writeDifferences writes what going from the current moment to the node would change.
func (d *nodeDetail) writeDifferences(text *widget.Text) {
	if d.position == atHead || len(d.differences) == 0 {
		return
	}
	writeHeading(text, "What going there changes")
	text.Add(bulletLines(d.differences)...)
}

// stepsText describes the steps from the current node to this one, as the end of a
// sentence, such as ": undoes 2 steps, then does 1 step". It is "" if they are the same.
func (d *nodeDetail) stepsText() string {
	undoSteps := human.Plural(d.stepsToUndo, "step")
	redoSteps := human.Plural(d.stepsToRedo, "step")
	switch {
	case d.stepsToUndo > 0 && d.stepsToRedo > 0:
		return fmt.Sprintf(": undoes %s, then does %s", undoSteps, redoSteps)
	case d.stepsToUndo > 0:
		return ": undoes " + undoSteps
	case d.stepsToRedo > 0:
		return fmt.Sprintf(": does %s again", redoSteps)
	}
	return ""
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
	tokensText := app.Plural(int(d.collection.TokenCount), "token")
	text.Add(nameLine.Muted(" · " + tokensText + heightText))
	if d.tokenID != nil {
		d.writeToken(state, text)
	}
}

// writeToken writes the owner and the approvals that the token had after the node, or
// that it does not exist. Each approval has a sign that says whether it was in force in
// that block.
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
