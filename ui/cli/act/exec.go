package act

import (
	"errors"

	"github.com/spf13/cobra"

	"ephemera/core/chain"
	"ephemera/core/explain"
	"ephemera/core/wire"
	"ephemera/ui/cli/command"
)

func execCommand(app *command.App) *cobra.Command {
	var senderName string
	var isDryRun bool
	cmd := &cobra.Command{
		Use:        "exec --as WHO MSG",
		SuggestFor: []string{"execute"},
		Short:      "Run one execute message",
		Long: `Runs one execute message in the block of the clock and prints the contract's
attributes and messages. With --dry-run it prints the same and changes nothing.
From stdin (-) it takes many messages, one JSON value after another, and answers
each in a line before it reads the next. Stderr names each member of MSG that the
contract ignores, and each rule that the contract tried if the sender lacks a
permission.`,
		Example: `  ephemera exec --as creator '{"mint":{"token_id":"1","owner":"$creator"}}'`,
		Args:    command.ArgCount(1, 1, "one MSG"),
	}
	cmd.RunE = app.WithMessage(func(db *command.Database, msg []byte) error {
		app.KeepsJSON = true
		sender, err := command.ResolveWho(db, "--as", senderName)
		if err != nil {
			return err
		}
		send := db.Execute
		if isDryRun {
			send = db.Preview
		}
		receipt, err := send(sender, msg)
		if err != nil {
			return err
		}

		app.PrintNotes(receipt)
		difference := command.DifferenceError(receipt)
		if receipt.Refusal == nil {
			return errors.Join(app.PrintAnswer(wire.Encode(receipt.Response)), difference)
		}

		// Print the rules that the contract tried, if the sender lacks a permission. In a
		// lesson, which shares its database, the lesson explains the refusal.
		decision := receipt.Refusal.Decision
		if decision != nil && app.SharedDatabase == nil {
			err = db.View(func(view *chain.View) error {
				for _, rule := range explain.ExplainDecision(view, decision).Rules {
					app.Errorf("rule %s", rule)
				}
				return nil
			})
		}
		return errors.Join(err, receipt.Refusal, difference)
	})
	app.AddAsFlag(cmd, &senderName)
	cmd.Flags().BoolVar(&isDryRun, "dry-run", false, "print what would happen, and change nothing")
	return cmd
}

func queryCommand(app *command.App) *cobra.Command {
	return &cobra.Command{
		Use:     "query MSG",
		Short:   "Answer one query message",
		Example: `  ephemera query '{"owner_of":{"token_id":"1"}}'`,
		Args:    command.ArgCount(1, 1, "one MSG"),
		RunE: app.WithMessage(func(db *command.Database, msg []byte) error {
			app.KeepsJSON = true
			return db.View(func(view *chain.View) error {
				response, err := view.Query(msg)
				app.PrintNotes(chain.Receipt{LogLines: view.LogLines, IgnoredMembers: view.IgnoredMembers})

				// If a compiled contract answers differently from the built-in one, print its
				// answer beside the difference.
				if err != nil && !command.IsError[*chain.DifferenceError](err) {
					return err
				}
				return errors.Join(app.PrintAnswer(response), err)
			})
		}),
	}
}
