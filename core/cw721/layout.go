package cw721

import (
	"bytes"
	"slices"

	"ephemera/core/kv"
)

// Layout describes where a group of releases of cw721 stores a collection's name and its
// roles. All other records have the same keys and the same form in all releases since 0.16:
// tokens, the owner index, operators, the number of tokens and contract_info.
type Layout struct {
	Releases string // names the releases that have the layout, such as "cw721 0.17 or 0.18"

	infoRecord    kv.Item[CollectionInfo] // the collection's name and symbol
	minterRecord  roleItem
	creatorRecord *roleItem    // nil before 0.19, where the minter's role is the only one
	recordKinds   []recordKind // all kinds in the layout, the most frequent first
}

// The known layouts of a collection's storage.
var (
	// CurrentLayout is the layout that the contract of this package reads and writes.
	CurrentLayout = newLayout("cw721 0.19 or later", infoItem, minterItem, &creatorItem)

	// layouts are all layouts, the newest first. The order matters: the migration to 0.19
	// deletes no records, so a collection of 0.19 can also have those of an older layout.
	layouts = []*Layout{
		CurrentLayout,
		// Since 0.19 the key of the minter's role in 0.17 and 0.18 has the creator's.
		newLayout("cw721 0.17 or 0.18", oldInfoItem, creatorItem, nil),
		newLayout("cw721 0.16 or earlier", oldInfoItem, oldMinterItem, nil),
	}
)

// The records of a collection before 0.19, where they differ from the current ones. They
// are only read, never written.
var (
	// oldInfoItem has the collection's name and symbol.
	oldInfoItem = kv.NewItem("nft_info", kv.Codec[CollectionInfo]{
		Decode: func(record []byte) (CollectionInfo, error) {
			type oldInfo struct {
				Name   string `wire:"name"`
				Symbol string `wire:"symbol"`
			}
			info, err := StoredJSON[oldInfo]().Decode(record)
			return CollectionInfo{Name: info.Name, Symbol: info.Symbol}, err
		},
	})
	// oldMinterItem has the minter's address in 0.16, where a role could not be offered.
	oldMinterItem = kv.NewItem("minter", kv.Codec[Ownership]{
		Decode: func(record []byte) (Ownership, error) {
			minter, err := StoredJSON[Address]().Decode(record)
			return Ownership{Owner: &minter}, err
		},
	})
)

func newLayout(
	releases string,
	infoRecord kv.Item[CollectionInfo],
	minterRecord roleItem,
	creatorRecord *roleItem,
) *Layout {
	recordKinds := slices.Concat(commonKinds, []recordKind{
		itemKind(infoRecord, "collection info"),
		itemKind(minterRecord, "minter"),
	})
	if creatorRecord != nil {
		recordKinds = append(recordKinds, itemKind(*creatorRecord, "creator"))
	}
	return &Layout{
		Releases:      releases,
		infoRecord:    infoRecord,
		minterRecord:  minterRecord,
		creatorRecord: creatorRecord,
		recordKinds:   recordKinds,
	}
}

// FindLayout returns the newest layout of which reader has all records. ok is false if
// there is no such layout, or if reader has no readable record contract_info. The version
// in that record is ignored, because real contracts store wrong ones.
func FindLayout(reader kv.Reader) (layout *Layout, ok bool, err error) {
	_, hasVersion, err := LoadVersion(reader)
	if kv.IsCorrupt(err) {
		return nil, false, nil
	}
	if err != nil || !hasVersion {
		return nil, false, err
	}

	for _, layout := range layouts {
		missingKey, err := layout.MissingRecord(reader)
		if err != nil {
			return nil, false, err
		}
		if missingKey == "" {
			return layout, true, nil
		}
	}
	return nil, false, nil
}

// MissingRecord returns the key of the first record of the layout that reader does not have,
// such as "collection_minter"; "" if it has all.
func (l *Layout) MissingRecord(reader kv.Reader) (key string, err error) {
	neededKeys := [][]byte{l.infoRecord.Key(), l.minterRecord.Key()}
	if l.HasCreator() {
		neededKeys = append(neededKeys, l.creatorRecord.Key())
	}
	for _, key := range neededKeys {
		_, exists, err := reader.Get(key)
		if err != nil {
			return "", err
		}
		if !exists {
			return string(key), nil
		}
	}
	return "", nil
}

// HasCreator reports whether there is a creator's role beside the minter's.
func (l *Layout) HasCreator() bool { return l.creatorRecord != nil }

// LoadRoles reads both roles. creator is the zero Ownership in a layout without that role.
func (l *Layout) LoadRoles(reader kv.Reader) (minter, creator Ownership, err error) {
	minter, _, err = l.minterRecord.Load(reader)
	if err != nil || !l.HasCreator() {
		return minter, creator, err
	}
	creator, _, err = l.creatorRecord.Load(reader)
	return minter, creator, err
}

// RoleChange decodes the record of a role before and after a change; ok is false for another
// key. A value that is nil or cannot be decoded gives the zero Ownership.
func (l *Layout) RoleChange(
	key, oldValue, newValue []byte,
) (roleName Rule, before, after Ownership, ok bool) {
	switch {
	case bytes.Equal(key, l.minterRecord.Key()):
		roleName = RuleMinter
	case l.HasCreator() && bytes.Equal(key, l.creatorRecord.Key()):
		roleName = RuleCreator
	default:
		return "", Ownership{}, Ownership{}, false
	}

	// The content is nil after an error, and the conversion then gives the zero value.
	oldContent, _ := l.DecodeRecord(key, oldValue)
	newContent, _ := l.DecodeRecord(key, newValue)
	before, _ = oldContent.(Ownership)
	after, _ = newContent.(Ownership)
	return roleName, before, after, true
}

// GrantKind returns the kind of a grant in l, given the kind in [CurrentLayout]. The two differ
// only before 0.19: the record "ownership" then had the offer of the minter's role.
func (l *Layout) GrantKind(currentKind GrantKind) GrantKind {
	if currentKind == GrantCreatorOffer && !l.HasCreator() {
		return GrantMinterOffer
	}
	return currentKind
}

// DecodeGrants is the function [DecodeGrants] with the kinds that grants have in l.
func (l *Layout) DecodeGrants(key, value []byte) ([]Grant, error) {
	grants, err := DecodeGrants(key, value)
	for i := range grants {
		grants[i].Kind = l.GrantKind(grants[i].Kind)
	}
	return grants, err
}

// Message returns msg in the form that the releases of the layout know. Before 0.19 the
// message update_minter_ownership was named update_ownership.
func (l *Layout) Message(msg ExecuteMsg) ExecuteMsg {
	update, isMinterUpdate := msg.(*UpdateMinterOwnership)
	if isMinterUpdate && !l.HasCreator() {
		return &UpdateOwnership{UpdateMinterOwnership: *update}
	}
	return msg
}
