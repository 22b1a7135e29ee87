package storage

import (
	"cmp"
	"io"

	"github.com/spf13/cobra"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/dump"
	"ephemera/core/dump/older"
	"ephemera/ui/cli/command"
	"ephemera/ui/widget"
)

func importCommand(app *command.App) *cobra.Command {
	var flags importFlags
	cmd := &cobra.Command{
		Use:   "import FILE...",
		Short: "Import a contract's storage from a chain's dump",
		Long: `Reads the storage of a cw721 contract into a database that holds no collection.
FILE, or - for stdin, is what wasmd prints for "contract-state all" in YAML or
JSON, its REST path .../state, a genesis that contains the contract, or what
grpcurl and cosmjs print; plain or gzipped. A dump of several pages is several
files.

The rules and the flavour are those that export --with-clock noted, else those of
the release that contract_info names; --rules standard chooses the interface as
it is documented. cw721 0.16 to 0.18 and sg721 are converted as a migration to
0.19 does it, and get the standard rules. The flags give what the storage lacks:
the block, the prefix if no address shows it, other roles. A dump is refused if
its token count or owner index contradicts its tokens, or if its next page is
missing; --repair recomputes both and imports what is there. With --wasm the
storage belongs to a compiled contract, and is imported unchanged.`,
		Example: `  ephemera import page-1.json page-2.json --height 1204000
  cat page-1.json page-2.json | ephemera --db copy import - --height 1204000`,
		Args: command.ArgCount(1, command.NoLimit, "one or more files, or -"),
		RunE: app.Action(func(args []string) error {
			return importFiles(app, flags, args)
		}),
	}
	flags.genesisFlags.addFlags(
		cmd,
		"as exported --with-clock, else as contract_info says",
		"as exported --with-clock, else as contract_info and the tokens say",
	)
	flagSet := cmd.Flags()
	flagSet.StringVar(&flags.minter, "minter", "", "make `WHO` the minter, not the one in the dump; an address or a new name")
	flagSet.StringVar(&flags.creator, "creator", "", "make `WHO` the creator, not the one in the dump; an address or a new name")
	flagSet.StringVar(&flags.contract, "contract", "", "`ADDRESS` of the contract; in a genesis, of the contract to import")
	command.AddContractFlag(cmd, "wasm", &flags.module, command.ContractUsage)
	flagSet.BoolVar(&flags.repair, "repair", false, "recompute the token count and the owner index if they contradict the tokens")
	return cmd
}

// importFlags are the flags of an import, as the user typed them.
type importFlags struct {
	genesisFlags
	minter, creator, contract string
	repair                    bool
}

func importFiles(app *command.App, flags importFlags, fileNames []string) error {
	var files []io.Reader
	for _, fileName := range fileNames {
		file, err := app.Input(fileName)
		if err != nil {
			return err
		}
		defer file.Close()
		files = append(files, file)
	}

	// Read the first records, up to an address that shows the prefix.
	pages := dump.Read(files...)
	pages.Contract = flags.contract
	pages.AllowsMissingPages = flags.repair
	records, foundAddress, stop, err := command.PeekDump(pages)
	if err != nil {
		return err
	}
	defer stop()

	// Make the genesis of the chain from the flags, the note of the dump and the records.
	isHeightUnknown := flags.Height == "" && pages.Note() == nil
	genesis, options, err := flags.importGenesis(pages.Note(), foundAddress)
	if err != nil {
		return err
	}
	if flags.repair {
		genesis.OnContradiction = func(done string) { app.Errorf("warning: %s", done) }
	}
	genesis.OnKeptMembers = func(sentence string) { app.Errorf("note: %s", sentence) }

	// The built-in contract needs the records in the layout of cw721 0.19.
	conversion := &older.Conversion{}
	if genesis.Module == nil {
		records, conversion = older.Convert(options, records)
		genesis.Converted = conversion.IsConverted
	}
	return app.UseDatabase(app.OptionsToFill(), func(db *command.Database) error {
		if err := importRecords(app, db, genesis, records, files); err != nil {
			return err
		}
		if pages.HasMissingPage() {
			app.Errorf("warning: a next_key says that more pages follow, which are missing here")
		}
		return reportImport(app, db, conversion, genesis.Rules != "", isHeightUnknown)
	})
}

// reportImport prints notes and warnings about an import, and then the collection.
// areRulesGiven is set if a flag or the note of the dump named the rules, and isHeightUnknown
// if neither named the height.
func reportImport(
	app *command.App,
	db *command.Database,
	conversion *older.Conversion,
	areRulesGiven, isHeightUnknown bool,
) error {
	for _, note := range conversion.Notes {
		app.Errorf("note: %s", note)
	}

	// Describe the collection, and warn about what neither the dump nor a flag has said.
	collection, err := chain.Read(db, collectionOf)
	if err != nil {
		return err
	}
	collection.ConvertedFrom = conversion.OldLayout
	if !areRulesGiven {
		reportRules(app, collection)
	}
	if isHeightUnknown {
		warning, err := chain.Read(db, command.HeightWarning)
		if err != nil {
			return err
		}
		if warning != "" {
			app.Errorf("warning: %s: --height?", warning)
		}
	}
	return app.Answer(collection, nil)
}

// importGenesis returns the genesis of the imported chain, and the options for converting
// records of older contracts. rawNote is what export --with-clock adds to a dump, or nil. A
// flag takes precedence over the note, so those in f that were not given are set from it. If
// neither has a prefix, it is that of foundAddress, the first address in the dump.
func (f *importFlags) importGenesis(
	rawNote []byte,
	foundAddress cw721.Address,
) (genesis chain.Genesis, conversionOptions older.Options, err error) {
	note, err := command.ReadNote(rawNote)
	if err != nil {
		return genesis, conversionOptions, err
	}

	// Rules in a flag must fit a compiled contract. Rules in the note need not, so keep the
	// flag before it is filled from the note.
	requiredRules := f.Rules
	f.Rules = cmp.Or(f.Rules, string(note.Rules))
	f.Flavour = cmp.Or(f.Flavour, string(note.Flavour))
	f.Prefix = cmp.Or(f.Prefix, note.Prefix)
	genesis, _, err = f.makeGenesis(foundAddress, note.Accounts)
	if err != nil {
		return genesis, conversionOptions, err
	}

	// Add the rest of the note, and the minter and the creator.
	if f.time == "" && rawNote != nil {
		genesis.Clock.Time = note.Clock.Time
	}
	genesis.Clock.Height = cmp.Or(genesis.Clock.Height, note.Clock.Height, 1)
	genesis.RulesMustFit = requiredRules != ""
	genesis.Clock.SecondsPerBlock = note.Clock.SecondsPerBlock
	genesis.Self = cmp.Or(cw721.Address(f.contract), note.Contract)
	minter, err := resolveOrAdd(&genesis, "--minter", f.minter)
	if err != nil {
		return genesis, conversionOptions, err
	}
	creator, err := resolveOrAdd(&genesis, "--creator", f.creator)
	conversionOptions = older.Options{
		Code:    genesis.Contract(),
		Time:    genesis.Clock.Time,
		Minter:  minter,
		Creator: creator,
	}
	return genesis, conversionOptions, err
}

// reportRules prints where the rules of an imported collection come from, or why it has none,
// if neither a flag nor a note named them.
func reportRules(app *command.App, collection *collectionInfo) {
	difference := widget.Safe(collection.RulesDiffer)
	switch {
	case collection.ConvertedFrom != "":
		app.Errorf(
			"note: the rules are %s, as there is no rule set of %s",
			collection.Rules,
			collection.ConvertedFrom,
		)
	case collection.Rules == "" && collection.Module == nil:
		app.Errorf(
			"warning: %s; so no message is executed and no permission is judged, unless --wasm gives the compiled contract or --rules chooses a rule set",
			difference,
		)
	case collection.Rules == "":
		app.Errorf(
			"warning: %s; so no permission is judged, unless --rules chooses a rule set",
			difference,
		)
	case collection.RulesDiffer != "":
		app.Errorf(
			"warning: %s; it is taken with %s rules as %s",
			difference,
			collection.Rules,
			collection.Flavour,
		)
	case collection.Module == nil:
		app.Errorf(
			"note: the rules are %s, as contract_info names %s %s; --rules standard chooses the interface as it is documented",
			collection.Rules,
			widget.Safe(collection.Contract),
			widget.Safe(collection.Version),
		)
	}
}

func printImported(app *command.App, db *command.Database) error {
	return db.View(func(view *chain.View) error { return app.Answer(collectionOf(view)) })
}
