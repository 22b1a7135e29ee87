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

// rowOf returns the row of a node in the list, or nil if the node does not meet the
// filter.
func (r *listReader) rowOf(node history.Node, head history.ID) *widget.Row {
	senderName := ""
	if node.Sender != "" {
		senderName = r.words.NameOf(node.Sender)
	}

	// Filter by what the row will show.
	nodeText := r.words.DescribeNode(node)
	labels := ""
	for _, name := range r.names[node.ID] {
		labels += " [" + name + "]"
	}
	if !r.filter.matches(node, senderName, nodeText+labels) {
		return nil
	}

	// The position in the tree decides the sign in the first column and the colour.
	position := positionOf(r.tree, head, node.ID)
	sign, role := position.signAndRole()
	if position == ahead || position == aside {
		sign = r.branchSign(node, head)
	}
	message := widget.Styled(role, withoutDateOf(node, nodeText))
	if labels != "" {
		message = message.Append(themes.Accent, labels)
	}
	return &widget.Row{
		Key: keyOfNode(node.ID),
		Cells: []widget.Line{
			sign,
			widget.Muted(fmt.Sprint(node.ID)),
			widget.Styled(role, human.Thousands(node.Height)),
			widget.Styled(role, senderName),
			message,
			outcomeSign(node),
		},
	}
}

// branchSign returns the two characters in the first column of a node on another branch.
// The list is a picture of the tree: the first character is the line of the trunk, which
// is the path from the first node to the head, and the second is the line of the branch.
// The first node of the branch gets the joint "├─", which connects it to the trunk.
func (r *listReader) branchSign(node history.Node, head history.ID) widget.Line {
	if r.tree.IsOnPath(node.Parent, head) {
		return widget.Styled(themes.Border, themes.GlyphTeeRight+themes.GlyphLine)
	}

	// The trunk ends at the head, and newer nodes are above it.
	trunk := " "
	if node.ID < head {
		trunk = themes.GlyphSide
	}
	return widget.Styled(themes.Border, trunk+themes.GlyphSide)
}

// withoutDateOf shortens the text of a message that has an expiry. If the expiry is on
// the day of the node's own block, it leaves out the date and keeps the time of day:
// "until 2026-11-21 18:00:00 UTC" becomes "until 18:00:00 UTC".
func withoutDateOf(node history.Node, text string) string {
	date, _, _ := strings.Cut(app.TimeToSecond(node.Time), " ")
	return strings.Replace(text, explain.BeforeExpiry+date+" ", explain.BeforeExpiry, 1)
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
