package cw721_test

import (
	"cmp"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"pgregory.net/rapid"

	"ephemera/core/cw721"
	"ephemera/core/wire"
)

// The accounts and ids of tokens in drawn messages. They are few, so that messages affect
// one another.
var (
	people = []string{"alice", "bob", "carol", "minter", "creator", "market"}
	ids    = []string{"1", "2", "10", "é", ""}
)

// draw draws one of some texts.
func draw(t *rapid.T, label string, texts ...string) string {
	return rapid.SampledFrom(texts).Draw(t, label)
}

// drawAccount draws the name of an account.
func drawAccount(t *rapid.T, label string) string { return draw(t, label, people...) }

// drawAddress draws the address of an account, or rarely a text that is no address.
func drawAddress(t *rapid.T, label string) string {
	if rapid.IntRange(0, 19).Draw(t, label+" is broken") == 0 {
		return draw(t, label, "", "x", "stars1qqqqqqqqqqqqqqqqqqqq", strings.ToUpper(addr("bob")))
	}
	return addr(drawAccount(t, label))
}

// drawTokenID draws the id of a token as a JSON string.
func drawTokenID(t *rapid.T) string { return string(wire.AppendString(nil, draw(t, "id", ids...))) }

// drawExpiration draws an expiration in JSON: shortly before or after the block, never, or
// null.
func drawExpiration(t *rapid.T, now cw721.Block) string {
	distance := rapid.IntRange(-2, 6).Draw(t, "distance")
	switch draw(t, "axis", "height", "time", "never", "null") {
	case "height":
		return fmt.Sprintf(`{"at_height":%d}`, int(now.Height)+distance)
	case "time":
		return fmt.Sprintf(`{"at_time":"%d"}`, int(now.Time)+distance*5)
	case "never":
		return `{"never":{}}`
	}
	return `null`
}

// drawExtension draws the extension of a token in JSON, which may be invalid.
func drawExtension(t *rapid.T, flavour cw721.Flavour) string {
	if flavour == cw721.FlavourBase {
		return draw(t, "extension", `null`, `{}`, `{"x":1}`)
	}
	return draw(t, "extension", `null`, `{}`, `{"name":"n"}`, `{"name":""}`, `{"image":"ipfs://i","attributes":[{"trait_type":"t","value":"v"}]}`,
		`{"image":"not a url"}`, `{"attributes":[{"trait_type":"","value":"v"}]}`)
}

// drawOwnershipAction draws an action on the minter's or creator's role in JSON.
func drawOwnershipAction(t *rapid.T, now cw721.Block) string {
	switch draw(t, "action", "offer", "accept", "renounce") {
	case "offer":
		return `{"transfer_ownership":{"new_owner":"` + drawAddress(t, "new owner") + `","expiry":` + drawExpiration(t, now) + `}}`
	case "accept":
		return `"accept_ownership"`
	}
	// Renouncing is rare because nobody can act on the role afterwards.
	if rapid.IntRange(0, 5).Draw(t, "really") > 0 {
		return `"accept_ownership"`
	}
	return `"renounce_ownership"`
}

// drawUpdate draws the members of an update_collection_info. Each member that the message
// can have is in it with a probability of a quarter, and may be invalid.
func drawUpdate(t *rapid.T, rules cw721.Rules) string {
	var members []string
	var extension []string
	maybeAdd := func(list *[]string, alternatives ...string) {
		if rapid.IntRange(0, 3).Draw(t, alternatives[0]) == 0 {
			*list = append(*list, draw(t, "value", alternatives...))
		}
	}
	maybeAdd(&members, `"name":"N"`, `"name":""`, `"name":null`)
	maybeAdd(&members, `"symbol":"S"`)

	maybeAdd(&extension, `"description":"d"`, `"description":""`)
	maybeAdd(&extension, `"image":"ipfs://i"`, `"image":"x"`)
	maybeAdd(&extension, `"explicit_content":true`)
	if rules.HasBanner() {
		maybeAdd(&extension, `"banner_url":"ipfs://b"`, `"banner_url":"x"`, `"banner":"x"`)
	}
	maybeAdd(&extension, `"start_trading_time":"7"`)
	share := "0." + draw(t, "share", "01", "03", "05", "10", "11")
	maybeAdd(&extension, `"royalty_info":{"payment_address":"`+drawAddress(t, "payee")+`","share":"`+share+`"}`)

	if rapid.Bool().Draw(t, "extension") {
		members = append(members, `"extension":{`+strings.Join(extension, ",")+`}`)
	}
	return strings.Join(members, ",")
}

// messageTemplates are the bodies of the execute messages that tests draw. Each word in
// capitals is replaced by [drawWord]. Messages that are not in the map have no members.
var messageTemplates = map[string]string{
	"update_ownership":         `ACTION`,
	"update_minter_ownership":  `ACTION`,
	"update_creator_ownership": `ACTION`,
	"update_collection_info":   `{"collection_info":{UPDATE}}`,
	"transfer_nft":             `{"recipient":"ADDRESS","token_id":ID}`,
	"send_nft":                 `{"contract":"ADDRESS","token_id":ID,"msg":"e30="}`,
	"approve":                  `{"spender":"ADDRESS","token_id":ID,"expires":EXPIRATION}`,
	"revoke":                   `{"spender":"ADDRESS","token_id":ID}`,
	"approve_all":              `{"operator":"ADDRESS","expires":EXPIRATION}`,
	"revoke_all":               `{"operator":"ADDRESS"}`,
	"mint":                     `{"token_id":ID,"owner":"ADDRESS","token_uri":URI,"extension":EXTENSION}`,
	"add_minter":               `{"minter":"ADDRESS"}`,
	"remove_minter":            `{"minter":"ADDRESS"}`,
	"burn":                     `{"token_id":ID}`,
	"update_nft_info":          `{"token_id":ID,"extension":EXTENSION}`,
	"set_withdraw_address":     `{"address":"ADDRESS"}`,
	"withdraw_funds":           `{"amount":{"denom":"u","amount":"AMOUNT"}}`,
	"update_extension":         `{"msg":{}}`,
}

// placeholder matches a word in capitals in one of the messageTemplates.
var placeholder = regexp.MustCompile("[A-Z]{2,}")

// drawWord draws the JSON that replaces a placeholder in a template.
func drawWord(t *rapid.T, word string, now cw721.Block, c cw721.Contract) string {
	switch word {
	case "ACTION":
		return drawOwnershipAction(t, now)
	case "UPDATE":
		return drawUpdate(t, c.Rules)
	case "ADDRESS":
		return drawAddress(t, "address")
	case "ID":
		return drawTokenID(t)
	case "EXPIRATION":
		return drawExpiration(t, now)
	case "EXTENSION":
		return drawExtension(t, c.Flavour)
	case "URI":
		return draw(t, "uri", `null`, `""`, `"ipfs://u"`, `"x"`)
	}
	return strconv.Itoa(rapid.IntRange(0, 99).Draw(t, "amount"))
}

// drawExecute draws an execute message that mostly decodes.
func drawExecute(t *rapid.T, now cw721.Block, c cw721.Contract) string {
	// Some names are repeated, so that they are drawn more often.
	names := append(c.Rules.ExecuteNames(), "mint", "mint", "mint", "approve", "approve", "approve_all", "transfer_nft")
	name := draw(t, "message", names...)
	template := cmp.Or(messageTemplates[name], "{}")
	body := placeholder.ReplaceAllStringFunc(template, func(word string) string {
		return drawWord(t, word, now, c)
	})
	text := `{"` + name + `":` + body + `}`
	if rapid.IntRange(0, 14).Draw(t, "break it") == 0 {
		return breakText(t, text)
	}
	return text
}

// breakText changes the text of a message so that it mostly does not decode.
func breakText(t *rapid.T, text string) string {
	index := rapid.IntRange(0, len(text)).Draw(t, "index")
	switch draw(t, "how", "cut", "drop", "insert", "double", "junk") {
	case "cut":
		return text[:index]
	case "drop":
		return text[:max(index-1, 0)] + text[index:]
	case "insert":
		inserted := draw(t, "inserted", `"`, `,`, `{`, `}`, `\`, `0`, ` `, "\x00", "\xff", `null`)
		return text[:index] + inserted + text[index:]
	case "double":
		return text + text
	}
	return strings.TrimSuffix(text, "}}") + `,"junk":1}}`
}
