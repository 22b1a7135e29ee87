package cli

import (
	"errors"

	"ephemera/core/chain"
	"ephemera/core/dump"
)

// ImportFile fills an empty database with the storage in one file: the import
// command as the explorer's welcome has it. An empty prefix is that of the
// first address in the file. When it fails the database is as empty as before.
func (db *Database) ImportFile(name string, start chain.Genesis, progress func(records int)) error {
	files, closeAll, err := openAll([]string{name})
	if err != nil {
		return err
	}
	defer closeAll()
	g := genesis{prefix: start.Prefix}
	found, err := firstAddress(g, files)
	if err != nil {
		return err
	}
	if start.Prefix, err = g.choosePrefix(found); err != nil {
		return err
	}
	if err := db.Import(start, dump.Read(files...).Records(), progress); err != nil {
		return errors.Join(err, db.Discard())
	}
	return nil
}
