package cw721

import (
	"bytes"
	"slices"

	"ephemera/core/kv"
)

// Layout describes in which records some releases of cw721 keep a collection's name and
// roles. All other records (tokens, the owner index, operators, the number of tokens and
// contract_info) have the same keys and the same form in all releases since 0.16.
type Layout struct {
	// Releases names the releases that have the layout, such as "cw721 0.17 or 0.18".
	Releases string

	info   kv.Item[CollectionInfo]
	minter roleItem
	// creator is nil before 0.19, where the minter's role is the only one.
	creator *roleItem
	// kinds are all kinds of record in the layout, the most frequent first.
	kinds []recordKind
}

// The layouts, the newest first. A migration deletes no records, so a collection of 0.19
// can also have the records of an older layout. The contract ignores them.
var (
	CurrentLayout = newLayout("cw721 0.19 or later", infoItem, minterItem, &creatorItem)

	layouts = []*Layout{
		CurrentLayout,
		newLayout("cw721 0.17 or 0.18", oldInfoItem, ownershipItem, nil),
		newLayout("cw721 0.16 or earlier", oldInfoItem, oldMinterItem, nil),
	}
)

// The records of a collection before 0.19, where they differ from the current ones:
// oldInfoItem has the name and the symbol, oldMinterItem the address of the minter in 0.16.
// ownershipItem has the minter's role in 0.17 and 0.18, under the key that has the creator's
// role today.
var (
	oldInfoItem = kv.NewItem("nft_info", kv.Codec[CollectionInfo]{
		Decode: func(record []byte) (CollectionInfo, error) {
			type oldInfo struct {
				Name   string `wire:"name"`
				Symbol string `wire:"symbol"`
			}
			old, err := StoredJSON[oldInfo]().Decode(record)
			return CollectionInfo{Name: old.Name, Symbol: old.Symbol}, err
		},
	})
	ownershipItem = creatorItem
	oldMinterItem = kv.NewItem("minter", kv.Codec[Ownership]{
		Decode: func(record []byte) (Ownership, error) {
			minter, err := StoredJSON[Address]().Decode(record)
			return Ownership{Owner: &minter}, err
		},
	})
)

// newLayout returns a layout with the records of the collection's name, the minter's role
// and the creator's role. creator is nil for a layout without the creator's role.
func newLayout(releases string, info kv.Item[CollectionInfo], minter roleItem, creator *roleItem) *Layout {
	kinds := slices.Concat(commonKinds, []recordKind{
		itemKind(info, "collection info"),
		itemKind(minter, "minter"),
	})
	if creator != nil {
		kinds = append(kinds, itemKind(*creator, "creator"))
	}
	return &Layout{Releases: releases, info: info, minter: minter, creator: creator, kinds: kinds}
}

// FindLayout returns the newest layout whose records are all in r. It ignores the version
// in contract_info, because real contracts store wrong ones. ok is false if there is no
// such layout, or no contract_info that can be decoded.
func FindLayout(r kv.Reader) (layout *Layout, ok bool, err error) {
	_, hasVersion, err := LoadVersion(r)
	if kv.IsCorrupt(err) {
		return nil, false, nil
	}
	if err != nil || !hasVersion {
		return nil, false, err
	}

	for _, layout := range layouts {
		missing, err := layout.MissingRecord(r)
		if err != nil || missing == "" {
			return layout, err == nil, err
		}
	}
	return nil, false, nil
}

// MissingRecord returns the key of the first record of the layout that r does not have,
// such as "collection_minter". It returns "" if r has all of them.
func (l *Layout) MissingRecord(r kv.Reader) (key string, err error) {
	needed := [][]byte{l.info.Key(), l.minter.Key()}
	if l.HasCreator() {
		needed = append(needed, l.creator.Key())
	}
	for _, key := range needed {
		if _, exists, err := r.Get(key); err != nil || !exists {
			return string(key), err
		}
	}
	return "", nil
}

// HasCreator reports whether collections have the role of a creator beside the minter's.
func (l *Layout) HasCreator() bool { return l.creator != nil }

// LoadRoles reads the minter's and the creator's role. The creator's is zero in a layout
// without it.
func (l *Layout) LoadRoles(r kv.Reader) (minter, creator Ownership, err error) {
	minter, _, err = l.minter.Load(r)
	if err != nil || !l.HasCreator() {
		return minter, creator, err
	}
	creator, _, err = l.creator.Load(r)
	return minter, creator, err
}

// RoleChange decodes a role's record before and after a change. A missing record or
// one that cannot be decoded is the zero Ownership. ok is false for another kind of
// record.
func (l *Layout) RoleChange(key, oldValue, newValue []byte) (role Rule, before, after Ownership, ok bool) {
	switch {
	case bytes.Equal(key, l.minter.Key()):
		role = RuleMinter
	case l.HasCreator() && bytes.Equal(key, l.creator.Key()):
		role = RuleCreator
	default:
		return "", Ownership{}, Ownership{}, false
	}

	oldContent, _ := l.DecodeRecord(key, oldValue)
	newContent, _ := l.DecodeRecord(key, newValue)
	before, _ = oldContent.(Ownership)
	after, _ = newContent.(Ownership)
	return role, before, after, true
}

// GrantKind converts the kind of a grant in [CurrentLayout] to the kind that the same
// record has in l. Before 0.19 the record of the creator's role was that of the minter's
// role.
func (l *Layout) GrantKind(current GrantKind) GrantKind {
	if current == GrantCreatorOffer && !l.HasCreator() {
		return GrantMinterOffer
	}
	return current
}

// DecodeGrants returns the grants in a record like the function [DecodeGrants]. In the
// layouts before 0.19 the one role is the minter's, but its record has the key that later
// layouts use for the creator, so an offer there is given the other kind.
func (l *Layout) DecodeGrants(key, value []byte) ([]Grant, error) {
	grants, err := DecodeGrants(key, value)
	for i := range grants {
		grants[i].Kind = l.GrantKind(grants[i].Kind)
	}
	return grants, err
}

// Message returns a message under the name that the releases of the layout know. Before
// 0.19 the message about the minter's role was update_ownership.
func (l *Layout) Message(msg ExecuteMsg) ExecuteMsg {
	update, isMinterUpdate := msg.(*UpdateMinterOwnership)
	if isMinterUpdate && !l.HasCreator() {
		return &UpdateOwnership{UpdateMinterOwnership: *update}
	}
	return msg
}
