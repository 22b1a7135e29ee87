package ask

import (
	"github.com/spf13/cobra"

	"ephemera/core/chain"
	"ephemera/core/chain/history"
	"ephemera/core/cw721"
	"ephemera/core/explain"
	"ephemera/core/wire"
	"ephemera/ui/cli/command"
)

// finding is one grant that surprises people.
type finding struct {
	Danger  explain.Danger `wire:"danger"`
	Text    string         `wire:"text"`
	TokenID *string        `wire:"token_id"`
	// Node is the message that brought it about, where that is known.
	Node *history.ID `wire:"node"`
	// Cure is nil where nobody can revoke it.
	Cure *cure `wire:"cure"`
}

// cure is who can revoke it, and the message that does; empty where it takes more
// than one message.
type cure struct {
	Sender  cw721.Address `wire:"sender"`
	Name    string        `wire:"sender_name,optional"`
	Message wire.Raw      `wire:"message,optional"`
}

func danglingCommand(a *command.App) *cobra.Command {
	var exitCode bool
	cmd := &cobra.Command{
		Use:   "dangling",
		Short: "List the grants that surprise people",
		Long: `Lists grants that people tend to forget or to misjudge: an approval whose giver
may no longer give it, an old operator who reaches a token that came back, an
expiry in the wrong unit, a grant that never expires, an offer that has expired.
Each with the message that takes it away, where there is one.`,
		Example: `  ephemera dangling`,
		Args:    command.ArgCount(0, 0, "no argument"),
		RunE: a.WithView(func(v *chain.View, _ []string) error {
			all := []finding{}
			for f, err := range explain.Dangling(v) {
				if err != nil {
					return err
				}
				all = append(all, findingOf(v, f))
			}
			return command.RefusedIf(exitCode && len(all) > 0, a.Answer(all, nil))
		}),
	}
	cmd.Flags().BoolVar(&exitCode, "exit-code", false, "exit with status 1 where there is any")
	return cmd
}

func findingOf(v *chain.View, f explain.Finding) finding {
	out := finding{Danger: f.Danger, Text: f.Text, TokenID: f.Token}
	if f.Node != 0 {
		out.Node = &f.Node
	}
	if f.By != "" {
		out.Cure = &cure{Sender: f.By, Name: v.NameOf(f.By)}
	}
	if f.Remedy != nil {
		out.Cure.Message = cw721.Encode(f.Remedy)
	}
	return out
}
