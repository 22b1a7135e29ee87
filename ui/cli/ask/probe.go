package ask

import (
	"bufio"
	"fmt"

	"github.com/spf13/cobra"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/explain"
	"ephemera/core/scenario"
	"ephemera/core/wire"
	"ephemera/ui/cli/answer"
	"ephemera/ui/cli/command"
	"ephemera/ui/widget"
)

// probe is one message on both sides of an expiry.
type probe struct {
	Expires cw721.Expiration `wire:"expires"`
	Rows    []probeRow       `wire:"rows"`
}

type probeRow struct {
	// Offset is -1, 0 or 1 block or nanosecond from the expiry.
	Offset wire.Raw     `wire:"offset"`
	Block  answer.Block `wire:"block"`
	// Text says which rule lets the message pass.
	Text string `wire:"text,optional"`
	// Answer is what the contract answered; Error why it refused.
	Answer wire.Raw        `wire:"answer,optional"`
	Error  *answer.Refusal `wire:"error"`
}

func probeCommand(a *command.App) *cobra.Command {
	var as, height, at, file string
	var force bool
	cmd := &cobra.Command{
		Use:   "probe --as WHO MSG",
		Short: "Try one message right before an expiry, at it, and right after it",
		Long: `Tries one execute message right before the expiry at which the answer changes,
at that expiry, and right after it, and changes nothing. A grant has expired in
the very block that it names. Of several grants it is the one that expires last;
of grants that have all expired, the one that expired last. --height or --time
names another moment. With --record the three are written as a scenario, behind
what made the collection what it is.`,
		Example: `  ephemera probe --as bob '{"transfer_nft":{"recipient":"$bob","token_id":"ape-0042"}}'
  ephemera probe --as bob --record bob.yaml '{"burn":{"token_id":"ape-0042"}}'`,
		Args: command.ArgCount(1, 1, "one MSG"),
	}
	cmd.RunE = a.WithMessage(func(db *command.Database, msg []byte) error {
		end, err := boundary(height, at)
		if err != nil {
			return err
		}
		sender, err := command.Who(db, "--as", as)
		if err != nil {
			return err
		}
		var rows []explain.ProbeRow
		var around cw721.Expiration
		var steps []scenario.Step
		err = db.View(func(v *chain.View) (err error) {
			rows, around, err = explain.Probe(v, sender, msg, end)
			if err == nil && file != "" {
				steps, err = scenario.ProbeSteps(v, sender, msg, rows)
			}
			return err
		})
		if err != nil {
			return err
		}
		if file != "" {
			return a.Record(db, file, force, scenario.HistoryPart{FinalSteps: steps})
		}
		return a.AnswerOr(probeOf(rows, around), func(w *bufio.Writer) { probeText(w, rows, around) })
	})
	a.AsFlag(cmd, &as)
	cmd.Flags().StringVar(&file, "record", "", "write the three tries to `FILE`, as a scenario")
	command.ForceFlag(cmd, &force)
	cmd.Flags().StringVar(&height, "height", "", "probe around block `HEIGHT`")
	cmd.Flags().StringVar(&at, "time", "", "probe around block `TIME`, in nanoseconds, or like 2026-12-01T09:00:00Z or \"2026-12-01 09:00\"")
	return cmd
}

// boundary reads the expiry to probe, nil for the one that decides.
func boundary(height, at string) (*cw721.Expiration, error) {
	if height == "" && at == "" {
		return nil, nil
	}
	if height != "" && at != "" {
		return nil, command.UsageErrorf("--height and --time: expected one of them, as an expiry is either")
	}
	step, err := command.Settings(height, at)
	if err != nil {
		return nil, err
	}
	end := cw721.Expiration{}
	if step.Height != nil {
		end = cw721.UntilHeight(*step.Height)
	} else {
		end = cw721.UntilTime(*step.Time)
	}
	return &end, nil
}

func probeOf(rows []explain.ProbeRow, end cw721.Expiration) probe {
	out := probe{Expires: end}
	for _, r := range rows {
		row := probeRow{Offset: fmt.Append(nil, r.Offset), Block: answer.BlockOf(r.Block), Text: r.By, Error: answer.RefusalOf(r.Receipt.Refusal)}
		if row.Error == nil {
			row.Answer = wire.Encode(r.Receipt.Response)
		}
		out.Rows = append(out.Rows, row)
	}
	return out
}

func probeText(w *bufio.Writer, rows []explain.ProbeRow, end cw721.Expiration) {
	unit := "block"
	if end.Axis == cw721.AtTime {
		unit = "nanosecond"
	}
	fmt.Fprintf(w, "It expires at %s.\n", chain.Expiry(end)) // Flush gives its error
	at, widest := make([]string, len(rows)), 0
	for i, r := range rows {
		at[i] = fmt.Sprintf("height %s  %s UTC", chain.Thousands(uint64(r.Block.Height)), chain.UTC(r.Block.Time))
		widest = max(widest, len(at[i]))
	}
	for i, r := range rows {
		place := "at that moment"
		switch {
		case r.Offset < 0:
			place = "one " + unit + " before"
		case r.Offset > 0:
			place = "one " + unit + " after"
		}
		answer := "✓ done: " + widget.Safe(r.By)
		if e := r.Receipt.Refusal; e != nil {
			answer = "✗ refused: " + widget.Safe(e.Text)
		}
		fmt.Fprintf(w, "  %-21s %-*s  %s\n", place, widest, at[i], answer)
	}
	if explain.SameOnBothSides(rows) {
		fmt.Fprintln(w, "The answer is the same on both sides: another grant carries on beyond this expiry.")
	}
}
