package act

import (
	"errors"

	"github.com/spf13/cobra"

	"ephemera/core/chain"
	"ephemera/core/wire"
	"ephemera/ui/cli/command"
)

func execCommand(a *command.App) *cobra.Command {
	var as string
	var dry bool
	cmd := &cobra.Command{
		Use:        "exec --as WHO MSG",
		SuggestFor: []string{"execute"},
		Short:      "Run one execute message",
		Long: `Runs one execute message in the block of the clock and prints the contract's
attributes and messages. With --dry-run it prints the same and changes nothing.
From stdin (-) it takes many messages, one JSON value after another, and prints
an answer a line. A member of MSG that the contract ignores is told on stderr.`,
		Example: `  ephemera exec --as creator '{"mint":{"token_id":"1","owner":"$creator"}}'`,
		Args:    command.ArgCount(1, 1, "one MSG"),
	}
	cmd.RunE = a.WithMessage(func(db *command.Database, msg []byte) error {
		sender, err := command.ResolveWho(db, "--as", as)
		if err != nil {
			return err
		}
		run := db.Execute
		if dry {
			run = db.Preview
		}
		receipt, err := run(sender, msg)
		if err != nil {
			return err
		}
		a.PrintNotes(receipt)
		if receipt.Refusal != nil {
			return errors.Join(receipt.Refusal, command.DifferenceError(receipt))
		}
		return errors.Join(a.PrintAnswer(wire.Encode(receipt.Response)), command.DifferenceError(receipt))
	})
	a.AsFlag(cmd, &as)
	cmd.Flags().BoolVar(&dry, "dry-run", false, "tell what would happen, and change nothing")
	return cmd
}

func queryCommand(a *command.App) *cobra.Command {
	return &cobra.Command{
		Use:     "query MSG",
		Short:   "Answer one query message",
		Example: `  ephemera query '{"owner_of":{"token_id":"1"}}'`,
		Args:    command.ArgCount(1, 1, "one MSG"),
		RunE: a.WithMessage(func(db *command.Database, msg []byte) error {
			var answer []byte
			err := db.View(func(v *chain.View) (err error) {
				answer, err = v.Query(msg)
				a.PrintNotes(chain.Receipt{Debug: v.Debug})
				return err
			})
			if err != nil && !command.Is[*chain.DifferenceError](err) {
				return err
			}
			return errors.Join(a.PrintAnswer(answer), err)
		}),
	}
}
