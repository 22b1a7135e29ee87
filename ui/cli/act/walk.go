package act

import (
	"github.com/spf13/cobra"

	"ephemera/core/chain"
	"ephemera/core/chain/history"
	"ephemera/ui/cli/answer"
	"ephemera/ui/cli/command"
)

// walked is a walk over the history as it is written: what was undone or done
// again, in that order, and where the chain is now.
type walked struct {
	Undone []answer.Node `wire:"undone,optional"`
	Redone []answer.Node `wire:"redone,optional"`
	Head   history.ID    `wire:"head"`
	Block  answer.Block  `wire:"block"`
}

func undoCommand(a *command.App) *cobra.Command {
	return &cobra.Command{
		Use:   "undo [N]",
		Short: "Go back to before the last N messages or moves of the clock",
		Long: `Goes back to before the last N messages or clock moves that changed anything,
one where N is left out, and says what it undid. Nothing is lost: redo goes
forward.`,
		Example: `  ephemera undo
  ephemera undo 3`,
		Args: command.ArgCount(0, 1, "at most one number N"),
		RunE: a.WithDatabase(func(db *command.Database, args []string) error {
			return step(a, db, args, db.Undo, func(w *walked) *[]answer.Node { return &w.Undone })
		}),
	}
}

func redoCommand(a *command.App) *cobra.Command {
	return &cobra.Command{
		Use:   "redo [N]",
		Short: "Go forward over the next N messages or moves of the clock",
		Long: `Goes forward over the next N messages or clock moves that changed anything, one
where N is left out: the way that undo came, or else along the oldest branch.`,
		Example: `  ephemera redo`,
		Args:    command.ArgCount(0, 1, "at most one number N"),
		RunE: a.WithDatabase(func(db *command.Database, args []string) error {
			return step(a, db, args, db.Redo, func(w *walked) *[]answer.Node { return &w.Redone })
		}),
	}
}

func step(a *command.App, db *command.Database, args []string, walk func(int) (chain.Walked, error), over func(*walked) *[]answer.Node) error {
	n := 1
	if len(args) > 0 {
		var err error
		if n, err = command.ParseNumber("N", args[0], "steps"); err != nil {
			return err
		}
	}
	way, err := walk(n)
	if err != nil {
		return err
	}
	return db.View(func(v *chain.View) error {
		out := walked{Head: way.Head, Block: answer.ClockOf(way.Clock)}
		nodes := over(&out)
		for _, n := range way.Nodes {
			node := answer.NodeOf(v, n)
			node.Current = nodes == &out.Redone
			*nodes = append(*nodes, node)
		}
		return a.Answer(out, nil)
	})
}

func gotoCommand(a *command.App) *cobra.Command {
	return &cobra.Command{
		Use:   "goto NAME|NODE",
		Short: "Go to a snapshot or to a node of the history, on any branch",
		Example: `  ephemera goto before-the-sale
  ephemera goto 12`,
		Args:              command.ArgCount(1, 1, "the name of a snapshot, or the number of a node"),
		ValidArgsFunction: command.FirstArg(a.CompleteSnapshots),
		RunE: a.WithDatabase(func(db *command.Database, args []string) error {
			way, err := db.Goto(args[0])
			return a.Answer(walked{Head: way.Head, Block: answer.ClockOf(way.Clock)}, err)
		}),
	}
}

// snapshot is a name on a node, as it is written.
type snapshot struct {
	Name string     `wire:"name"`
	Node history.ID `wire:"node"`
}

func snapshotCommand(a *command.App) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "snapshot NAME",
		Short: "Name the place where the history stands, to come back to with goto",
		Long: `Names the place where the history stands, to come back to with goto. A name that
is also a command below is given behind two dashes: snapshot -- delete.`,
		Example: `  ephemera snapshot before-the-sale`,
		Args:    command.ArgCount(1, 1, "one NAME"),
		RunE: a.WithDatabase(func(db *command.Database, args []string) error {
			return printSnapshot(a, args[0])(db.Snapshot(args[0], 0))
		}),
	}
	cmd.AddCommand(snapshotListCommand(a), snapshotRenameCommand(a), snapshotDeleteCommand(a))
	return cmd
}

func snapshotListCommand(a *command.App) *cobra.Command {
	return &cobra.Command{
		Use:     "list",
		Short:   "List the snapshots",
		Example: `  ephemera snapshot list`,
		Args:    command.ArgCount(0, 0, "no argument"),
		RunE: a.WithView(func(v *chain.View, _ []string) error {
			names, err := v.Snapshots()
			all := []snapshot{}
			for _, n := range names {
				all = append(all, snapshot{n.Name, n.ID})
			}
			return a.Answer(all, err)
		}),
	}
}

func snapshotRenameCommand(a *command.App) *cobra.Command {
	return &cobra.Command{
		Use:               "rename NAME TO",
		Short:             "Give a snapshot another name",
		Example:           `  ephemera snapshot rename before-the-sale before`,
		Args:              command.ArgCount(2, 2, "NAME and the name that it is TO have"),
		ValidArgsFunction: command.FirstArg(a.CompleteSnapshots),
		RunE: a.WithDatabase(func(db *command.Database, args []string) error {
			return printSnapshot(a, args[1])(db.RenameSnapshot(args[0], args[1]))
		}),
	}
}

func snapshotDeleteCommand(a *command.App) *cobra.Command {
	return &cobra.Command{
		Use:   "delete NAME",
		Short: "Delete a snapshot's name; the history stays as it is",
		Long: `Deletes the name and nothing else: what happened stays in the history, and can
be gone to by the node's number, which is printed. Undo does not bring the name
back; goto NODE and snapshot NAME do.`,
		Example:           `  ephemera snapshot delete before-the-sale`,
		Args:              command.ArgCount(1, 1, "the NAME of a snapshot"),
		ValidArgsFunction: command.FirstArg(a.CompleteSnapshots),
		RunE: a.WithDatabase(func(db *command.Database, args []string) error {
			return printSnapshot(a, args[0])(db.DeleteSnapshot(args[0]))
		}),
	}
}

// printSnapshot prints a name with the node that has it, or had.
func printSnapshot(a *command.App, name string) func(history.ID, error) error {
	return func(at history.ID, err error) error { return a.Answer(snapshot{name, at}, err) }
}
