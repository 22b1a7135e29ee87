package cli

import (
	"io"
	"path/filepath"
	"strings"

	"github.com/adrg/xdg"
	"github.com/spf13/cobra"

	"ephemera/core/chain"
	"ephemera/core/chain/history"
	"ephemera/core/dump"
	"ephemera/core/scenario"
)

func (a *app) recordCommand() *cobra.Command {
	var force, full bool
	cmd := &cobra.Command{
		Use:   "record FILE",
		Short: "Write what happened as a scenario that plays the same",
		Long: `Writes what happened, from the beginning to where the history stands, as a
scenario: every message with its block, its sender and its answer. What was
undone is not in it. The end of the name says how: .yaml, .jsonl or .jsonl.gz.
Only its owner may read the file. One that is there is replaced with --force
alone, as a whole: it may have been written by hand. What an import brought is
written beside it, as NAME.state.json. A message that was carried out is
expected to be; with --full its whole answer is.`,
		Example: `  ephemera record story.yaml && ephemera run story.yaml`,
		Args:    wants(1, 1, "one FILE"),
		RunE: a.begins(func(cmd *cobra.Command, args []string) error {
			format, err := scenario.FormatOf(args[0])
			if err != nil {
				return err
			}
			return a.onCollection(func(db *Database) error {
				part := scenario.Part{Full: full}
				if err := db.saveState(args[0], force, &part); err != nil {
					return thereAlready(args[0], err)
				}
				return db.View(func(v *chain.View) error {
					err := SaveFile(args[0], force, func(w io.Writer) error {
						_, err := scenario.Save(w, format, v, part, cmd.Context().Err)
						return err
					})
					return thereAlready(args[0], err)
				})
			})
		}),
	}
	cmd.Flags().BoolVar(&full, "full", false, "expect whole answers")
	cmd.Flags().BoolVar(&force, "force", false, "replace a file that is there")
	return cmd
}

// saveState writes what an import brought beside a scenario's file, and names it in
// the part. It does nothing for a history that began with a message.
func (db *Database) saveState(name string, force bool, part *scenario.Part) error {
	var node history.ID
	imported := false
	err := db.View(func(v *chain.View) (err error) {
		node, imported, err = scenario.Imported(v)
		return err
	})
	if err != nil || !imported {
		return err
	}
	path := strings.TrimSuffix(strings.TrimSuffix(name, ".gz"), filepath.Ext(strings.TrimSuffix(name, ".gz"))) + ".state.json"
	part.State = filepath.Base(path)
	return db.ViewAt(node, func(v *chain.View) error {
		return SaveFile(path, force, func(w io.Writer) error { return dump.Write(w, nil, v.Records()) })
	})
}

// SaveFile lets write fill a file for its owner alone, and puts it in its place
// when it is whole; "~/" is the person's home. Without replace it fails with
// [fs.ErrExist] where there is a file of that name that holds something, and with
// a sentence that names the file where it cannot be written.
func SaveFile(path string, replace bool, write func(io.Writer) error) error {
	if rest, ok := strings.CutPrefix(path, "~/"); ok {
		path = filepath.Join(xdg.Home, rest)
	}
	if err := replaceable(path, replace); err != nil {
		return err
	}
	return toFile(path, func(w io.Writer) error {
		if strings.HasSuffix(path, ".gz") {
			return write(w)
		}
		return write(&textWriter{to: w, change: func(s string) string { return escaped(s, false) }})
	})
}
