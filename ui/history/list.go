package history

import (
	"fmt"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/chain/history"
	"ephemera/core/human"
	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/widget"
)

// nodeFilter is a parsed filter of the history. A node must meet all its conditions.
type nodeFilter struct {
	onlyRefused, onlyClock bool
	sender                 string   // the beginning of a name or an address
	words                  []string // in lower case
}

// filterHelp says how a filter is typed.
const filterHelp = "text · sender:NAME · refused · clock"

// filterKeys are the words of a filter that are not searched for.
var filterKeys = []string{"sender:", "refused", "clock"}

func parseFilter(text string) (filter nodeFilter) {
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
	return filter
}

func (f nodeFilter) isEmpty() bool {
	return !f.onlyRefused && !f.onlyClock && f.sender == "" && len(f.words) == 0
}

// matches reports whether a node meets the filter. senderName is the name of its
// sender, text is what its row shows.
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

	searched := strings.ToLower(text + " " + node.Message)
	if node.Refusal != nil {
		searched += " " + strings.ToLower(node.Refusal.Text)
	}
	isMissing := func(word string) bool { return !strings.Contains(searched, word) }
	return !slices.ContainsFunc(f.words, isMissing)
}

func (f nodeFilter) matchesSender(node history.Node, senderName string) bool {
	if node.Sender == "" {
		return false
	}
	return strings.HasPrefix(strings.ToLower(senderName), f.sender) || strings.HasPrefix(string(node.Sender), f.sender)
}

// updateFilter handles a key while the filter is typed. Each key applies it.
func (s *Screen) updateFilter(msg tea.KeyMsg) {
	switch msg.String() {
	case "enter":
		s.typing = false
		s.Table.Reload() // keys typed ahead wait for the rows
	case "esc":
		s.typing = false
		s.applyFilter("")
	default:
		if s.edit.Update(msg) {
			s.applyFilter(s.edit.Value())
		}
	}
}

// applyFilter shows the nodes that meet a filter.
func (s *Screen) applyFilter(text string) {
	if text == s.filterText {
		return
	}
	s.filterText = text
	s.filter = parseFilter(text)
	s.Table.Empty = "nothing happened yet"
	if text != "" {
		s.Table.Empty = "nothing like that happened; / changes the filter: " + filterHelp
	}
	s.Table.Restart()
	s.Table.Sparse = !s.filter.isEmpty()
}

// unknownKeyLine returns a line about a key that no filter has, to replace the titles
// of the list; nil if there is nothing to say. It appears while the filter is typed,
// and if it finds nothing.
func (s *Screen) unknownKeyLine(width int) widget.Line {
	_, hasRows := s.Table.Cursor()
	if hasRows && !s.typing {
		return nil
	}
	key := app.UnknownFilterKey(s.filterText, filterKeys)
	if key == "" {
		return nil
	}
	return app.UnknownFilterKeyWarning(key, filterKeys, width)
}

// listReader holds what reading the list needs, for a command.
type listReader struct {
	words  app.Words
	filter nodeFilter
	tree   *history.Tree
	names  map[history.ID][]string
}

// page answers a request of the table.
func (r *listReader) page(v *chain.View, state history.State, req widget.Request) (page widget.Page, err error) {
	r.names, err = v.NamesByNode()
	if err != nil {
		return page, err
	}
	page, err = widget.Load(req, func(part widget.Scan, yield func(string, *widget.Row) bool) error {
		return r.walk(v, state, part, func(node history.Node) bool {
			return yield(keyOfNode(node.ID), r.row(node, v.Head))
		})
	})
	if err != nil || !r.filter.isEmpty() {
		return page, err
	}

	page.Total = int(state.NodeCount())
	if state.IsGapless() && len(page.Rows) > 0 {
		page.Index = int(state.Last - nodeOfKey(page.Rows[0].Key))
	}
	return page, nil
}

// walk visits the nodes of a part of the list, newest first, until visit returns
// false.
func (r *listReader) walk(v *chain.View, state history.State, part widget.Scan, visit func(history.Node) (more bool)) error {
	var from history.ID // 0 is the newest
	if part.From != nil {
		from = nodeOfKey(*part.From)
	}
	if part.Backward {
		return walkUp(v, state, from+1, visit)
	}
	if part.From != nil && !part.Inclusive {
		from--
		if from == 0 {
			return nil
		}
	}
	for node, err := range v.History(from) {
		if err != nil {
			return err
		}
		if !visit(node) {
			return nil
		}
	}
	return nil
}

// walkUp visits the nodes from a number on, oldest first. It skips pruned nodes.
func walkUp(v *chain.View, state history.State, from history.ID, visit func(history.Node) (more bool)) error {
	for id := max(from, state.Oldest); id <= state.Last; id++ {
		node, err := v.Node(id)
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

// row returns the row of a node, nil if the node does not meet the filter.
func (r *listReader) row(node history.Node, head history.ID) *widget.Row {
	sender := ""
	if node.Sender != "" {
		sender = r.words.Call(node.Sender)
	}
	text := r.words.Node(node)
	names := ""
	for _, name := range r.names[node.ID] {
		names += " [" + name + "]"
	}
	if !r.filter.matches(node, sender, text+names) {
		return nil
	}

	position := positionOf(r.tree, head, node.ID)
	mark, role := position.style()
	if position == ahead || position == aside {
		mark = r.branchMark(node, head)
	}
	return &widget.Row{Key: keyOfNode(node.ID), Cells: []widget.Line{
		mark,
		widget.In(themes.Muted, fmt.Sprint(node.ID)),
		widget.In(role, human.Thousands(uint64(node.Height))),
		widget.In(role, sender),
		widget.In(role, text).And(themes.Accent, names),
		outcomeSign(node),
	}}
}

// outcomeSign returns the sign of what became of a message.
func outcomeSign(node history.Node) widget.Line {
	switch {
	case node.Kind == history.KindClock:
		return widget.In(themes.Faint, themes.GlyphDot)
	case len(node.Difference) > 0:
		return widget.In(themes.Warn, themes.GlyphWarn)
	}
	sign, role := app.SignOf(node.Refusal == nil)
	return widget.In(role, sign)
}

// branchMark draws the tree beside a node that is not on the way to the head. A node
// whose parent is on the way gets a joint.
func (r *listReader) branchMark(node history.Node, head history.ID) widget.Line {
	if r.tree.IsOnWay(node.Parent, head) {
		return widget.In(themes.Border, themes.GlyphTeeRight+themes.GlyphLine)
	}
	trunk := " "
	if node.ID < head {
		trunk = themes.GlyphSide
	}
	return widget.In(themes.Border, trunk+themes.GlyphSide)
}
