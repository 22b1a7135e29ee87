package act

import (
	"fmt"

	"github.com/spf13/cobra"

	"ephemera/core/chain"
	"ephemera/core/chain/history"
	"ephemera/core/cw721"
	"ephemera/ui/cli/command"
)

func migrateCommand(app *command.App) *cobra.Command {
	var senderName, fileName string
	cmd := &cobra.Command{
		Use:   "migrate --contract FILE MSG",
		Short: "Migrate the collection to a compiled contract",
		Long: `Runs the migrate message of a compiled contract on the collection, which that
contract runs from then on: a rehearsal of an upgrade. One undo takes it back.
Prints the contract's attributes and messages, and the records that it changed.`,
		Example: `  ephemera migrate --contract cw721_base.wasm '{"with_update":{}}'
  ephemera undo`,
		Args: command.ArgCount(1, 1, "one MSG"),
	}
	cmd.RunE = app.WithMessage(func(db *command.Database, msg []byte) error {
		module, err := command.ReadModule(fileName)
		if err != nil {
			return err
		}
		if module == nil {
			return command.UsageErrorf("--contract: expected the FILE with the contract to migrate to")
		}
		var sender cw721.Address
		if senderName != "" {
			sender, err = command.ResolveWho(db, "--as", senderName)
		}
		if err != nil {
			return err
		}

		// Migrate, and print what the contract did and a warning if its rules differ.
		receipt, err := db.Migrate(*module, sender, msg)
		app.PrintNotes(receipt)
		if err != nil {
			return err
		}
		if err := receipt.Err(); err != nil {
			return err
		}
		return db.View(func(view *chain.View) error {
			if err := app.WarnAboutRules(view); err != nil {
				return err
			}
			return app.Answer(migrationAnswerOf(receipt, view.Layout), nil)
		})
	})
	command.AddContractFlag(cmd, "contract", &fileName, "migrate to the compiled contract in `FILE`, .wasm")
	app.AddAsFlag(cmd, &senderName)
	return cmd
}

type migrationAnswer struct {
	Node       history.ID             `wire:"node"`
	Attributes []cw721.EventAttribute `wire:"attributes"`
	Messages   []cw721.OutMsg         `wire:"messages"`
	Changes    []recordChange         `wire:"changes"`
}

// recordChange is a record of the contract before and after a migration.
type recordChange struct {
	Record string  `wire:"record"` // the kind of record
	Key    string  `wire:"key"`    // in upper-case hex, as in an export
	Old    *string `wire:"old"`    // nil if the migration created the record
	New    *string `wire:"new"`    // nil if the migration removed the record
}

// migrationAnswerOf describes a migration. layout is that of the new contract.
func migrationAnswerOf(receipt chain.Receipt, layout *cw721.Layout) migrationAnswer {
	jsonAnswer := migrationAnswer{
		Node:       receipt.Node,
		Attributes: receipt.Response.Attributes,
		Messages:   receipt.Response.Messages,
		Changes:    []recordChange{}, // [] and not null
	}
	for _, change := range receipt.Changes {
		jsonChange := recordChange{
			Record: layout.RecordName(change.Key),
			Key:    fmt.Sprintf("%X", change.Key),
		}
		if change.OldValue != nil {
			jsonChange.Old = new(string(change.OldValue))
		}
		if change.NewValue != nil {
			jsonChange.New = new(string(change.NewValue))
		}
		jsonAnswer.Changes = append(jsonAnswer.Changes, jsonChange)
	}
	return jsonAnswer
}
