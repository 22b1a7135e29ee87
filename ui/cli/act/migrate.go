package act

import (
	"cmp"
	"fmt"

	"github.com/spf13/cobra"

	"ephemera/core/chain"
	"ephemera/core/chain/history"
	"ephemera/core/cw721"
	"ephemera/ui/cli/command"
)

func migrateCommand(a *command.App) *cobra.Command {
	var as, file string
	cmd := &cobra.Command{
		Use:   "migrate --contract FILE MSG",
		Short: "Have a compiled contract take over the storage",
		Long: `Runs the migrate message of a compiled contract on the collection, which that
contract runs from then on: a rehearsal of an upgrade. It is one step of the
history, and an undo takes it back whole. Prints the contract's attributes and
messages, and the records that it changed.`,
		Example: `  ephemera migrate --contract cw721_base.wasm '{"with_update":{}}'
  ephemera undo`,
		Args: command.ArgCount(1, 1, "one MSG"),
	}
	cmd.RunE = a.WithMessage(func(db *command.Database, msg []byte) error {
		module, err := command.ReadModule(file)
		if err != nil {
			return err
		}
		if module == nil {
			return command.UsageErrorf("--contract: expected the FILE with the contract to migrate to")
		}
		var sender cw721.Address
		if as != "" {
			sender, err = command.ResolveWho(db, "--as", as)
		}
		if err != nil {
			return err
		}
		receipt, err := db.Migrate(*module, sender, msg)
		a.PrintNotes(receipt)
		if err := cmp.Or(err, receipt.Err()); err != nil {
			return err
		}
		return a.Answer(migratedBy(receipt), a.WarnAboutRules(db))
	})
	command.ContractFlag(cmd, "contract", &file, "migrate to the compiled contract in `FILE`, .wasm")
	a.AsFlag(cmd, &as)
	return cmd
}

// migrated is what the migrate command prints.
type migrated struct {
	Node       history.ID             `wire:"node"`
	Attributes []cw721.EventAttribute `wire:"attributes"`
	Messages   []cw721.OutMsg         `wire:"messages"`
	Changes    []rewritten            `wire:"changes"`
}

// rewritten is a record before and after, each left out where there is none.
type rewritten struct {
	Record string  `wire:"record"` // what it is
	Key    string  `wire:"key"`    // in hex, as an export has it
	Old    *string `wire:"old"`
	New    *string `wire:"new"`
}

func migratedBy(r chain.Receipt) migrated {
	m := migrated{Node: r.Node, Attributes: r.Response.Attributes, Messages: r.Response.Messages, Changes: []rewritten{}}
	for _, c := range r.Changes {
		row := rewritten{Record: cw721.RecordName(c.Key), Key: fmt.Sprintf("%X", c.Key)}
		if c.Old != nil {
			row.Old = new(string(c.Old))
		}
		if c.New != nil {
			row.New = new(string(c.New))
		}
		m.Changes = append(m.Changes, row)
	}
	return m
}
