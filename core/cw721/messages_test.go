package cw721_test

import (
	"slices"
	"strings"
	"testing"

	"ephemera/core/cw721"
	"ephemera/core/kv/kvtest"
	"ephemera/core/wire"
)

// Parts of messages that have all of their members, so that tests can remove each.
const (
	fullCollection = `{"description":"d","image":"ipfs://i","external_link":"ipfs://l","explicit_content":true,"start_trading_time":"5",` +
		`"royalty_info":{"payment_address":"$carol","share":"0.05"}}`
	fullMetadata = `{"image":"ipfs://i","image_data":"x","external_url":"ipfs://e","description":"d","name":"n",` +
		`"attributes":[{"display_type":"d","trait_type":"t","value":"v"}],"background_color":"b","animation_url":"ipfs://a","youtube_url":"ipfs://y"}`
	offer = `{"transfer_ownership":{"new_owner":"$bob","expiry":{"at_height":5}}}`
)

// fullInstantiate is an instantiate message with all members.
var fullInstantiate = `{"name":"N","symbol":"S","collection_info_extension":` + fullCollection + `,"minter":"$minter","creator":"$creator","withdraw_address":"$carol"}`

// fullExecutes are the execute messages of the standard rules with all members, in the
// contract's order.
var fullExecutes = []string{
	`{"update_ownership":` + offer + `}`,
	`{"update_minter_ownership":` + offer + `}`,
	`{"update_creator_ownership":` + strings.Replace(offer, `{"at_height":5}`, `{"never":{}}`, 1) + `}`,
	`{"update_collection_info":{"collection_info":{"name":"N","symbol":"S","extension":` + fullCollection + `}}}`,
	`{"transfer_nft":{"recipient":"$bob","token_id":"1"}}`,
	`{"send_nft":{"contract":"$market","token_id":"1","msg":"e30="}}`,
	`{"approve":{"spender":"$bob","token_id":"1","expires":{"at_height":5}}}`,
	`{"revoke":{"spender":"$bob","token_id":"1"}}`,
	`{"approve_all":{"operator":"$bob","expires":{"at_time":"5"}}}`,
	`{"revoke_all":{"operator":"$bob"}}`,
	`{"mint":{"token_id":"1","owner":"$bob","token_uri":"ipfs://u","extension":` + fullMetadata + `}}`,
	`{"burn":{"token_id":"1"}}`,
	`{"update_extension":{"msg":{}}}`,
	`{"update_nft_info":{"token_id":"1","token_uri":"ipfs://u","extension":` + fullMetadata + `}}`,
	`{"set_withdraw_address":{"address":"$bob"}}`,
	`{"remove_withdraw_address":{}}`,
	`{"withdraw_funds":{"amount":{"denom":"uatom","amount":"5"}}}`,
}

// fullQueries are the queries of the standard rules with all members, in the contract's
// order.
var fullQueries = []string{
	`{"owner_of":{"token_id":"1","include_expired":true}}`,
	`{"approval":{"token_id":"1","spender":"$bob","include_expired":true}}`,
	`{"approvals":{"token_id":"1","include_expired":true}}`,
	`{"operator":{"owner":"$alice","operator":"$bob","include_expired":true}}`,
	`{"all_operators":{"owner":"$alice","include_expired":true,"start_after":"$bob","limit":5}}`,
	`{"num_tokens":{}}`,
	`{"contract_info":{}}`,
	`{"get_config":{}}`,
	`{"get_collection_info_and_extension":{}}`,
	`{"get_all_info":{}}`,
	`{"get_collection_extension_attributes":{}}`,
	`{"ownership":{}}`,
	`{"minter":{}}`,
	`{"get_minter_ownership":{}}`,
	`{"get_creator_ownership":{}}`,
	`{"nft_info":{"token_id":"1"}}`,
	`{"get_nft_by_extension":{"extension":` + fullMetadata + `,"start_after":"1","limit":5}}`,
	`{"all_nft_info":{"token_id":"1","include_expired":true}}`,
	`{"tokens":{"owner":"$alice","start_after":"1","limit":5}}`,
	`{"all_tokens":{"start_after":"1","limit":5}}`,
	`{"extension":{"msg":{}}}`,
	`{"get_collection_extension":{"msg":` + fullCollection + `}}`,
	`{"get_withdraw_address":{}}`,
}

// isRequired reports whether a message must have the member with a dotted path, such as
// "burn.token_id".
func isRequired(path string) bool {
	message, member, _ := strings.Cut(path, ".")
	last := path[strings.LastIndexByte(path, '.')+1:]
	switch last {
	case "token_id", "recipient", "contract", "spender", "operator", "new_owner", "address", "amount", "denom", "collection_info",
		"payment_address", "share", "trait_type", "value", "at_height", "at_time", "never", "transfer_ownership":
		return true
	case "owner", "symbol", "name":
		return !strings.Contains(member, ".")
	case "minter":
		return message != last
	case "msg":
		return message != "get_collection_extension"
	case "description", "image":
		return strings.HasPrefix(path, "get_collection_extension.")
	}
	return false
}

// isVariant reports whether a member selects one of several forms of a value, as at_height
// does for an expiration.
func isVariant(name string) bool {
	return slices.Contains([]string{"at_height", "at_time", "never", "transfer_ownership"}, name)
}

// decoder decodes messages of one kind under the rules and flavour of a contract.
type decoder struct {
	cw721.Contract
	typeName       string // in the errors of the kind of message
	decodeWithInfo func(text string) (any, cw721.DecodeInfo, error)
}

// decode decodes a message, without information about its text.
func (d decoder) decode(text string) (any, error) {
	msg, _, err := d.decodeWithInfo(text)
	return msg, err
}

// ignoresUnknown reports whether messages may have unknown members.
func (d decoder) ignoresUnknown() bool {
	return isFrom(d.Rules, cw721.RulesV020, cw721.RulesV021, cw721.RulesV022)
}

// onchain is a contract under the standard rules whose tokens can have metadata.
var onchain = cw721.Contract{Rules: cw721.RulesStandard, Flavour: cw721.FlavourOnchain, Prefix: prefix}

// decoders returns the decoders of a contract by the kind of message.
func decoders(c cw721.Contract) map[string]decoder {
	instantiate := func(text string) (any, cw721.DecodeInfo, error) { return c.DecodeInstantiate([]byte(text), nil) }
	execute := func(text string) (any, cw721.DecodeInfo, error) { return c.DecodeExecute([]byte(text), nil) }
	query := func(text string) (any, cw721.DecodeInfo, error) { return c.DecodeQuery([]byte(text), nil) }
	return map[string]decoder{
		"instantiate": {c, "InstantiateMsg", instantiate},
		"execute":     {c, "ExecuteMsg", execute},
		"query":       {c, "QueryMsg", query},
	}
}

// contracts returns a contract for every rule set and flavour.
func contracts() (all []cw721.Contract) {
	for _, rules := range cw721.AllRules() {
		for _, flavour := range []cw721.Flavour{cw721.FlavourOnchain, cw721.FlavourBase} {
			all = append(all, cw721.Contract{Rules: rules, Flavour: flavour, Prefix: prefix})
		}
	}
	return all
}

// fullMessages returns every message of a contract, with all members, by kind. They are in
// the contract's order.
func fullMessages(c cw721.Contract) map[string][]string {
	all := map[string][]string{
		"instantiate": {fullInstantiate},
		"execute":     slices.Clone(fullExecutes),
		"query":       slices.Clone(fullQueries),
	}
	if c.Rules == cw721.RulesV022 {
		all["execute"] = slices.Insert(all["execute"], 12, `{"add_minter":{"minter":"$bob"}}`, `{"remove_minter":{"minter":"$bob"}}`)
		all["query"] = slices.Insert(all["query"], 15, `{"get_additional_minters":{"start_after":"$bob","limit":5}}`)
	}
	for _, texts := range all {
		for i := range texts {
			if c.Rules.HasBanner() {
				texts[i] = strings.Replace(texts[i], `"explicit_content":`, `"banner_url":"ipfs://b","explicit_content":`, 1)
			}
			if c.Flavour == cw721.FlavourBase {
				texts[i] = strings.Replace(texts[i], fullMetadata, `{}`, 1)
			}
		}
	}
	return all
}

// forEachMessage runs a subtest for each message of each contract. root is the message
// with all members. hasName is set if root has the name of the message as its only member,
// as all messages but instantiate have.
func forEachMessage(t *testing.T, fn func(t *testing.T, d decoder, root *tree, hasName bool)) {
	for _, c := range contracts() {
		for kind, texts := range fullMessages(c) {
			for _, text := range texts {
				root := parseTree(t, withAddresses(text))
				hasName := kind != "instantiate"
				name := string(c.Rules) + " " + string(c.Flavour) + " " + kind
				if hasName {
					name += " " + root.names[0]
				}
				t.Run(name, func(t *testing.T) { fn(t, decoders(c)[kind], root, hasName) })
			}
		}
	}
}

func TestTheMessagesHaveTheContractsOrder(t *testing.T) {
	for _, c := range contracts() {
		full := fullMessages(c)
		for kind, names := range map[string][]string{"execute": c.Rules.ExecuteNames(), "query": c.Rules.QueryNames()} {
			var want []string
			for _, text := range full[kind] {
				want = append(want, parseTree(t, withAddresses(text)).names[0])
			}
			if !slices.Equal(names, want) {
				t.Errorf("%s has the messages %q, want %q", c.Rules, names, want)
			}
		}
	}
}

func TestEveryMessageDecodesAndEncodesToTheSameText(t *testing.T) {
	forEachMessage(t, func(t *testing.T, d decoder, root *tree, hasName bool) {
		msg := kvtest.Must(d.decode(root.String()))(t)
		want := currentName(root.String(), root, msg, hasName)
		if got := string(cw721.Encode(msg)); got != want {
			t.Errorf("it encodes to\n%s\nwant\n%s", got, want)
		}

		isDeprecated := root.names[0] == "ownership" || root.names[0] == "contract_info"
		if hasName && !isDeprecated && cw721.MessageName(msg) != root.names[0] {
			t.Errorf("its name is %s", cw721.MessageName(msg))
		}
	})
}

func TestAnAbsentOptionalMemberIsTheSameAsNull(t *testing.T) {
	forEachMessage(t, func(t *testing.T, d decoder, root *tree, hasName bool) {
		root.walk("", func(parent *tree, i int, path string) {
			if parent.kind != '{' || isRequired(path) || hasName && parent == root {
				return
			}
			absent, err := d.decode(parent.without(root, i))
			if err != nil {
				t.Errorf("without %s: %v", path, err)
				return
			}
			null, err := d.decode(parent.withValue(root, i, "null"))
			if err != nil {
				t.Errorf("%s as null: %v", path, err)
				return
			}
			withoutMember := string(wire.Encode(absent))
			withNull := string(wire.Encode(null))
			if withoutMember != withNull {
				t.Errorf("without %s it is %s\nand with null %s", path, withoutMember, withNull)
			}
			if got := string(cw721.Encode(absent)); got != currentName(parent.without(root, i), root, absent, hasName) {
				t.Errorf("without %s it encodes to %s", path, got)
			}
		})
	})
}

// currentName returns the text of a message with the current name of the message, which
// [cw721.Encode] writes, in place of a deprecated one. root is the message with all members.
func currentName(text string, root *tree, msg any, hasName bool) string {
	if !hasName {
		return text
	}
	return strings.Replace(text, root.names[0], cw721.MessageName(msg), 1)
}

func TestARequiredMemberMustNotBeAbsentOrNull(t *testing.T) {
	forEachMessage(t, func(t *testing.T, d decoder, root *tree, hasName bool) {
		root.walk("", func(parent *tree, i int, path string) {
			if parent.kind != '{' || !isRequired(path) || hasName && parent == root {
				return
			}
			name := parent.names[i]
			cause := "missing field `" + name + "`"
			if isVariant(name) {
				cause = "…"
			}
			expectParseError(t, d, parent.without(root, i), cause)
			expectParseError(t, d, parent.withValue(root, i, "null"), "Invalid type")
		})
	})
}

// isCoinMember reports whether a member belongs to a coin, which may have unknown
// members under all rule sets.
func isCoinMember(path string) bool { return strings.HasPrefix(path, "withdraw_funds.amount.") }

func TestAnUnknownMemberIsRefusedOrIgnoredAtEveryDepth(t *testing.T) {
	forEachMessage(t, func(t *testing.T, d decoder, root *tree, hasName bool) {
		check := func(n *tree, path string) {
			text := n.withMore(root, "junk", "1")
			isEmptyMsg := strings.HasSuffix(path, "extension.msg") && !strings.HasPrefix(path, "get_")
			isTokenExtension := strings.HasSuffix(path, ".extension") && !strings.Contains(path, "collection")
			hasOneMember := len(n.names) == 1 && (hasName && n == root || isVariant(n.names[0]))
			switch {
			case isCoinMember(path + "."):
				if _, err := d.decode(text); err != nil {
					t.Errorf("%s refuses an unknown member: %v", path, err)
				}
			case isEmptyMsg, d.Flavour == cw721.FlavourBase && isTokenExtension:
				expectIgnored(t, d, text, strings.TrimPrefix(path+".junk", "."))
			case hasOneMember:
				expectParseError(t, d, text, "Expected this character to start a JSON value.")
			case d.ignoresUnknown():
				expectIgnored(t, d, text, strings.TrimPrefix(path+".junk", "."))
			default:
				expectParseError(t, d, text, "unknown field `junk`")
			}
		}
		check(root, "")
		root.walk("", func(parent *tree, i int, path string) {
			if parent.members[i].kind == '{' {
				check(parent.members[i], path)
			}
		})
	})
}

// expectIgnored expects that a text decodes and that DecodeInfo lists one ignored member
// with the dotted path want, or none if want is empty.
func expectIgnored(t *testing.T, d decoder, text, want string) {
	t.Helper()
	_, info, err := d.decodeWithInfo(text)
	var paths []string
	for _, member := range info.IgnoredMembers {
		paths = append(paths, member.Field)
	}
	if err != nil || strings.Join(paths, " ") != want {
		t.Errorf("%s decodes with %q ignored, %v; want %q", text, paths, err, want)
	}
}

// expectParseError expects that a text does not decode and compares the beginning of
// the cause, where "…" is any cause.
func expectParseError(t *testing.T, d decoder, text, cause string) {
	t.Helper()
	m, err := d.decode(text)
	got := cw721.AsError(err)
	if got == nil {
		t.Errorf("%s decodes to %+v, %v", text, m, err)
		return
	}
	start := "Error parsing into type " + d.typeName + ": "
	if cause != "…" {
		start += cause
	}
	if got.Kind != cw721.KindParse || !strings.HasPrefix(got.Text, start) {
		t.Errorf("%s:\n got %s %s\nwant %s", text, got.Kind, got.Text, start)
	}
	if got.Error() != got.Text {
		t.Errorf("it prints as %s", got)
	}
	if got.Offset < 0 || int(got.Offset) > len(text) {
		t.Errorf("%s: the offset is %d", text, got.Offset)
	}
}
