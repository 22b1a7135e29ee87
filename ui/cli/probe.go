package cli

import (
	"bufio"
	"fmt"

	"github.com/spf13/cobra"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/explain"
	"ephemera/core/wire"
	"ephemera/ui/widget"
)

// probe is one message on both sides of an end.
type probe struct {
	Expires cw721.Expiration `wire:"expires"`
	Rows    []probeRow       `wire:"rows"`
}

type probeRow struct {
	// Offset is -1, 0 or 1 block or nanosecond from the end.
	Offset wire.Raw `wire:"offset"`
	Block  block    `wire:"block"`
	// Text says which rule lets the message pass.
	Text string `wire:"text,optional"`
	// Answer is what the contract answered; Error why it refused.
	Answer wire.Raw `wire:"answer,optional"`
	Error  *refusal `wire:"error"`
}

func (a *app) probeCommand() *cobra.Command {
	var as, height, at string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "probe --as WHO MSG",
		Short: "Try one message right before an end, at it, and right after it",
		Long: `Tries one execute message right before the end at which the answer changes, at
that end, and right after it, and changes nothing. At the end it is over:
equality decides. Of several rights it is the one that ends last; of rights that
are all over, the one that ended last. --height or --time names another end.`,
		Example: `  ephemera probe --as bob '{"transfer_nft":{"recipient":"$bob","token_id":"ape-0042"}}'`,
		Args:    wants(1, 1, "one MSG"),
	}
	cmd.RunE = a.withMessage(func(db *Database, msg []byte) error {
		end, err := boundary(height, at)
		if err != nil {
			return err
		}
		sender, err := who(db, "--as", as)
		if err != nil {
			return err
		}
		var rows []explain.Probed
		var around cw721.Expiration
		err = db.View(func(v *chain.View) (err error) {
			rows, around, err = explain.Probe(v, sender, msg, end)
			return err
		})
		if err != nil {
			return err
		}
		if asJSON {
			return a.print(wire.Compact(probeOf(rows, around)))
		}
		return a.writeText(func(w *bufio.Writer) error { return probeText(w, rows, around) })
	})
	a.asFlag(cmd, &as)
	cmd.Flags().StringVar(&height, "height", "", "end at block `HEIGHT`")
	cmd.Flags().StringVar(&at, "time", "", "end at block `TIME`, in nanoseconds, or like 2026-12-01T09:00:00Z or \"2026-12-01 09:00\"")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON value")
	return cmd
}

// boundary reads the end to probe, nil for the one that decides.
func boundary(height, at string) (*cw721.Expiration, error) {
	if height == "" && at == "" {
		return nil, nil
	}
	if height != "" && at != "" {
		return nil, misused("--height and --time: expected one of them, as an end is either")
	}
	step, err := settings(height, at)
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

func probeOf(rows []explain.Probed, end cw721.Expiration) probe {
	out := probe{Expires: end}
	for _, r := range rows {
		row := probeRow{Offset: fmt.Append(nil, r.Offset), Block: blockOf(r.Block), Text: r.By}
		if e := r.Receipt.Refusal; e != nil {
			why := refusalOf(e.Kind, e.Text, e.Field)
			row.Error = &why
		} else {
			row.Answer = wire.Encode(r.Receipt.Response)
		}
		out.Rows = append(out.Rows, row)
	}
	return out
}

func probeText(w *bufio.Writer, rows []explain.Probed, end cw721.Expiration) error {
	unit := "block"
	if end.Axis == cw721.AtTime {
		unit = "nanosecond"
	}
	fmt.Fprintf(w, "It ends at %s.\n", chain.End(end)) // Flush gives its error
	at, widest := make([]string, len(rows)), 0
	for i, r := range rows {
		at[i] = fmt.Sprintf("height %s  %s UTC", chain.Thousands(uint64(r.Block.Height)), chain.UTC(r.Block.Time))
		widest = max(widest, len(at[i]))
	}
	for i, r := range rows {
		place := "at the end"
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
	if explain.Steady(rows) {
		fmt.Fprintln(w, "The answer is the same on both sides: another right carries on beyond this end.")
	}
	return nil
}
