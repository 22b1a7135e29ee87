package cw721

import (
	"reflect"

	"ephemera/core/wire"
)

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
func (r Rules) ExecuteNames() []string { return r.set().names(executes) }

// QueryNames lists the query messages of a rule set by their names on the wire.
func (r Rules) QueryNames() []string { return r.set().names(queries) }

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
func (c Contract) DecodeInstantiate(raw []byte, names Names) (m *InstantiateMsg, read Reading, err error) {
	m = new(InstantiateMsg)
	read, err = c.decode("InstantiateMsg", raw, names, m)
	return m, read, err
}

// DecodeExecute reads an execute message; it fails as DecodeInstantiate does.
func (c Contract) DecodeExecute(raw []byte, names Names) (m ExecuteMsg, read Reading, err error) {
	one := oneOf[ExecuteMsg]{what: "execute message", from: executes}
	read, err = c.decode("ExecuteMsg", raw, names, &one)
	return one.msg, read, err
}

// DecodeQuery reads a query message; it fails as DecodeInstantiate does.
func (c Contract) DecodeQuery(raw []byte, names Names) (m QueryMsg, read Reading, err error) {
	one := oneOf[QueryMsg]{what: "query message", from: queries}
	read, err = c.decode("QueryMsg", raw, names, &one)
	return one.msg, read, err
}

// NameOf gives a message's name on the wire: "transfer_nft" for a
// [*TransferNft]. The deprecated names of two queries give the current ones.
func NameOf(msg any) string {
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
	if name := NameOf(msg); name != "" {
		return append(append(append(wire.AppendString([]byte{'{'}, name), ':'), body...), '}')
	}
	return body
}
