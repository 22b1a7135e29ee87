// Package older converts the storage of collections before cw721 0.19 into the
// layout of 0.19: cw721-base and cw721-metadata-onchain 0.16 to 0.18 as the
// contract's own migration does it, and Stargaze's sg721, for which no migration
// was released, so that its collection info and its two roles are kept.
//
// Tokens, owner index, operators and num_tokens have the same keys and bytes in
// all of them and pass through as they come. Which layout a dump has is told by
// its records and never by the version that it notes, which real contracts have
// wrong. Records that no cw721 writes are passed on as well.
//
// The package must never know files, stores or screens.
package older

import (
	"bytes"
	"cmp"
	"fmt"
	"iter"
	"maps"
	"slices"

	"ephemera/core/cw721"
	"ephemera/core/dump"
	"ephemera/core/kv"
	"ephemera/core/wire"
)

// Records is a walk over a contract's storage.
type Records = iter.Seq2[kv.Pair, error]

// Options are what the records do not say.
type Options struct {
	// Code is what the collection runs on from now on. An empty flavour follows
	// the records, empty rules are the standard ones; the prefix is that of the
	// dump's addresses.
	Code cw721.Contract
	// Time is that of the conversion's block: old collections do not note when
	// they were changed.
	Time cw721.Time
	// Minter and Creator take the roles instead of those whom the records name,
	// as in the migration's message; empty leaves them.
	Minter, Creator cw721.Address
}

// Conversion is what became of a dump, once its records are walked.
type Conversion struct {
	Options
	// From names the layout that was converted; empty where none was.
	From string
	// Notes say what the collection had that has no place in 0.19, or means
	// something else there, one sentence each.
	Notes []string

	held     map[string][]byte // the records that differ between the layouts
	metadata bool              // a token has some
}

// The records that differ: those of 0.19, those before it, those of sg721.
const (
	versionKey = "contract_info"
	infoKey    = "cw721_collection_info"
	minterKey  = "collection_minter"
	ownerKey   = "ownership" // of the minter role before 0.19, of the creator role since

	oldInfoKey   = "nft_info"
	oldMinterKey = "minter"

	sgInfoKey         = "collection_info"
	sgFrozenKey       = "frozen_collection_info"
	sgRoyaltyKey      = "royalty_updated_at"
	sgFrozenTokensKey = "frozen_token_metadata"
	sgUpdatableKey    = "enable_updatable"
)

var heldKeys = []string{
	versionKey, infoKey, minterKey, ownerKey, oldInfoKey, oldMinterKey,
	sgInfoKey, sgFrozenKey, sgRoyaltyKey, sgFrozenTokensKey, sgUpdatableKey,
}

// Convert gives a dump's records in the layout of 0.19, those that it had to
// look at together last and in key order. The walk ends with a [*dump.Error]
// where old records are not what their layout says.
func Convert(o Options, records Records) (Records, *Conversion) {
	c := &Conversion{Options: o, held: map[string][]byte{}}
	return func(yield func(kv.Pair, error) bool) {
		for p, err := range records {
			// One that comes twice is passed on, for whoever counts them.
			_, twice := c.held[string(p.Key)]
			if err == nil && !twice && slices.Contains(heldKeys, string(p.Key)) {
				c.held[string(p.Key)] = bytes.Clone(p.Value)
				continue
			}
			c.metadata = c.metadata || cw721.HasMetadata(p.Key, p.Value)
			if !yield(p, err) || err != nil {
				return
			}
		}
		if err := c.convert(); err != nil {
			yield(kv.Pair{}, err)
			return
		}
		for _, key := range slices.Sorted(maps.Keys(c.held)) {
			if !yield(kv.Pair{Key: []byte(key), Value: c.held[key]}, nil) {
				return
			}
		}
	}, c
}

func (c *Conversion) convert() error {
	var err error
	switch {
	case c.has(infoKey) || c.has(minterKey):
		// 0.19 or later; what is left of an older past is not read.
	case c.has(oldInfoKey) && c.has(sgInfoKey):
		err = c.fromSG721()
	case c.has(oldInfoKey) && (c.has(ownerKey) || c.has(oldMinterKey)):
		err = c.fromCW721()
	default:
		return nil // not a whole cw721, which is for the importer to say
	}
	if err == nil {
		c.nameRoles()
	}
	return err
}

// fromCW721 does what migrate of 0.19 does. It removes nothing.
func (c *Conversion) fromCW721() error {
	minter, err := c.oldMinter()
	if err != nil {
		return err
	}
	if minter.Owner != nil && (c.Minter == "" || c.Creator == "") {
		if err := c.address("the minter", *minter.Owner, "--minter and --creator"); err != nil {
			return err
		}
	}
	c.From = "cw721 0.16 or earlier"
	if c.has(ownerKey) {
		c.From = "cw721 0.17 or 0.18"
	} else {
		c.set(ownerKey, cw721.Ownership{Owner: minter.Owner})
	}
	if p := minter.PendingOwner; p != nil && c.Creator == "" {
		c.note("%s was offered the minter role; accepting makes it creator and not minter, as after the contract's own migration", *p)
	}
	c.set(minterKey, cw721.Ownership{Owner: minter.Owner})
	return c.newInfo()
}

// oldMinter reads who is minter before 0.19: under ownership since 0.17, else
// under minter.
func (c *Conversion) oldMinter() (o cw721.Ownership, err error) {
	if c.has(ownerKey) {
		err = c.read(ownerKey, &o)
	} else if c.has(oldMinterKey) {
		err = c.read(oldMinterKey, &o.Owner)
	} else {
		err = c.fail("it has neither the record ownership nor minter, expected one of them beside nft_info: pages are missing")
	}
	return o, err
}

// newInfo writes what the collection is called, and what it runs on.
func (c *Conversion) newInfo() error {
	var old struct {
		Name   string `wire:"name"`
		Symbol string `wire:"symbol"`
	}
	var version cw721.Version
	if !c.has(versionKey) {
		return c.fail("it has no contract_info record: pages are missing")
	}
	if err := cmp.Or(c.read(oldInfoKey, &old), c.read(versionKey, &version)); err != nil {
		return err
	}
	if c.Code.Flavour == "" {
		_, c.Code.Flavour = cw721.IdentifyCode(version)
		switch {
		case c.metadata:
			c.Code.Flavour = cw721.FlavourOnchain // whatever it calls itself
		case c.Code.Flavour == "":
			c.Code.Flavour = cw721.FlavourBase
		}
	}
	c.set(infoKey, cw721.CollectionInfo{Name: old.Name, Symbol: old.Symbol, UpdatedAt: c.Time})
	c.set(versionKey, c.Code.Version())
	return nil
}

// nameRoles gives the roles to those whom the options name.
func (c *Conversion) nameRoles() {
	for key, who := range map[string]cw721.Address{minterKey: c.Minter, ownerKey: c.Creator} {
		if who != "" {
			c.set(key, cw721.Ownership{Owner: &who})
		}
	}
}

// IsConverted tells, once the records are walked, whether they were converted.
func (c *Conversion) IsConverted() bool { return c.From != "" }

func (c *Conversion) has(key string) bool { return c.held[key] != nil }

func (c *Conversion) set(key string, value any) { c.held[key] = wire.Encode(value) }

func (c *Conversion) read(key string, into any) error {
	if err := wire.Decode(c.held[key], into); err != nil {
		return c.fail("its record %s is not as old contracts write it: %v", key, err)
	}
	return nil
}

// address fails for one that this chain cannot have; flag names another.
func (c *Conversion) address(role string, a cw721.Address, flag string) error {
	if err := cw721.ValidateAddress(c.Code.Prefix, a); err != nil {
		return c.fail("%s is %q, which is no address here (%v), expected another in %s", role, a, err, flag)
	}
	return nil
}

func (c *Conversion) note(format string, args ...any) {
	c.Notes = append(c.Notes, fmt.Sprintf(format, args...))
}

func (c *Conversion) fail(format string, args ...any) error {
	return &dump.Error{Page: "the dump", Text: fmt.Sprintf(format, args...)}
}
