package storage

import (
	"runtime"

	"github.com/spf13/cobra"

	"ephemera/core/chain"
	"ephemera/core/chain/history"
	"ephemera/core/cw721"
	"ephemera/ui/cli/answer"
	"ephemera/ui/cli/command"
)

// infoResult is the answer of the info command: what a person may be asked for when
// something is wrong.
type infoResult struct {
	Version string `wire:"version"` // of the program
	System  string `wire:"system"`  // such as "linux/amd64"
	// Dir is the directory of the database, which may be missing.
	Dir string `wire:"dir"`
	// Config is the path of the preferences, a file that may be missing.
	Config string `wire:"config"`
	// Store is nil if there is no database on the disk.
	Store      *command.Store   `wire:"store"`
	Collection *collectionInfo  `wire:"collection"`
	Terminal   command.Terminal `wire:"terminal"`
}

// collectionInfo describes the collection in a database.
type collectionInfo struct {
	Name     string `wire:"name"`
	Symbol   string `wire:"symbol"`
	Contract string `wire:"contract"`
	Version  string `wire:"version"`
	// Rules names the rule set of the contract; empty if none is known for it.
	Rules    cw721.Rules    `wire:"rules"`
	Flavour  cw721.Flavour  `wire:"flavour"`
	Prefix   string         `wire:"prefix"`
	Self     cw721.Address  `wire:"address"`
	Tokens   uint64         `wire:"tokens"`
	Accounts uint64         `wire:"accounts"`
	Block    answer.Block   `wire:"block"`
	History  historySummary `wire:"history"`
	// Module is the compiled contract of the collection; nil for the built-in one.
	Module *chain.StoredModule `wire:"module"`
	// Release is the release of cw721 that has the same checksum as Module; nil if no known
	// release has.
	Release *cw721.Version `wire:"release,optional"`
	// Unreadable says why the storage of a compiled contract cannot be read.
	Unreadable string `wire:"unreadable,optional"`
	// RulesDiffer says how the rules differ from those of the code that contract_info
	// names; empty if they are the same.
	RulesDiffer string `wire:"rules_differ,optional"`
	// OtherRecords is how many imported records are not those of a cw721 contract.
	OtherRecords uint64 `wire:"other_records,optional"`
	// ConvertedFrom names the older layout that an import has converted.
	ConvertedFrom string `wire:"converted_from,optional"`
}

// historySummary has the most important nodes of the history.
type historySummary struct {
	// Head is the node of the present state.
	Head history.ID `wire:"head"`
	// Youngest is the newest node on all branches.
	Youngest history.ID `wire:"youngest"`
	// Oldest is the oldest node that was not pruned.
	Oldest history.ID `wire:"oldest"`
	// Base is the node at which undo ends.
	Base history.ID `wire:"base"`
}

// infoCommand makes the command that describes the program, the terminal and the
// database.
func infoCommand(app *command.App) *cobra.Command {
	return &cobra.Command{
		Use:     "info",
		Short:   "Show paths, sizes, versions, rules and the terminal",
		Example: `  ephemera info`,
		Args:    command.NoArgs,
		RunE: app.Action(func([]string) error {
			result := infoResult{
				Version:  command.Version(),
				System:   runtime.GOOS + "/" + runtime.GOARCH,
				Config:   command.ConfigPath(),
				Terminal: app.DescribeTerminal(),
				Dir:      app.Global.OpenOptions.Dir,
			}
			err := app.UseDatabase(app.Global.OpenOptions, func(db *command.Database) error {
				if db.Store != nil { // it is not in memory
					store, err := db.Store()
					if err != nil {
						return err
					}
					result.Store = &store
					result.Dir = store.Dir
				}
				if _, hasCollection := db.Config(); !hasCollection {
					return nil
				}
				var err error
				result.Collection, err = chain.Read(db, collectionOf)
				return err
			})
			if command.IsError[command.NoDatabase](err) {
				err = nil // the result then has no collection
			}
			return app.Answer(result, err)
		}),
	}
}

// collectionOf describes the collection of a view.
func collectionOf(view *chain.View) (*collectionInfo, error) {
	collection, err := view.Collection()
	if err != nil {
		return nil, err
	}
	info := &collectionInfo{
		Name:     collection.Name,
		Symbol:   collection.Symbol,
		Contract: collection.Version.Contract,
		Version:  collection.Version.Number,
		Rules:    view.Rules,
		Flavour:  view.Flavour,
		Prefix:   view.Prefix,
		Self:     view.Self,
		Tokens:   collection.TokenCount,
		Block:    answer.ClockOf(view.Clock),
	}

	// Add which compiled contract runs the collection, and why its records cannot be read.
	module, isCompiled, err := view.Module()
	if err != nil {
		return nil, err
	}
	if isCompiled {
		info.Module = &module
		if release, isKnown := module.Release(); isKnown {
			info.Release = &release
		}
	}
	if err := view.CheckReadable(); command.IsError[*chain.UnreadableError](err) {
		info.Unreadable = err.Error()
	}

	// Add the accounts, the records of other contracts, the rules and the history.
	accounts, err := view.Accounts()
	if err != nil {
		return nil, err
	}
	info.Accounts = uint64(len(accounts))
	if info.OtherRecords, err = view.UnknownRecordCount(); err != nil {
		return nil, err
	}
	if info.RulesDiffer, err = view.RulesDifference(); err != nil {
		return nil, err
	}
	state, err := view.HistoryState()
	if err != nil {
		return nil, err
	}
	info.History = historySummary{
		Head:     state.Head,
		Youngest: state.Last,
		Oldest:   max(state.Oldest, 1),
		Base:     state.SetupEnd,
	}
	return info, nil
}
