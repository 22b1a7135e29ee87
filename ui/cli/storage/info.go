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
	Version    string           `wire:"version"` // of the program
	System     string           `wire:"system"`  // such as "linux/amd64"
	Dir        string           `wire:"dir"`     // of the database; may be missing
	Config     string           `wire:"config"`  // the file of the preferences; may be missing
	Store      *command.Store   `wire:"store"`   // nil if there is no database on the disk
	Collection *collectionInfo  `wire:"collection"`
	Terminal   command.Terminal `wire:"terminal"`
}

type collectionInfo struct {
	Name       string              `wire:"name"`
	Symbol     string              `wire:"symbol"`
	Contract   string              `wire:"contract"`
	Version    string              `wire:"version"`
	Rules      cw721.Rules         `wire:"rules"` // empty if none is known for the contract
	Flavour    cw721.Flavour       `wire:"flavour"`
	Prefix     string              `wire:"prefix"`
	Self       cw721.Address       `wire:"address"`
	Tokens     uint64              `wire:"tokens"`
	Accounts   uint64              `wire:"accounts"`
	Block      answer.Block        `wire:"block"`
	History    historySummary      `wire:"history"`
	Module     *chain.StoredModule `wire:"module"`              // the compiled contract; nil for the built-in one
	Release    *cw721.Version      `wire:"release,optional"`    // with the same checksum as Module; nil if none is known
	Unreadable string              `wire:"unreadable,optional"` // why the storage of a compiled contract cannot be read
	// RulesDiffer says how the rules differ from those of the code that contract_info
	// names; empty if they are the same.
	RulesDiffer   string `wire:"rules_differ,optional"`
	OtherRecords  uint64 `wire:"other_records,optional"`  // imported ones that are not of a cw721 contract
	ConvertedFrom string `wire:"converted_from,optional"` // the older layout that an import has converted
}

type historySummary struct {
	Head     history.ID `wire:"head"`     // of the present state
	Youngest history.ID `wire:"youngest"` // on all branches
	Oldest   history.ID `wire:"oldest"`   // that was not pruned
	Base     history.ID `wire:"base"`     // at which undo ends
}

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
