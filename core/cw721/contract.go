package cw721

import (
	"reflect"
	"slices"

	"ephemera/core/kv"
	"ephemera/core/wire"
)

// Flavour names what a token's extension is (spec §1).
type Flavour string

// The two flavours.
const (
	FlavourOnchain Flavour = "metadata-onchain" // nine metadata fields; the default
	FlavourBase    Flavour = "base"             // nothing, or an empty object
)

// IsKnown tells whether f is a flavour.
func (f Flavour) IsKnown() bool { return f == FlavourOnchain || f == FlavourBase }

// Contract is the code of a collection: it holds what never changes between
// calls and no state.
type Contract struct {
	Rules   Rules
	Flavour Flavour
	// Prefix is the chain's bech32 prefix: addresses with another are refused.
	Prefix string
}

func (c Contract) codeName() string { return "crates.io:cw721-" + string(c.Flavour) }

func (c Contract) checkAddress(a Address, field string) error {
	if err := ValidateAddress(c.Prefix, a); err != nil {
		return AsError(err).withField(field)
	}
	return nil
}

// NameLookup looks up what "$name" stands for in a message; nil for messages that
// hold no names.
type NameLookup = func(name string) (address string, ok bool)

// DecodeInfo is what there is to tell of a message besides what it means.
type DecodeInfo struct {
	// HasNames tells whether a "$name" was replaced, so that the text as typed and
	// the message as sent are not the same.
	HasNames bool
	// IgnoredMembers are the members that the contract passes over.
	IgnoredMembers []IgnoredMember
	// LiteralAddresses are those that it spells out instead of naming them.
	LiteralAddresses []wire.Member
}

func (c Contract) decode(what string, raw []byte, names NameLookup, into any) (read DecodeInfo, err error) {
	rules := c.ruleSet()
	o := wire.Options{Names: names, Context: c.Flavour, Without: rules.absentNames}
	if names != nil {
		o.Addresses = &read.LiteralAddresses
	}
	if rules.ignoresUnknown {
		o.Ignored = new([]wire.Ignored)
	}
	if read.HasNames, err = wire.DecodeWith(o, raw, into); o.Ignored != nil {
		for _, m := range *o.Ignored {
			read.IgnoredMembers = append(read.IgnoredMembers, IgnoredMember{m, c.Rules})
		}
	}
	if err != nil {
		err = parseError(what, err)
	}
	return read, err
}

// Instantiate creates the collection from an instantiate message (spec §4).
func (c Contract) Instantiate(t kv.Txn, env Env, info Info, raw []byte) (Response, error) {
	msg, _, err := c.DecodeInstantiate(raw, nil)
	if err != nil {
		return Response{}, err
	}
	return c.RunInstantiate(t, env, info, msg)
}

// Execute changes the collection by one execute message (spec §5 to §7).
func (c Contract) Execute(t kv.Txn, env Env, info Info, raw []byte) (Response, error) {
	msg, _, err := c.DecodeExecute(raw, nil)
	if err != nil {
		return Response{}, err
	}
	return c.RunExecute(t, env, info, msg)
}

// Query answers one query message with compact JSON (spec §11).
func (c Contract) Query(r kv.Reader, env Env, raw []byte) ([]byte, error) {
	msg, _, err := c.DecodeQuery(raw, nil)
	if err != nil {
		return nil, err
	}
	return c.RunQuery(r, env, msg)
}

// RunExecute executes a decoded message. The store may hold half of its writes when
// it fails: whoever owns the transaction discards them.
func (c Contract) RunExecute(t kv.Txn, env Env, info Info, msg ExecuteMsg) (Response, error) {
	x := &execution{call: call{Contract: c, reader: t, env: env, sender: info.Sender}, writer: t}
	var err error
	switch x.decision, err = msg.decide(&x.call); {
	case err != nil:
		return Response{}, err
	case !x.decision.Allowed:
		return Response{}, x.decision.Refusal
	}
	if err := msg.execute(x); err != nil {
		return Response{}, err
	}
	return x.response, nil
}

// RunQuery gives the answer to a decoded query.
func (c Contract) RunQuery(r kv.Reader, env Env, msg QueryMsg) ([]byte, error) {
	answer, err := msg.answer(&call{Contract: c, reader: r, env: env})
	if err != nil {
		return nil, err
	}
	return wire.EncodeWithout(c.ruleSet().absentNames, answer), nil
}

// call is one message on its way through the contract.
type call struct {
	Contract
	reader kv.Reader
	env    Env
	sender Address

	loadedToken   *Token // the token that the call is about, once loaded
	loadedTokenID string
}

// execution is a call that may write.
type execution struct {
	call
	writer   kv.Writer
	decision *Decision // by which the message is carried out
	response Response
}

// executes are the execute messages in the order of the contract (spec §2.1).
var executes = []wire.Variant{
	{Name: "update_ownership", New: func() any { return new(UpdateOwnership) }},
	{Name: "update_minter_ownership", New: func() any { return new(UpdateMinterOwnership) }},
	{Name: "update_creator_ownership", New: func() any { return new(UpdateCreatorOwnership) }},
	{Name: "update_collection_info", New: func() any { return new(UpdateCollectionInfo) }},
	{Name: "transfer_nft", New: func() any { return new(TransferNft) }},
	{Name: "send_nft", New: func() any { return new(SendNft) }},
	{Name: "approve", New: func() any { return new(Approve) }},
	{Name: "revoke", New: func() any { return new(Revoke) }},
	{Name: "approve_all", New: func() any { return new(ApproveAll) }},
	{Name: "revoke_all", New: func() any { return new(RevokeAll) }},
	{Name: "mint", New: func() any { return new(Mint) }},
	{Name: "burn", New: func() any { return new(Burn) }},
	{Name: "add_minter", New: func() any { return new(AddMinter) }},
	{Name: "remove_minter", New: func() any { return new(RemoveMinter) }},
	{Name: "update_extension", New: func() any { return new(UpdateExtension) }},
	{Name: "update_nft_info", New: func() any { return new(UpdateNftInfo) }},
	{Name: "set_withdraw_address", New: func() any { return new(SetWithdrawAddress) }},
	{Name: "remove_withdraw_address", New: func() any { return new(RemoveWithdrawAddress) }},
	{Name: "withdraw_funds", New: func() any { return new(WithdrawFunds) }},
}

// queries are the query messages in the order of the contract (spec §2.1).
var queries = []wire.Variant{
	{Name: "owner_of", New: func() any { return new(OwnerOf) }},
	{Name: "approval", New: func() any { return new(ApprovalQuery) }},
	{Name: "approvals", New: func() any { return new(Approvals) }},
	{Name: "operator", New: func() any { return new(Operator) }},
	{Name: "all_operators", New: func() any { return new(AllOperators) }},
	{Name: "num_tokens", New: func() any { return new(NumTokens) }},
	{Name: "contract_info", New: func() any { return new(GetCollectionInfoAndExtension) }},
	{Name: "get_config", New: func() any { return new(GetConfig) }},
	{Name: "get_collection_info_and_extension", New: func() any { return new(GetCollectionInfoAndExtension) }},
	{Name: "get_all_info", New: func() any { return new(GetAllInfo) }},
	{Name: "get_collection_extension_attributes", New: func() any { return new(GetCollectionExtensionAttributes) }},
	{Name: "ownership", New: func() any { return new(GetMinterOwnership) }},
	{Name: "minter", New: func() any { return new(Minter) }},
	{Name: "get_minter_ownership", New: func() any { return new(GetMinterOwnership) }},
	{Name: "get_creator_ownership", New: func() any { return new(GetCreatorOwnership) }},
	{Name: "get_additional_minters", New: func() any { return new(GetAdditionalMinters) }},
	{Name: "nft_info", New: func() any { return new(NftInfo) }},
	{Name: "get_nft_by_extension", New: func() any { return new(GetNftByExtension) }},
	{Name: "all_nft_info", New: func() any { return new(AllNftInfo) }},
	{Name: "tokens", New: func() any { return new(TokensQuery) }},
	{Name: "all_tokens", New: func() any { return new(AllTokens) }},
	{Name: "extension", New: func() any { return new(ExtensionQuery) }},
	{Name: "get_collection_extension", New: func() any { return new(GetCollectionExtension) }},
	{Name: "get_withdraw_address", New: func() any { return new(GetWithdrawAddress) }},
}

// ExecuteNames lists the execute messages of a rule set by their names on the
// wire.
func (r Rules) ExecuteNames() []string { return r.ruleSet().names(executes) }

// QueryNames lists the query messages of a rule set by their names on the wire.
func (r Rules) QueryNames() []string { return r.ruleSet().names(queries) }

// MemberNames lists the members of an execute message or a query that a rule set
// knows, in the order of their declaration. It is empty for an unknown message.
func (r Rules) MemberNames(message string) []string {
	for _, variant := range slices.Concat(executes, queries) {
		if variant.Name != message {
			continue
		}
		empty := variant.New()
		switch empty.(type) {
		case *UpdateMinterOwnership, *UpdateCreatorOwnership, *UpdateOwnership:
			return []string{actionTransfer} // the other actions are bare words
		}
		return slices.DeleteFunc(wire.MemberNames(empty), func(name string) bool { return !r.ruleSet().has(name) })
	}
	return nil
}

func (s *ruleSet) names(vs []wire.Variant) (out []string) {
	for _, v := range vs {
		if s.has(v.Name) {
			out = append(out, v.Name)
		}
	}
	return out
}

// oneOf reads one of several messages.
type oneOf[M any] struct {
	what string
	from []wire.Variant
	msg  M
}

func (o *oneOf[M]) DecodeWire(d *wire.Decoder) error {
	v, err := d.OneOf(o.what, o.from)
	if err == nil {
		o.msg = v.(M)
	}
	return err
}

// DecodeInstantiate reads an instantiate message. It fails with an [*Error] of
// kind parse, or with a [*wire.UnknownNameError].
func (c Contract) DecodeInstantiate(raw []byte, names NameLookup) (m *InstantiateMsg, read DecodeInfo, err error) {
	m = new(InstantiateMsg)
	read, err = c.decode("InstantiateMsg", raw, names, m)
	return m, read, err
}

// DecodeExecute reads an execute message; it fails as DecodeInstantiate does.
func (c Contract) DecodeExecute(raw []byte, names NameLookup) (m ExecuteMsg, read DecodeInfo, err error) {
	one := oneOf[ExecuteMsg]{what: "execute message", from: executes}
	read, err = c.decode("ExecuteMsg", raw, names, &one)
	return one.msg, read, err
}

// DecodeQuery reads a query message; it fails as DecodeInstantiate does.
func (c Contract) DecodeQuery(raw []byte, names NameLookup) (m QueryMsg, read DecodeInfo, err error) {
	one := oneOf[QueryMsg]{what: "query message", from: queries}
	read, err = c.decode("QueryMsg", raw, names, &one)
	return one.msg, read, err
}

// MessageName gives a message's name on the wire: "transfer_nft" for a
// [*TransferNft]. The deprecated names of two queries give the current ones.
func MessageName(msg any) string {
	t := reflect.TypeOf(msg)
	name := ""
	for _, vs := range [][]wire.Variant{executes, queries} {
		for _, v := range vs {
			if reflect.TypeOf(v.New()) == t {
				name = v.Name
			}
		}
	}
	return name
}

// Encode writes a message as it is sent, absent members left out: what a
// person would write by hand.
func Encode(msg any) []byte {
	body := wire.Compact(msg)
	if name := MessageName(msg); name != "" {
		return append(append(append(wire.AppendString([]byte{'{'}, name), ':'), body...), '}')
	}
	return body
}
