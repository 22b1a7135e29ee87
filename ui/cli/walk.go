package cli

import (
	"github.com/spf13/cobra"

	"ephemera/core/chain"
	"ephemera/core/chain/history"
	"ephemera/core/wire"
)

// walked is a walk over the history as it is written: what was undone or done
// again, in that order, and where the chain is now.
type walked struct {
	Undone []node     `wire:"undone,optional"`
	Redone []node     `wire:"redone,optional"`
	Head   history.ID `wire:"head"`
	Block  block      `wire:"block"`
}

func (a *app) undoCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "undo [N]",
		Short: "Go back to before the last N messages or moves of the clock",
		Long: `Goes back to before the last N messages or clock moves that changed anything,
one where N is left out, and says what it undid. Nothing is lost: redo goes
forward.`,
		Example: `  ephemera undo
  ephemera undo 3`,
		Args: wants(0, 1, "at most one number N"),
		RunE: a.inDatabase(func(db *Database, args []string) error {
			return a.step(db, args, db.Undo, func(w *walked, nodes []node) { w.Undone = nodes })
		}),
	}
}

func (a *app) redoCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "redo [N]",
		Short: "Go forward over the next N messages or moves of the clock",
		Long: `Goes forward over the next N messages or clock moves that changed anything, one
where N is left out: the way that undo came, or else along the oldest branch.`,
		Example: `  ephemera redo`,
		Args:    wants(0, 1, "at most one number N"),
		RunE: a.inDatabase(func(db *Database, args []string) error {
			return a.step(db, args, db.Redo, func(w *walked, nodes []node) {
				for i := range nodes {
					nodes[i].Current = true
				}
				w.Redone = nodes
			})
		}),
	}
}

func (a *app) step(db *Database, args []string, walk func(int) (chain.Walked, error), keep func(*walked, []node)) error {
	n, err := parseCount(args)
	if err != nil {
		return err
	}
	way, err := walk(n)
	if err != nil {
		return err
	}
	return db.View(func(v *chain.View) error {
		out := walked{Head: way.Head, Block: clockOf(way.Clock)}
		var nodes []node
		for _, n := range way.Nodes {
			nodes = append(nodes, nodeOf(v, n))
		}
		keep(&out, nodes)
		return a.print(wire.Compact(out))
	})
}

func (a *app) gotoCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "goto NAME|NODE",
		Short: "Go to a snapshot or to a node of the history, on any branch",
		Example: `  ephemera goto before-the-sale
  ephemera goto 12`,
		Args:              wants(1, 1, "the name of a snapshot, or the number of a node"),
		ValidArgsFunction: first(a.completeSnapshots),
		RunE: a.inDatabase(func(db *Database, args []string) error {
			way, err := db.Goto(args[0])
			if err != nil {
				return err
			}
			return a.print(wire.Compact(walked{Head: way.Head, Block: clockOf(way.Clock)}))
		}),
	}
}

// snapshot is a name on a node, as it is written.
type snapshot struct {
	Name string     `wire:"name"`
	Node history.ID `wire:"node"`
}

func (a *app) snapshotCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "snapshot NAME",
		Short: "Name the place where the history stands, to come back to with goto",
		Long: `Names the place where the history stands, to come back to with goto. A name that
is also a command below is given behind two dashes: snapshot -- delete.`,
		Example: `  ephemera snapshot before-the-sale`,
		Args:    wants(1, 1, "one NAME"),
		RunE: a.inDatabase(func(db *Database, args []string) error {
			return a.printSnapshot(args[0])(db.Snapshot(args[0], 0))
		}),
	}
	cmd.AddCommand(a.snapshotListCommand(), a.snapshotRenameCommand(), a.snapshotDeleteCommand())
	return cmd
}

func (a *app) snapshotListCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "list",
		Short:   "List the snapshots",
		Example: `  ephemera snapshot list`,
		Args:    wants(0, 0, "no argument"),
		RunE: a.inDatabase(func(db *Database, _ []string) error {
			return db.View(func(v *chain.View) error {
				names, err := v.Snapshots()
				if err != nil {
					return err
				}
				all := []snapshot{}
				for _, n := range names {
					all = append(all, snapshot{n.Name, n.ID})
				}
				return a.print(wire.Compact(all))
			})
		}),
	}
}

func (a *app) snapshotRenameCommand() *cobra.Command {
	return &cobra.Command{
		Use:               "rename NAME TO",
		Short:             "Give a snapshot another name",
		Example:           `  ephemera snapshot rename before-the-sale before`,
		Args:              wants(2, 2, "NAME and the name that it is TO have"),
		ValidArgsFunction: first(a.completeSnapshots),
		RunE: a.inDatabase(func(db *Database, args []string) error {
			return a.printSnapshot(args[1])(db.RenameSnapshot(args[0], args[1]))
		}),
	}
}

func (a *app) snapshotDeleteCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "delete NAME",
		Short: "Delete a snapshot's name; the history stays as it is",
		Long: `Deletes the name and nothing else: what happened stays in the history, and can
be gone to by the node's number, which is printed. Undo does not bring the name
back; goto NODE and snapshot NAME do.`,
		Example:           `  ephemera snapshot delete before-the-sale`,
		Args:              wants(1, 1, "the NAME of a snapshot"),
		ValidArgsFunction: first(a.completeSnapshots),
		RunE: a.inDatabase(func(db *Database, args []string) error {
			return a.printSnapshot(args[0])(db.DeleteSnapshot(args[0]))
		}),
	}
}

// printSnapshot prints a name with the node that has it, or had.
func (a *app) printSnapshot(name string) func(history.ID, error) error {
	return func(at history.ID, err error) error {
		if err != nil {
			return err
		}
		return a.print(wire.Compact(snapshot{name, at}))
	}
}
