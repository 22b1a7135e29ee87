package cli

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"ephemera/core/chain"
	"ephemera/core/chain/history"
	"ephemera/core/cw721"
	"ephemera/core/wire"
)

// longestModule is the most that is read of a file with a contract, in bytes:
// more than any is, and what is longer is told to be too long.
const longestModule = 16 << 20

// contractFlag adds a flag for the file of a compiled contract to a command:
// --contract, but for import, where that is an address.
func contractFlag(cmd *cobra.Command, name string, file *string, usage string) {
	cmd.Flags().StringVar(file, name, "", usage)
	_ = cmd.MarkFlagFilename(name, "wasm") // fails only for a flag that is not there
}

const runsContract = "run the compiled contract in `FILE`, .wasm, in place of the built-in one"

// moduleIn reads a compiled contract; without a name there is none.
func moduleIn(name string) (*chain.Module, error) {
	if name == "" {
		return nil, nil
	}
	file, err := os.Open(name)
	if err != nil {
		return nil, unreadable(name, err)
	}
	defer file.Close()
	code, err := io.ReadAll(io.LimitReader(file, longestModule))
	if err != nil {
		return nil, unreadable(name, err)
	}
	return &chain.Module{File: filepath.Base(name), Code: code}, nil
}

func (a *app) migrateCommand() *cobra.Command {
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
		Args: wants(1, 1, "one MSG"),
	}
	cmd.RunE = a.withMessage(func(db *Database, msg []byte) error {
		module, err := moduleIn(file)
		if err != nil {
			return err
		}
		if module == nil {
			return misused("--contract: expected the FILE with the contract to migrate to")
		}
		var sender cw721.Address
		if as != "" {
			sender, err = who(db, "--as", as)
		}
		if err != nil {
			return err
		}
		receipt, err := db.Migrate(*module, sender, msg)
		if err := cmp.Or(err, receipt.Err()); err != nil {
			return err
		}
		return a.print(wire.Compact(migratedBy(receipt)))
	})
	contractFlag(cmd, "contract", &file, "migrate to the compiled contract in `FILE`, .wasm")
	a.asFlag(cmd, &as)
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
