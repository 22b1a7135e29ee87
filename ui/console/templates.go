package console

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/cw721"
	"ephemera/ui/app"
	"ephemera/ui/form"
	"ephemera/ui/widget"
)

// template is a message to start from. In its text ME is whoever acts, YOU
// somebody else, IT a contract and ID a token; each stands for a whole string.
// SOON is a height that is a hundred blocks away.
type template struct{ name, text string }

const instantiateName = "instantiate"

// executeTemplates has one for each execute message.
var executeTemplates = []template{
	{"transfer_nft", `{"transfer_nft":{"recipient":YOU,"token_id":ID}}`},
	{"send_nft", `{"send_nft":{"contract":IT,"token_id":ID,"msg":"e30="}}`},
	{"approve", `{"approve":{"spender":YOU,"token_id":ID,"expires":{"at_height":SOON}}}`},
	{"revoke", `{"revoke":{"spender":YOU,"token_id":ID}}`},
	{"approve_all", `{"approve_all":{"operator":YOU,"expires":{"never":{}}}}`},
	{"revoke_all", `{"revoke_all":{"operator":YOU}}`},
	{"mint", `{"mint":{"token_id":"new-1","owner":ME,"token_uri":"ipfs://bafy/1.json","extension":null}}`},
	{"burn", `{"burn":{"token_id":ID}}`},
	{"update_nft_info", `{"update_nft_info":{"token_id":ID,"token_uri":"ipfs://bafy/2.json"}}`},
	{"update_collection_info", `{"update_collection_info":{"collection_info":{"extension":{"description":"what it is","royalty_info":{"payment_address":ME,"share":"0.05"}}}}}`},
	{"update_minter_ownership", `{"update_minter_ownership":{"transfer_ownership":{"new_owner":YOU,"expiry":{"at_height":SOON}}}}`},
	{"update_creator_ownership", `{"update_creator_ownership":{"transfer_ownership":{"new_owner":YOU,"expiry":null}}}`},
	{"update_ownership", `{"update_ownership":"accept_ownership"}`},
	{"set_withdraw_address", `{"set_withdraw_address":{"address":ME}}`},
	{"remove_withdraw_address", `{"remove_withdraw_address":{}}`},
	{"withdraw_funds", `{"withdraw_funds":{"amount":{"denom":"uatom","amount":"1000"}}}`},
	{"add_minter", `{"add_minter":{"minter":YOU}}`},
	{"remove_minter", `{"remove_minter":{"minter":YOU}}`},
	{"update_extension", `{"update_extension":{"msg":{}}}`},
}

// queryTemplates has one for each query message.
var queryTemplates = []template{
	{"owner_of", `{"owner_of":{"token_id":ID,"include_expired":false}}`},
	{"approval", `{"approval":{"token_id":ID,"spender":YOU,"include_expired":false}}`},
	{"approvals", `{"approvals":{"token_id":ID,"include_expired":true}}`},
	{"operator", `{"operator":{"owner":ME,"operator":YOU,"include_expired":false}}`},
	{"all_operators", `{"all_operators":{"owner":ME,"include_expired":true,"start_after":null,"limit":10}}`},
	{"num_tokens", `{"num_tokens":{}}`},
	{"contract_info", `{"contract_info":{}}`},
	{"get_config", `{"get_config":{}}`},
	{"get_collection_info_and_extension", `{"get_collection_info_and_extension":{}}`},
	{"get_all_info", `{"get_all_info":{}}`},
	{"get_collection_extension_attributes", `{"get_collection_extension_attributes":{}}`},
	{"ownership", `{"ownership":{}}`},
	{"minter", `{"minter":{}}`},
	{"get_minter_ownership", `{"get_minter_ownership":{}}`},
	{"get_creator_ownership", `{"get_creator_ownership":{}}`},
	{"get_additional_minters", `{"get_additional_minters":{"start_after":null,"limit":10}}`},
	{"nft_info", `{"nft_info":{"token_id":ID}}`},
	{"get_nft_by_extension", `{"get_nft_by_extension":{"extension":null,"start_after":null,"limit":10}}`},
	{"all_nft_info", `{"all_nft_info":{"token_id":ID,"include_expired":true}}`},
	{"tokens", `{"tokens":{"owner":ME,"start_after":null,"limit":10}}`},
	{"all_tokens", `{"all_tokens":{"start_after":null,"limit":10}}`},
	{"extension", `{"extension":{"msg":{}}}`},
	{"get_collection_extension", `{"get_collection_extension":{"msg":null}}`},
	{"get_withdraw_address", `{"get_withdraw_address":{}}`},
}

var instantiateTemplate = template{instantiateName, `{"name":"My Collection","symbol":"MINE","minter":ME,"creator":ME,"collection_info_extension":{"description":"what it is","royalty_info":{"payment_address":ME,"share":"0.05"}}}`}

var allTemplates = slices.Concat(executeTemplates, queryTemplates, []template{instantiateTemplate})

// cast is who and what the templates speak of.
type cast struct {
	me, you, it, id string
	soon            cw721.Height
}

func (t template) fill(c cast) string {
	quote := func(s string) string {
		b, _ := json.Marshal(s) // a string always has a JSON form
		return string(b)
	}
	return strings.NewReplacer(":ME", ":"+quote(c.me), ":YOU", ":"+quote(c.you), ":IT", ":"+quote(c.it), ":ID", ":"+quote(c.id), ":SOON", fmt.Sprintf(":%d", c.soon)).Replace(t.text)
}

// cast chooses who and what the templates speak of now.
func castOf(st *app.State, id string) cast {
	name := func(a cw721.Address) string {
		if n, ok := st.Names[a]; ok {
			return "$" + n
		}
		return string(a)
	}
	c := cast{me: name(st.Actor), you: name(st.Actor), it: name(st.Config.Self), id: id, soon: st.Clock.Height + 100}
	for _, a := range st.Accounts {
		if a.Receiver == "accepts" {
			c.it = "$" + a.Name
		} else if a.Address != st.Actor && c.you == c.me {
			c.you = "$" + a.Name
		}
	}
	return c
}

// applyMessage puts into the editor what another place asks for. A template is about the token
// that was last under a cursor.
func (c *Screen) applyMessage(st *app.State, msg app.ConsoleMsg) tea.Cmd {
	for _, t := range allTemplates {
		if t.name == msg.Template {
			c.typing, msg.Text = true, t.fill(c.cast(st))
		}
	}
	c.set(st, msg.Text)
	return nil
}

// kindOf says what becomes of the message of a template; nothing for one that a rule
// set has not.
func (t template) kindOf(rules cw721.Rules) string {
	switch {
	case t.name == instantiateName:
		return "preview only"
	case slices.Contains(rules.ExecuteNames(), t.name):
		return "execute"
	case slices.Contains(rules.QueryNames(), t.name):
		return "query"
	}
	return ""
}

// templatesOf are those of the messages that a rule set has.
func templatesOf(rules cw721.Rules) []template {
	return slices.DeleteFunc(slices.Clone(allTemplates), func(t template) bool { return t.kindOf(rules) == "" })
}

// templates lets a person choose a message to start from.
func (c *Screen) templates(st *app.State) tea.Cmd {
	var items []widget.Item
	for _, t := range templatesOf(st.Config.Rules) {
		items = append(items, widget.Item{ID: t.name, Title: t.name, Detail: t.kindOf(st.Config.Rules)})
	}
	return app.OpenDialog(form.NewChooser("Templates", "a message", items, func(st *app.State, name string) tea.Cmd {
		return c.applyMessage(st, app.ConsoleMsg{Template: name})
	}))
}
