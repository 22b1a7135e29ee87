package cli

import (
	"github.com/spf13/cobra"

	"ephemera/core/chain"
	"ephemera/core/wire"
)

func (a *app) clockCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "clock",
		Short: "Show and move the block clock",
		Long: `Shows the block: its height and time, and what expires next. The commands
below move it, and only forward: going back is undo.`,
		Example: `  ephemera clock
  ephemera clock next --before`,
		Args: wants(0, 0, "no argument, or advance, set or next"),
		RunE: a.inDatabase(func(db *Database, _ []string) error {
			return db.View(func(v *chain.View) error {
				next, err := v.NextEnd()
				if err != nil {
					return err
				}
				return a.print(wire.Compact(momentOf(v, chain.Move{To: v.Clock, Next: next})))
			})
		}),
	}
	cmd.AddCommand(a.clockAdvanceCommand(), a.clockSetCommand(), a.clockNextCommand())
	return cmd
}

func (a *app) clockAdvanceCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "advance DISTANCE",
		Short: "Move the clock by blocks, by a duration, or by both",
		Long: `Moves the clock. N blocks take N times the seconds per block; a duration brings
as many whole blocks as fit into it.`,
		Example: `  ephemera clock advance 10blocks
  ephemera clock advance 90m
  ephemera clock advance '10blocks 90m'`,
		Args: wants(1, -1, "a distance such as 10blocks or 90m"),
		RunE: a.inDatabase(func(db *Database, args []string) error {
			step, err := parseStep(args)
			if err != nil {
				return err
			}
			return a.move(db, step)
		}),
	}
}

func (a *app) clockSetCommand() *cobra.Command {
	var height, at string
	cmd := &cobra.Command{
		Use:     "set [--height HEIGHT] [--time TIME]",
		Short:   "Set the height, the time or both, and leave the other alone",
		Example: `  ephemera clock set --height 1110 --time 2026-12-01T09:00:00Z`,
		Args:    wants(0, 0, "--height, --time or both"),
	}
	cmd.RunE = a.inDatabase(func(db *Database, _ []string) error {
		step, err := settings(height, at)
		if err != nil {
			return err
		}
		return a.move(db, step)
	})
	cmd.Flags().StringVar(&height, "height", "", "block `HEIGHT` to go to")
	cmd.Flags().StringVar(&at, "time", "", "block `TIME` to go to, in nanoseconds, or like 2026-12-01T09:00:00Z or \"2026-12-01 09:00\"")
	return cmd
}

func settings(height, at string) (step chain.Step, err error) {
	if height == "" && at == "" {
		return step, misused("clock set: expected --height, --time or both")
	}
	if height != "" {
		h, err := parseHeight("--height", height)
		if err != nil {
			return step, err
		}
		step.Height = &h
	}
	if at != "" {
		t, err := parseTime("--time", at)
		if err != nil {
			return step, err
		}
		step.Time = &t
	}
	return step, nil
}

func (a *app) clockNextCommand() *cobra.Command {
	var before bool
	cmd := &cobra.Command{
		Use:   "next [--before]",
		Short: "Move the clock to what expires next",
		Long: `Moves the clock to the earliest expiry; a height is ranked by its estimated
time. Where nothing will expire it says so and does nothing.`,
		Example: `  ephemera clock next
  ephemera clock next --before`,
		Args: wants(0, 0, "no argument"),
	}
	cmd.RunE = a.inDatabase(func(db *Database, _ []string) error {
		return a.move(db, chain.Step{ToNext: true, Before: before})
	})
	cmd.Flags().BoolVar(&before, "before", false, "stop one block or one nanosecond before it")
	return cmd
}

func (a *app) move(db *Database, step chain.Step) error {
	m, err := db.Advance(step)
	if err != nil {
		return err
	}
	return db.View(func(v *chain.View) error { return a.print(wire.Compact(momentOf(v, m))) })
}
