package cli

import (
	"github.com/spf13/cobra"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/wire"
)

// account is an account as it is written. Receiver tells how a contract takes
// a token that is sent to it; it is empty for a plain account.
type account struct {
	Name     string         `wire:"name"`
	Address  cw721.Address  `wire:"address"`
	Receiver chain.Receiver `wire:"receiver,optional"`
}

func accountOf(prefix string, acc chain.Account) account {
	out := account{Name: acc.Name, Address: acc.Address}
	if found, err := acc.Found(prefix); err == nil && found != chain.ReceiverPlain {
		out.Receiver = found
	}
	return out
}

func (a *app) accountsCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "accounts",
		Short: "List and name accounts and contracts",
		Example: `  ephemera accounts
  ephemera accounts add alice`,
		Args: wants(0, 0, "no argument, or add, contract or remove"),
		RunE: a.inDatabase(func(db *Database, _ []string) error {
			return db.View(func(v *chain.View) error {
				all, err := v.Accounts()
				if err != nil {
					return err
				}
				list := []account{}
				for _, acc := range all {
					list = append(list, accountOf(v.Prefix, acc))
				}
				return a.print(wire.Compact(list))
			})
		}),
	}
	cmd.AddCommand(a.accountsAddCommand(), a.accountsContractCommand(), a.accountsRemoveCommand())
	return cmd
}

func (a *app) accountsAddCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "add NAME [ADDRESS]",
		Short: "Name an address; without one the name gets an address of its own",
		Example: `  ephemera accounts add alice
  ephemera accounts add friend cosmos18lahs8g839gn2fk4rfs89q73gdpmye2s4nejvp`,
		Args: wants(1, 2, "NAME and perhaps ADDRESS"),
		RunE: a.inDatabase(func(db *Database, args []string) error {
			var address cw721.Address
			if len(args) == 2 {
				address = cw721.Address(args[1])
			}
			return a.keep(db)(db.AddAccount(args[0], address, chain.ReceiverDefault))
		}),
	}
}

func (a *app) accountsContractCommand() *cobra.Command {
	return &cobra.Command{
		Use:       "contract NAME accepts|rejects",
		Short:     "Say how the contract of that name takes a token that is sent to it",
		Example:   `  ephemera accounts contract market accepts`,
		Args:      wants(2, 2, "NAME and accepts or rejects"),
		ValidArgs: []string{string(chain.ReceiverAccepts), string(chain.ReceiverRejects)},
		RunE: a.inDatabase(func(db *Database, args []string) error {
			how := chain.Receiver(args[1])
			if how != chain.ReceiverAccepts && how != chain.ReceiverRejects {
				return misused("accounts contract: %q is no way to take a token, expected accepts or rejects", args[1])
			}
			return a.keep(db)(db.SetReceiver(args[0], how))
		}),
	}
}

func (a *app) accountsRemoveCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "remove NAME",
		Short: "Forget a name; what its address owns and may do stays",
		Example: `  ephemera accounts add visitor
  ephemera accounts remove visitor`,
		Args: wants(1, 1, "one NAME"),
		RunE: a.inDatabase(func(db *Database, args []string) error {
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
			return a.keep(db)(gone, err)
		}),
	}
}

// keep prints the account that was kept.
func (a *app) keep(db *Database) func(chain.Account, error) error {
	return func(acc chain.Account, err error) error {
		if err != nil {
			return err
		}
		cfg, _ := db.Config()
		return a.print(wire.Compact(accountOf(cfg.Prefix, acc)))
	}
}
