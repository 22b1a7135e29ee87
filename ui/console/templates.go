package console

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/ui/app"
	"ephemera/ui/form"
	"ephemera/ui/widget"
)

// templateTexts has an example of every message of cw721 0.19 to 0.22, one on each line.
// [templateFiller] replaces the words ME, YOU, IT, ID and SOON. For example, "spender":YOU
// becomes "spender":"$bob". The last example is the message that creates a collection.
const templateTexts = `{"transfer_nft":{"recipient":YOU,"token_id":ID}}
{"send_nft":{"contract":IT,"token_id":ID,"msg":"e30="}}
{"approve":{"spender":YOU,"token_id":ID,"expires":{"at_height":SOON}}}
{"revoke":{"spender":YOU,"token_id":ID}}
{"approve_all":{"operator":YOU,"expires":{"never":{}}}}
{"revoke_all":{"operator":YOU}}
{"mint":{"token_id":"new-1","owner":ME,"token_uri":"ipfs://bafy/1.json","extension":null}}
{"burn":{"token_id":ID}}
{"update_nft_info":{"token_id":ID,"token_uri":"ipfs://bafy/2.json"}}
{"update_collection_info":{"collection_info":{"extension":{"description":"what it is","royalty_info":{"payment_address":ME,"share":"0.05"}}}}}
{"update_minter_ownership":{"transfer_ownership":{"new_owner":YOU,"expiry":{"at_height":SOON}}}}
{"update_creator_ownership":{"transfer_ownership":{"new_owner":YOU,"expiry":null}}}
{"update_ownership":"accept_ownership"}
{"set_withdraw_address":{"address":ME}}
{"remove_withdraw_address":{}}
{"withdraw_funds":{"amount":{"denom":"uatom","amount":"1000"}}}
{"add_minter":{"minter":YOU}}
{"remove_minter":{"minter":YOU}}
{"update_extension":{"msg":{}}}
{"owner_of":{"token_id":ID,"include_expired":false}}
{"approval":{"token_id":ID,"spender":YOU,"include_expired":false}}
{"approvals":{"token_id":ID,"include_expired":true}}
{"operator":{"owner":ME,"operator":YOU,"include_expired":false}}
{"all_operators":{"owner":ME,"include_expired":true,"start_after":null,"limit":10}}
{"num_tokens":{}}
{"contract_info":{}}
{"get_config":{}}
{"get_collection_info_and_extension":{}}
{"get_all_info":{}}
{"get_collection_extension_attributes":{}}
{"ownership":{}}
{"minter":{}}
{"get_minter_ownership":{}}
{"get_creator_ownership":{}}
{"get_additional_minters":{"start_after":null,"limit":10}}
{"nft_info":{"token_id":ID}}
{"get_nft_by_extension":{"extension":null,"start_after":null,"limit":10}}
{"all_nft_info":{"token_id":ID,"include_expired":true}}
{"tokens":{"owner":ME,"start_after":null,"limit":10}}
{"all_tokens":{"start_after":null,"limit":10}}
{"extension":{"msg":{}}}
{"get_collection_extension":{"msg":null}}
{"get_withdraw_address":{}}
{"name":"My Collection","symbol":"MINE","minter":ME,"creator":ME,"collection_info_extension":{"description":"what it is","royalty_info":{"payment_address":ME,"share":"0.05"}}}`

// template is an example of a message.
type template struct {
	name string // the name of the message, or "instantiate"
	kind string // what sending it does: "execute", "query", "either" or "preview only"
	text string // the JSON, with words that [templateFiller] replaces
}

// templateText returns the example of a message. If there is none, it returns the message
// without members: {"freeze":{}}.
func templateText(name string) string {
	for text := range strings.SplitSeq(templateTexts, "\n") {
		if firstMemberName(text) == name {
			return text
		}
	}
	return `{"` + name + `":{}}`
}

// firstMemberName returns the name of the first member of an example: "burn" for
// {"burn":…}.
func firstMemberName(text string) string {
	_, fromName, _ := strings.Cut(text, `"`)
	name, _, _ := strings.Cut(fromName, `"`)
	return name
}

// templatesOf returns a template for each message that a contract knows. First come the
// messages with an example, in the order of templateTexts, and then the others. At the end
// is the message that creates a collection. A compiled contract has no template for it,
// because only the built-in contract can preview that message.
func templatesOf(names chain.MessageNames, isCompiled bool) (templates []template) {
	var exampleNames []string
	for text := range strings.SplitSeq(templateTexts, "\n") {
		exampleNames = append(exampleNames, firstMemberName(text))
	}
	lastIndex := len(exampleNames) - 1
	instantiateMember := exampleNames[lastIndex] // of the message that creates a collection
	orderedNames := slices.Concat(exampleNames[:lastIndex], names.Execute, names.Query)

	// A name can be in orderedNames more than once. It gets one template.
	isListed := map[string]bool{}
	for _, name := range orderedNames {
		kind := kindByName(names, name)
		if kind == "" || isListed[name] {
			continue
		}
		templates = append(templates, template{name: name, kind: kind, text: templateText(name)})
		isListed[name] = true
	}
	if !isCompiled {
		templates = append(templates, template{
			name: "instantiate",
			kind: "preview only",
			text: templateText(instantiateMember),
		})
	}
	return templates
}

// kindByName returns what sending a message does: "execute", "query", or "either" for a name
// that is both. It returns "" for a message that the contract does not know.
func kindByName(names chain.MessageNames, name string) string {
	isExecute := slices.Contains(names.Execute, name)
	isQuery := slices.Contains(names.Query, name)
	switch {
	case isExecute && isQuery:
		return "either"
	case isExecute:
		return executeMessage.String()
	case isQuery:
		return queryMessage.String()
	}
	return ""
}

// templateFiller returns a replacer of the words ME, YOU, IT, ID and SOON in the text of a
// template by values, as JSON. It only replaces a word behind a colon.
//
// ME is the acting account. YOU is the first other account that accepts no tokens as a contract,
// or the acting one if there is none. IT is a contract that accepts tokens, or the collection
// itself. ID is the token that was last under a cursor, or "1". SOON is the height a hundred
// blocks from now. An account is given as a reference to its name, such as "$alice", or as its
// address if it has no name.
func templateFiller(state *app.State) *strings.Replacer {
	referenceTo := func(address cw721.Address) string {
		if name, hasName := state.Names[address]; hasName {
			return "$" + name
		}
		return string(address)
	}
	actor := referenceTo(state.Actor)
	other := actor
	receiver := referenceTo(state.Config.Self)
	for _, account := range state.Accounts {
		if account.Receiver == chain.ReceiverAccepts {
			receiver = "$" + account.Name
		} else if account.Address != state.Actor && other == actor {
			other = "$" + account.Name
		}
	}

	valueOf := func(text string) string {
		quoted, _ := json.Marshal(text) // never fails for a string
		return ":" + string(quoted)
	}
	return strings.NewReplacer(
		":ME", valueOf(actor),
		":YOU", valueOf(other),
		":IT", valueOf(receiver),
		":ID", valueOf(*cmp.Or(state.LastSelection.Token, new("1"))),
		":SOON", fmt.Sprintf(":%d", state.Clock.Height+100),
	)
}

// typeTemplate puts the filled-in text of a template into the editor, and gives the keyboard
// to the editor.
func (s *Screen) typeTemplate(state *app.State, text string) {
	s.isTyping = true
	s.setText(state, templateFiller(state).Replace(text))
}

// openTemplates opens the list of templates. The chosen one replaces the text of the editor.
func (s *Screen) openTemplates(state *app.State) tea.Cmd {
	var items []widget.Item
	texts := map[string]string{} // by the name of the template
	for _, t := range templatesOf(s.names, state.Compiled) {
		items = append(items, widget.Item{ID: t.name, Title: t.name, Detail: t.kind})
		texts[t.name] = t.text
	}
	title := "Templates"
	if s.names.UnlistedReason != "" {
		title += " of cw721: " + s.names.UnlistedReason
	}
	return app.OpenDialog(form.NewChooser(title, "a message", items,
		func(state *app.State, name string) tea.Cmd {
			s.typeTemplate(state, texts[name])
			return nil
		}))
}
