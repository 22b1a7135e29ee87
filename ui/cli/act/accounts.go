package act

import (
	"bufio"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/ui/cli/command"
	"ephemera/ui/widget"
)

// accountAnswer is an account, in JSON.
type accountAnswer struct {
	Name     string         `wire:"name"`
	Address  cw721.Address  `wire:"address"`
	Receiver chain.Receiver `wire:"receiver,optional"` // how a contract takes tokens; empty for others
}

// WriteWords writes one line.
func (a accountAnswer) WriteWords(w *bufio.Writer) {
	line := fmt.Sprintf("%-12s %s", a.Name, a.Address)
	if a.Receiver != "" {
		line += ", a contract that " + string(a.Receiver) + " tokens"
	}
	fmt.Fprintln(w, widget.Safe(line)) // Flush returns its error
}

type accountList []accountAnswer

// WriteWords writes a line for each account.
func (l accountList) WriteWords(w *bufio.Writer) {
	for _, account := range l {
		account.WriteWords(w)
	}
}

// accountAnswerOf describes an account of a chain whose addresses begin with prefix.
func accountAnswerOf(prefix string, account chain.Account) accountAnswer {
	jsonAccount := accountAnswer{Name: account.Name, Address: account.Address}
	receiver, err := account.ResolveReceiver(prefix) // fails for an address that is not valid
	if err == nil && receiver != chain.ReceiverPlain {
		jsonAccount.Receiver = receiver
	}
	return jsonAccount
}

func printAccount(app *command.App, db *command.Database, account chain.Account) error {
	config, _ := db.Config() // present, because the command needs a collection
	return app.Answer(accountAnswerOf(config.Prefix, account), nil)
}

func accountsCommand(app *command.App) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "accounts",
		Short: "List and name accounts and contracts",
		Example: `  ephemera accounts
  ephemera accounts add alice`,
		Args: command.ArgCount(0, 0, "no argument, or add, contract or remove"),
		RunE: app.WithView(func(view *chain.View, _ []string) error {
			accounts, err := view.Accounts()
			if err != nil {
				return err
			}
			answers := accountList{} // [] and not null
			for _, account := range accounts {
				answers = append(answers, accountAnswerOf(view.Prefix, account))
			}
			return app.Answer(answers, nil)
		}),
	}
	cmd.AddCommand(accountsAddCommand(app), accountsContractCommand(app), accountsRemoveCommand(app))
	return cmd
}

func accountsAddCommand(app *command.App) *cobra.Command {
	return &cobra.Command{
		Use:   "add NAME [ADDRESS]",
		Short: "Name an address; without one the name gets an address of its own",
		Example: `  ephemera accounts add alice
  ephemera accounts add friend cosmos18lahs8g839gn2fk4rfs89q73gdpmye2s4nejvp`,
		Args: command.ArgCount(1, 2, "NAME and perhaps ADDRESS"),
		RunE: app.WithDatabase(func(db *command.Database, args []string) error {
			var address cw721.Address // "" gets the name an address of its own
			if len(args) == 2 {
				address = cw721.Address(args[1])
			}
			account, err := db.AddAccount(args[0], address, chain.ReceiverDefault)
			if err != nil {
				return err
			}
			return printAccount(app, db, account)
		}),
	}
}

func accountsContractCommand(app *command.App) *cobra.Command {
	return &cobra.Command{
		Use:       "contract NAME accepts|rejects",
		Short:     "Set whether a contract accepts tokens that are sent to it",
		Example:   `  ephemera accounts contract market accepts`,
		Args:      command.ArgCount(2, 2, "NAME and accepts or rejects"),
		ValidArgs: []string{string(chain.ReceiverAccepts), string(chain.ReceiverRejects)},
		RunE: app.WithDatabase(func(db *command.Database, args []string) error {
			receiver := chain.Receiver(args[1])
			if receiver != chain.ReceiverAccepts && receiver != chain.ReceiverRejects {
				return command.UsageErrorf(
					"accounts contract: %q is no way to take a token, expected accepts or rejects",
					args[1],
				)
			}
			account, err := db.SetReceiver(args[0], receiver)
			if err != nil {
				return err
			}
			return printAccount(app, db, account)
		}),
	}
}

func accountsRemoveCommand(app *command.App) *cobra.Command {
	return &cobra.Command{
		Use:   "remove NAME",
		Short: "Delete a name; what its address owns and may do stays",
		Example: `  ephemera accounts add visitor
  ephemera accounts remove visitor`,
		Args: command.ArgCount(1, 1, "one NAME"),
		RunE: app.WithDatabase(func(db *command.Database, args []string) error {
			accounts, err := chain.Read(db, (*chain.View).Accounts)
			if err != nil {
				return err
			}
			if err := db.RemoveAccount(args[0]); err != nil {
				return err
			}

			// Print the account as it was. It is in the list, because its removal did not
			// fail.
			removedIndex := slices.IndexFunc(accounts, func(account chain.Account) bool { return account.Name == args[0] })
			return printAccount(app, db, accounts[removedIndex])
		}),
	}
}
