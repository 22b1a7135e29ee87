package act

import (
	"github.com/spf13/cobra"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/ui/cli/command"
)

// Account is an account as it is written. Receiver tells how a contract takes
// a token that is sent to it; it is empty for a plain account.
type Account struct {
	Name     string         `wire:"name"`
	Address  cw721.Address  `wire:"address"`
	Receiver chain.Receiver `wire:"receiver,optional"`
}

func accountOf(prefix string, acc chain.Account) Account {
	out := Account{Name: acc.Name, Address: acc.Address}
	if found, err := acc.Found(prefix); err == nil && found != chain.ReceiverPlain {
		out.Receiver = found
	}
	return out
}

func accountsCommand(a *command.App) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "accounts",
		Short: "List and name accounts and contracts",
		Example: `  ephemera accounts
  ephemera accounts add alice`,
		Args: command.ArgCount(0, 0, "no argument, or add, contract or remove"),
		RunE: a.WithView(func(v *chain.View, _ []string) error {
			all, err := v.Accounts()
			list := []Account{}
			for _, acc := range all {
				list = append(list, accountOf(v.Prefix, acc))
			}
			return a.Answer(list, err)
		}),
	}
	cmd.AddCommand(accountsAddCommand(a), accountsContractCommand(a), accountsRemoveCommand(a))
	return cmd
}

func accountsAddCommand(a *command.App) *cobra.Command {
	return &cobra.Command{
		Use:   "add NAME [ADDRESS]",
		Short: "Name an address; without one the name gets an address of its own",
		Example: `  ephemera accounts add alice
  ephemera accounts add friend cosmos18lahs8g839gn2fk4rfs89q73gdpmye2s4nejvp`,
		Args: command.ArgCount(1, 2, "NAME and perhaps ADDRESS"),
		RunE: a.WithDatabase(func(db *command.Database, args []string) error {
			var address cw721.Address
			if len(args) == 2 {
				address = cw721.Address(args[1])
			}
			return keep(a, db)(db.AddAccount(args[0], address, chain.ReceiverDefault))
		}),
	}
}

func accountsContractCommand(a *command.App) *cobra.Command {
	return &cobra.Command{
		Use:       "contract NAME accepts|rejects",
		Short:     "Say how the contract of that name takes a token that is sent to it",
		Example:   `  ephemera accounts contract market accepts`,
		Args:      command.ArgCount(2, 2, "NAME and accepts or rejects"),
		ValidArgs: []string{string(chain.ReceiverAccepts), string(chain.ReceiverRejects)},
		RunE: a.WithDatabase(func(db *command.Database, args []string) error {
			how := chain.Receiver(args[1])
			if how != chain.ReceiverAccepts && how != chain.ReceiverRejects {
				return command.UsageErrorf("accounts contract: %q is no way to take a token, expected accepts or rejects", args[1])
			}
			return keep(a, db)(db.SetReceiver(args[0], how))
		}),
	}
}

func accountsRemoveCommand(a *command.App) *cobra.Command {
	return &cobra.Command{
		Use:   "remove NAME",
		Short: "Forget a name; what its address owns and may do stays",
		Example: `  ephemera accounts add visitor
  ephemera accounts remove visitor`,
		Args: command.ArgCount(1, 1, "one NAME"),
		RunE: a.WithDatabase(func(db *command.Database, args []string) error {
			var gone chain.Account
			err := db.View(func(v *chain.View) error {
				all, err := v.Accounts()
				for _, acc := range all {
					if acc.Name == args[0] {
						gone = acc
					}
				}
				return err
			})
			if err == nil {
				err = db.RemoveAccount(args[0])
			}
			return keep(a, db)(gone, err)
		}),
	}
}

// keep prints the account that was kept.
func keep(a *command.App, db *command.Database) func(chain.Account, error) error {
	return func(acc chain.Account, err error) error {
		cfg, _ := db.Config()
		return a.Answer(accountOf(cfg.Prefix, acc), err)
	}
}
