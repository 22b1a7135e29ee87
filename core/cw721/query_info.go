package cw721

import (
	"bytes"
	"strings"

	"ephemera/core/wire"
)

// The queries on the collection.
type (
	// NumTokens asks for the number of tokens.
	NumTokens struct{}
	// GetCollectionInfoAndExtension asks for the collection's name, symbol and
	// extension.
	GetCollectionInfoAndExtension struct{}
	// GetConfig asks for the collection, its roles and the number of tokens.
	GetConfig struct{}
	// GetAllInfo asks for the collection, its extension as stored and the number of
	// tokens.
	GetAllInfo struct{}
	// GetCollectionExtensionAttributes asks for the extension as stored.
	GetCollectionExtensionAttributes struct{}
	// GetMinterOwnership asks for the minter role.
	GetMinterOwnership struct{}
	// GetCreatorOwnership asks for the creator role.
	GetCreatorOwnership struct{}
	// Minter asks for the holder of the minter role.
	Minter struct{}
	// GetAdditionalMinters asks for a page of the accounts that may mint besides
	// the minter (spec §14).
	GetAdditionalMinters struct {
		StartAfter *Address `wire:"start_after"`
		Limit      *uint32  `wire:"limit"`
	}
	// GetWithdrawAddress asks for the address that withdraw_funds pays to.
	GetWithdrawAddress struct{}
	// ExtensionQuery is for contracts that extend this one. Its answer is empty.
	ExtensionQuery struct {
		Msg Empty `wire:"msg"`
	}
	// GetCollectionExtension is for contracts that extend this one. Its answer is
	// empty. If it has a message, that must be a complete extension.
	GetCollectionExtension struct {
		Msg *CollectionExtension `wire:"msg"`
	}
)

// The answers to queries on the collection, in the contract's JSON.
type (
	// infoAnswer describes the collection without its roles and tokens.
	infoAnswer struct {
		Name      string               `wire:"name"`
		Symbol    string               `wire:"symbol"`
		Extension *CollectionExtension `wire:"extension"`
		UpdatedAt Time                 `wire:"updated_at"`
	}
	// contractInfo is what the chain knows of the contract, such as its code and admin.
	contractInfo struct {
		CodeID  uint64  `wire:"code_id"`
		Creator Address `wire:"creator"`
		Admin   *string `wire:"admin"`
		Pinned  bool    `wire:"pinned"`
		IBCPort *string `wire:"ibc_port"`
	}
	// configAnswer is everything about the collection except its tokens.
	configAnswer struct {
		NumTokens        uint64               `wire:"num_tokens"`
		MinterOwnership  Ownership            `wire:"minter_ownership"`
		CreatorOwnership Ownership            `wire:"creator_ownership"`
		WithdrawAddress  *Address             `wire:"withdraw_address"`
		CollectionInfo   CollectionInfo       `wire:"collection_info"`
		Extension        *CollectionExtension `wire:"collection_extension"`
		ContractInfo     contractInfo         `wire:"contract_info"`
	}
	// allInfoAnswer has the extension as it is stored, as a list of attributes.
	allInfoAnswer struct {
		ContractInfo   contractInfo   `wire:"contract_info"`
		CollectionInfo CollectionInfo `wire:"collection_info"`
		Extension      []Attribute    `wire:"collection_extension"`
		NumTokens      uint64         `wire:"num_tokens"`
	}
)

func (c *call) chainContractInfo() contractInfo {
	return contractInfo{CodeID: 1, Creator: c.env.Instantiator}
}

func (*NumTokens) answer(call *call) (any, error) {
	tokenCount, err := LoadTokenCount(call.reader)
	return struct {
		Count uint64 `wire:"count"`
	}{tokenCount}, err
}

func (*GetCollectionInfoAndExtension) answer(call *call) (any, error) {
	info, _, err := infoItem.Load(call.reader)
	if err != nil {
		return nil, err
	}
	extension, err := LoadExtension(call.reader)
	return infoAnswer{
		Name:      info.Name,
		Symbol:    info.Symbol,
		Extension: extension,
		UpdatedAt: info.UpdatedAt,
	}, err
}

func (*GetConfig) answer(call *call) (any, error) {
	collection, _, err := CurrentLayout.LoadCollection(call.reader)
	return configAnswer{
		NumTokens:        collection.TokenCount,
		MinterOwnership:  collection.Minter,
		CreatorOwnership: collection.Creator,
		WithdrawAddress:  collection.WithdrawAddress,
		CollectionInfo:   collection.CollectionInfo,
		Extension:        collection.Extension,
		ContractInfo:     call.chainContractInfo(),
	}, err
}

func (*GetAllInfo) answer(call *call) (any, error) {
	info, _, err := infoItem.Load(call.reader)
	if err != nil {
		return nil, err
	}
	attributes, err := loadAttributes(call.reader)
	if err != nil {
		return nil, err
	}
	tokenCount, err := LoadTokenCount(call.reader)
	return allInfoAnswer{
		ContractInfo:   call.chainContractInfo(),
		CollectionInfo: info,
		Extension:      attributes,
		NumTokens:      tokenCount,
	}, err
}

func (*GetCollectionExtensionAttributes) answer(call *call) (any, error) {
	return loadAttributes(call.reader)
}

func (*GetMinterOwnership) answer(call *call) (any, error) {
	role, _, err := minterItem.Load(call.reader)
	return role, err
}

func (*GetCreatorOwnership) answer(call *call) (any, error) {
	role, _, err := creatorItem.Load(call.reader)
	return role, err
}

func (*Minter) answer(call *call) (any, error) {
	role, _, err := minterItem.Load(call.reader)
	return struct {
		Minter *Address `wire:"minter"`
	}{role.Owner}, err
}

func (*GetWithdrawAddress) answer(call *call) (any, error) {
	return loadWithdrawAddress(call.reader)
}

// answer is that of a contract that is not extended.
func (*ExtensionQuery) answer(*call) (any, error) { return Binary{}, nil }

func (*GetCollectionExtension) answer(*call) (any, error) { return Binary{}, nil }

// answer returns the tokens whose extension contains that of the message, or null if there
// are none. Like the contract, it searches only one page of the tokens. So the answer can
// have fewer tokens than the limit although later tokens match (spec §11).
func (m *GetNftByExtension) answer(call *call) (any, error) {
	allTokens := Tokens(call.reader, Walk{Place: m.StartAfter})
	searchedTokens, err := collectPage(allTokens, pageSize(m.Limit))
	if err != nil {
		return nil, err
	}

	var matchingTokens []TokenInfo
	for _, record := range searchedTokens {
		if refusal := call.ruleSet().refusalOf(&record.Value, m); refusal != nil {
			return nil, refusal
		}
		if record.Value.Extension.matches(m.Extension) {
			matchingTokens = append(matchingTokens, record.Value.info())
		}
	}
	if matchingTokens == nil {
		return (*Empty)(nil), nil // null in JSON, where an empty slice would be []
	}
	return matchingTokens, nil
}

// matches reports whether the metadata of e match those of soughtExtension. Every text
// that is sought must be a part of the same text in e. If both have traits, the traits of e
// must begin with those that are sought; otherwise traits don't count. Without metadata on
// one side, the two must be equal.
func (e Extension) matches(soughtExtension Extension) bool {
	if soughtExtension.Metadata == nil || e.Metadata == nil {
		return e == soughtExtension
	}

	// Compare the texts, member by member.
	members := e.Metadata.textMembers()
	for i, soughtMember := range soughtExtension.Metadata.textMembers() {
		soughtText := *soughtMember
		if soughtText == nil {
			continue
		}
		text := *members[i]
		if text == nil || !strings.Contains(*text, *soughtText) {
			return false
		}
	}

	// Compare the traits, if both have some.
	traits := e.Metadata.Attributes
	soughtTraits := soughtExtension.Metadata.Attributes
	if traits == nil || soughtTraits == nil {
		return true
	}

	// Traits hold pointers, so compare their JSON. If more are sought than there are, the
	// public contract panics.
	firstTraits := (*traits)[:min(len(*soughtTraits), len(*traits))]
	return bytes.Equal(wire.Encode(firstTraits), wire.Encode(*soughtTraits))
}
