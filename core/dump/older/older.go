// Package older converts the storage of collections before cw721 0.19 into the layout of
// 0.19. It converts cw721-base and cw721-metadata-onchain 0.16 to 0.18 as the contract's
// own migration does. It also converts Stargaze's sg721, for which no migration was
// released, and keeps its collection info and its two roles.
//
// Tokens, the owner index, operators and num_tokens have the same keys and bytes in all
// layouts, so the package yields them unchanged, and also records that no cw721 writes. It
// recognizes the layout of a dump by the records in it. It ignores the version that the
// dump names, because real contracts name wrong ones. A contract with a name that is not
// known can have other rules, so it is converted only for rules that the caller chooses.
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

// Records are the records of a contract's storage.
type Records = iter.Seq2[kv.Pair, error]

// Options say how records are converted.
type Options struct {
	// Code is the contract on which the collection runs after the conversion. If its
	// flavour is empty, the conversion chooses it from the records. If its rules are empty,
	// the collection gets the standard ones, and a contract with an unknown name is refused.
	// Its prefix must be that of the dump's addresses.
	Code       cw721.Contract
	Time       cw721.Time    // becomes updated_at, because old collections do not store a time
	Minter     cw721.Address // gets the minter's role; "" for the account in the records
	Creator    cw721.Address // gets the creator's role; "" for the account in the records
	KeepsCW721 bool          // leaves records of cw721 as they are, and converts only those of sg721
}

// Conversion is the state of a conversion and, after all its records are read, its result.
type Conversion struct {
	// Options are those of [Convert]. If the flavour was empty, it is set to the chosen one.
	Options
	OldLayout string   // such as "cw721 0.17 or 0.18"; "" if nothing was converted
	Notes     []string // sentences for the user about what is missing or means something else in 0.19

	specialRecords map[string][]byte // those in specialKeys, as read or as converted; by key
	hasMetadata    bool              // a token that was read has metadata
}

// The keys of the records that differ between the layouts.
const (
	// In 0.19.
	versionKey = "contract_info" // also in the older layouts
	infoKey    = "cw721_collection_info"
	minterKey  = "collection_minter"
	ownerKey   = "ownership" // has the creator's role, and in 0.17 and 0.18 the minter's

	// Before 0.19.
	oldInfoKey   = "nft_info"
	oldMinterKey = "minter"

	// In sg721.
	sgInfoKey         = "collection_info"
	sgFrozenKey       = "frozen_collection_info"
	sgRoyaltyKey      = "royalty_updated_at"
	sgFrozenTokensKey = "frozen_token_metadata"
	sgUpdatableKey    = "enable_updatable"
)

// specialKeys are those of the records that a conversion reads or changes.
var specialKeys = append([]string{versionKey, infoKey, minterKey, ownerKey}, oldKeys...)

// oldKeys are those of the records that 0.19 does not have any more.
var oldKeys = []string{
	oldInfoKey, oldMinterKey,
	sgInfoKey, sgFrozenKey, sgRoyaltyKey, sgFrozenTokensKey, sgUpdatableKey,
}

// Convert returns the records of a dump in the layout of 0.19. The records in specialKeys are
// converted together when all are known, and yielded last, in the order of their keys.
//
// The records end with a [*dump.Error] if old records are missing or cannot be decoded, or
// if the holder of a role has no valid address. The Conversion has its result when all
// records are read.
func Convert(options Options, records Records) (Records, *Conversion) {
	conversion := &Conversion{Options: options, specialRecords: map[string][]byte{}}
	return kv.Sequence(func(yield func(kv.Pair) bool) error {
		return conversion.yieldAll(records, yield)
	}), conversion
}

func (c *Conversion) yieldAll(records Records, yield func(kv.Pair) bool) error {
	for pair, err := range records {
		if err != nil {
			return err
		}

		// A second record with the same key is passed on, so that the import sees the repetition.
		key := string(pair.Key)
		if slices.Contains(specialKeys, key) && !c.hasRecord(key) {
			c.specialRecords[key] = bytes.Clone(pair.Value)
			continue
		}
		c.hasMetadata = c.hasMetadata || cw721.HasMetadata(pair.Key, pair.Value)
		if !yield(pair) {
			return nil
		}
	}

	if err := c.convertSpecial(); err != nil {
		return err
	}
	for _, key := range slices.Sorted(maps.Keys(c.specialRecords)) {
		if !yield(kv.Pair{Key: []byte(key), Value: c.specialRecords[key]}) {
			return nil
		}
	}
	return nil
}

// convertSpecial recognizes the old layout by the special records, and converts them. If they are
// not those of a whole cw721, it leaves them, and the import later reports what is missing.
func (c *Conversion) convertSpecial() error {
	// Records of 0.19 decide first, because a migrated collection also has the old ones.
	isCurrent := c.hasRecord(infoKey) || c.hasRecord(minterKey)
	isSG721 := c.hasRecord(oldInfoKey) && c.hasRecord(sgInfoKey)

	switch {
	case isCurrent:
		c.assignRoles()
		return nil
	case !isSG721 && (!c.hasRecord(oldInfoKey) || c.KeepsCW721):
		return nil
	}

	version, err := c.readOldVersion()
	switch {
	case err != nil:
		return err
	case isSG721:
		return c.convertSG721(version)
	}
	return c.convertCW721(version)
}

var sg721Names = []string{"sg-721", "sg721-base", "sg721-updatable", "sg721-nt", "sg721-metadata-onchain"}

// readOldVersion fails for a name that is not known, unless the caller has chosen the rules.
func (c *Conversion) readOldVersion() (version cw721.Version, err error) {
	if !c.hasRecord(versionKey) {
		return version, c.fail("it has no contract_info record: pages are missing")
	}
	if err := c.readRecord(versionKey, &version); err != nil {
		return version, err
	}
	_, flavour := cw721.IdentifyCode(version)
	if flavour != "" || slices.Contains(sg721Names, version.CodeName()) {
		return version, nil
	}
	if c.Code.Rules != cw721.RulesStandard {
		return version, c.fail(
			"contract_info names %s %s, whose rules are not known, and its storage is older than cw721 0.19; --rules standard converts it to cw721 with those rules",
			version.Contract,
			version.Number,
		)
	}
	c.addNote("contract_info named %s %s, whose rules are not known", version.Contract, version.Number)
	return version, nil
}

// convertCW721 converts the records of cw721 as the contract's migration to 0.19 does: the old
// minter becomes both minter and creator. It removes no record.
func (c *Conversion) convertCW721(version cw721.Version) error {
	minter, err := c.readOldMinter()
	if err != nil {
		return err
	}
	isMinterKept := c.Minter == "" || c.Creator == ""
	if minter.Owner != nil && isMinterKept {
		if err := c.checkAddress("the minter", *minter.Owner, "--minter and --creator"); err != nil {
			return err
		}
	}

	// Since 0.17 the record ownership exists. Write it for a collection that is older.
	if c.hasRecord(ownerKey) {
		c.OldLayout = "cw721 0.17 or 0.18"
	} else {
		c.OldLayout = "cw721 0.16 or earlier"
		c.setRecord(ownerKey, cw721.Ownership{Owner: minter.Owner})
	}

	// An offer of the minter's role stays in the record ownership. There it is now an offer
	// of the creator's role.
	candidate := minter.PendingOwner
	if candidate != nil && c.Creator == "" {
		c.addNote(
			"%s was offered the minter role; accepting makes it creator and not minter, as after the contract's own migration",
			*candidate,
		)
	}
	c.setRecord(minterKey, cw721.Ownership{Owner: minter.Owner})
	c.assignRoles()
	return c.writeInfo(version)
}

// readOldMinter reads the minter's role before 0.19. In 0.17 and 0.18 it is in the record
// ownership. Before, it is in the record minter, which has only the holder's address.
func (c *Conversion) readOldMinter() (minter cw721.Ownership, err error) {
	switch {
	case c.hasRecord(ownerKey):
		err = c.readRecord(ownerKey, &minter)
	case c.hasRecord(oldMinterKey):
		err = c.readRecord(oldMinterKey, &minter.Owner)
	case c.Minter != "":
		minter.Owner = &c.Minter
	default:
		err = c.fail("it has neither the record ownership nor minter: pages are missing, or --minter gives the minter")
	}
	return minter, err
}

// writeInfo writes the collection info, and the contract's name and version.
func (c *Conversion) writeInfo(oldVersion cw721.Version) error {
	var oldInfo struct {
		Name   string `wire:"name"`
		Symbol string `wire:"symbol"`
	}
	if err := c.readRecord(oldInfoKey, &oldInfo); err != nil {
		return err
	}

	// A token with metadata decides about the flavour, and otherwise the name of the contract.
	_, flavour := cw721.IdentifyCode(oldVersion)
	if c.hasMetadata {
		flavour = cw721.FlavourOnchain
	}
	c.Code.Flavour = cmp.Or(c.Code.Flavour, flavour, cw721.FlavourBase)
	info := cw721.CollectionInfo{Name: oldInfo.Name, Symbol: oldInfo.Symbol, UpdatedAt: c.Time}
	c.setRecord(infoKey, info)
	c.setRecord(versionKey, c.Code.Version())
	return nil
}

// assignRoles gives the roles to the accounts in the options.
func (c *Conversion) assignRoles() {
	if c.Minter != "" {
		c.setRecord(minterKey, cw721.Ownership{Owner: &c.Minter})
	}
	if c.Creator != "" {
		c.setRecord(ownerKey, cw721.Ownership{Owner: &c.Creator})
	}
}

// IsConverted reports whether the dump had an old layout, after all records are read.
func (c *Conversion) IsConverted() bool { return c.OldLayout != "" }

// hasRecord reports whether the dump has the special record, or the conversion has written it.
func (c *Conversion) hasRecord(key string) bool { return c.specialRecords[key] != nil }

func (c *Conversion) setRecord(key string, value any) { c.specialRecords[key] = wire.Encode(value) }

func (c *Conversion) readRecord(key string, target any) error {
	if err := wire.Decode(c.specialRecords[key], target); err != nil {
		return c.fail("its record %s is not as old contracts write it: %v", key, err)
	}
	return nil
}

// checkAddress names the flag with which the user can choose another holder.
func (c *Conversion) checkAddress(role string, holder cw721.Address, flag string) error {
	if err := cw721.ValidateAddress(c.Code.Prefix, holder); err != nil {
		return c.fail(
			"%s is %q, which is no address here (%v), expected another in %s",
			role,
			holder,
			err,
			flag,
		)
	}
	return nil
}

func (c *Conversion) addNote(format string, args ...any) {
	c.Notes = append(c.Notes, fmt.Sprintf(format, args...))
}

func (c *Conversion) fail(format string, args ...any) error {
	return &dump.Error{Page: "the dump", Text: fmt.Sprintf(format, args...)}
}
