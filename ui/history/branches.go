package history

import (
	"cmp"
	"fmt"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/chain/history"
	"ephemera/core/explain"
	"ephemera/core/human"
	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/form"
	"ephemera/ui/widget"
)

// branchBrowser is the dialog that lists the branches of the history. A branch begins
// where a message was sent after an undo. It is listed by its tip, its last node. The
// user can go to a tip, name it, or compare it with another node.
type branchBrowser struct {
	*form.Browser[comparison]
	base history.ID // the node that tips are compared with, or noNode for the head
}

// noNode is the number of no node. As a node to compare with, it means the head, the node
// that the chain is at now.
const noNode history.ID = 0

// comparison says how the state of the chain after a tip, the last node of a branch,
// differs from that after another node.
type comparison struct {
	tip
	base        history.ID // the other node; noNode is the head, where the chain is now
	differences []string   // sentences, such as "ape-01 goes from alice to bob"
}

// OpenBranches returns the command that opens the list of all branches, compared with the
// head, the node that the chain is at now.
func OpenBranches(state *app.State) tea.Cmd {
	browser := &branchBrowser{
		Browser: form.NewStack[comparison](
			"Branches",
			widget.Column{Title: "   BRANCH", Width: 36, Flex: 2},
			widget.Column{Title: "HANGS", Width: 28, Flex: 1, DropRank: 1}),
	}
	browser.OpenKey = "v"
	browser.DetailLines = comparisonLines
	browser.RowCommands = browser.tipCommands
	browser.AddFilter("a message, a name or a number", nil)
	browser.compareWith(noNode)
	return browser.Open(state)
}

// compareWith makes base the node that every tip, the last node of a branch, is compared
// with. noNode is the head. The list and the comparison are then read again.
func (b *branchBrowser) compareWith(base history.ID) {
	b.base = base
	b.ReadRows = func(
		view *chain.View,
		facts app.Facts,
		filter app.Filter,
		req widget.Request,
	) (widget.Page, error) {
		return readTipRows(view, facts.Words(), base, filter, req)
	}
	b.ReadDetail = func(view *chain.View, facts app.Facts, row widget.Row) (comparison, error) {
		return compareTip(view, facts, row.OwnerData.(tip), base)
	}
	b.Invalidate()
}

// tip is the last node of a branch, and how it is connected to the head, the node that
// the chain is at now.
type tip struct {
	node            history.Node
	names           []string // the names that the user gave to the node
	position        position
	commonAncestor  history.ID   // the last ancestor that the tip and the head have in common
	ownSteps        uint64       // the number of nodes from commonAncestor to the tip
	firstOfBranch   history.Node // the node after commonAncestor, if the tip is on another branch
	isReachedByRedo bool         // pressing redo often enough moves the head to the tip
}

// readTipRows reads all rows of the list, since it reads the whole tree anyway. The list has a
// row for each tip, the last node of a branch, that the filter matches. The newest tip comes
// first. Tips are compared with the node base. If base is a tip itself, its row says
// "compared with".
func readTipRows(
	view *chain.View,
	words app.Words,
	base history.ID,
	filter app.Filter,
	req widget.Request,
) (page widget.Page, err error) {
	tree, err := view.HistoryTree()
	if err != nil {
		return page, err
	}
	names, err := view.NamesByNode()
	if err != nil {
		return page, err
	}

	var rows []widget.Row
	for _, branch := range tree.Branches() {
		branchTip, err := readTip(view, tree, branch.Tip)
		if err != nil {
			return page, err
		}
		branchTip.names = names[branchTip.node.ID]
		row := branchTip.tableRow(words, base)
		if filter.MatchesRow(row) {
			rows = append(rows, row)
		}
	}
	return widget.WholePage(req, rows), nil
}

// tableRow returns the row of a tip in the list. If the tip is base, the node that tips
// are compared with, the row says so.
func (t tip) tableRow(words app.Words, base history.ID) widget.Row {
	return widget.Row{
		Key:       keyOfNode(t.node.ID),
		OwnerData: t,
		Cells: []widget.Line{
			t.cellLine(words, base),
			widget.Muted(t.positionText(words)),
		},
	}
}

// readTip reads the last node of a branch, and how it is connected to the head, the node
// that the chain is at now. It does not read the names of the node.
func readTip(view *chain.View, tree *history.Tree, id history.ID) (t tip, err error) {
	t.node, err = view.Node(id)
	if err != nil {
		return t, err
	}
	t.position = positionOf(tree, view.Head, id)
	t.commonAncestor = tree.CommonAncestor(view.Head, id)
	t.ownSteps = tree.Depth(id) - tree.Depth(t.commonAncestor)

	switch t.position {
	case ahead:
		t.isReachedByRedo, err = view.RedoLeadsTo(tree, id)
	case aside:
		t.firstOfBranch, err = view.Node(tree.Next(t.commonAncestor, id))
	}
	return t, err
}

// compareTip reads how the state of the chain at a tip differs from that at the node
// base. If base is noNode, it compares with the head, the node that the chain is at now.
// If too many steps lie between the two nodes, reading would take too long, and the only
// sentence of the result says so.
func compareTip(
	view *chain.View,
	facts app.Facts,
	compared tip,
	base history.ID,
) (comparison, error) {
	result := comparison{tip: compared, base: base}
	from := cmp.Or(base, view.Head)
	to := compared.node.ID
	tree, err := view.HistoryTree()
	if err != nil {
		return result, err
	}
	if areTooFarApart(tree, from, to) {
		result.differences = []string{tooFarSentence()}
		return result, nil
	}

	// Describe how the blocks and the records differ.
	changes, err := view.ChangesBetween(from, to)
	if err != nil {
		return result, err
	}
	blockSentences, err := describeBlocks(view, from, to)
	if err != nil {
		return result, err
	}
	recordSentences := explain.Describe(view.Layout, changes, facts.DisplayName)
	result.differences = append(blockSentences, recordSentences...)
	return result, nil
}

// describeBlocks describes how the block after one node differs from the block after
// another, such as "height 1,102 → 1,110, … UTC". It returns nil if they are the same.
func describeBlocks(view *chain.View, from, to history.ID) ([]string, error) {
	before, err := view.MomentOfNode(from)
	if err != nil {
		return nil, err
	}
	after, err := view.MomentOfNode(to)
	if err != nil {
		return nil, err
	}
	if before.Block == after.Block {
		return nil, nil
	}
	sentence := fmt.Sprintf("height %s → %s, %s → %s UTC",
		human.Thousands(before.Block.Height), human.Thousands(after.Block.Height),
		app.TimeToSecond(before.Block.Time), app.TimeToSecond(after.Block.Time))
	return []string{sentence}, nil
}

// cellLine returns the cell of a tip in the list: its sign, number, message and names,
// such as "● #12  bob: transfer ape-04 → bob [before the sale]".
func (t tip) cellLine(words app.Words, base history.ID) widget.Line {
	sign, _ := t.position.signAndRole()
	line := sign.Muted(fmt.Sprintf(" #%-5d ", t.node.ID)).Text(words.DescribeNode(t.node))
	if len(t.names) > 0 {
		line = line.Append(themes.Accent, " ["+strings.Join(t.names, "] [")+"]")
	}
	if t.node.ID == base {
		line = line.Append(themes.Warn, "  compared with")
	}
	return line
}

// positionText describes how a tip is connected to the head, the node that the chain is
// at now. "3 of its own, off #7 with burn ape-01" means that node 7 is the last one that
// the branch and the head have in common, and that "burn ape-01" begins the branch.
func (t tip) positionText(words app.Words) string {
	steps := human.Thousands(t.ownSteps)
	switch {
	case t.position == atHead:
		return t.position.String()
	case t.isReachedByRedo:
		return steps + " ahead: redo goes there"
	case t.position == ahead:
		return steps + " ahead"
	}
	branchStart := words.DescribeNode(t.firstOfBranch)
	return fmt.Sprintf("%s of its own, off #%d with %s", steps, t.commonAncestor, branchStart)
}

// comparisonLines returns the detail of a tip, which lists the differences. In a narrow
// box it also says how the tip is connected to the head, because the list then leaves out
// that column.
func comparisonLines(state *app.State, tipComparison comparison, width int) []widget.Line {
	from := "the current moment"
	if tipComparison.base != noNode {
		from = fmt.Sprintf("#%d", tipComparison.base)
	}
	heading := widget.Header(fmt.Sprintf("From %s to #%d", from, tipComparison.node.ID))
	const narrow = 68
	if width < narrow {
		heading = heading.Muted("  " + tipComparison.positionText(state.Words()))
	}
	return append([]widget.Line{heading}, bulletLines(tipComparison.differences)...)
}

// tipCommands returns the commands for the tip, the last node of a branch, under the
// cursor. It returns none if the list is empty.
func (b *branchBrowser) tipCommands(state *app.State, row widget.Row, hasRow bool) []app.Command {
	if !hasRow {
		return nil
	}
	selected := row.OwnerData.(tip)
	id := selected.node.ID

	// A second press compares with the head again.
	toggleComparison := func() tea.Cmd {
		if b.base == id {
			b.compareWith(noNode)
		} else {
			b.compareWith(id)
		}
		return nil
	}
	return []app.Command{
		app.DialogCommand("enter", "go there", func() tea.Cmd { return app.GotoNode(state, id) }),
		app.DialogCommand("n", "name it", func() tea.Cmd { return openNaming(state, id) }),
		app.DialogCommand("r", "rename", func() tea.Cmd { return openRenaming(state, id, selected.names) }),
		app.DialogCommand("D", "delete name", func() tea.Cmd { return openNameDeletion(state, id, selected.names) }),
		app.DialogCommand("c", "compare with it", toggleComparison),
	}
}
