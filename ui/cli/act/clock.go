package act

import (
	"bufio"
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/ui/cli/answer"
	"ephemera/ui/cli/command"
)

func clockCommand(app *command.App) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "clock",
		Short: "Show and move the block clock",
		Long: `Shows the block: its height and time, and what expires next. The commands
below move it, and only forward: going back is undo.`,
		Example: `  ephemera clock
  ephemera clock next --before`,
		Args: command.ArgCount(0, 0, "no argument, or advance, set or next"),
		RunE: app.WithView(func(view *chain.View, _ []string) error {
			next, err := view.NextExpiry()
			if err != nil {
				return err
			}
			return printClock(app, view, chain.Move{To: view.Clock, Next: next})
		}),
	}
	cmd.AddCommand(clockAdvanceCommand(app), clockSetCommand(app), clockNextCommand(app))
	return cmd
}

// momentForms describes the moments that the commands of the clock read, for their help.
const momentForms = `MOMENT is +10 for blocks from now, +90m or "+1d 6h" for a time from now,
h1110, or a date such as 2026-12-01T09:00:00Z. N blocks take N times the seconds
per block; a time from now brings as many whole blocks as fit into it. A height
or a date sets its own axis, and leaves the other as it is.`

func clockAdvanceCommand(app *command.App) *cobra.Command {
	return &cobra.Command{
		Use:   "advance MOMENT",
		Short: "Move the clock by blocks, by a duration, or by both",
		Long: `Moves the clock. ` + momentForms + `
The plus of a distance with a unit can be left out, and distances add up.`,
		Example: `  ephemera clock advance +10
  ephemera clock advance +90m
  ephemera clock advance h5000
  ephemera clock advance '10blocks 90m'`,
		Args: command.ArgCount(1, command.NoLimit, "a moment such as +10 or +90m"),
		RunE: app.WithDatabase(func(db *command.Database, args []string) error {
			step, err := parseStep(db, "clock advance", args)
			if err != nil {
				return err
			}
			return advanceClock(app, db, step)
		}),
	}
}

func clockSetCommand(app *command.App) *cobra.Command {
	var height, blockTime string
	cmd := &cobra.Command{
		Use:   "set [MOMENT] [--height HEIGHT] [--time TIME]",
		Short: "Set the height, the time or both, and leave the other alone",
		Long: `Sets the clock to MOMENT, or to the height and the time of the flags.
` + momentForms,
		Example: `  ephemera clock set h1110
  ephemera clock set 2026-12-01T09:00:00Z
  ephemera clock set --height 1111 --time 2026-12-01T09:00:00Z`,
		Args: command.ArgCount(0, command.NoLimit, "a moment, or --height, --time or both"),
	}

	// The step comes from the arguments or from the flags, but not from both.
	cmd.RunE = app.WithDatabase(func(db *command.Database, args []string) (err error) {
		var step chain.ClockStep
		switch {
		case len(args) == 0:
			step, err = command.ParseClockSettings(height, blockTime)
		case height != "" || blockTime != "":
			err = command.UsageErrorf("clock set: expected a moment or flags, got both")
		default:
			step, err = parseStep(db, "clock set", args)
		}
		if err != nil {
			return err
		}
		return advanceClock(app, db, step)
	})

	flags := cmd.Flags()
	flags.StringVar(&height, "height", "", "block `HEIGHT` to go to")
	flags.StringVar(&blockTime, "time", "", "block `TIME` to go to, in nanoseconds, or like 2026-12-01T09:00:00Z or \"2026-12-01 09:00\"")
	return cmd
}

func clockNextCommand(app *command.App) *cobra.Command {
	var stopsBefore bool
	cmd := &cobra.Command{
		Use:   "next [--before]",
		Short: "Move the clock to what expires next",
		Long: `Moves the clock to the earliest expiry; a height is ranked by its estimated
time. If nothing will expire, it changes nothing, and the status is 1.`,
		Example: `  ephemera clock next
  ephemera clock next --before`,
		Args: command.NoArgs,
	}
	cmd.RunE = app.WithDatabase(func(db *command.Database, _ []string) error {
		return advanceClock(app, db, chain.ClockStep{ToNext: true, StopsBefore: stopsBefore})
	})
	cmd.Flags().BoolVar(&stopsBefore, "before", false, "stop one block or one nanosecond before it")
	return cmd
}

func advanceClock(app *command.App, db *command.Database, step chain.ClockStep) error {
	move, err := db.Advance(step)
	if err != nil {
		return err
	}
	return db.View(func(view *chain.View) error { return printClock(app, view, move) })
}

// printClock prints the clock after a move, with the grants that expired and the one that
// expires next. Where the records of the contract cannot be read, stderr says that these
// are not known.
func printClock(app *command.App, view *chain.View, move chain.Move) error {
	if readErr := view.CheckReadable(); readErr != nil {
		app.Errorf("note: %v, so what expires is not known", readErr)
	}
	jsonClock := clockAnswer{Block: answer.ClockOf(move.To), HasMoreExpired: move.HasMoreExpired}
	for _, grant := range move.Expired {
		jsonClock.Expired = append(jsonClock.Expired, answer.ExpiryOf(view, grant))
	}
	if move.Next != nil {
		jsonClock.Next = new(answer.ExpiryOf(view, *move.Next))
	}
	return app.Answer(jsonClock, nil)
}

// clockAnswer is the answer of the clock commands, in JSON.
type clockAnswer struct {
	Block          answer.Block    `wire:"block"`
	Expired        []answer.Expiry `wire:"ended"`               // in the move
	HasMoreExpired bool            `wire:"ended_more,optional"` // more expired than are listed
	Next           *answer.Expiry  `wire:"next"`                // what expires next; nil if nothing will
}

// WriteWords writes the block, the grants that expired, and what expires next.
func (c clockAnswer) WriteWords(w *bufio.Writer) {
	fmt.Fprintln(w, c.Block.Line()) // Flush returns its error
	for _, grant := range c.Expired {
		fmt.Fprintln(w, "expired:", grant.Line())
	}
	if c.HasMoreExpired {
		fmt.Fprintln(w, "expired: more than these")
	}
	if c.Next != nil {
		fmt.Fprintln(w, "next:", c.Next.Line())
	}
}

// parseStep parses the words after a command as a step of the clock: either one moment, such
// as "+10" or "h1110", or distances with units and without a plus, such as "10 blocks 90m",
// which add up. It fails with a [*command.UsageError].
func parseStep(db *command.Database, commandName string, words []string) (step chain.ClockStep, err error) {
	now, err := chain.Read(db, func(view *chain.View) (cw721.Block, error) {
		return view.Clock.Block(), nil
	})
	if err != nil {
		return step, err
	}

	// The words may be one moment.
	text := strings.Join(words, " ")
	moment, momentErr := command.ParseMoment(commandName, text, now)
	if momentErr == nil {
		return chain.StepToMoment(text, moment, now), nil
	}

	// Otherwise they must be distances, which are added up from now. If they are not, return
	// momentErr, because it explains how to write a moment.
	reachedBlock := now
	for _, distance := range strings.Fields(joinUnits.Replace(text)) {
		if !distanceWithUnit.MatchString(distance) {
			return step, momentErr
		}
		endMoment, err := command.ParseMoment(commandName, "+"+distance, reachedBlock)
		if err != nil {
			return step, err
		}
		if endMoment.Axis == cw721.AtHeight {
			reachedBlock.Height = cw721.Height(endMoment.Value)
		} else {
			reachedBlock.Time = cw721.Time(endMoment.Value)
		}
	}
	step.Blocks = uint64(reachedBlock.Height - now.Height)
	step.Duration = time.Duration(reachedBlock.Time - now.Time)
	return step, nil
}

// joinUnits removes the blank before a unit, so that "10 blocks" becomes "10blocks".
var joinUnits = strings.NewReplacer(" blocks", "blocks", " block", "block")

// distanceWithUnit matches a number that is followed by a unit, such as 10blocks and 1h30m.
// A number without a unit could be a height or a number of blocks.
var distanceWithUnit = regexp.MustCompile(`^[0-9].*[a-z]`)
