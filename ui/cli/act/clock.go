package act

import (
	"strings"

	"github.com/spf13/cobra"

	"ephemera/core/chain"
	"ephemera/core/human"
	"ephemera/ui/cli/answer"
	"ephemera/ui/cli/command"
)

// clockCommand makes the command that prints the clock, and groups those that move it.
func clockCommand(a *command.App) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "clock",
		Short: "Show and move the block clock",
		Long: `Shows the block: its height and time, and what expires next. The commands
below move it, and only forward: going back is undo.`,
		Example: `  ephemera clock
  ephemera clock next --before`,
		Args: command.ArgCount(0, 0, "no argument, or advance, set or next"),
		RunE: a.WithView(func(v *chain.View, _ []string) error {
			next, err := v.NextExpiry()
			return a.Answer(clockAnswerOf(v, chain.Move{To: v.Clock, Next: next}), err)
		}),
	}
	cmd.AddCommand(clockAdvanceCommand(a), clockSetCommand(a), clockNextCommand(a))
	return cmd
}

// clockAdvanceCommand makes the command that moves the clock by blocks, a time or both.
func clockAdvanceCommand(a *command.App) *cobra.Command {
	return &cobra.Command{
		Use:   "advance DISTANCE",
		Short: "Move the clock by blocks, by a duration, or by both",
		Long: `Moves the clock. N blocks take N times the seconds per block; a duration brings
as many whole blocks as fit into it. A moment goes to its height or its time, as
clock set does.`,
		Example: `  ephemera clock advance 10blocks
  ephemera clock advance +10
  ephemera clock advance 90m
  ephemera clock advance '10blocks 90m'`,
		Args: command.ArgCount(1, -1, "a distance such as 10blocks or 90m"),
		RunE: a.WithDatabase(func(db *command.Database, args []string) error {
			step, isMoment, err := stepToMoment(db, args)
			if err == nil && !isMoment {
				step, err = command.ParseStep(args)
			}
			if err != nil {
				return err
			}
			return advanceClock(a, db, step)
		}),
	}
}

// clockSetCommand makes the command that sets the height or the time of the clock.
func clockSetCommand(a *command.App) *cobra.Command {
	var height, blockTime string
	cmd := &cobra.Command{
		Use:   "set [MOMENT] [--height HEIGHT] [--time TIME]",
		Short: "Set the height, the time or both, and leave the other alone",
		Long: `Sets the clock to MOMENT, such as h1110, +10, +90m or 2026-12-01T09:00:00Z, or to
the height and the time of the flags.`,
		Example: `  ephemera clock set h1110
  ephemera clock set --height 1111 --time 2026-12-01T09:00:00Z`,
		Args: command.ArgCount(0, -1, "a moment, or --height, --time or both"),
	}
	cmd.RunE = a.WithDatabase(func(db *command.Database, args []string) error {
		step, isMoment, err := stepToMoment(db, args)
		hasFlags := height != "" || blockTime != ""
		switch {
		case err != nil:
		case isMoment && hasFlags:
			err = command.UsageErrorf("clock set: expected a moment or flags, got both")
		case !isMoment && len(args) > 0:
			err = command.UsageErrorf("clock set: %q is no moment, expected one like h1110, +10, +90m or 2026-12-01T09:00:00Z", strings.Join(args, " "))
		case !isMoment:
			step, err = command.ParseClockSettings(height, blockTime)
		}
		if err != nil {
			return err
		}
		return advanceClock(a, db, step)
	})
	cmd.Flags().StringVar(&height, "height", "", "block `HEIGHT` to go to")
	cmd.Flags().StringVar(&blockTime, "time", "", "block `TIME` to go to, in nanoseconds, or like 2026-12-01T09:00:00Z or \"2026-12-01 09:00\"")
	return cmd
}

// stepToMoment reads words as a moment in the grammar of [human.MomentParser.Parse], such as
// "+10" or "h1110". isMoment is false for other words, such as "10blocks".
func stepToMoment(db *command.Database, words []string) (step chain.ClockStep, isMoment bool, err error) {
	text := strings.Join(words, " ")
	clock, err := chain.Read(db, func(v *chain.View) (chain.Clock, error) { return v.Clock, nil })
	if err != nil {
		return step, false, err
	}
	moment, parseErr := human.MomentParser{Exact: true}.Parse(text, clock.Block())
	if parseErr != nil {
		return step, false, nil
	}
	return chain.StepToMoment(text, moment, clock.Block()), true, nil
}

// clockNextCommand makes the command that moves the clock to the next expiry of a grant.
func clockNextCommand(a *command.App) *cobra.Command {
	var before bool
	cmd := &cobra.Command{
		Use:   "next [--before]",
		Short: "Move the clock to what expires next",
		Long: `Moves the clock to the earliest expiry; a height is ranked by its estimated
time. Where nothing will expire it says so and does nothing.`,
		Example: `  ephemera clock next
  ephemera clock next --before`,
		Args: command.ArgCount(0, 0, "no argument"),
	}
	cmd.RunE = a.WithDatabase(func(db *command.Database, _ []string) error {
		return advanceClock(a, db, chain.ClockStep{ToNext: true, Before: before})
	})
	cmd.Flags().BoolVar(&before, "before", false, "stop one block or one nanosecond before it")
	return cmd
}

// advanceClock moves the clock of a database, and prints where it is then.
func advanceClock(a *command.App, db *command.Database, step chain.ClockStep) error {
	move, err := db.Advance(step)
	if err != nil {
		return err
	}
	return db.View(func(v *chain.View) error { return a.Answer(clockAnswerOf(v, move), nil) })
}

// clockAnswer is the answer of the clock commands, in JSON.
type clockAnswer struct {
	Block answer.Block `wire:"block"`
	// Expired are the grants that expired in the move. HasMoreExpired is set if more
	// expired than are listed.
	Expired        []answer.Expiry `wire:"ended"`
	HasMoreExpired bool            `wire:"ended_more,optional"`
	// Next is the grant that expires next; nil if none will.
	Next *answer.Expiry `wire:"next"`
}

// clockAnswerOf returns the clock after a move as the commands print it in JSON, with the
// grant that expires next.
func clockAnswerOf(v *chain.View, move chain.Move) clockAnswer {
	out := clockAnswer{Block: answer.ClockOf(move.To), HasMoreExpired: move.HasMoreExpired}
	for _, entry := range move.Expired {
		out.Expired = append(out.Expired, answer.ExpiryOf(v, entry))
	}
	if move.Next != nil {
		out.Next = new(answer.ExpiryOf(v, *move.Next))
	}
	return out
}
