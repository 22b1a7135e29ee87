package cli

import (
	"github.com/spf13/cobra"

	"ephemera/core/chain"
	"ephemera/core/chain/history"
	"ephemera/core/cw721"
	"ephemera/core/wire"
)

// finding is one right that surprises people.
type finding struct {
	Danger chain.Danger `wire:"danger"`
	Text   string       `wire:"text"`
	Token  *string      `wire:"token"`
	// Node is the message that brought it about, where that is known.
	Node *history.ID `wire:"node"`
	// By may send Cure, which ends it.
	By   cw721.Address `wire:"by,optional"`
	Cure wire.Raw      `wire:"cure,optional"`
}

func (a *app) danglingCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "dangling",
		Short: "List the rights that surprise people",
		Long: `Lists rights that people tend to forget or to misjudge: an approval whose giver
has lost the right, an operator of old who reaches a token that came back, an
end in the wrong unit, a grant without end, an offer that has lapsed. Each with
the message that ends it, where there is one.`,
		Example: `  ephemera dangling`,
		Args:    wants(0, 0, "no argument"),
		RunE: a.inDatabase(func(db *Database, _ []string) error {
			all := []finding{}
			err := db.View(func(v *chain.View) error {
				for f, err := range v.Dangling() {
					if err != nil {
						return err
					}
					all = append(all, findingOf(f))
				}
				return nil
			})
			if err != nil {
				return err
			}
			return a.print(wire.Compact(all))
		}),
	}
}

func findingOf(f chain.Finding) finding {
	out := finding{Danger: f.Danger, Text: f.Text, Token: f.Token, By: f.By}
	if f.Node != 0 {
		out.Node = &f.Node
	}
	if f.Cure != nil {
		out.Cure = cw721.Encode(f.Cure)
	}
	return out
}
