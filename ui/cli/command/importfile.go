package command

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/dump"
	"ephemera/core/dump/older"
	"ephemera/core/human"
	"ephemera/core/wire"

	"github.com/go-json-experiment/json/jsontext"
)

// ImportFile fills an empty database with the storage in one file, for the explorer. If
// genesis has no prefix, the prefix is that of the first address in the file. If genesis has
// no height or no time, that of the note in the file counts. Without a note, the height is 1
// and the time is the time of day. The notes are for the user: what the conversion of an older
// layout changed, and the warning of [HeightWarning] if nothing gave a height. After an
// error the database is empty again.
func (db *Database) ImportFile(name string, genesis chain.Genesis, progress func(records int)) (notes []string, err error) {
	file, err := OpenFile(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	pages := dump.Read(file)
	defaultClock := chain.Clock{Height: 1, Time: Now()}
	notes, err = db.ImportFrom(pages, genesis, defaultClock, progress)
	isHeightKnown := genesis.Clock.Height != 0 || pages.Note() != nil
	if err != nil || isHeightKnown {
		return notes, err
	}
	warning, err := chain.Read(db, HeightWarning)
	if warning != "" {
		notes = append([]string{warning + ": T moves the clock"}, notes...)
	}
	return notes, err
}

// HeightWarning returns a warning for a collection that begins at height 1 because nothing
// says at which height it was dumped. It is empty if no approval expires at a later height.
func HeightWarning(view *chain.View) (string, error) {
	latest, exists, err := view.LastExpiry(cw721.AtHeight)
	if !exists || latest.Expires.Value <= 1 {
		return "", err
	}
	return fmt.Sprintf(
		"the collection begins at height 1, where approvals that have expired by height are in force again; the latest expires at height %s",
		human.Thousands(latest.Expires.Value),
	), err
}

// ImportFrom fills an empty database with the storage in a dump whose files are open
// already. What genesis leaves empty comes from the note in the dump. defaultClock is the
// clock if neither has one. For the built-in contract, records of older contracts are
// converted, unless genesis keeps the layout; notes tell what that changed. After an error
// the database is empty again.
func (db *Database) ImportFrom(
	pages *dump.Pages,
	genesis chain.Genesis,
	defaultClock chain.Clock,
	progress func(records int),
) (notes []string, err error) {
	records, firstAddress, stop, err := PeekDump(pages)
	if err != nil {
		return nil, err
	}
	defer stop()

	// Complete the genesis from the note, and the prefix also from the records.
	note, err := ReadNote(pages.Note())
	if err != nil {
		return nil, err
	}
	note.complete(&genesis, defaultClock)
	genesis.Prefix = cmp.Or(genesis.Prefix, PrefixOf(firstAddress))

	// The built-in contract reads only the layout of cw721 0.19, so convert older records. A
	// compiled contract reads the layout of its own version.
	conversion := &older.Conversion{}
	if genesis.Module == nil {
		options := older.Options{
			Code:       genesis.Contract(),
			Time:       genesis.Clock.Time,
			KeepsCW721: genesis.KeepsLayout,
		}
		records, conversion = older.Convert(options, records)
		genesis.Converted = conversion.IsConverted
	}
	if err := db.Import(genesis, records, progress); err != nil {
		return nil, errors.Join(err, db.Discard())
	}
	return conversion.Notes, nil
}

// PeekDump reads a dump up to its first address, which shows the prefix of all addresses. It
// returns that address, or "" if there is none. It also returns all records of the dump,
// including those that it has read already. Call stop when the records are no longer needed.
func PeekDump(pages *dump.Pages) (records chain.Records, firstAddress cw721.Address, stop func(), err error) {
	findAddress := func(value []byte) bool {
		firstAddress = FindAddress(value)
		return firstAddress != ""
	}
	records, stop, err = pages.Peek(findAddress)
	return records, firstAddress, stop, err
}

// Note is what an export adds to the contract's storage: the clock, the rules, the
// accounts. Exports of older versions have neither rules nor flavour.
type Note struct {
	Clock    chain.Clock     `wire:"clock"`
	Rules    cw721.Rules     `wire:"rules,optional"`
	Flavour  cw721.Flavour   `wire:"flavour,optional"`
	Prefix   string          `wire:"prefix"`
	Contract cw721.Address   `wire:"contract"` // its own address
	Accounts []chain.Account `wire:"accounts"`
	// Module is the compiled contract that ran, for diff: its code is not in the dump.
	Module *chain.StoredModule `wire:"module,optional"`
}

// ReadNote reads the note in a dump. raw is its JSON text, or nil for a dump without a note.
// Then the result is empty.
func ReadNote(raw []byte) (note Note, err error) {
	if raw == nil {
		return note, nil
	}
	if err := wire.Decode(raw, &note); err != nil {
		return note, UsageErrorf("ephemera: the note in the dump was not written by this program: %v", err)
	}
	return note, nil
}

// complete fills the empty fields of a genesis with those of the note. If the note has no
// clock, it uses defaultClock instead.
//
// If the user gave both a height and a time, the user describes another chain than that of
// the note. Then complete takes only the rules, the flavour and the prefix from the note,
// and neither the contract's address nor the accounts.
func (n Note) complete(genesis *chain.Genesis, defaultClock chain.Clock) {
	genesis.Rules = cmp.Or(genesis.Rules, n.Rules)
	genesis.Flavour = cmp.Or(genesis.Flavour, n.Flavour)
	genesis.Prefix = cmp.Or(genesis.Prefix, n.Prefix)
	givenClock := genesis.Clock
	if givenClock.Height != 0 && givenClock.Time != 0 {
		return
	}
	fallbackClock := cmp.Or(n.Clock, defaultClock)
	genesis.Clock = chain.Clock{
		Height:          cmp.Or(givenClock.Height, fallbackClock.Height),
		Time:            cmp.Or(givenClock.Time, fallbackClock.Time),
		SecondsPerBlock: cmp.Or(givenClock.SecondsPerBlock, fallbackClock.SecondsPerBlock),
	}
	genesis.Self = cmp.Or(genesis.Self, n.Contract)
	genesis.Accounts = append(genesis.Accounts, n.Accounts...)
}

// PrefixOf returns the prefix of the first valid address, or cosmos if there is none.
func PrefixOf(candidates ...cw721.Address) string {
	for _, candidate := range candidates {
		if prefix, isAddress := cw721.AddressPrefix(candidate); isAddress {
			return prefix
		}
	}
	return chain.DefaultPrefix
}

// FindAddress returns the first valid address in a JSON text, or "" if there is none.
func FindAddress(text []byte) cw721.Address {
	decoder := jsontext.NewDecoder(bytes.NewReader(text), jsontext.AllowDuplicateNames(true))
	for {
		token, err := decoder.ReadToken()
		if err != nil {
			return ""
		}
		if token.Kind() != '"' {
			continue
		}
		address := cw721.Address(token.String())
		if _, ok := cw721.AddressPrefix(address); ok {
			return address
		}
	}
}
