package storage

import (
	"context"

	"github.com/spf13/cobra"

	"ephemera/core/generate"
	"ephemera/ui/cli/command"
)

func generateCommand(a *command.App) *cobra.Command {
	plan := generate.Plan{Tokens: 1000, Grants: 100, Seed: 1}
	cmd := &cobra.Command{
		Use:   "generate",
		Short: "Make up a collection of any size, the same for the same seed",
		Long: `Fills a database that holds no collection with made-up tokens and grants. One
seed always makes the same collection; alice, bob, carol, dave, erin and frank
own more than the crowd of others, and minter and creator are who they say.`,
		Example: `  ephemera --db large generate --tokens 10000 --grants 1000 --seed 7`,
		Args:    command.ArgCount(0, 0, "no argument"),
		RunE: a.Begins(func(cmd *cobra.Command, _ []string) error {
			if err := plan.Check(); err != nil {
				return command.UsageErrorf("--%v", err)
			}
			return fill(a, cmd.Context(), plan)
		}),
	}
	cmd.Flags().IntVar(&plan.Tokens, "tokens", plan.Tokens, "how many tokens")
	cmd.Flags().IntVar(&plan.Grants, "grants", plan.Grants, "how many approvals and operator grants")
	cmd.Flags().Uint64Var(&plan.Seed, "seed", plan.Seed, "what the rest is drawn from")
	cmd.Flags().StringVar(&plan.Prefix, "prefix", plan.Prefix, "bech32 `PREFIX` of all addresses (cosmos)")
	return cmd
}

func fill(a *command.App, ctx context.Context, plan generate.Plan) error {
	start, err := plan.Genesis()
	if err != nil {
		return command.UsageErrorf("--%v", err)
	}
	return a.OnDatabase(a.WhereToFill(), func(db *command.Database) error {
		if err := load(a, ctx, db, start, plan.Records(), nil); err != nil {
			return err
		}
		return printImported(a, db)
	})
}
