package cli

import (
	"bytes"
	"errors"
	"io"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/spf13/cobra"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/wire"
	"ephemera/ui/widget"
)

func (a *app) execCommand() *cobra.Command {
	var as string
	var dry bool
	cmd := &cobra.Command{
		Use:        "exec --as WHO MSG",
		SuggestFor: []string{"execute"},
		Short:      "Run one execute message",
		Long: `Runs one execute message in the block of the clock and prints the contract's
attributes and messages. With --dry-run it prints the same and changes nothing.
From stdin (-) it takes many messages, one JSON value after another, and prints
an answer a line. A member of MSG that the contract ignores is told on stderr.`,
		Example: `  ephemera exec --as creator '{"mint":{"token_id":"1","owner":"$creator"}}'`,
		Args:    wants(1, 1, "one MSG"),
	}
	cmd.RunE = a.withMessage(func(db *Database, msg []byte) error {
		sender, err := who(db, "--as", as)
		if err != nil {
			return err
		}
		run := db.Execute
		if dry {
			run = db.Preview
		}
		receipt, err := run(sender, msg)
		if err != nil {
			return err
		}
		a.tellIgnored(receipt)
		if receipt.Refusal != nil {
			return errors.Join(receipt.Refusal, otherwise(receipt))
		}
		return errors.Join(a.print(wire.Encode(receipt.Response)), otherwise(receipt))
	})
	a.asFlag(cmd, &as)
	cmd.Flags().BoolVar(&dry, "dry-run", false, "tell what would happen, and change nothing")
	return cmd
}

// otherwise gives what the built-in contract would have done otherwise, as an
// error.
func otherwise(r chain.Receipt) error {
	if r.Difference == nil {
		return nil
	}
	return &chain.DifferenceError{Difference: *r.Difference}
}

// tellIgnored names the members of a message that the contract passed over.
func (a *app) tellIgnored(r chain.Receipt) {
	for _, m := range r.Ignored {
		a.complain("%s", widget.Safe(m.String()))
	}
}

func (a *app) queryCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "query MSG",
		Short:   "Answer one query message",
		Example: `  ephemera query '{"owner_of":{"token_id":"1"}}'`,
		Args:    wants(1, 1, "one MSG"),
		RunE: a.withMessage(func(db *Database, msg []byte) error {
			answer, err := db.Query(msg)
			if err != nil && !is[*chain.DifferenceError](err) {
				return err
			}
			return errors.Join(a.print(answer), err)
		}),
	}
}

// withMessage makes a command's work of a function on a database that is there
// and the message that its argument holds. The message is read first: to wait
// for a pipe with the database open would lock out whoever writes to the pipe.
func (a *app) withMessage(fn func(db *Database, msg []byte) error) work {
	return a.begins(func(cmd *cobra.Command, args []string) error {
		msg, err := a.message(cmd.Context(), args[0])
		if err != nil {
			return err
		}
		all := [][]byte{msg}
		if args[0] == "-" {
			all = messages(msg)
		}
		return a.onCollection(func(db *Database) error {
			if len(all) == 1 {
				return fn(db, all[0])
			}
			status := done
			for _, msg := range all {
				err := cmd.Context().Err()
				if err == nil {
					err = fn(db, msg)
				}
				status = max(status, a.report(err))
				if status > refused {
					break
				}
			}
			return &silent{status}
		})
	})
}

// messages gives the JSON values that stand one after another in a text; the
// text itself where it is anything else, for the contract to refuse.
func messages(text []byte) (all [][]byte) {
	values := jsontext.NewDecoder(bytes.NewReader(text), jsontext.AllowDuplicateNames(true))
	for {
		value, err := values.ReadValue()
		if err == io.EOF && len(all) > 0 {
			return all
		}
		if err != nil {
			return [][]byte{text}
		}
		all = append(all, bytes.Clone(value))
	}
}

// asFlag adds --as to a command on a database that is there.
func (a *app) asFlag(cmd *cobra.Command, as *string) {
	cmd.Flags().StringVar(as, "as", "", "`WHO` acts: the name of an account, or an address")
	_ = cmd.RegisterFlagCompletionFunc("as", a.completeNames) // fails only for a flag that is not there
}

// who resolves a WHO outside of a view.
func who(db *Database, flag, text string) (address cw721.Address, err error) {
	err = db.View(func(v *chain.View) error {
		address, err = resolve(v, flag, text)
		return err
	})
	return address, err
}
