package act

import (
	"slices"

	"github.com/spf13/cobra"

	"ephemera/core/chain"
	"ephemera/core/chain/history"
	"ephemera/ui/cli/answer"
	"ephemera/ui/cli/command"
)

// branch is the way to one tip of the history, as far as no other branch shares
// it.
type branch struct {
	Tip history.ID `wire:"tip"`
	// From is the node where it leaves another branch; 0 where it leaves none.
	From history.ID `wire:"from"`
	// Nodes is how many nodes are on it alone.
	Nodes uint64 `wire:"nodes"`
	// Current tells that the history stands on it.
	Current   bool     `wire:"current"`
	Snapshots []string `wire:"snapshots,optional"`
	// Last is what happened last on it.
	Last answer.Node `wire:"last"`
}

func branchCommand(a *command.App) *cobra.Command {
	return &cobra.Command{
		Use:   "branch",
		Short: "List the branches of the history, by their tips",
		Long: `Lists the tips of the history, youngest first: acting after an undo starts a
branch. Enter one with goto TIP; name one with goto TIP and snapshot NAME.`,
		Example: `  ephemera branch && ephemera goto 12`,
		Args:    command.ArgCount(0, 0, "no argument"),
		RunE: a.WithView(func(v *chain.View, _ []string) error {
			return a.Answer(branches(v))
		}),
	}
}

// branches finds the tips. Children are younger than their parents, so one walk
// from the youngest node meets all of a node's children before the node.
func branches(v *chain.View) ([]*branch, error) {
	all := []*branch{}
	children := map[history.ID]int{}
	growing := map[history.ID][]*branch{} // branches, by the node that they grow back to
	err := listed(v, 0, func(n answer.Node) error {
		grown := growing[n.ID]
		if children[n.ID] == 0 {
			b := &branch{Tip: n.ID, Last: n}
			all = append(all, b)
			grown = []*branch{b}
		}
		if children[n.ID] > 1 { // a fork: what grew up to here leaves another
			for _, b := range grown {
				b.From = n.ID
			}
			grown = nil
		}
		for _, b := range grown {
			b.Nodes++
			b.Snapshots = append(b.Snapshots, n.Snapshots...)
			b.Current = b.Current || n.ID == v.Head
		}
		children[n.Parent]++
		growing[n.Parent] = append(growing[n.Parent], grown...)
		delete(children, n.ID)
		delete(growing, n.ID)
		return nil
	})
	for _, b := range all {
		slices.Sort(b.Snapshots)
	}
	return all, err
}
