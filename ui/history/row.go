package history

import (
	"fmt"
	"strings"

	"ephemera/core/chain/history"
	"ephemera/core/explain"
	"ephemera/core/human"
	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/widget"
)

// listedNode is what the row of a node is made from.
type listedNode struct {
	history.Node
	senderName string      // "" for a move of the clock
	text       string      // describes the node in words
	labels     string      // the names that the user gave to it
	branchSign widget.Line // where it is in the tree
	role       themes.Role // the colour of the texts, which also says that
}

// columns returns the columns of the list, with the cells of the node.
func (n listedNode) columns() []widget.Column {
	// An expiry on the day of the node's own block is written without the date.
	date, _, _ := strings.Cut(app.TimeToSecond(n.Time), " ")
	text := strings.Replace(n.text, explain.BeforeExpiry+date+" ", explain.BeforeExpiry, 1)
	message := widget.Styled(n.role, text)
	if n.labels != "" {
		message = message.Append(themes.Accent, n.labels)
	}
	return []widget.Column{
		{Width: 2, Cell: n.branchSign},
		{
			Title:      "#",
			Width:      4,
			AlignRight: true,
			NeverCut:   true,
			DropRank:   3,
			Cell:       widget.Muted(fmt.Sprint(n.ID)),
		},
		{
			Title:      "BLOCK",
			Width:      7,
			AlignRight: true,
			NeverCut:   true,
			DropRank:   1,
			Cell:       widget.Styled(n.role, human.Thousands(n.Height)),
		},
		{
			Title:    "SENDER",
			Width:    8,
			Flex:     1,
			Shorten:  widget.Shorten,
			DropRank: 2,
			Cell:     widget.Styled(n.role, n.senderName),
		},
		{Title: "WHAT", Width: 12, Flex: 20, Shorten: shortMessage, Cell: message},
		{Width: 1, Cell: outcomeSign(n.Node)},
	}
}

// rowOf returns the row of a node in the list, or nil if the node does not meet the
// filter.
func (r *listReader) rowOf(node history.Node) *widget.Row {
	listed := listedNode{Node: node, text: r.facts.DescribeNode(node)}
	if node.Sender != "" {
		listed.senderName = r.facts.DisplayName(node.Sender)
	}
	for _, name := range r.names[node.ID] {
		listed.labels += " [" + name + "]"
	}
	if !r.filter.matches(node, listed.senderName, listed.text+listed.labels) {
		return nil
	}
	position := positionOf(r.tree, r.view.Head, node.ID)
	listed.branchSign, listed.role = position.signAndRole()
	if position == ahead || position == aside {
		listed.branchSign = r.branchSign(node)
	}
	return &widget.Row{Key: keyOfNode(node.ID), Cells: widget.Cells(listed.columns())}
}

// branchSign returns the two characters in the first column of a node on another branch.
// The list is a picture of the tree: the first character is the line of the trunk, which
// is the path from the first node to the head, and the second is the line of the branch.
// The first node of the branch gets the joint "├─", which connects it to the trunk.
func (r *listReader) branchSign(node history.Node) widget.Line {
	if r.tree.IsOnPath(node.Parent, r.view.Head) {
		return widget.Styled(themes.Border, themes.GlyphTeeRight+themes.GlyphLine)
	}

	// The trunk ends at the head, and newer nodes are above it.
	trunk := " "
	if node.ID < r.view.Head {
		trunk = themes.GlyphSide
	}
	return widget.Styled(themes.Border, trunk+themes.GlyphSide)
}

// shortMessage shortens the words of a message to width cells, and keeps the token and the
// account. It writes an expiry as a bare number or without seconds, then leaves it out, and
// then shortens the longest words, which are ids and addresses.
func shortMessage(text string, width int) string {
	if start := strings.LastIndex(text, explain.BeforeExpiry); start >= 0 {
		beforeExpiry := text[:start]
		text = strings.Replace(text, explain.BeforeExpiry+"height ", explain.BeforeExpiry, 1)
		text = strings.TrimSuffix(text, ":00")
		if widget.Width(text) > width {
			text = beforeExpiry + " " + themes.GlyphEllipsis
		}
	}

	const shortestWord = 7 // cells in which an address can be recognised
	words := strings.Split(text, " ")
	for limit := width; widget.Width(text) > width && limit >= shortestWord; limit-- {
		for i, word := range words {
			words[i] = widget.Shorten(word, limit)
		}
		text = strings.Join(words, " ")
	}
	return text
}

// outcomeSign returns the sign in the last column of the list. It is a dot for a clock
// move, and a warning if the built-in and the compiled contract answered differently.
// Otherwise it says whether the message was carried out or refused.
func outcomeSign(node history.Node) widget.Line {
	switch {
	case node.Kind == history.KindClock:
		return widget.Faint(themes.GlyphDot)
	case len(node.Difference) > 0:
		return widget.Styled(themes.Warn, themes.GlyphWarn)
	}
	sign, role := app.SignOf(node.Refusal == nil)
	return widget.Styled(role, sign)
}
