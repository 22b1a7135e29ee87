package persist

import (
	"errors"
	"strconv"

	"github.com/dgraph-io/badger/v4"
)

// schema is the version of how records lie in Badger. It changes when a
// program that knows only the old one would misread the new one.
const schema = 1

// schemaKey lies in this package's own part of the key space.
var schemaKey = []byte{ownRecords, 's', 'c', 'h', 'e', 'm', 'a'}

// checkSchema reads the version of an open database in whose files the look has
// found none, and marks a new one, unless nothing can be written. It fails with a
// [*SchemaError] or a [*DirError].
func checkSchema(b *badger.DB, dir string, frozen bool) error {
	found, err := readSchema(b)
	switch {
	case err != nil:
		return dirError(dir, err)
	case found > schema:
		return &SchemaError{Dir: dir, Found: found, Known: schema}
	case found > 0:
		return nil
	case !blank(b) && !counted(b):
		return &DirError{Dir: dir, Problem: anothers}
	case frozen:
		return &DirError{Dir: dir, Problem: "its creation was cut off, and the directory cannot be written to finish it"}
	}
	err = b.Update(func(txn *badger.Txn) error {
		return txn.Set(schemaKey, strconv.AppendInt(nil, schema, 10))
	})
	if err != nil {
		return dirError(dir, err)
	}
	return nil
}

const anothers = "it is a Badger database of another program"

// readSchema gives 0 for a database without a version.
func readSchema(b *badger.DB) (version int, err error) {
	err = readOwn(b, schemaKey, func(text []byte) (err error) {
		if version, err = strconv.Atoi(string(text)); err != nil || version < 1 {
			return errors.New("its schema version is not a number: " + strconv.Quote(string(text)))
		}
		return nil
	})
	return version, err
}

// readOwn hands one of this package's own records to read, where it is there.
func readOwn(b *badger.DB, key []byte, read func(value []byte) error) error {
	return b.View(func(txn *badger.Txn) error {
		item, err := txn.Get(key)
		if errors.Is(err, badger.ErrKeyNotFound) {
			return nil
		}
		if err != nil {
			return err
		}
		return item.Value(read)
	})
}

// counted says whether a database has a count of commits. One that has, and no
// version, has lost it with a broken table.
func counted(b *badger.DB) bool {
	n, err := readCommits(b)
	return err == nil && n > 0
}

// blank says whether a database holds no record at all.
func blank(b *badger.DB) bool {
	txn := b.NewTransaction(false)
	defer txn.Discard()
	it := txn.NewIterator(badger.IteratorOptions{})
	defer it.Close()
	it.Rewind()
	return !it.Valid()
}
