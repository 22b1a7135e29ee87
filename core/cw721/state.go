package cw721

import (
	"bytes"
	"iter"
	"slices"
	"strconv"

	"ephemera/core/kv"
	"ephemera/core/wire"
)

// Approval is who may move a token, and until when.
type Approval struct {
	Spender Address    `wire:"spender"`
	Expires Expiration `wire:"expires"`
}

// Token is a token's record. Expired approvals stay in it until they are
// replaced, revoked, or the token moves (spec §5).
type Token struct {
	Owner     Address    `wire:"owner"`
	Approvals []Approval `wire:"approvals"`
	TokenURI  *string    `wire:"token_uri"`
	Extension Extension  `wire:"extension,optional"`
}

// approval finds a spender's entry.
func (t *Token) approval(spender Address) (a Approval, ok bool) {
	i := slices.IndexFunc(t.Approvals, func(a Approval) bool { return a.Spender == spender })
	if i < 0 {
		return a, false
	}
	return t.Approvals[i], true
}

// Ownership is a role, minter or creator: who holds it, and to whom it is
// offered (spec §6).
type Ownership struct {
	Owner         *Address    `wire:"owner"`
	PendingOwner  *Address    `wire:"pending_owner"`
	PendingExpiry *Expiration `wire:"pending_expiry"`
}

// Version is what cw2 keeps of a contract's code.
type Version struct {
	Contract string `wire:"contract"`
	Version  string `wire:"version"`
}

type operatorKey = kv.TextPair[Address, Address]
type ownerKey = kv.TextPair[Address, string]

// StoredJSON is how the contract stores a value: as the JSON that it has on the
// wire, compact and with its nulls (spec §1.1).
func StoredJSON[T any]() kv.Codec[T] {
	return kv.Codec[T]{
		Encode: func(v T) []byte { return wire.Encode(v) },
		Decode: func(b []byte) (v T, err error) { err = wire.Decode(b, &v); return v, err },
	}
}

// The records, under the names and in the layout of spec §1.1.
var (
	infoItem     = kv.NewItem("cw721_collection_info", StoredJSON[CollectionInfo]())
	extensionMap = kv.NewMap("cw721_collection_info_extension", kv.TextKey[string](), StoredJSON[Attribute]())
	creatorItem  = kv.NewItem("ownership", StoredJSON[Ownership]())
	minterItem   = kv.NewItem("collection_minter", StoredJSON[Ownership]())
	countItem    = kv.NewItem("num_tokens", storedNumber)
	withdrawItem = kv.NewItem("withdraw_address", StoredJSON[Address]())
	versionItem  = kv.NewItem("contract_info", StoredJSON[Version]())
	tokensMap    = kv.NewMap("tokens", kv.TextKey[string](), storedToken)
	ownersMap    = kv.NewMap("tokens__owner", kv.TwoTextsKey[Address, string](), storedNumber)
	mintersMap   = kv.NewMap(additionalMinters, kv.TextKey[Address](), StoredJSON[Empty]())
	operatorsMap = kv.NewMap("operators", kv.TwoTextsKey[Address, Address](), StoredJSON[Expiration]())
)

// LoadToken reads a token; ok is false when there is none of that id.
func LoadToken(r kv.Reader, id string) (t Token, ok bool, err error) { return tokensMap.Load(r, id) }

// LoadVersion reads which code a collection runs; ok is false where there is
// no collection.
func LoadVersion(r kv.Reader) (Version, bool, error) { return versionItem.Load(r) }

// Collection is what a collection is, tokens aside.
type Collection struct {
	CollectionInfo
	Extension       *CollectionExtension
	TokenCount      uint64
	Minter, Creator Ownership
	WithdrawAddress *Address // where withdraw_funds pays to
	Version         Version
}

// LoadCollection reads it; ok is false where there is no collection.
func LoadCollection(r kv.Reader) (c Collection, ok bool, err error) {
	err = firstError(
		func() (err error) { c.Version, ok, err = LoadVersion(r); return },
		func() (err error) { c.CollectionInfo, _, err = infoItem.Load(r); return },
		func() (err error) { c.Extension, err = LoadExtension(r); return },
		func() (err error) { c.TokenCount, err = LoadTokenCount(r); return },
		func() (err error) { c.Minter, c.Creator, err = LoadRoles(r); return },
		func() (err error) { c.WithdrawAddress, err = loadWithdrawAddress(r); return },
	)
	return c, ok, err
}

func firstError(steps ...func() error) error {
	for _, step := range steps {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// LoadRoles reads who is minter and who is creator.
func LoadRoles(r kv.Reader) (minter, creator Ownership, err error) {
	if minter, _, err = minterItem.Load(r); err == nil {
		creator, _, err = creatorItem.Load(r)
	}
	return minter, creator, err
}

func loadWithdrawAddress(r kv.Reader) (*Address, error) {
	a, ok, err := withdrawItem.Load(r)
	if err != nil || !ok {
		return nil, err
	}
	return &a, nil
}

// LoadExtension reads the collection's extension, nil when there is none.
func LoadExtension(r kv.Reader) (*CollectionExtension, error) {
	attrs, err := loadAttributes(r)
	if err != nil {
		return nil, err
	}
	return decodeExtension(attrs)
}

func loadAttributes(r kv.Reader) ([]Attribute, error) {
	attrs := []Attribute{}
	for rec, err := range extensionMap.All(r, nil, Walk{}) {
		if err != nil {
			return nil, err
		}
		attrs = append(attrs, rec.Value)
	}
	return attrs, nil
}

// LoadTokenCount reads how many tokens there are.
func LoadTokenCount(r kv.Reader) (uint64, error) {
	n, _, err := countItem.Load(r)
	return n, err
}

// Walk says which part of the tokens or operators to walk, placed by their ids.
type Walk = kv.Walk

// TokenIDs walks the ids of all tokens in byte order.
func TokenIDs(r kv.Reader, w Walk) iter.Seq2[string, error] {
	return tokensMap.Keys(r, nil, w)
}

// Tokens walks all tokens with their records.
func Tokens(r kv.Reader, w Walk) iter.Seq2[kv.Record[string, Token], error] {
	return tokensMap.All(r, nil, w)
}

// TokenIDsOf walks the ids of an owner's tokens in byte order.
func TokenIDsOf(r kv.Reader, owner Address, w Walk) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		for k, err := range ownersMap.Keys(r, kv.AppendPart(nil, owner), w) {
			if !yield(k.Second, err) {
				return
			}
		}
	}
}

// OperatorsOf walks an owner's operators in the byte order of their addresses,
// ended grants too.
func OperatorsOf(r kv.Reader, owner Address, w Walk) iter.Seq2[Approval, error] {
	return func(yield func(Approval, error) bool) {
		for rec, err := range operatorsMap.All(r, kv.AppendPart(nil, owner), w) {
			if !yield(Approval{rec.Key.Second, rec.Value}, err) {
				return
			}
		}
	}
}

// What nearly every message and query reads is read here by the form in which
// the contract writes it, several times faster than as any JSON. A record in
// another form is read as JSON.

// storedNumber is [StoredJSON] of a number, which is all digits.
var storedNumber = kv.Codec[uint64]{
	Encode: func(n uint64) []byte { return strconv.AppendUint(nil, n, 10) },
	Decode: func(b []byte) (uint64, error) {
		if n, err := strconv.ParseUint(string(b), 10, 64); err == nil && (b[0] != '0' || len(b) == 1) {
			return n, nil
		}
		return StoredJSON[uint64]().Decode(b)
	},
}

// storedToken is [StoredJSON] of a token.
var storedToken = kv.Codec[Token]{
	Encode: StoredJSON[Token]().Encode,
	Decode: func(b []byte) (Token, error) {
		if t, ok := parsePlainToken(b); ok {
			return t, nil
		}
		return StoredJSON[Token]().Decode(b)
	},
}

// parsePlainToken reads a token without an extension and without characters that
// JSON or UTF-8 could spell otherwise.
func parsePlainToken(value []byte) (t Token, ok bool) {
	owner, approvals, rest, ok := parseTokenStart(value)
	if !ok {
		return t, false
	}
	t = Token{Owner: owner, Approvals: approvals}
	if rest, ok = bytes.CutPrefix(rest, []byte(`,"token_uri":"`)); ok {
		end := plainTextLength(rest)
		uri := string(rest[:end])
		t.TokenURI = &uri
		rest, ok = bytes.CutPrefix(rest[end:], []byte(`"`))
	} else {
		rest, ok = bytes.CutPrefix(rest, []byte(`,"token_uri":null`))
	}
	return t, ok && string(rest) == `,"extension":null}`
}

// parseTokenStart reads the owner and the approvals of a token's record without the
// metadata behind them, which can be a hundred times longer. ok is false for a
// record that does not begin as the contract writes it.
func parseTokenStart(value []byte) (owner Address, approvals []Approval, rest []byte, ok bool) {
	rest, ok = bytes.CutPrefix(value, []byte(`{"owner":"`))
	if !ok {
		return "", nil, nil, false
	}
	end := plainTextLength(rest)
	owner = Address(rest[:end])
	if rest, ok = bytes.CutPrefix(rest[end:], []byte(`","approvals":`)); !ok {
		return "", nil, nil, false
	}
	if after, none := bytes.CutPrefix(rest, []byte("[]")); none {
		return owner, []Approval{}, after, bytes.HasPrefix(after, []byte(`,"token_uri":`))
	}
	end = bytes.Index(rest, []byte(`],"token_uri":`)) + 1
	if end < 1 {
		return "", nil, nil, false
	}
	ok = wire.Decode(rest[:end], &approvals) == nil
	return owner, approvals, rest[end:], ok
}

// decodeAccess reads the owner and the approvals of a token's record in any form.
func decodeAccess(value []byte) (Address, []Approval, error) {
	if owner, approvals, _, ok := parseTokenStart(value); ok {
		return owner, approvals, nil
	}
	t, err := tokensMap.Decode(value)
	return t.Owner, t.Approvals, err
}

// plainTextLength gives how many bytes stand for themselves in a JSON string.
func plainTextLength(b []byte) int {
	for i, c := range b {
		if c < ' ' || c > '~' || c == '"' || c == '\\' {
			return i
		}
	}
	return len(b)
}
