package ui

import (
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/ui/app"
	"ephemera/ui/form"
	"ephemera/ui/widget"
)

// alsoCalled are other words for commands, by the beginning of their names: the
// contract's messages, and what people say.
var alsoCalled = []struct{ name, also string }{
	{"Transfer ", "transfer_nft move give"},
	{"Send this token", "send_nft deliver contract"},
	{"Approve ", "approve permit allow grant"},
	{"Revoke an approval", "revoke withdraw"}, {"Revoke this approval", "revoke"}, {"Revoke every", "revoke"},
	{"Grant an operator", "approve_all setApprovalForAll"},
	{"Revoke an operator", "revoke_all"}, {"Revoke this operator", "revoke_all"},
	{"Mint ", "mint create new"},
	{"Burn ", "burn delete destroy"},
	{"Update this token", "update_nft_info metadata uri"},
	{"Offer the minter", "update_minter_ownership update_ownership ownership transfer_ownership"},
	{"Accept the minter", "update_minter_ownership update_ownership ownership accept_ownership"},
	{"Renounce the minter", "update_minter_ownership update_ownership ownership renounce_ownership"},
	{"Offer the creator", "update_creator_ownership ownership"},
	{"Accept the creator", "update_creator_ownership ownership"},
	{"Renounce the creator", "update_creator_ownership ownership"},
	{"Set the withdraw", "set_withdraw_address"}, {"Remove the withdraw", "remove_withdraw_address"}, {"Withdraw", "withdraw_funds"},
	{"Royalty", "royalties share"},
	{"Clock: to the next", "expire expiry expires"}, {"Clock: to just before", "expire expiry expires"},
	{"Timeline", "expire expiry expires"},
	{"Record", "save scenario"},
	{"Export", "dump state save"},
	{"Backup", "copy save"},
	{"Act as", "sender account who impersonate"},
	{"Why", "permission allowed refused"},
}

// palette is the list of everything by its name: commands, those of the other
// screens that send messages, the contract's messages, accounts, and the tokens
// whose ids begin with what is typed.
type palette struct {
	*form.Chooser
	items []widget.Item
}

// tokensFoundMsg brings the tokens whose ids begin with a text.
type tokensFoundMsg struct {
	begin string
	ids   []string
}

// tokensOffered bounds the tokens that the palette finds.
const tokensOffered = 8

func (m *Model) openPalette() tea.Cmd {
	p, do := &palette{}, map[string]func() tea.Cmd{}
	var off []widget.Item
	add := func(item widget.Item, fn func() tea.Cmd) {
		if _, there := do[item.ID]; !there {
			p.items, do[item.ID] = append(p.items, item), fn
		}
	}
	for _, c := range m.Commands() {
		item := widget.Item{ID: c.Name, Title: c.Name, Detail: c.Group, Hint: c.Binding.Help().Key, Also: alsoOf(c.Name)}
		switch why := c.Reason(); {
		case c.Name == "":
		case why != "":
			item.Detail, item.Off = why, true
			off, do[c.Name] = append(off, item), func() tea.Cmd { return app.Notify(app.LevelInfo, why) }
		default:
			add(item, c.Do)
		}
	}
	for i, s := range m.screens {
		for _, c := range s.Commands(m.state) {
			if also := alsoOf(c.Name); i != m.current && also != "" && c.Do != nil {
				add(widget.Item{ID: c.Name, Title: c.Name, Detail: "on " + s.Name(), Also: also}, func() tea.Cmd { return tea.Sequence(m.turn(i), c.Do()) })
			}
		}
	}
	p.items = append(p.items, off...)
	rules := m.state.Config.Rules
	for _, name := range append(slices.Clone(rules.ExecuteNames()), rules.QueryNames()...) {
		add(widget.Item{ID: "message " + name, Title: name, Detail: "in the console"}, func() tea.Cmd { return app.GoTo(app.KindConsole, app.ConsoleMsg{Template: name}) })
	}
	for _, a := range m.state.Accounts {
		add(widget.Item{ID: "account " + a.Name, Title: a.Name, Detail: "account"}, func() tea.Cmd { return app.GoTo(app.KindAccounts, app.ShowAccountMsg{Name: a.Name}) })
	}
	p.Chooser = form.NewChooser("Commands", "what do you want to do?", p.items, func(_ *app.State, id string) tea.Cmd {
		if token, ok := strings.CutPrefix(id, "token "); ok {
			return app.ShowToken(token)
		}
		return do[id]()
	})
	return app.OpenDialog(p)
}

func alsoOf(name string) string {
	i := slices.IndexFunc(alsoCalled, func(c struct{ name, also string }) bool { return strings.HasPrefix(name, c.name) })
	if i < 0 {
		return ""
	}
	return alsoCalled[i].also
}

// Update looks the tokens up that begin with what is typed.
func (p *palette) Update(st *app.State, msg tea.Msg) (tea.Cmd, bool) {
	if found, ok := msg.(tokensFoundMsg); ok {
		if found.begin == p.List.Query() {
			items := slices.Clone(p.items)
			for _, id := range found.ids {
				items = append(items, widget.Item{ID: "token " + id, Title: app.TokenName(id), Detail: "token"})
			}
			p.List.Set(items)
			p.List.SelectFirst() // a token that matches better than the commands
		}
		return nil, false
	}
	was := p.List.Query()
	cmd, done := p.Chooser.Update(st, msg)
	begin := p.List.Query()
	if done || begin == was || begin == "" {
		return cmd, done
	}
	return tea.Batch(cmd, st.Ask(p, func(e app.Engine) tea.Msg {
		found := tokensFoundMsg{begin: begin}
		_ = e.View(func(v *chain.View) error { // without an answer there are no tokens to offer
			for t, err := range v.Tokens("", cw721.Walk{Place: &begin, Inclusive: true}) {
				if err != nil || !strings.HasPrefix(t.ID, begin) || len(found.ids) == tokensOffered {
					return err
				}
				found.ids = append(found.ids, t.ID)
			}
			return nil
		})
		return found
	})), false
}
