package cli

import (
	"errors"
	"io"
	"os"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/dump"
	"ephemera/core/dump/older"
)

// ImportFile fills an empty database with the storage in one file: the import
// command as the explorer's welcome has it. An empty prefix is that of the
// first address in the file. When it fails the database is as empty as before.
func (db *Database) ImportFile(name string, start chain.Genesis, progress func(records int)) error {
	file, err := openPage(name)
	if err != nil {
		return err
	}
	defer file.Close()
	records, found, stop, err := peek(dump.Read(file))
	if err != nil {
		return err
	}
	defer stop()
	g := genesis{prefix: start.Prefix}
	if start.Prefix, err = g.choosePrefix(found); err != nil {
		return err
	}
	if start.Module == nil {
		records, _ = older.Convert(older.Options{Code: start.Contract(), Time: start.Clock.Time}, records)
	}
	if err := db.Import(start, records, progress); err != nil {
		return errors.Join(err, db.Discard())
	}
	return nil
}

// peek looks into a dump for an address, which shows the prefix of all of them,
// and gives the walk from its beginning; stop ends it.
func peek(pages *dump.Pages) (records chain.Records, found cw721.Address, stop func(), err error) {
	records, stop, err = pages.Peek(func(value []byte) bool {
		found = addressIn(value)
		return found != ""
	})
	return records, found, stop, err
}

// page is a file of a dump, or stdin. What goes wrong in reading it is about the
// file.
type page struct {
	io.Reader
	name string
}

func (p page) Name() string { return p.name }

func (p page) Read(b []byte) (int, error) {
	n, err := p.Reader.Read(b)
	if err != nil && err != io.EOF {
		err = unreadable(p.name, err)
	}
	return n, err
}

func (p page) Close() {
	if file, ok := p.Reader.(*os.File); ok && file != os.Stdin {
		_ = file.Close() // it was only read
	}
}

func openPage(name string) (page, error) {
	file, err := os.Open(name)
	if err != nil {
		return page{}, unreadable(name, err)
	}
	return page{file, name}, nil
}

// openAll opens the pages of a dump; - is stdin.
func (a *app) openAll(names []string) (files []io.Reader, closeAll func(), err error) {
	closeAll = func() {
		for _, f := range files {
			f.(page).Close()
		}
	}
	for _, name := range names {
		file := page{a.Stdin, "stdin"}
		if name != "-" {
			if file, err = openPage(name); err != nil {
				closeAll()
				return nil, nil, err
			}
		}
		files = append(files, file)
	}
	return files, closeAll, nil
}
