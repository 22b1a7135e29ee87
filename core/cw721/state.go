package cw721

import (
	"bytes"
	"iter"
	"strconv"
	"strings"

	"ephemera/core/kv"
	"ephemera/core/wire"
)

// Approval permits an account, the spender, to move a token. In the answers about operators, it
// permits the account to act on all tokens of an owner.
type Approval struct {
	Spender Address    `wire:"spender"`
	Expires Expiration `wire:"expires"`
}

// Token is the stored record of a token. Expired approvals stay in it until they are
// replaced or revoked, or the token gets a new owner (spec §5).
type Token struct {
	Owner     Address    `wire:"owner"`
	Approvals []Approval `wire:"approvals"`
	TokenURI  *string    `wire:"token_uri"`
	Extension Extension  `wire:"extension,optional"`

	// KeptMembers are the members of the record that cw721 does not know, in their order, such as
	// "extension.royalty_percentage". An extension that cw721 cannot read is one of them. They
	// are lost when a message writes the record.
	KeptMembers []wire.UnknownMember
}

// approval returns the spender's approval, which may have expired.
func (t *Token) approval(spender Address) (approval Approval, ok bool) {
	for _, approval := range t.Approvals {
		if approval.Spender == spender {
			return approval, true
		}
	}
	return Approval{}, false
}

// Ownership is the stored record of a role, minter or creator (spec §6).
type Ownership struct {
	Owner         *Address    `wire:"owner"`          // nil if the role was renounced
	PendingOwner  *Address    `wire:"pending_owner"`  // who was offered the role; nil if nobody was
	PendingExpiry *Expiration `wire:"pending_expiry"` // nil if the offer never expires or there is none
}

// Version is the record contract_info, which has the name and version of a contract's
// code, such as "crates.io:cw721-base" and "0.19.0".
type Version struct {
	Contract string `wire:"contract"`
	Number   string `wire:"version"`
}

// CodeName returns the name of the code without the registry: "cw721-base".
func (v Version) CodeName() string { return strings.TrimPrefix(v.Contract, "crates.io:") }

type (
	operatorKey = kv.TextPair[Address, Address] // the owner, then the operator
	ownerKey    = kv.TextPair[Address, string]  // the owner, then the token ID
)

// StoredJSON returns the codec that most of the contract's records have. It encodes values
// as compact JSON like that of messages, with null for absent members (spec §1.1).
func StoredJSON[T any]() kv.Codec[T] {
	return kv.Codec[T]{
		Encode: func(v T) []byte { return wire.Encode(v) },
		Decode: func(b []byte) (v T, err error) {
			err = wire.Decode(b, &v)
			return v, err
		},
	}
}

// The contract's records, with the names and in the layout of cw-storage-plus
// (spec §1.1).
var (
	infoItem     = kv.NewItem("cw721_collection_info", StoredJSON[CollectionInfo]())
	extensionMap = kv.NewMap(
		"cw721_collection_info_extension",
		kv.TextKey[string](),
		StoredJSON[Attribute](),
	)
	creatorItem  = kv.NewItem("ownership", StoredJSON[Ownership]())
	minterItem   = kv.NewItem("collection_minter", StoredJSON[Ownership]())
	countItem    = kv.NewItem("num_tokens", storedNumber)
	withdrawItem = kv.NewItem("withdraw_address", StoredJSON[Address]())
	versionItem  = kv.NewItem("contract_info", StoredJSON[Version]())
	tokensMap    = kv.NewMap("tokens", kv.TextKey[string](), storedToken)
	ownersMap    = kv.NewMap("tokens__owner", kv.TwoTextsKey[Address, string](), storedNumber)
	mintersMap   = kv.NewMap(additionalMintersName, kv.TextKey[Address](), StoredJSON[Empty]())
	operatorsMap = kv.NewMap("operators", kv.TwoTextsKey[Address, Address](), StoredJSON[Expiration]())
)

// anyKey is the start of all keys, for iterators over a whole map.
var anyKey []byte

// LoadToken reads a token; ok is false if it does not exist.
func LoadToken(reader kv.Reader, id string) (token Token, ok bool, err error) {
	return tokensMap.Load(reader, id)
}

// LoadVersion reads the name and version of a collection's code; ok is false without one.
func LoadVersion(reader kv.Reader) (version Version, ok bool, err error) {
	return versionItem.Load(reader)
}

// Collection is the state of a collection except for its tokens and operators.
type Collection struct {
	CollectionInfo
	Extension       *CollectionExtension
	TokenCount      uint64
	Minter          Ownership
	Creator         Ownership
	WithdrawAddress *Address // the address that withdraw_funds pays to, nil if none is set
	Version         Version
}

// LoadCollection reads a collection; ok is false if there is none. Before 0.19 there is
// no UpdatedAt, Extension, Creator or WithdrawAddress.
func (l *Layout) LoadCollection(reader kv.Reader) (collection Collection, ok bool, err error) {
	collection.Version, ok, err = LoadVersion(reader)
	if err == nil {
		collection.CollectionInfo, _, err = l.infoRecord.Load(reader)
	}
	if err == nil {
		collection.Extension, err = LoadExtension(reader)
	}
	if err == nil {
		collection.TokenCount, err = LoadTokenCount(reader)
	}
	if err == nil {
		collection.Minter, collection.Creator, err = l.LoadRoles(reader)
	}
	if err == nil {
		collection.WithdrawAddress, err = loadWithdrawAddress(reader)
	}
	return collection, ok && err == nil, err
}

func loadWithdrawAddress(reader kv.Reader) (*Address, error) {
	address, isSet, err := withdrawItem.Load(reader)
	if !isSet {
		return nil, err
	}
	return &address, nil
}

// LoadExtension reads the collection's extension, nil if there is none.
func LoadExtension(reader kv.Reader) (*CollectionExtension, error) {
	attributes, err := loadAttributes(reader)
	if err != nil {
		return nil, err
	}
	return decodeExtension(attributes)
}

// loadAttributes returns a slice that is not nil unless there is an error.
func loadAttributes(reader kv.Reader) ([]Attribute, error) {
	attributes := []Attribute{}
	for record, err := range extensionMap.All(reader, anyKey, Walk{}) {
		if err != nil {
			return nil, err
		}
		attributes = append(attributes, record.Value)
	}
	return attributes, nil
}

// LoadTokenCount reads the number of tokens, 0 if none is stored.
func LoadTokenCount(reader kv.Reader) (uint64, error) {
	count, _, err := countItem.Load(reader)
	return count, err
}

// Walk selects from which key on, and in which direction, a list is read.
type Walk = kv.Walk

// TokenIDs yields the ids of all tokens, in byte order.
func TokenIDs(reader kv.Reader, walk Walk) iter.Seq2[string, error] {
	return tokensMap.Keys(reader, anyKey, walk)
}

// Tokens yields all tokens, in the byte order of their ids.
func Tokens(reader kv.Reader, walk Walk) iter.Seq2[kv.Record[string, Token], error] {
	return tokensMap.All(reader, anyKey, walk)
}

// TokenIDsOf yields the ids of an owner's tokens, in byte order.
func TokenIDsOf(reader kv.Reader, owner Address, walk Walk) iter.Seq2[string, error] {
	keys := ownersMap.Keys(reader, kv.AppendPart(nil, owner), walk)
	return kv.Convert(keys, func(key ownerKey) (string, error) { return key.Second, nil })
}

// OperatorsOf yields an owner's operators, in the byte order of their addresses, also those
// whose grants have expired.
func OperatorsOf(reader kv.Reader, owner Address, walk Walk) iter.Seq2[Approval, error] {
	records := operatorsMap.All(reader, kv.AppendPart(nil, owner), walk)
	return kv.Convert(records, func(record kv.Record[operatorKey, Expiration]) (Approval, error) {
		return Approval{Spender: record.Key.Second, Expires: record.Value}, nil
	})
}

// storedNumber is the codec of numbers in records. It behaves like [StoredJSON], but decodes
// plain digits faster.
var storedNumber = kv.Codec[uint64]{
	Encode: func(n uint64) []byte { return strconv.AppendUint(nil, n, 10) },
	Decode: func(b []byte) (uint64, error) {
		n, err := strconv.ParseUint(string(b), 10, 64)
		hasLeadingZero := len(b) > 1 && b[0] == '0' // which JSON does not permit
		if err != nil || hasLeadingZero {
			return StoredJSON[uint64]().Decode(b)
		}
		return n, nil
	},
}

// storedToken is the codec of tokens in records. It behaves like [StoredJSON], but decodes
// the form of most tokens several times faster. That matters, because nearly every message
// and query reads a token. It also decodes tokens with members that cw721 does not know, which
// [ruleSet.refusalOf] refuses for the releases that do.
var storedToken = kv.Codec[Token]{
	Encode: StoredJSON[Token]().Encode,
	Decode: func(b []byte) (token Token, err error) {
		if token, ok := parsePlainToken(b); ok {
			return token, nil
		}
		options := wire.Options{IgnoresUnknown: true, IgnoredMembers: &token.KeptMembers}
		if _, err = wire.DecodeWith(options, b, &token); err == nil {
			return token, nil
		}

		// Other code can have any JSON as the extension.
		var other struct {
			Owner     Address    `wire:"owner"`
			Approvals []Approval `wire:"approvals"`
			TokenURI  *string    `wire:"token_uri"`
			Extension wire.Raw   `wire:"extension,optional"`
		}
		token = Token{}
		if _, otherErr := wire.DecodeWith(options, b, &other); otherErr != nil {
			return token, err
		}
		token.Owner = other.Owner
		token.Approvals = other.Approvals
		token.TokenURI = other.TokenURI
		extension := wire.UnknownMember{Field: extensionMember, Name: extensionMember, Value: other.Extension}
		token.KeptMembers = append(token.KeptMembers, extension)
		return token, nil
	},
}

const extensionMember = "extension"

// refusalOf returns the error, of kind parse, with which the code of the rule set refuses to read
// a token because of a member that it does not know; nil if it reads the token for msg.
func (s *ruleSet) refusalOf(token *Token, msg any) *Error {
	ignoresExtension := false // reads any object as the extension, because it is not used
	switch msg.(type) {
	case *Burn, *OwnerOf, *ApprovalQuery, *Approvals:
		ignoresExtension = true
	}

	for _, member := range token.KeptMembers {
		cause := wire.DescribeUnknownName("field", member.Name, member.KnownNames)
		parents := strings.TrimSuffix(member.Field, member.Name)
		isIgnored := s.ignoresUnknownMembers || ignoresExtension && strings.HasPrefix(parents, extensionMember+".")

		// An extension that cw721 cannot read is no object, or has a member of another type.
		if member.Field == extensionMember {
			options := wire.Options{IgnoresUnknown: s.ignoresUnknownMembers}
			_, err := wire.DecodeWith(options, member.Value, new(Extension))
			cause = err.Error()
			isIgnored = ignoresExtension && member.Value[0] == '{'
		}
		if !isIgnored {
			return &Error{Kind: KindParse, Text: "Error parsing into type NftInfo: " + cause}
		}
	}
	return nil
}

// parsePlainToken parses the record of a token that has no extension and a URI without
// unusual characters, as the contract writes it. ok is false for any other record, which may
// still be valid.
func parsePlainToken(record []byte) (token Token, ok bool) {
	token, remainder, ok := parseTokenStart(record)
	if !ok {
		return Token{}, false
	}

	// Without a URI, only one text can follow.
	afterQuote, hasURI := bytes.CutPrefix(remainder, []byte(`,"token_uri":"`))
	if !hasURI {
		return token, string(remainder) == `,"token_uri":null,"extension":null}`
	}

	// The URI ends at the closing quote, or at a character that this parser does not know.
	uriEnd := plainTextLength(afterQuote)
	uri := string(afterQuote[:uriEnd])
	token.TokenURI = &uri
	return token, string(afterQuote[uriEnd:]) == `","extension":null}`
}

// parseTokenStart parses the start of a token's record. partialToken has only the owner and
// the approvals, and remainder is the text after them. Often only these two are needed, and
// the metadata after them can be a hundred times longer. ok is false if the record does not
// start as the contract writes it.
func parseTokenStart(record []byte) (partialToken Token, remainder []byte, ok bool) {
	remainder, ok = bytes.CutPrefix(record, []byte(`{"owner":"`))
	if !ok {
		return Token{}, nil, false
	}

	// An address has no characters that JSON escapes.
	ownerEnd := plainTextLength(remainder)
	partialToken.Owner = Address(remainder[:ownerEnd])

	remainder, ok = bytes.CutPrefix(remainder[ownerEnd:], []byte(`","approvals":`))
	approvalsEnd := bytes.Index(remainder, []byte(`],"token_uri":`))
	if !ok || approvalsEnd < 0 {
		return Token{}, nil, false
	}

	// Most tokens have no approvals, which need no JSON decoder.
	approvalList := remainder[:approvalsEnd+len("]")]
	remainder = remainder[len(approvalList):]
	if string(approvalList) == "[]" {
		partialToken.Approvals = []Approval{}
		return partialToken, remainder, true
	}
	var approvals []Approval // &partialToken.Approvals would put the token on the heap
	err := wire.Decode(approvalList, &approvals)
	partialToken.Approvals = approvals
	return partialToken, remainder, err == nil
}

// decodeTokenStart decodes a token's record as far as the owner and the approvals, and may
// leave out the rest of the token. It fails if these two cannot be decoded. Faults after them
// may go unnoticed.
func decodeTokenStart(record []byte) (Token, error) {
	if partialToken, _, ok := parseTokenStart(record); ok {
		return partialToken, nil
	}
	return tokensMap.Decode(record)
}

// plainTextLength returns how many bytes at the start of text are printable ASCII and need no
// escape in a JSON string.
func plainTextLength(text []byte) int {
	for i, c := range text {
		if c < ' ' || c > '~' || c == '"' || c == '\\' {
			return i
		}
	}
	return len(text)
}
