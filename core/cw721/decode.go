package cw721

import (
	"fmt"
	"reflect"
	"slices"

	"ephemera/core/wire"
)

func variantOf[T any](name string) wire.Variant {
	return wire.Variant{Name: name, New: func() any { return new(T) }}
}

// executeVariants are the execute messages in the order of the contract (spec §2.1).
var executeVariants = []wire.Variant{
	variantOf[UpdateOwnership]("update_ownership"),
	variantOf[UpdateMinterOwnership]("update_minter_ownership"),
	variantOf[UpdateCreatorOwnership]("update_creator_ownership"),
	variantOf[UpdateCollectionInfo]("update_collection_info"),
	variantOf[TransferNft]("transfer_nft"),
	variantOf[SendNft]("send_nft"),
	variantOf[Approve]("approve"),
	variantOf[Revoke]("revoke"),
	variantOf[ApproveAll]("approve_all"),
	variantOf[RevokeAll]("revoke_all"),
	variantOf[Mint]("mint"),
	variantOf[Burn]("burn"),
	variantOf[AddMinter](addMinterMessage),
	variantOf[RemoveMinter](removeMinterMessage),
	variantOf[UpdateExtension]("update_extension"),
	variantOf[UpdateNftInfo]("update_nft_info"),
	variantOf[SetWithdrawAddress]("set_withdraw_address"),
	variantOf[RemoveWithdrawAddress]("remove_withdraw_address"),
	variantOf[WithdrawFunds]("withdraw_funds"),
}

// MessageWords describe an execute message to people.
type MessageWords struct {
	Request string // what the message asks for: "approve bob for ape-04 until height 1,110"
	Outcome string // what it did if the contract carried it out: "approved bob for ape-04"
}

// messageWords has the words of messages about tokens, grants and accounts, by the name of the
// message. If the Outcome is empty, it is "done: " and the Request. These are replaced:
//
//   - TOKEN by the id of the token
//   - WHO by the account that the message names, such as the recipient
//   - UNTIL by the expiry of a grant, with a space before it: " until height 1,110"
//   - SENDER by the sender
var messageWords = map[string]MessageWords{
	"transfer_nft":         {"transfer TOKEN → WHO", "TOKEN went to WHO"},
	"send_nft":             {"send TOKEN → WHO", "TOKEN went to WHO"},
	"approve":              {"approve WHO for TOKENUNTIL", "approved WHO for TOKEN"},
	"revoke":               {"revoke WHO for TOKEN", "revoked the approval for WHO on TOKEN"},
	"approve_all":          {"make WHO an operatorUNTIL", "WHO is an operator of SENDER now"},
	"revoke_all":           {"revoke WHO as operator", "WHO is no longer an operator of SENDER"},
	"mint":                 {"mint TOKEN for WHO", "minted TOKEN for WHO"},
	"burn":                 {"burn TOKEN", "burned TOKEN"},
	"update_nft_info":      {"update TOKEN", ""},
	addMinterMessage:       {"make WHO an additional minter", ""},
	removeMinterMessage:    {"remove WHO as additional minter", ""},
	"set_withdraw_address": {"withdraw to WHO", ""},
}

// WordsOf returns the words of a message; ok is false for one about the collection or a role.
func WordsOf(msg ExecuteMsg) (words MessageWords, ok bool) {
	words, ok = messageWords[MessageName(msg)]
	return words, ok
}

// queryVariants are the query messages in the order of the contract (spec §2.1). The
// contract_info and ownership queries are deprecated names.
var queryVariants = []wire.Variant{
	variantOf[OwnerOf]("owner_of"),
	variantOf[ApprovalQuery]("approval"),
	variantOf[Approvals]("approvals"),
	variantOf[Operator]("operator"),
	variantOf[AllOperators]("all_operators"),
	variantOf[NumTokens]("num_tokens"),
	variantOf[GetCollectionInfoAndExtension]("contract_info"),
	variantOf[GetConfig]("get_config"),
	variantOf[GetCollectionInfoAndExtension]("get_collection_info_and_extension"),
	variantOf[GetAllInfo]("get_all_info"),
	variantOf[GetCollectionExtensionAttributes]("get_collection_extension_attributes"),
	variantOf[GetMinterOwnership]("ownership"),
	variantOf[Minter]("minter"),
	variantOf[GetMinterOwnership]("get_minter_ownership"),
	variantOf[GetCreatorOwnership]("get_creator_ownership"),
	variantOf[GetAdditionalMinters]("get_additional_minters"),
	variantOf[NftInfo]("nft_info"),
	variantOf[GetNftByExtension]("get_nft_by_extension"),
	variantOf[AllNftInfo]("all_nft_info"),
	variantOf[TokensQuery]("tokens"),
	variantOf[AllTokens]("all_tokens"),
	variantOf[ExtensionQuery]("extension"),
	variantOf[GetCollectionExtension]("get_collection_extension"),
	variantOf[GetWithdrawAddress]("get_withdraw_address"),
}

// ExecuteNames returns the names in JSON of the execute messages that a rule set knows.
func (r Rules) ExecuteNames() []string { return r.ruleSet().variantNames(executeVariants) }

// EmptyMessages returns one execute message of each type that a rule set knows, without values.
func (r Rules) EmptyMessages() []ExecuteMsg {
	var messages []ExecuteMsg
	for _, variant := range executeVariants {
		if r.ruleSet().has(variant.Name) {
			messages = append(messages, variant.New().(ExecuteMsg))
		}
	}
	return messages
}

// QueryNames returns the names in JSON of the query messages that a rule set knows.
func (r Rules) QueryNames() []string { return r.ruleSet().variantNames(queryVariants) }

// MemberNames returns the members of an execute or query message that a rule set knows; none for
// an unknown message.
func (r Rules) MemberNames(message string) []string {
	variants := slices.Concat(executeVariants, queryVariants)
	i := slices.IndexFunc(variants, func(v wire.Variant) bool { return v.Name == message })
	if i < 0 {
		return nil
	}

	// A message about a role is a string or has this one member.
	emptyMessage := variants[i].New()
	switch emptyMessage.(type) {
	case *UpdateMinterOwnership, *UpdateCreatorOwnership, *UpdateOwnership:
		return []string{actionTransfer}
	}

	return slices.DeleteFunc(wire.MemberNames(emptyMessage), func(name string) bool {
		return !r.ruleSet().has(name)
	})
}

func (s *ruleSet) variantNames(variants []wire.Variant) []string {
	var names []string
	for _, v := range variants {
		if s.has(v.Name) {
			names = append(names, v.Name)
		}
	}
	return names
}

// MessageName returns the name of a message in JSON, such as "transfer_nft" for a
// [*TransferNft]; "" for a value that is no execute or query message.
func MessageName(msg any) string { return currentNames[reflect.TypeOf(msg)] }

var currentNames = makeCurrentNames()

// makeCurrentNames returns the name of each type of message.
func makeCurrentNames() map[reflect.Type]string {
	names := map[reflect.Type]string{}
	for _, variant := range slices.Concat(executeVariants, queryVariants) {
		names[reflect.TypeOf(variant.New())] = variant.Name // a deprecated name comes before the current one
	}
	return names
}

// Encode returns a message as JSON under its name, such as {"burn":{"token_id":"1"}}, without
// absent members. An instantiate message has no name.
func Encode(msg any) []byte {
	body := wire.Compact(msg)
	name := MessageName(msg)
	if name == "" {
		return body
	}
	return fmt.Appendf(nil, "{%q:%s}", name, body)
}

// NameLookup returns the address for a text such as "$alice" in a message, without the dollar
// sign. With a nil NameLookup, such texts are not replaced.
type NameLookup = func(name string) (address string, ok bool)

// DecodeInfo describes the text that a message was decoded from.
type DecodeInfo struct {
	HasNames         bool            // a name was replaced with its address
	IgnoredMembers   []IgnoredMember // the members that the rule set ignores, or the type of a message
	LiteralAddresses []wire.Member   // that the text has in full; only collected with a [NameLookup]
}

// DecodeInstantiate decodes an instantiate message. It fails with an [*Error] of
// kind parse, or with a [*wire.UnknownNameError] if names lacks an account.
func (c Contract) DecodeInstantiate(raw []byte, names NameLookup) (*InstantiateMsg, DecodeInfo, error) {
	msg := new(InstantiateMsg)
	info, err := c.decode("InstantiateMsg", raw, names, msg)
	return msg, info, err
}

// DecodeExecute decodes an execute message. It fails as [Contract.DecodeInstantiate] does.
func (c Contract) DecodeExecute(raw []byte, names NameLookup) (ExecuteMsg, DecodeInfo, error) {
	union := messageUnion[ExecuteMsg]{kind: "execute message", variants: executeVariants}
	info, err := c.decode("ExecuteMsg", raw, names, &union)
	return union.msg, info, err
}

// DecodeQuery decodes a query message. It fails as [Contract.DecodeInstantiate] does.
func (c Contract) DecodeQuery(raw []byte, names NameLookup) (QueryMsg, DecodeInfo, error) {
	union := messageUnion[QueryMsg]{kind: "query message", variants: queryVariants}
	info, err := c.decode("QueryMsg", raw, names, &union)
	return union.msg, info, err
}

// messageUnion is a message whose JSON names its type, such as {"burn":{…}}.
type messageUnion[M any] struct {
	kind     string         // the kind of message in errors, such as "query message"
	variants []wire.Variant // the types that the JSON may name
	msg      M              // the decoded message
}

// DecodeWire reads the message into u.msg.
func (u *messageUnion[M]) DecodeWire(decoder *wire.Decoder) error {
	message, err := decoder.ReadVariant(u.kind, u.variants)
	if err != nil {
		return err
	}
	u.msg = message.(M)
	return nil
}

// decode decodes JSON into target, which errors call typeName. It fails as
// [Contract.DecodeInstantiate] does.
func (c Contract) decode(typeName string, raw []byte, names NameLookup, target any) (DecodeInfo, error) {
	var info DecodeInfo
	var ignoredMembers []wire.UnknownMember
	rules := c.ruleSet()

	// The rule set decides which members exist, and whether unknown ones are ignored.
	options := wire.Options{
		AddressOf:   names,
		Context:     c.Flavour,
		AbsentNames: rules.absentNames,

		IgnoresUnknown: rules.ignoresUnknownMembers,
		IgnoredMembers: &ignoredMembers,
	}
	if names != nil {
		options.LiteralAddresses = &info.LiteralAddresses
	}

	var err error
	info.HasNames, err = wire.DecodeWith(options, raw, target)

	for _, member := range ignoredMembers {
		info.IgnoredMembers = append(info.IgnoredMembers, IgnoredMember{member, c.Rules})
	}
	return info, parseError(typeName, err)
}
