package ask

import (
	"bufio"
	"fmt"
	"slices"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/explain"
	"ephemera/core/human"
	"ephemera/core/scenario"
	"ephemera/core/wire"
	"ephemera/ui/cli/answer"
	"ephemera/ui/cli/command"
	"ephemera/ui/widget"
)

// probeResult is the answer of probe, in JSON.
type probeResult struct {
	Expires cw721.Expiration `wire:"expires"`
	Rows    []probeRow       `wire:"rows"`
}

// probeRow is one of the three attempts.
type probeRow struct {
	// Offset is the distance from the expiry in blocks or nanoseconds: -1, 0 or 1.
	Offset wire.Raw     `wire:"offset"`
	Block  answer.Block `wire:"block"`
	// A refused message has only an Error; any other has the rule that allows it, and the
	// contract's response.
	AllowedBy string          `wire:"text,optional"`
	Answer    wire.Raw        `wire:"answer,optional"`
	Error     *answer.Refusal `wire:"error"`
}

// probe holds the flags of the command that tries a message before, at and after an expiry.
// At most one of at, height and time is set. If none is, the command finds the expiry at
// which the outcome of the message changes.
type probe struct {
	senderName string // the sender of the message
	at         string // the expiry in words, such as "+10"; or empty
	height     string // the expiry as a height; or empty
	time       string // the expiry as a time; or empty
	recordFile string // the file to which the attempts are written as a scenario; or empty
	force      bool   // whether to replace recordFile if it exists
}

func probeCommand(app *command.App) *cobra.Command {
	var p probe
	cmd := &cobra.Command{
		Use:   "probe --as WHO MSG",
		Short: "Try one message just before an expiry, at it, and just after it",
		Long: `Tries one execute message right before the expiry at which the answer changes,
at that expiry, and right after it, and changes nothing. A grant has expired in
the very block that it names. If several grants allow the message, it probes the
one that expires last; if all have expired, the one that expired last. --at names
another moment. With
--record it writes the three attempts as a scenario, after the messages that made
the collection.`,
		Example: `  ephemera probe --as bob '{"transfer_nft":{"recipient":"$bob","token_id":"ape-0042"}}'
  ephemera probe --as bob --record bob.yaml '{"burn":{"token_id":"ape-0042"}}'`,
		Args: command.ArgCount(1, 1, "one MSG"),
	}
	cmd.RunE = app.WithMessage(func(db *command.Database, msg []byte) error {
		return p.answer(app, db, msg)
	})
	app.AddAsFlag(cmd, &p.senderName)
	flags := cmd.Flags()
	flags.StringVar(&p.recordFile, "record", "", "write the three attempts to `FILE`, as a scenario")
	command.AddForceFlag(cmd, &p.force)

	// At most one of these flags may be given.
	flags.StringVar(&p.at, "at", "", "probe around `MOMENT`, such as h1110, +10, +90m or 2026-12-01T09:00:00Z")
	flags.StringVar(&p.height, "height", "", "probe around block `HEIGHT`")
	flags.StringVar(&p.time, "time", "", "probe around block `TIME`, in nanoseconds, or like 2026-12-01T09:00:00Z or \"2026-12-01 09:00\"")
	return cmd
}

// answer tries a message just before an expiry, at that expiry, and just after it. It prints
// the outcomes or, with --record, writes the attempts to a file as a scenario.
func (p probe) answer(app *command.App, db *command.Database, msg []byte) error {
	sender, err := command.ResolveWho(db, "--as", p.senderName)
	if err != nil {
		return err
	}

	// Try the message in a view, which changes nothing.
	var rows []explain.ProbeRow
	var expires cw721.Expiration
	var steps []scenario.Step
	err = db.View(func(view *chain.View) error {
		givenExpiry, err := p.givenExpiry(view.Clock.Block())
		if err != nil {
			return err
		}
		rows, expires, err = explain.Probe(view, sender, msg, givenExpiry)
		if err != nil {
			return err
		}
		if p.recordFile != "" {
			steps, err = scenario.ProbeSteps(view, sender, msg, rows)
		}
		return err
	})
	if err != nil {
		return err
	}

	// Write the scenario, with a name for each attempt, such as "one block before".
	if p.recordFile != "" {
		part := scenario.HistoryPart{FinalSteps: steps}
		for _, row := range rows {
			part.RowNames = append(part.RowNames, describeOffset(row.Offset, expires.Axis))
		}
		return app.RecordHistory(db, p.recordFile, p.force, part)
	}

	return app.AnswerOr(probeResultOf(rows, expires), func(w *bufio.Writer) {
		writeProbeResult(w, rows, expires)
	})
}

// givenExpiry returns the expiry that a flag names, or nil without one. A distance such as
// "+10" is counted from now. It fails with a [*command.UsageError] for several flags.
func (p probe) givenExpiry(now cw721.Block) (*cw721.Expiration, error) {
	givenTexts := slices.DeleteFunc([]string{p.at, p.height, p.time}, func(text string) bool { return text == "" })
	if len(givenTexts) == 0 {
		return nil, nil
	}
	if len(givenTexts) > 1 {
		return nil, command.UsageErrorf("--at, --height and --time: expected one of them, as an expiry is either a height or a time")
	}
	if p.at != "" {
		expires, err := command.ParseMoment("--at", p.at, now)
		return &expires, err
	}

	// The expiry is a height or a time.
	step, err := command.ParseClockSettings(p.height, p.time)
	if err != nil {
		return nil, err
	}
	if step.Height != nil {
		return new(cw721.UntilHeight(*step.Height)), nil
	}
	return new(cw721.UntilTime(*step.Time)), nil
}

func probeResultOf(rows []explain.ProbeRow, expires cw721.Expiration) probeResult {
	result := probeResult{Expires: expires}
	for _, row := range rows {
		jsonRow := probeRow{
			Offset:    fmt.Append(nil, row.Offset),
			Block:     answer.BlockOf(row.Block),
			AllowedBy: row.AllowedBy,
			Error:     answer.RefusalOf(row.Receipt.Refusal),
		}
		if jsonRow.Error == nil {
			jsonRow.Answer = wire.Encode(row.Receipt.Response)
		}
		result.Rows = append(result.Rows, jsonRow)
	}
	return result
}

// writeProbeResult writes the expiry, and a line for each attempt: the distance from the
// expiry, the block, and the outcome.
func writeProbeResult(w *bufio.Writer, rows []explain.ProbeRow, expires cw721.Expiration) {
	fmt.Fprintf(w, "It expires at %s.\n", human.Expiry(expires)) // Flush returns its error

	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0) // the outcomes stand in one column
	for _, row := range rows {
		outcome := "✓ done: " + widget.Safe(row.AllowedBy)
		if refusal := row.Receipt.Refusal; refusal != nil {
			outcome = "✗ refused: " + widget.Safe(refusal.Text)
		}
		fmt.Fprintf(
			table,
			"  %-21s height %s  %s UTC\t%s\n",
			describeOffset(row.Offset, expires.Axis),
			human.Thousands(uint64(row.Block.Height)),
			human.Time(row.Block.Time),
			outcome,
		)
	}
	table.Flush()
	if explain.SameOnBothSides(rows) {
		fmt.Fprintln(w, explain.SameAnswerText)
	}
}

// describeOffset says how far an attempt was from the expiry, such as "one block before". The
// unit is that of the expiry's axis.
func describeOffset(offset int, axis cw721.Axis) string {
	unit := "block"
	if axis == cw721.AtTime {
		unit = "nanosecond"
	}
	switch {
	case offset < 0:
		return "one " + unit + " before"
	case offset > 0:
		return "one " + unit + " after"
	}
	return "at that moment"
}
