package act

import (
	"bufio"
	"fmt"

	"github.com/spf13/cobra"

	"ephemera/core/chain"
	"ephemera/core/chain/history"
	"ephemera/core/human"
	"ephemera/ui/cli/answer"
	"ephemera/ui/cli/command"
)

// branch is a branch of the history, in JSON. Its nodes are those that lead to its tip and
// belong to no other branch.
type branch struct {
	Tip       history.ID  `wire:"tip"`                // the newest node
	From      history.ID  `wire:"from"`               // the node of another branch at which this one begins, or 0
	Nodes     uint64      `wire:"nodes"`              // how many nodes only this branch has
	Current   bool        `wire:"current"`            // the head is one of these nodes
	Snapshots []string    `wire:"snapshots,optional"` // the names of these nodes
	Last      answer.Node `wire:"last"`               // the node at the tip
}

type branchList []branch

// WriteWords writes a line for each branch. A star marks the current one.
func (l branchList) WriteWords(w *bufio.Writer) {
	for _, b := range l {
		mark := " "
		if b.Current {
			mark = "*"
		}
		nodes := human.Plural(int(b.Nodes), "node")
		fmt.Fprintf(w, "%s tip %d, from %d, %s, last: %s\n", mark, b.Tip, b.From, nodes, b.Last.Line()) // Flush returns its error
	}
}

func branchCommand(app *command.App) *cobra.Command {
	return &cobra.Command{
		Use:   "branch",
		Short: "List the branches of the history",
		Long: `Lists the branches of the history, the one with the newest node first. Acting
after an undo starts a branch. Its tip is its newest node: goto TIP enters the
branch, and snapshot NAME then names it.`,
		Example: `  ephemera branch && ephemera goto 12`,
		Args:    command.NoArgs,
		RunE: app.WithView(func(view *chain.View, _ []string) error {
			return app.Answer(branches(view))
		}),
	}
}

// branches lists the branches of the history, the one with the newest tip first.
func branches(view *chain.View) (branchList, error) {
	tree, err := view.HistoryTree()
	if err != nil {
		return nil, err
	}
	snapshots, err := view.Snapshots()
	if err != nil {
		return nil, err
	}
	list := branchList{} // [] and not null
	for _, stored := range tree.Branches() {
		tip, err := view.Node(stored.Tip)
		if err != nil {
			return nil, err
		}

		// isOnBranch reports whether a node is after the fork, where the branch begins, and on
		// the way from there to its tip.
		isOnBranch := func(id history.ID) bool {
			return id > stored.Fork && id <= stored.Tip && tree.IsOnPath(id, stored.Tip)
		}
		b := branch{
			Tip:     stored.Tip,
			From:    stored.Fork,
			Nodes:   stored.Nodes,
			Current: isOnBranch(view.Head),
			Last:    answer.NodeOf(view, tip),
		}
		b.Last.Current = stored.Tip == view.Head
		for _, snapshot := range snapshots {
			if isOnBranch(snapshot.ID) {
				b.Snapshots = append(b.Snapshots, snapshot.Name)
			}
			if snapshot.ID == stored.Tip {
				b.Last.Snapshots = append(b.Last.Snapshots, snapshot.Name)
			}
		}
		list = append(list, b)
	}
	return list, nil
}
