package history

import (
	"errors"
	"fmt"
	"strings"

	"ephemera/core/chain"
	"ephemera/core/chain/expiry"
	"ephemera/core/chain/history"
	"ephemera/core/cw721"
	"ephemera/core/human"
	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/widget"
)

// nodeDetail is what the detail pane shows of one node.
type nodeDetail struct {
	node            history.Node
	names           []string      // the names that the user gave to the node
	changeSentences []string      // sentences about what the node changed
	changedRecords  []widget.Line // the stored records that it changed, with keys and values

	tokenID *string // the id of the token that the message names; nil if it names none

	// What expired in a move of the clock, at most [app.MaxListLines] grants.
	expired        []expiry.Entry
	hasMoreExpired bool

	// Where the node is in the tree of the history, and how it is reached from the head.
	position        position
	isReachedByRedo bool     // pressing redo often enough moves the head to the node
	stepsToUndo     uint64   // how many nodes must be undone first
	stepsToRedo     uint64   // how many nodes must then be done again
	isTooFar        bool     // there are too many of these steps to read the differences
	differences     []string // sentences about what going to the node would change

	// The state of the chain after the node.
	unknownReason string        // why the state was not read; "" if it was
	layout        *cw721.Layout // how the storage is laid out; that of now if the state was not read
	block         cw721.Block
	collection    chain.Collection
	token         *chain.Token // the token with the id tokenID; nil if it did not exist
}

// subject returns what other screens and dialogs should be about when they are opened
// from this node: the sender, the token and the action of its message, or the first grant that
// expired in a move of the clock. d may be nil.
func (d *nodeDetail) subject() (subject app.Subject) {
	if d == nil {
		return subject
	}
	if len(d.expired) > 0 {
		first := d.expired[0]
		subject.Account = first.Spender
		if first.Kind == cw721.GrantApproval {
			subject.Token = &first.Token
		}
		return subject
	}
	subject.Account = d.node.Sender
	subject.Token = d.tokenID
	if d.node.Kind == history.KindExecute {
		subject.Action = app.ActionNameOf([]byte(d.node.Message))
	}
	return subject
}

// readNode reads a node and the state of the chain after it, with the token that its
// message names. It returns nil for a node that was pruned.
func readNode(
	view *chain.View,
	id history.ID,
	tree *history.Tree,
	facts app.Facts,
) (detail *nodeDetail, err error) {
	detail = &nodeDetail{}
	detail.node, err = view.Node(id)
	if isPruned(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if detail.node.Kind == history.KindExecute {
		subject := facts.SubjectOfMessage([]byte(detail.node.Message))
		detail.tokenID = subject.Token
	}

	// If the node is pruned while it is read, show the parts that could still be read.
	err = detail.readPosition(view, tree, facts)
	detail.readState(view)
	if err == nil {
		err = detail.readChanges(view, facts)
	}
	if err != nil && !isPruned(err) {
		return nil, err
	}
	return detail, nil
}

// isPruned reports whether an error says that a node does not exist. The ids on the
// screen did exist, so the node was pruned since.
func isPruned(err error) bool {
	var unknown *history.UnknownNodeError
	return errors.As(err, &unknown)
}

// text returns the detail of a node. A clock move has no message and no answer, so these and
// the changes are left out. The text is empty if d is nil.
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

// writeTitle writes two lines such as "#12 transfer ape-04 → bob [sold]" and "by alice at
// height 1,102 · 12:00:05 UTC".
func (d *nodeDetail) writeTitle(state *app.State, text *widget.Text) {
	number := fmt.Sprintf("#%d ", d.node.ID)
	title := widget.Styled(themes.Title, number).Strong(state.DescribeNode(d.node))
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
