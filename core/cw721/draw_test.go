package cw721_test

import (
	"fmt"
	"strconv"
	"strings"

	"pgregory.net/rapid"

	"ephemera/core/cw721"
	"ephemera/core/wire"
)

// A small world, so that messages meet each other: few accounts, few ids, and
// ends that are near.
var (
	people = []string{"alice", "bob", "carol", "minter", "creator", "market"}
	ids    = []string{"1", "2", "10", "é", ""}
)

func pick(t *rapid.T, label string, from ...string) string {
	return rapid.SampledFrom(from).Draw(t, label)
}

func someone(t *rapid.T, label string) string { return pick(t, label, people...) }

// somebody is mostly an address and sometimes none.
func somebody(t *rapid.T, label string) string {
	if rapid.IntRange(0, 19).Draw(t, label+" is broken") == 0 {
		return pick(t, label, "", "x", "stars1qqqqqqqqqqqqqqqqqqqq", strings.ToUpper(addr("bob")))
	}
	return addr(someone(t, label))
}

func someToken(t *rapid.T) string { return string(wire.AppendString(nil, pick(t, "id", ids...))) }

// someEnd is an end near the block, on either side of it.
func someEnd(t *rapid.T, now cw721.Block) string {
	near := rapid.IntRange(-2, 6).Draw(t, "end")
	switch pick(t, "axis", "height", "time", "never", "null") {
	case "height":
		return fmt.Sprintf(`{"at_height":%d}`, int(now.Height)+near)
	case "time":
		return fmt.Sprintf(`{"at_time":"%d"}`, int(now.Time)+near*5)
	case "never":
		return `{"never":{}}`
	}
	return `null`
}

func someExtension(t *rapid.T, flavour cw721.Flavour) string {
	if flavour == cw721.FlavourBase {
		return pick(t, "extension", `null`, `{}`, `{"x":1}`)
	}
	return pick(t, "extension", `null`, `{}`, `{"name":"n"}`, `{"name":""}`, `{"image":"ipfs://i","attributes":[{"trait_type":"t","value":"v"}]}`,
		`{"image":"not a url"}`, `{"attributes":[{"trait_type":"","value":"v"}]}`)
}

func someAction(t *rapid.T, now cw721.Block) string {
	switch pick(t, "action", "offer", "accept", "renounce") {
	case "offer":
		return `{"transfer_ownership":{"new_owner":"` + somebody(t, "new owner") + `","expiry":` + someEnd(t, now) + `}}`
	case "accept":
		return `"accept_ownership"`
	}
	// Rarely, as it ends the fun.
	if rapid.IntRange(0, 5).Draw(t, "really") > 0 {
		return `"accept_ownership"`
	}
	return `"renounce_ownership"`
}

func someUpdate(t *rapid.T, rules cw721.Rules) string {
	var members, ext []string
	add := func(list *[]string, texts ...string) {
		if rapid.IntRange(0, 3).Draw(t, texts[0]) == 0 {
			*list = append(*list, pick(t, "value", texts...))
		}
	}
	add(&members, `"name":"N"`, `"name":""`, `"name":null`)
	add(&members, `"symbol":"S"`)
	add(&ext, `"description":"d"`, `"description":""`)
	add(&ext, `"image":"ipfs://i"`, `"image":"x"`)
	add(&ext, `"explicit_content":true`)
	if rules == cw721.RulesV022 {
		add(&ext, `"banner_url":"ipfs://b"`, `"banner_url":"x"`, `"banner":"x"`)
	}
	add(&ext, `"start_trading_time":"7"`)
	add(&ext, `"royalty_info":{"payment_address":"`+somebody(t, "payee")+`","share":"0.`+pick(t, "share", "01", "03", "05", "10", "11")+`"}`)
	if rapid.Bool().Draw(t, "extension") {
		members = append(members, `"extension":{`+strings.Join(ext, ",")+`}`)
	}
	return strings.Join(members, ",")
}

// someExecute draws a message, mostly one that decodes.
func someExecute(t *rapid.T, now cw721.Block, c cw721.Contract) string {
	text, flavour := "", c.Flavour
	switch name := pick(t, "message", append(c.Rules.ExecuteNames(), "mint", "mint", "mint", "approve", "approve", "approve_all", "transfer_nft")...); name {
	case "update_ownership", "update_minter_ownership", "update_creator_ownership":
		text = `{"` + name + `":` + someAction(t, now) + `}`
	case "update_collection_info":
		text = `{"update_collection_info":{"collection_info":{` + someUpdate(t, c.Rules) + `}}}`
	case "transfer_nft":
		text = `{"transfer_nft":{"recipient":"` + somebody(t, "recipient") + `","token_id":` + someToken(t) + `}}`
	case "send_nft":
		text = `{"send_nft":{"contract":"` + somebody(t, "contract") + `","token_id":` + someToken(t) + `,"msg":"e30="}}`
	case "approve":
		text = `{"approve":{"spender":"` + somebody(t, "spender") + `","token_id":` + someToken(t) + `,"expires":` + someEnd(t, now) + `}}`
	case "revoke":
		text = `{"revoke":{"spender":"` + somebody(t, "spender") + `","token_id":` + someToken(t) + `}}`
	case "approve_all":
		text = `{"approve_all":{"operator":"` + somebody(t, "operator") + `","expires":` + someEnd(t, now) + `}}`
	case "revoke_all":
		text = `{"revoke_all":{"operator":"` + somebody(t, "operator") + `"}}`
	case "mint":
		text = `{"mint":{"token_id":` + someToken(t) + `,"owner":"` + somebody(t, "owner") + `","token_uri":` + pick(t, "uri", `null`, `""`, `"ipfs://u"`, `"x"`) +
			`,"extension":` + someExtension(t, flavour) + `}}`
	case "add_minter", "remove_minter":
		text = `{"` + name + `":{"minter":"` + somebody(t, "minter") + `"}}`
	case "burn":
		text = `{"burn":{"token_id":` + someToken(t) + `}}`
	case "update_nft_info":
		text = `{"update_nft_info":{"token_id":` + someToken(t) + `,"extension":` + someExtension(t, flavour) + `}}`
	case "set_withdraw_address":
		text = `{"set_withdraw_address":{"address":"` + somebody(t, "address") + `"}}`
	case "withdraw_funds":
		text = `{"withdraw_funds":{"amount":{"denom":"u","amount":"` + strconv.Itoa(rapid.IntRange(0, 99).Draw(t, "amount")) + `"}}}`
	case "update_extension":
		text = `{"update_extension":{"msg":{}}}`
	default:
		text = `{"` + name + `":{}}`
	}
	if rapid.IntRange(0, 14).Draw(t, "break it") == 0 {
		return breakText(t, text)
	}
	return text
}

// breakText spoils a message; now and then it survives.
func breakText(t *rapid.T, text string) string {
	at := rapid.IntRange(0, len(text)).Draw(t, "at")
	switch pick(t, "how", "cut", "drop", "insert", "double", "junk") {
	case "cut":
		return text[:at]
	case "drop":
		return text[:max(at-1, 0)] + text[at:]
	case "insert":
		return text[:at] + pick(t, "what", `"`, `,`, `{`, `}`, `\`, `0`, ` `, "\x00", "\xff", `null`) + text[at:]
	case "double":
		return text + text
	}
	return strings.TrimSuffix(text, "}}") + `,"junk":1}}`
}
