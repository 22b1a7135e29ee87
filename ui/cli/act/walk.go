package act

import (
	"bufio"
	"fmt"

	"github.com/spf13/cobra"

	"ephemera/core/chain"
	"ephemera/core/chain/history"
	"ephemera/ui/cli/answer"
	"ephemera/ui/cli/command"
)

// walkAnswer is the answer of undo, redo and goto, in JSON.
type walkAnswer struct {
	Undone []answer.Node `wire:"undone,optional"` // the nodes that undo went back over
	Redone []answer.Node `wire:"redone,optional"` // the nodes that redo went forward over
	Head   history.ID    `wire:"head"`            // the current node afterwards
	Block  answer.Block  `wire:"block"`           // the block of the clock afterwards
}

// WriteWords writes a line for each node, and one for where the history is then.
func (w walkAnswer) WriteWords(out *bufio.Writer) {
	for _, node := range w.Undone {
		fmt.Fprintln(out, "undone:", node.Line()) // Flush returns its error
	}
	for _, node := range w.Redone {
		fmt.Fprintln(out, "redone:", node.Line())
	}
	fmt.Fprintf(out, "now at node %d: %s\n", w.Head, w.Block.Line())
}

func undoCommand(app *command.App) *cobra.Command {
	return &cobra.Command{
		Use:   "undo [N]",
		Short: "Go back to before the last N messages or moves of the clock",
		Long: `Goes back to before the last N messages or clock moves that changed anything, by
default one, and prints what it undid. The messages of a batch, which the
explorer sent together, count as one. Nothing is lost: redo goes forward.`,
		Example: `  ephemera undo
  ephemera undo 3`,
		Args: command.ArgCount(0, 1, "at most one number N"),
		RunE: app.WithDatabase(func(db *command.Database, args []string) error {
			nodes, undoAnswer, err := walk(db, args, db.Undo)
			undoAnswer.Undone = nodes
			return app.Answer(undoAnswer, err)
		}),
	}
}

func redoCommand(app *command.App) *cobra.Command {
	return &cobra.Command{
		Use:   "redo [N]",
		Short: "Go forward over the next N messages or moves of the clock",
		Long: `Goes forward over the next N messages or clock moves that changed anything, by
default one: the way that undo came, or else along the oldest branch. The
messages of a batch count as one.`,
		Example: `  ephemera redo`,
		Args:    command.ArgCount(0, 1, "at most one number N"),
		RunE: app.WithDatabase(func(db *command.Database, args []string) error {
			nodes, redoAnswer, err := walk(db, args, db.Redo)
			for i := range nodes {
				nodes[i].Current = true // what was redone is in force again
			}
			redoAnswer.Redone = nodes
			return app.Answer(redoAnswer, err)
		}),
	}
}

// walk calls undoOrRedo, a method of db, with the argument N, or with 1 without one. It returns
// the nodes that were gone over, and the answer without them.
func walk(
	db *command.Database,
	args []string,
	undoOrRedo func(count int) (chain.WalkResult, error),
) (nodes []answer.Node, answerWithoutNodes walkAnswer, err error) {
	count := 1
	if len(args) > 0 {
		count, err = command.ParseNumber("N", args[0], "steps")
	}
	if err != nil {
		return nil, walkAnswer{}, err
	}
	walked, err := undoOrRedo(count)
	if err != nil {
		return nil, walkAnswer{}, err
	}
	err = db.View(func(view *chain.View) error {
		for _, node := range walked.Nodes {
			nodes = append(nodes, answer.NodeOf(view, node))
		}
		return nil
	})
	return nodes, walkAnswer{Head: walked.Head, Block: answer.ClockOf(walked.Clock)}, err
}

func gotoCommand(app *command.App) *cobra.Command {
	return &cobra.Command{
		Use:   "goto NAME|NODE",
		Short: "Go to a snapshot or to a node of the history, on any branch",
		Example: `  ephemera goto before-the-sale
  ephemera goto 12`,
		Args:              command.ArgCount(1, 1, "the name of a snapshot, or the number of a node"),
		ValidArgsFunction: command.FirstArg(app.Complete(command.PointsOfHistory)),
		RunE: app.WithDatabase(func(db *command.Database, args []string) error {
			walked, err := db.Goto(args[0])
			return app.Answer(walkAnswer{Head: walked.Head, Block: answer.ClockOf(walked.Clock)}, err)
		}),
	}
}

// snapshotAnswer is a snapshot, in JSON: a name for a node of the history.
type snapshotAnswer struct {
	Name string     `wire:"name"`
	Node history.ID `wire:"node"`
}

func snapshotCommand(app *command.App) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "snapshot NAME",
		Short: "Name the current node of the history, to come back to with goto",
		Long: `Names the current node of the history, to come back to with goto. If NAME is also
a command below, write it after two dashes: snapshot -- delete.`,
		Example: `  ephemera snapshot before-the-sale`,
		Args:    command.ArgCount(1, 1, "one NAME"),
		RunE: app.WithDatabase(func(db *command.Database, args []string) error {
			node, err := db.Snapshot(args[0], 0) // 0 is the current node
			return app.Answer(snapshotAnswer{Name: args[0], Node: node}, err)
		}),
	}
	cmd.AddCommand(snapshotListCommand(app), snapshotRenameCommand(app), snapshotDeleteCommand(app))
	return cmd
}

func snapshotListCommand(app *command.App) *cobra.Command {
	return &cobra.Command{
		Use:     "list",
		Short:   "List the snapshots",
		Example: `  ephemera snapshot list`,
		Args:    command.NoArgs,
		RunE: app.WithView(func(view *chain.View, _ []string) error {
			snapshots, err := view.Snapshots()
			if err != nil {
				return err
			}
			answers := []snapshotAnswer{} // [] and not null
			for _, snapshot := range snapshots {
				answers = append(answers, snapshotAnswer{Name: snapshot.Name, Node: snapshot.ID})
			}
			return app.Answer(answers, nil)
		}),
	}
}

func snapshotRenameCommand(app *command.App) *cobra.Command {
	return &cobra.Command{
		Use:               "rename NAME TO",
		Short:             "Give a snapshot another name",
		Example:           `  ephemera snapshot rename before-the-sale before`,
		Args:              command.ArgCount(2, 2, "NAME and the new name TO"),
		ValidArgsFunction: command.FirstArg(app.Complete(command.SnapshotNames)),
		RunE: app.WithDatabase(func(db *command.Database, args []string) error {
			node, err := db.RenameSnapshot(args[0], args[1])
			return app.Answer(snapshotAnswer{Name: args[1], Node: node}, err)
		}),
	}
}

func snapshotDeleteCommand(app *command.App) *cobra.Command {
	return &cobra.Command{
		Use:   "delete NAME",
		Short: "Delete a snapshot's name; the history stays as it is",
		Long: `Deletes only the name. The node stays in the history, and goto takes its number,
which is printed. Undo does not restore the name; goto NODE and then snapshot
NAME do.`,
		Example:           `  ephemera snapshot delete before-the-sale`,
		Args:              command.ArgCount(1, 1, "the NAME of a snapshot"),
		ValidArgsFunction: command.FirstArg(app.Complete(command.SnapshotNames)),
		RunE: app.WithDatabase(func(db *command.Database, args []string) error {
			node, err := db.DeleteSnapshot(args[0])
			return app.Answer(snapshotAnswer{Name: args[0], Node: node}, err)
		}),
	}
}
