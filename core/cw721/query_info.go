package cw721

import (
	"bytes"
	"slices"
	"strings"

	"ephemera/core/kv"
	"ephemera/core/wire"
)

// The queries on the collection.
type (
	// NumTokens asks how many tokens there are.
	NumTokens struct{}
	// GetCollectionInfoAndExtension asks for the collection's name, symbol
	// and extension.
	GetCollectionInfoAndExtension struct{}
	// GetConfig asks for everything that is not a token.
	GetConfig struct{}
	// GetAllInfo asks for the same in another form, with the chain's view.
	GetAllInfo struct{}
	// GetCollectionExtensionAttributes asks for the extension as stored.
	GetCollectionExtensionAttributes struct{}
	// GetMinterOwnership asks for the minter role.
	GetMinterOwnership struct{}
	// GetCreatorOwnership asks for the creator role.
	GetCreatorOwnership struct{}
	// Minter asks who may mint.
	Minter struct{}
	// GetAdditionalMinters asks for a page of those who may mint besides the
	// minter (spec §14).
	GetAdditionalMinters struct {
		StartAfter *Address `wire:"start_after"`
		Limit      *uint32  `wire:"limit"`
	}
	// GetWithdrawAddress asks where withdraw_funds pays to.
	GetWithdrawAddress struct{}
	// ExtensionQuery asks nothing, in this contract.
	ExtensionQuery struct {
		Msg Empty `wire:"msg"`
	}
	// GetCollectionExtension asks nothing, in this contract, but its message
	// must be a whole extension, or none.
	GetCollectionExtension struct {
		Msg *CollectionExtension `wire:"msg"`
	}
)

// The answers to queries on the collection.
type (
	countAnswer struct {
		Count uint64 `wire:"count"`
	}
	infoAnswer struct {
		Name      string               `wire:"name"`
		Symbol    string               `wire:"symbol"`
		Extension *CollectionExtension `wire:"extension"`
		UpdatedAt Time                 `wire:"updated_at"`
	}
	contractInfo struct {
		CodeID  uint64  `wire:"code_id"`
		Creator Address `wire:"creator"`
		Admin   *string `wire:"admin"`
		Pinned  bool    `wire:"pinned"`
		IBCPort *string `wire:"ibc_port"`
	}
	configAnswer struct {
		NumTokens        uint64               `wire:"num_tokens"`
		MinterOwnership  Ownership            `wire:"minter_ownership"`
		CreatorOwnership Ownership            `wire:"creator_ownership"`
		WithdrawAddress  *Address             `wire:"withdraw_address"`
		CollectionInfo   CollectionInfo       `wire:"collection_info"`
		Extension        *CollectionExtension `wire:"collection_extension"`
		ContractInfo     contractInfo         `wire:"contract_info"`
	}
	allCollectionAnswer struct {
		ContractInfo   contractInfo   `wire:"contract_info"`
		CollectionInfo CollectionInfo `wire:"collection_info"`
		Extension      []Attribute    `wire:"collection_extension"`
		NumTokens      uint64         `wire:"num_tokens"`
	}
	minterAnswer struct {
		Minter *Address `wire:"minter"`
	}
)

// chainView is what the chain says of the contract (spec §11).
func (c *call) chainView() contractInfo { return contractInfo{CodeID: 1, Creator: c.env.Instantiator} }

func (*NumTokens) answer(c *call) (any, error) {
	n, err := LoadTokenCount(c.reader)
	return countAnswer{n}, err
}

func (*GetCollectionInfoAndExtension) answer(c *call) (any, error) {
	info, _, err := infoItem.Load(c.reader)
	if err != nil {
		return nil, err
	}
	ext, err := LoadExtension(c.reader)
	return infoAnswer{info.Name, info.Symbol, ext, info.UpdatedAt}, err
}

func (*GetConfig) answer(c *call) (any, error) {
	all, _, err := LoadCollection(c.reader)
	return configAnswer{
		NumTokens: all.TokenCount, MinterOwnership: all.Minter, CreatorOwnership: all.Creator, WithdrawAddress: all.WithdrawAddress,
		CollectionInfo: all.CollectionInfo, Extension: all.Extension, ContractInfo: c.chainView(),
	}, err
}

func (*GetAllInfo) answer(c *call) (any, error) {
	a := allCollectionAnswer{ContractInfo: c.chainView()}
	err := firstError(
		func() (err error) { a.CollectionInfo, _, err = infoItem.Load(c.reader); return },
		func() (err error) { a.Extension, err = loadAttributes(c.reader); return },
		func() (err error) { a.NumTokens, err = LoadTokenCount(c.reader); return },
	)
	return a, err
}

func (*GetCollectionExtensionAttributes) answer(c *call) (any, error) {
	return loadAttributes(c.reader)
}

func (*GetMinterOwnership) answer(c *call) (any, error) {
	o, _, err := minterItem.Load(c.reader)
	return o, err
}

func (*GetCreatorOwnership) answer(c *call) (any, error) {
	o, _, err := creatorItem.Load(c.reader)
	return o, err
}

func (*Minter) answer(c *call) (any, error) {
	o, _, err := minterItem.Load(c.reader)
	return minterAnswer{o.Owner}, err
}

func (*GetWithdrawAddress) answer(c *call) (any, error) { return loadWithdrawAddress(c.reader) }

// nothing is an empty binary, the answer of the two queries that other
// contracts extend.
func (*ExtensionQuery) answer(*call) (any, error)         { return Binary{}, nil }
func (*GetCollectionExtension) answer(*call) (any, error) { return Binary{}, nil }

// answer examines a page of tokens and gives those whose metadata contains
// what is asked; the limit counts tokens examined (spec §11).
func (m *GetNftByExtension) answer(c *call) (any, error) {
	page, err := collectPage(Tokens(c.reader, Walk{Place: m.StartAfter}), pageSize(m.Limit))
	if err != nil {
		return nil, err
	}
	var found []TokenInfo
	for _, rec := range page {
		if contains(rec, m.Extension) {
			found = append(found, rec.Value.info())
		}
	}
	if found == nil {
		return (*Empty)(nil), nil
	}
	return found, nil
}

func contains(rec kv.Record[string, Token], want Extension) bool {
	have := rec.Value.Extension
	if want.Metadata == nil || have.Metadata == nil {
		return have.IsNull() == want.IsNull() && have.Base == want.Base
	}
	h, w := have.Metadata, want.Metadata
	texts := h.texts()
	for i, part := range w.texts() {
		if whole := *texts[i]; *part != nil && (whole == nil || !strings.Contains(*whole, **part)) {
			return false
		}
	}
	// A token without traits is not held against the traits that are asked.
	return w.Attributes == nil || h.Attributes == nil || beginsWith(*h.Attributes, *w.Attributes)
}

// beginsWith compares traits one by one from the first, as the contract does;
// where it would run past the token's traits, this says no.
func beginsWith(have, want []Trait) bool {
	return len(want) <= len(have) && slices.EqualFunc(have[:len(want)], want, func(h, w Trait) bool {
		return bytes.Equal(wire.Encode(h), wire.Encode(w))
	})
}
