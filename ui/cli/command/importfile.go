package command

import (
	"bytes"
	"cmp"
	"errors"
	"strings"
	"time"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/dump"
	"ephemera/core/dump/older"
	"ephemera/core/wire"

	"github.com/go-json-experiment/json/jsontext"
)

// Note is what an export adds of what is not in the contract's storage: the clock,
// the rules, the accounts. Exports of older versions have neither rules nor flavour.
type Note struct {
	Clock    chain.Clock     `wire:"clock"`
	Rules    cw721.Rules     `wire:"rules,optional"`
	Flavour  cw721.Flavour   `wire:"flavour,optional"`
	Prefix   string          `wire:"prefix"`
	Contract cw721.Address   `wire:"contract"` // its own address
	Accounts []chain.Account `wire:"accounts"`
}

// ReadNote reads the note of a dump, which is empty where there is none.
func ReadNote(raw []byte) (n Note, err error) {
	if raw == nil {
		return n, nil
	}
	if err := wire.Decode(raw, &n); err != nil {
		return n, UsageErrorf("ephemera: the note in the dump is none that this program writes: %v", err)
	}
	return n, nil
}

// complete takes from the note the rules, the flavour and the prefix that a start
// leaves open. If its clock is not said whole it takes the rest too, and the clock
// from otherwise where there is no note.
func (n Note) complete(start *chain.Genesis, otherwise chain.Clock) {
	start.Rules = cmp.Or(start.Rules, n.Rules)
	start.Flavour = cmp.Or(start.Flavour, n.Flavour)
	start.Prefix = cmp.Or(start.Prefix, n.Prefix)
	if start.Clock.Height != 0 && start.Clock.Time != 0 {
		return
	}
	clock := cmp.Or(n.Clock, otherwise)
	start.Clock = chain.Clock{
		Height: cmp.Or(start.Clock.Height, clock.Height), Time: cmp.Or(start.Clock.Time, clock.Time),
		SecondsPerBlock: cmp.Or(start.Clock.SecondsPerBlock, clock.SecondsPerBlock),
	}
	start.Self = cmp.Or(start.Self, n.Contract)
	start.Accounts = append(start.Accounts, n.Accounts...)
}

// ImportFile fills an empty database with the storage in one file: the import
// command as the explorer's welcome has it. An empty prefix is that of the
// first address in the file. A height or a time of zero is as the file notes, else
// the first block and the time of day. When it fails the database is as empty as
// before.
func (db *Database) ImportFile(name string, start chain.Genesis, progress func(records int)) error {
	file, err := OpenFile(name)
	if err != nil {
		return err
	}
	defer file.Close()
	now, _ := chain.BlockTime(time.Now().Truncate(time.Second))
	return db.ImportFrom(file, start, chain.Clock{Height: 1, Time: now}, progress)
}

// ImportFrom is [Database.ImportFile] from an open file, with another clock for a file
// that notes none.
func (db *Database) ImportFrom(file File, start chain.Genesis, otherwise chain.Clock, progress func(records int)) error {
	pages := dump.Read(file)
	records, found, stop, err := PeekDump(pages)
	if err != nil {
		return err
	}
	defer stop()
	note, err := ReadNote(pages.Note())
	if err != nil {
		return err
	}
	note.complete(&start, otherwise)
	if start.Prefix, err = ChoosePrefix(start.Prefix, found); err != nil {
		return err
	}
	if start.Module == nil {
		var conversion *older.Conversion
		records, conversion = older.Convert(older.Options{Code: start.Contract(), Time: start.Clock.Time}, records)
		start.Converted = conversion.Happened
	}
	if err := db.Import(start, records, progress); err != nil {
		return errors.Join(err, db.Discard())
	}
	return nil
}

// PeekDump looks into a dump for an address, which shows the prefix of all of them,
// and gives the walk from its beginning; stop ends it.
func PeekDump(pages *dump.Pages) (records chain.Records, found cw721.Address, stop func(), err error) {
	records, stop, err = pages.Peek(func(value []byte) bool {
		found = AddressIn(value)
		return found != ""
	})
	return records, found, stop, err
}

// defaultPrefix is taken where no address says another.
const defaultPrefix = "cosmos"

// Joined lists words with commas between them.
func Joined[S ~string](all []S) string {
	var words []string
	for _, s := range all {
		words = append(words, string(s))
	}
	return strings.Join(words, ", ")
}

// ChoosePrefix gives the prefix of all addresses: the one that is named, else that
// of the first of some addresses that shows one, else cosmos.
func ChoosePrefix(prefix string, shown ...cw721.Address) (string, error) {
	for _, a := range shown {
		if p, ok := cw721.PrefixOf(a); ok && prefix == "" {
			prefix = p
		}
	}
	prefix = cmp.Or(prefix, defaultPrefix)
	if a, err := chain.AddressFor(prefix, "", cw721.AccountBytes); err != nil || cw721.ValidateAddress(prefix, a) != nil {
		return "", UsageErrorf("--prefix: %q cannot begin an address, expected lower-case letters such as cosmos", prefix)
	}
	return prefix, nil
}

// AddressIn gives the first valid address in a text of JSON, "" when there is
// none.
func AddressIn(text []byte) cw721.Address {
	tokens := jsontext.NewDecoder(bytes.NewReader(text), jsontext.AllowDuplicateNames(true))
	for {
		token, err := tokens.ReadToken()
		if err != nil {
			return ""
		}
		if token.Kind() != '"' {
			continue
		}
		a := cw721.Address(token.String())
		if _, ok := cw721.PrefixOf(a); ok {
			return a
		}
	}
}
