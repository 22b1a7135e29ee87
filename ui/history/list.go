package history

import (
	"fmt"
	"slices"
	"strings"

	"ephemera/core/chain"
	"ephemera/core/chain/history"
	"ephemera/core/explain"
	"ephemera/core/human"
	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/widget"
)

// nodeFilter is the parsed filter of the list, such as "refused sender:bob transfer". A
// node must meet all its conditions.
type nodeFilter struct {
	onlyRefused bool     // only messages that were refused
	onlyClock   bool     // only clock moves
	sender      string   // the beginning of the sender's name or address; "" is any sender
	words       []string // each must be in the row or the message; in lower case
}

// filterHelp is the hint beside the filter that says what can be typed.
const filterHelp = "text · sender:NAME · refused · clock"

// filterKeys are the words with a meaning in a filter. All other words are searched
// for.
var filterKeys = []string{"sender:", "refused", "clock"}

// parseFilter parses the text of a filter, such as "refused sender:bob transfer",
// ignoring case. It never fails. If the text has two senders, the last one counts. A word
// with an unknown key, such as "block:7", is searched for like any other word.
func parseFilter(text string, _ chain.Book) (filter nodeFilter, err error) {
	for word := range strings.FieldsSeq(strings.ToLower(text)) {
		sender, isSender := strings.CutPrefix(word, "sender:")
		switch {
		case isSender:
			filter.sender = sender
		case word == "refused":
			filter.onlyRefused = true
		case word == "clock":
			filter.onlyClock = true
		default:
			filter.words = append(filter.words, word)
		}
	}
	return filter, nil
}

// isEmpty reports whether the filter has no conditions, so that every node meets it.
func (f nodeFilter) isEmpty() bool {
	return !f.onlyRefused && !f.onlyClock && f.sender == "" && len(f.words) == 0
}

// matches reports whether a node meets all conditions of the filter. senderName is the
// name of its sender, and text is what its row of the list shows. Words are searched for
// in text, in the message and in the reason of a refusal.
func (f nodeFilter) matches(node history.Node, senderName, text string) bool {
	if f.onlyRefused && node.Refusal == nil {
		return false
	}
	if f.onlyClock && node.Kind != history.KindClock {
		return false
	}
	if f.sender != "" && !f.matchesSender(node, senderName) {
		return false
	}

	// Every word must occur somewhere in the texts.
	searched := strings.ToLower(text + " " + node.Message)
	if node.Refusal != nil {
		searched += " " + strings.ToLower(node.Refusal.Text)
	}
	isMissing := func(word string) bool { return !strings.Contains(searched, word) }
	return !slices.ContainsFunc(f.words, isMissing)
}

// matchesSender reports whether the sender's name or address begins with the text of the
// condition sender:TEXT. A clock move has no sender.
func (f nodeFilter) matchesSender(node history.Node, senderName string) bool {
	if node.Sender == "" {
		return false
	}
	hasName := strings.HasPrefix(strings.ToLower(senderName), f.sender)
	hasAddress := strings.HasPrefix(string(node.Sender), f.sender)
	return hasName || hasAddress
}

// restartList makes the table read the list anew after a change of the filter. It also
// chooses the text for a list without rows.
func (s *Screen) restartList(*app.State) {
	s.Table.EmptyText = "nothing happened yet"
	if s.filter.AppliedText != "" {
		s.Table.EmptyText = "nothing like that happened; / changes the filter: " + filterHelp
	}
	s.Table.Restart()
	s.Table.HidesMostRows = !s.filter.Filter.isEmpty() // many nodes may be between two rows
}

// listReader reads the rows of the list and the details of one node. It has copies of
// what it needs from the screen, because it runs in the background while the screen
// changes.
type listReader struct {
	filter   nodeFilter
	readHead history.ID              // the head when the rows on the screen were read; 0 at first
	tree     *history.Tree           // all nodes, set when the reading begins
	words    app.Words               // describes messages in words; set by readPage
	names    map[history.ID][]string // the names of each node; set by readPage
}

// readPage reads the rows that the table asks for. With a filter, the number of rows and
// their indexes in the list are not known. Without one, the page has the number of all
// rows. If no node was ever deleted, it also has the index of its first row. For example,
// of nodes 1 to 9 the row of node 7 has the index 2, because the newest node comes first.
func (r *listReader) readPage(
	view *chain.View,
	facts app.Facts,
	req widget.Request,
) (page widget.Page, err error) {
	state := facts.History
	r.words = facts.Words()
	r.names, err = view.NamesByNode()
	if err != nil {
		return page, err
	}

	// A cursor that is on the head, or that is on no row yet, follows the head.
	head := keyOfNode(view.Head)
	switch {
	case r.readHead == 0 && req.Seek == widget.First:
		req.Seek = widget.RowsAround
		req.Place = head
	case len(req.Keys) > 0 && req.Keys[0] == keyOfNode(r.readHead) &&
		(r.filter.isEmpty() || req.Seek == widget.SameRows): // the head may not fit the filter
		req.Place = head
		req.Keys = append([]string{head}, req.Keys...)
	}

	// walkRows yields a row for each node of a part of the list.
	walkRows := func(part widget.ListPart, yield func(string, *widget.Row) bool) error {
		visit := func(node history.Node) (continues bool) {
			return yield(keyOfNode(node.ID), r.rowOf(node, view.Head))
		}
		return visitNodes(view, state, part, visit)
	}
	page, err = widget.Load(req, walkRows)
	if err != nil {
		return page, err
	}
	if !r.filter.isEmpty() {
		return page, nil
	}

	// Every node has a row, so the number of a node tells the index of its row.
	page.Total = int(state.NodeCount())
	if state.IsGapless() && len(page.Rows) > 0 {
		page.RowsBefore = int(state.Last - nodeOfKey(page.Rows[0].Key))
	}
	return page, nil
}

// readDetail reads the details of the node whose row has a key.
func (r *listReader) readDetail(
	view *chain.View,
	facts app.Facts,
	key string,
) (*nodeDetail, error) {
	return readNode(view, nodeOfKey(key), r.tree, facts)
}

// visitNodes calls visit with each node of a part of the list, until visit returns false.
// The list has the newest node first, so a part that is not Backward goes to older nodes.
// part.From is the key of the row at which the part begins. If it is nil, the part begins
// with the newest node.
func visitNodes(
	view *chain.View,
	state history.State,
	part widget.ListPart,
	visit func(history.Node) (continues bool),
) error {
	var id history.ID // 0 without a key
	if part.From != nil {
		id = nodeOfKey(*part.From)
	}
	switch {
	case part.Backward:
		return visitNewer(view, state, id+1, visit)
	case part.From == nil || part.Inclusive:
		return visitOlder(view, id, visit)
	case id == 1: // no node is older
		return nil
	}
	return visitOlder(view, id-1, visit)
}

// visitOlder calls visit with the node first and all older ones, the newest first, until
// visit returns false. If first is 0, it begins with the newest node.
func visitOlder(
	view *chain.View,
	first history.ID,
	visit func(history.Node) (continues bool),
) error {
	for node, err := range view.History(first) {
		if err != nil {
			return err
		}
		if !visit(node) {
			return nil
		}
	}
	return nil
}

// visitNewer calls visit with the node first and all newer ones, the oldest first,
// until visit returns false. It skips nodes that were pruned, that is deleted because the
// history grew too long.
func visitNewer(
	view *chain.View,
	state history.State,
	first history.ID,
	visit func(history.Node) (continues bool),
) error {
	for id := max(first, state.Oldest); id <= state.Last; id++ {
		node, err := view.Node(id)
		if isPruned(err) {
			continue
		}
		if err != nil {
			return err
		}
		if !visit(node) {
			return nil
		}
	}
	return nil
}

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
