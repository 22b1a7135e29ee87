package storage

import (
	"cmp"
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/wire"
	"ephemera/ui/cli/command"
)

// genesisFlags are the flags that describe a new chain, as the user typed them.
type genesisFlags struct {
	chain.GenesisFields
	senderName string // the name or address of the sender of the instantiate message
	time       string // the time of the first block
	module     string // the file of a compiled contract; "" for the built-in one
}

// addFlags adds the flags of a new chain to a command. What g.senderName and g.Height are now
// becomes the default. The help says of --rules and --flavour what defaultRules and
// defaultFlavour say.
func (g *genesisFlags) addFlags(cmd *cobra.Command, defaultRules, defaultFlavour string) {
	heightUsage := "block `HEIGHT` to begin at"
	if g.Height == "" {
		heightUsage += " (default: 1)"
	}
	flagSet := cmd.Flags()
	flagSet.StringVar(&g.senderName, "as", g.senderName, "`WHO` creates the collection, a new name or an address")
	ruleList := command.JoinNames(cw721.AllRules())
	rulesUsage := "`RULES` of the contract: " + ruleList + " (default: " + defaultRules + ")"
	flagSet.StringVar(&g.Rules, "rules", "", rulesUsage)
	flagSet.StringVar(&g.Prefix, "prefix", "", "bech32 `PREFIX` of all addresses (default: that of --as, else of the first address found, else cosmos)")
	flagSet.StringVar(&g.Height, "height", g.Height, heightUsage)
	flagSet.StringVar(&g.time, "time", "", "block `TIME` to begin at, in nanoseconds, or like 2026-12-01T09:00:00Z or \"2026-12-01 09:00\" (default: the time of day)")
	flagSet.StringVar(&g.Flavour, "flavour", "", "`FLAVOUR` of token metadata: base, metadata-onchain (default: "+defaultFlavour+")")

	// Complete the values of --rules and --flavour.
	ruleNames := strings.Split(ruleList, ", ")
	command.CompleteFlag(cmd, "rules", command.FixedWords(ruleNames...))
	flavours := command.FixedWords(string(cw721.FlavourBase), string(cw721.FlavourOnchain))
	command.CompleteFlag(cmd, "flavour", flavours)
}

func initCommand(app *command.App) *cobra.Command {
	flags := genesisFlags{senderName: "creator", GenesisFields: chain.GenesisFields{Height: "1"}}
	cmd := &cobra.Command{
		Use:        "init MSG",
		SuggestFor: []string{"instantiate"},
		Short:      "Create the collection from an instantiate message",
		Long: `Creates the collection from an instantiate message, in a database that holds
none. A refused message leaves the database empty. The name given with --as gets
an account, so that later commands can act as it.`,
		Example: `  ephemera init '{"name":"Interchain Apes","symbol":"APE"}'`,
		Args:    command.ArgCount(1, 1, "one MSG"),
		RunE: app.Action(func(args []string) error {
			msg, err := app.ReadMessage(args[0])
			if err != nil {
				return err
			}
			genesis, sender, err := flags.makeGenesis(command.FindAddress(msg), nil)
			if err != nil {
				return err
			}
			if sender == "" {
				return command.UsageErrorf("--as: expected WHO, a new name or an address")
			}

			// Create the database if it is missing, and the collection in it.
			openOptions := app.Global.OpenOptions
			openOptions.Create = true
			return app.UseDatabase(openOptions, func(db *command.Database) error {
				receipt, err := db.Create(genesis, sender, msg)
				if err != nil {
					return err
				}
				app.PrintNotes(receipt)
				if err := db.View(app.WarnAboutRules); err != nil {
					return err
				}
				printErr := app.PrintAnswer(wire.Encode(receipt.Response))
				return errors.Join(printErr, command.DifferenceError(receipt))
			})
		}),
	}
	flags.addFlags(
		cmd,
		"those that a compiled contract's contract_info names, else standard",
		"as a compiled contract's contract_info says, else metadata-onchain",
	)
	command.AddContractFlag(cmd, "contract", &flags.module, command.ContractUsage)
	return cmd
}

// makeGenesis makes a genesis with the accounts from the flags. sender is the address that --as
// names, which can be one of these accounts, or "". If neither --prefix nor --as shows the
// prefix of addresses, it is that of foundAddress.
func (g *genesisFlags) makeGenesis(
	foundAddress cw721.Address,
	accounts []chain.Account,
) (genesis chain.Genesis, sender cw721.Address, err error) {
	fields := g.GenesisFields
	fields.Prefix = cmp.Or(g.Prefix, command.PrefixOf(cw721.Address(g.senderName), foundAddress))
	genesis, problems := chain.ParseGenesis(fields)
	var flagErrors []error
	for _, problem := range problems {
		flagErrors = append(flagErrors, command.UsageErrorf("--%v", problem))
	}
	if flagErrors != nil {
		return genesis, "", errors.Join(flagErrors...)
	}

	genesis.Module, err = command.ReadModule(g.module)
	if err != nil {
		return genesis, "", err
	}
	genesis.Clock.Time = command.Now()
	if g.time != "" {
		genesis.Clock.Time, err = command.ParseTime("--time", g.time)
	}
	if err != nil {
		return genesis, "", err
	}
	genesis.Accounts = accounts
	sender, err = resolveOrAdd(&genesis, "--as", g.senderName)
	genesis.Instantiator = sender // an import needs it, because it has no instantiate message
	return genesis, sender, err
}

// resolveOrAdd returns the address of a WHO, or "" for none. For a new name it adds an account
// to genesis. flag is the flag with the WHO, for errors.
func resolveOrAdd(genesis *chain.Genesis, flag, who string) (cw721.Address, error) {
	if who == "" {
		return "", nil
	}
	address, err := genesis.ResolveOrAdd(who)
	if addressError := cw721.AsError(err); addressError != nil {
		return "", command.UsageErrorf("%s: %s: %v", flag, who, addressError)
	}
	return address, err
}
