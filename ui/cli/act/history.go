package act

import (
	"bufio"
	"fmt"

	"github.com/spf13/cobra"

	"ephemera/core/chain"
	"ephemera/core/human"
	"ephemera/core/wire"
	"ephemera/ui/cli/answer"
	"ephemera/ui/cli/command"
)

// defaultLimit is how many nodes the history command lists without --limit.
const defaultLimit = 50

func historyCommand(app *command.App) *cobra.Command {
	var limit uint64
	cmd := &cobra.Command{
		Use:   "history",
		Short: "List the history, newest first",
		Long: `Lists every message, refused ones too, and every move of the clock, on all
branches, newest first. A star marks the current node. Undone nodes are listed as
not in force.`,
		Example: `  ephemera history --limit 10
  ephemera history --json`,
		Args: command.NoArgs,
	}
	cmd.RunE = app.WithView(func(view *chain.View, _ []string) error {
		// Write node by node, so that a long history needs little memory.
		if !app.Global.JSON {
			return app.WriteText(func(w *bufio.Writer) error { return writeHistory(w, view, limit) })
		}
		return app.Write(func(w *bufio.Writer) error {
			fmt.Fprintf(w, `{"head":%d,"nodes":[`, view.Head) // Flush returns its error
			separator := ""
			_, err := listNodes(view, limit, func(node answer.Node) error {
				_, err := fmt.Fprintf(w, "%s%s", separator, wire.Compact(node))
				separator = ","
				return err
			})
			fmt.Fprintln(w, "]}")
			return err
		})
	})
	cmd.Flags().Uint64Var(&limit, "limit", defaultLimit, "list at most `N` nodes, 0 for all")
	cmd.AddCommand(pruneCommand(app))
	return cmd
}

type pruneAnswer struct {
	Forgot uint64 `wire:"forgot"`
}

func pruneCommand(app *command.App) *cobra.Command {
	return &cobra.Command{
		Use:   "prune KEEP",
		Short: "Delete all but the newest nodes of the history",
		Long: `Deletes the oldest nodes of the history until KEEP are left, and with them the
branches that begin there. The collection stays as it is. Nobody can undo a
deleted node or go to it. Prints how many nodes were deleted.`,
		Example: `  ephemera history prune 1000`,
		Args:    command.ArgCount(1, 1, "KEEP, how many nodes to keep"),
		RunE: app.WithDatabase(func(db *command.Database, args []string) error {
			keep, err := command.ParseNumber("KEEP", args[0], "nodes")
			if err != nil {
				return err
			}
			deletedCount, err := db.Prune(keep)
			return app.Answer(pruneAnswer{Forgot: uint64(deletedCount)}, err)
		}),
	}
}

// listNodes calls writeNode with at most limit nodes of the history, the newest first, or with
// all of them if limit is 0. It returns how many.
func listNodes(
	view *chain.View,
	limit uint64,
	writeNode func(answer.Node) error,
) (listedCount uint64, err error) {
	tree, err := view.HistoryTree()
	if err != nil {
		return 0, err
	}
	snapshotNames, err := view.NamesByNode()
	if err != nil {
		return 0, err
	}

	const fromNewest = 0
	for storedNode, err := range view.History(fromNewest) {
		if err != nil {
			return listedCount, err
		}
		if limit > 0 && listedCount == limit {
			break
		}

		// Add what is not stored in the node: the names of its snapshots, and whether it led
		// to the present state.
		node := answer.NodeOf(view, storedNode)
		node.Snapshots = snapshotNames[storedNode.ID]
		node.Current = tree.IsOnPath(storedNode.ID, view.Head)
		if err := writeNode(node); err != nil {
			return listedCount, err
		}
		listedCount++
	}
	return listedCount, nil
}

// writeHistory writes a line for each node; see listNodes for limit. A star marks the head. If
// it has written all nodes, it says how many older ones were pruned.
func writeHistory(w *bufio.Writer, view *chain.View, limit uint64) error {
	state, err := view.HistoryState()
	if err != nil {
		return err
	}
	listedCount, err := listNodes(view, limit, func(node answer.Node) error {
		headMark := ' '
		remarks := ""
		switch {
		case node.ID == view.Head:
			headMark = '*'
		case !node.Current:
			remarks = " · not in force"
		}

		// Name the parent of the node if that is not the node with the number before it.
		if node.Parent+1 != node.ID {
			remarks += fmt.Sprintf(" · after %d", node.Parent)
		}
		if node.Batch != 0 {
			remarks += fmt.Sprintf(" · batch %d", node.Batch)
		}
		_, err := fmt.Fprintf(w, "%c %d %s%s\n", headMark, node.ID, node.Line(), remarks)
		return err
	})
	if err != nil {
		return err
	}

	// If the limit has cut the list, older nodes do exist, so don't speak of pruned ones.
	if listedCount == state.NodeCount() && state.PrunedCount > 0 {
		_, err := fmt.Fprintf(w, "  %s older ones were pruned\n", human.Thousands(state.PrunedCount))
		return err
	}
	return nil
}
