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
	cmd := &cobra.Command{
		Use:   "probe --as WHO MSG",
		Short: "Try one message right before an expiry, at it, and right after it",
		Long: `Tries one execute message right before the expiry at which the answer changes,
at that expiry, and right after it, and changes nothing. A grant has expired in
the very block that it names. Of several grants it is the one that expires last;
of grants that have all expired, the one that expired last. --height or --time
names another moment.`,
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
		if a.global.json {
			return a.print(wire.Compact(probeOf(rows, around)))
		}
		return a.writeText(func(w *bufio.Writer) error { return probeText(w, rows, around) })
	})
	a.asFlag(cmd, &as)
	cmd.Flags().StringVar(&height, "height", "", "probe around block `HEIGHT`")
	cmd.Flags().StringVar(&at, "time", "", "probe around block `TIME`, in nanoseconds, or like 2026-12-01T09:00:00Z or \"2026-12-01 09:00\"")
	return cmd
}

// boundary reads the end to probe, nil for the one that decides.
func boundary(height, at string) (*cw721.Expiration, error) {
	if height == "" && at == "" {
		return nil, nil
	}
	if height != "" && at != "" {
		return nil, misused("--height and --time: expected one of them, as an expiry is either")
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
	fmt.Fprintf(w, "It expires at %s.\n", chain.End(end)) // Flush gives its error
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
	if explain.Steady(rows) {
		fmt.Fprintln(w, "The answer is the same on both sides: another grant carries on beyond this expiry.")
	}
	return nil
}
