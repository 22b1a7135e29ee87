package history

import (
	"fmt"
	"strings"

	"ephemera/core/chain/history"
	"ephemera/core/cw721"
	"ephemera/core/human"
	"ephemera/core/wire"
	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/widget"
)

// text returns the detail of a node. Two of its lines are links: to the sender and to the
// token. A clock move has no message and no answer, so these and the changes are left
// out. The text is empty if f is nil.
func (f *nodeDetail) text(state *app.State) (text widget.Text) {
	if f == nil {
		return text
	}
	f.writeTitle(state, &text)
	text.Add(f.positionLines()...)

	if f.node.Kind == history.KindClock {
		f.writeState(state, &text)
		return text
	}

	f.writeOutcome(state, &text)
	writeHeading(&text, "What it changed")
	text.Add(bulletLines(f.changes)...)
	for line := range strings.Lines(f.node.Debug) {
		text.Add(widget.Muted("  debug ").Text(strings.TrimSuffix(line, "\n")))
	}
	f.writeState(state, &text)
	writeAttributes(state, &text, f.node)
	writeJSON(&text, "Message", f.node.Message)
	writeJSON(&text, "Answer", string(f.node.Answer))
	if len(f.changedRecords) > 0 {
		writeHeading(&text, "In bytes")
		text.Add(f.changedRecords...)
	}
	return text
}

// writeTitle writes the number, the message and the names of the node, and below them
// its sender and its block: "#12 transfer ape-04 → bob [sold]", "by alice at height
// 1,102 · 2026-11-21 12:00:05 UTC".
func (f *nodeDetail) writeTitle(state *app.State, text *widget.Text) {
	number := fmt.Sprintf("#%d ", f.node.ID)
	title := widget.Styled(themes.Title, number).Strong(state.Words().Node(f.node))
	for _, name := range f.names {
		title = title.Append(themes.Accent, " ["+name+"]")
	}
	text.Add(title)

	sender := ""
	if f.node.Sender != "" {
		sender = "by " + state.DisplayName(f.node.Sender) + " "
	}
	height := human.Thousands(f.node.Height)
	block := fmt.Sprintf("%sat height %s · %s UTC", sender, height, app.TimeToSecond(f.node.Time))
	text.AddLinked(widget.Muted(block), state.LinkToAccount(f.node.Sender))
}

// writeOutcome writes whether the message was carried out or refused, and whether the
// built-in contract would have answered differently from the compiled one that ran.
func (f *nodeDetail) writeOutcome(state *app.State, text *widget.Text) {
	if refusal := f.node.Refusal; refusal != nil {
		line := app.VerdictSign(false).Text("refused")
		line = line.Muted(" (" + string(refusal.Kind) + "): ")
		text.Add(line.Text(state.RefusalText(refusal.Kind, refusal.Text)))
	} else {
		text.Add(app.VerdictSign(true).Text("carried out"))
	}
	if len(f.node.Difference) > 0 {
		line := widget.Styled(themes.Warn, themes.GlyphWarn+" ").Text("the built-in contract differs: ")
		text.Add(line.Append(themes.Key, "C").Muted(" shows both"))
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
	for _, attribute := range answer.Attributes {
		value := attribute.Value
		if name, found := state.Names[cw721.Address(value)]; found {
			value = name
		}
		key := widget.Fit(widget.Safe(attribute.Key), 12)
		text.Add(widget.Muted("  " + key + " ").Text(value))
	}
}

// maxDifferences is how many differences from the head are shown before "… 3 more".
const maxDifferences = 5

// positionLines describes where the node is in the tree of the history. Unless the node
// is the head, it also says how many steps lead there, and what going there would change.
func (f *nodeDetail) positionLines() []widget.Line {
	position, _ := f.position.signAndRole()
	position = position.Muted(" " + f.position.String())
	if f.isReachedByRedo {
		position = position.Muted("; redo leads here")
	}
	if f.position == atHead {
		return []widget.Line{position}
	}

	goThere := widget.Styled(themes.Key, "enter").Muted(" goes there" + f.stepsText())
	lines := []widget.Line{position, goThere}
	if len(f.differences) == 0 {
		return lines
	}

	// List the first differences, and count the rest.
	shown := min(len(f.differences), maxDifferences)
	lines = append(lines, bulletLines(f.differences[:shown])...)
	if hidden := len(f.differences) - shown; hidden > 0 {
		more := fmt.Sprintf("  %s %d more", themes.GlyphEllipsis, hidden)
		lines = append(lines, widget.Faint(more))
	}
	return lines
}

// stepsText describes the steps from the head to the node, such as ": undoes 2 steps,
// then does 1 step". It is "" at the head.
func (f *nodeDetail) stepsText() string {
	undone := human.Plural(f.stepsToUndo, "step")
	redone := human.Plural(f.stepsToRedo, "step")
	switch {
	case f.stepsToUndo > 0 && f.stepsToRedo > 0:
		return fmt.Sprintf(": undoes %s, then does %s", undone, redone)
	case f.stepsToUndo > 0:
		return ": undoes " + undone
	case f.stepsToRedo > 0:
		return fmt.Sprintf(": does %s again", redone)
	}
	return ""
}

// writeState writes the collection, the height and the token as they were after the
// node. If the contract's storage is unreadable, only the name and the height are
// known.
func (f *nodeDetail) writeState(state *app.State, text *widget.Text) {
	writeHeading(text, "The collection after it")
	if f.unknownReason != "" {
		text.Add(widget.Faint("  " + f.unknownReason))
		return
	}

	height := " · height " + human.Thousands(f.block.Height)
	name := widget.Plain("  " + f.collection.Name)
	if state.Unreadable != "" {
		text.Add(name.Muted(height))
		return
	}
	tokens := app.Plural(int(f.collection.TokenCount), "token")
	text.Add(name.Text(" · " + f.collection.Symbol).Muted(" · " + tokens + height))
	if f.tokenID != nil {
		f.writeToken(state, text)
	}
}

// writeToken writes the owner and the approvals that the token had after the node. Each
// approval has a sign that says whether it was in force in that block.
func (f *nodeDetail) writeToken(state *app.State, text *widget.Text) {
	id := widget.Plain("  " + *f.tokenID)
	if f.token == nil {
		text.Add(id.Muted(" did not exist"))
		return
	}
	owner := id.Muted(" owned by ").Strong(state.DisplayName(f.token.Owner))
	text.AddLinked(owner, app.ShowToken(*f.tokenID))
	for _, approval := range f.token.Approvals {
		sign, role := app.LivenessSign(approval.Expires, f.block)
		line := widget.Styled(role, "    "+sign+" ").Text(state.DisplayName(approval.Spender) + " ")
		text.Add(line.Append(role, human.ExpiresIn(approval.Expires, f.block)))
	}
	if len(f.token.Approvals) == 0 {
		text.Add(widget.Faint("    no approvals"))
	}
}
