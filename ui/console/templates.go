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
// [wordValues.fillIn] replaces the words ME, YOU, IT, ID and SOON. For example,
// "spender":YOU becomes "spender":"$bob". The last example is the message that creates a
// collection.
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
	text string // the JSON, with words that [wordValues.fillIn] replaces
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
	// Put the names in order: those with an example first.
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

// wordValues has the values that replace the words ME, YOU, IT, ID and SOON of a
// template. An account is given as a reference to its name, such as "$alice", or as its
// address if it has no name.
type wordValues struct {
	actor    string       // ME: the acting account
	other    string       // YOU: another account, or the acting one if there is none
	receiver string       // IT: a contract that accepts tokens, or the collection itself
	tokenID  string       // ID: the token last under a cursor, or "1"
	soon     cw721.Height // SOON: the height a hundred blocks from now
}

// fillIn replaces the words ME, YOU, IT, ID and SOON in the text of a template by the
// values of v, and returns the JSON. It only replaces a word behind a colon.
func (v wordValues) fillIn(text string) string {
	quote := func(value string) string {
		quoted, _ := json.Marshal(value) // never fails for a string
		return string(quoted)
	}
	return strings.NewReplacer(
		":ME", ":"+quote(v.actor),
		":YOU", ":"+quote(v.other),
		":IT", ":"+quote(v.receiver),
		":ID", ":"+quote(v.tokenID),
		":SOON", fmt.Sprintf(":%d", v.soon),
	).Replace(text)
}

// chooseWordValues chooses the values for the words of templates. The other account is the
// first that is not the acting one and accepts no tokens as a contract. The token is the
// one that was last under a cursor.
func (s *Screen) chooseWordValues(state *app.State) wordValues {
	referenceTo := func(address cw721.Address) string {
		if name, hasName := state.Names[address]; hasName {
			return "$" + name
		}
		return string(address)
	}
	values := wordValues{
		actor:    referenceTo(state.Actor),
		other:    referenceTo(state.Actor),
		receiver: referenceTo(state.Config.Self),
		tokenID:  *cmp.Or(state.LastSelection.Token, new("1")),
		soon:     state.Clock.Height + 100,
	}

	// Choose the other account, and a contract that accepts tokens.
	for _, account := range state.Accounts {
		if account.Receiver == chain.ReceiverAccepts {
			values.receiver = "$" + account.Name
		} else if account.Address != state.Actor && values.other == values.actor {
			values.other = "$" + account.Name
		}
	}
	return values
}

// applyConsoleMsg puts a text from another screen into the editor. If msg names a template,
// it puts the filled-in template into the editor instead, and gives the keyboard to the
// editor.
func (s *Screen) applyConsoleMsg(state *app.State, msg app.ConsoleMsg) {
	if msg.Template == "" {
		s.setText(state, msg.Text)
		return
	}
	s.typeTemplate(state, templateText(msg.Template))
}

// typeTemplate puts the filled-in text of a template into the editor, and gives the keyboard
// to the editor.
func (s *Screen) typeTemplate(state *app.State, text string) {
	s.isTyping = true
	values := s.chooseWordValues(state)
	s.setText(state, values.fillIn(text))
}

// openTemplates opens the list of templates. The chosen one is put into the editor.
func (s *Screen) openTemplates(state *app.State) tea.Cmd {
	var items []widget.Item
	texts := map[string]string{} // by the name of the template
	for _, t := range templatesOf(s.names, state.Compiled) {
		items = append(items, widget.Item{ID: t.name, Title: t.name, Detail: t.kind})
		texts[t.name] = t.text
	}

	// The chosen template replaces the text of the editor.
	choose := func(state *app.State, name string) tea.Cmd {
		s.typeTemplate(state, texts[name])
		return nil
	}
	title := "Templates"
	if s.names.UnlistedReason != "" {
		title += " of cw721: " + s.names.UnlistedReason
	}
	return app.OpenDialog(form.NewChooser(title, "a message", items, choose))
}
