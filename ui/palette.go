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

// commandSynonyms holds other words for commands by the beginning of their names:
// the contract's messages, and words that people use. The first match counts.
var commandSynonyms = []struct{ namePrefix, words string }{
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

// palette is the dialog that lists by name everything that can be done or shown: the
// commands of the current screen, the commands of the other screens that send messages,
// the contract's messages, the accounts, and the tokens whose ids begin with the typed
// text.
type palette struct {
	*form.Chooser
	items   []widget.Item             // all but the tokens
	actions map[string]func() tea.Cmd // what enter does, by the ID of the item
}

// tokensFoundMsg brings the first ids of tokens that begin with the typed text.
type tokensFoundMsg struct {
	prefix string
	ids    []string
}

// maxPaletteTokens is the number of tokens that the palette lists at most.
const maxPaletteTokens = 8

// openPalette returns the command that opens the palette, the dialog that lists all
// commands by name. A name that occurs twice is listed once: a command of the current
// screen counts before one of another screen.
func (m *Model) openPalette() tea.Cmd {
	p := &palette{actions: map[string]func() tea.Cmd{}}
	commands := m.Commands()
	p.addCommands(commands)

	// The actions of disabled commands come first, so that another screen's command of
	// the same name is not listed; their items follow those of the other screens.
	disabled := p.disabledItems(commands)
	for i, s := range m.screens {
		if i != m.currentScreen {
			p.addCommandsOf(s, m.state, func() tea.Cmd { return m.chooseScreen(i) })
		}
	}
	p.items = append(p.items, disabled...)
	var askForNames tea.Cmd
	if m.state.Compiled {
		askForNames = m.state.Ask(p, findMessageNames)
	} else {
		rules := m.state.Config.Rules
		p.addMessages(chain.MessageNames{Execute: rules.ExecuteNames(), Query: rules.QueryNames()})
	}
	for _, a := range m.state.Accounts {
		p.add(widget.Item{ID: "account " + a.Name, Title: a.Name, Detail: "account"}, func() tea.Cmd {
			return app.GoTo(app.KindAccounts, app.ShowAccountMsg{Name: a.Name})
		})
	}
	p.Chooser = form.NewChooser("Commands", "what do you want to do?", p.items, p.choose)
	return app.OpenDialogThen(p, askForNames)
}

// add lists an item and sets the action that enter carries out for it. It does nothing
// if the palette has an action for that ID already.
func (p *palette) add(item widget.Item, action func() tea.Cmd) {
	if _, exists := p.actions[item.ID]; exists {
		return
	}
	p.items = append(p.items, item)
	p.actions[item.ID] = action
}

// commandItem returns the item of a command, with its key and synonyms.
func commandItem(c app.Command, detail string) widget.Item {
	return widget.Item{
		ID:       c.Name,
		Title:    c.Name,
		Detail:   detail,
		Hint:     c.Binding.Help().Key,
		Keywords: synonyms(c.Name),
	}
}

// addCommands lists the commands that can be carried out now.
func (p *palette) addCommands(commands []app.Command) {
	for _, c := range commands {
		if c.Name != "" && c.Reason() == "" {
			p.add(commandItem(c, c.Group), c.Do)
		}
	}
}

// addCommandsOf lists the commands of another screen that have synonyms, which are
// those that send messages. Choosing one first shows the screen.
func (p *palette) addCommandsOf(s app.Screen, st *app.State, show func() tea.Cmd) {
	for _, c := range s.Commands(st) {
		words := synonyms(c.Name)
		if words == "" || c.Do == nil {
			continue
		}
		item := widget.Item{ID: c.Name, Title: c.Name, Detail: "on " + s.Name(), Keywords: words}
		p.add(item, func() tea.Cmd { return tea.Sequence(show(), c.Do()) })
	}
}

// disabledItems returns items for the commands that cannot be carried out now, and
// sets their actions, which notify the user of the reason.
func (p *palette) disabledItems(commands []app.Command) (items []widget.Item) {
	for _, c := range commands {
		reason := c.Reason()
		if reason == "" {
			continue
		}
		item := commandItem(c, reason)
		item.Disabled = true
		items = append(items, item)
		p.actions[c.Name] = func() tea.Cmd { return app.Notify(app.LevelInfo, reason) }
	}
	return items
}

// addMessages lists the contract's messages and queries, which open in the
// console.
func (p *palette) addMessages(names chain.MessageNames) {
	for _, name := range slices.Concat(names.Execute, names.Query) {
		p.add(widget.Item{ID: "message " + name, Title: name, Detail: "in the console"}, func() tea.Cmd {
			return app.GoTo(app.KindConsole, app.ConsoleMsg{Template: name})
		})
	}
}

// findMessageNames returns the names of the messages that a compiled contract knows. It
// returns none if they cannot be read: the palette still lists the commands.
func findMessageNames(e app.Engine) tea.Msg {
	var names chain.MessageNames
	_ = e.View(func(v *chain.View) (err error) {
		names, err = v.MessageNames()
		return err
	})
	return names
}

// choose carries out the action of the item that the user chose. The ID "token ape-0001"
// shows that token; all other IDs have an action in p.actions.
func (p *palette) choose(_ *app.State, id string) tea.Cmd {
	if token, ok := strings.CutPrefix(id, "token "); ok {
		return app.ShowToken(token)
	}
	return p.actions[id]()
}

// synonyms returns other words for a command, separated by spaces; empty if there are
// none.
func synonyms(commandName string) string {
	for _, c := range commandSynonyms {
		if strings.HasPrefix(commandName, c.namePrefix) {
			return c.words
		}
	}
	return ""
}

// Update handles keys and the mouse as the chooser does. Whenever the typed text has
// changed, it also starts a search for the tokens whose ids begin with it, and it lists
// those that such a search has found. It returns true if the palette is to close.
func (p *palette) Update(st *app.State, msg tea.Msg) (tea.Cmd, bool) {
	switch msg := msg.(type) {
	case tokensFoundMsg:
		p.showTokens(msg)
		return nil, false
	case chain.MessageNames:
		p.addMessages(msg)
		p.List.Set(p.items)
		return nil, false
	}

	// A new text is searched for among the ids of tokens.
	before := p.List.Query()
	cmd, done := p.Chooser.Update(st, msg)
	prefix := p.List.Query()
	if done || prefix == before || prefix == "" {
		return cmd, done
	}
	return tea.Batch(cmd, st.Ask(p, func(e app.Engine) tea.Msg { return findTokens(e, prefix) })), false
}

// showTokens adds the tokens that were found, unless another text was typed
// meanwhile.
func (p *palette) showTokens(found tokensFoundMsg) {
	if found.prefix != p.List.Query() {
		return
	}
	items := slices.Clone(p.items)
	for _, id := range found.ids {
		items = append(items, widget.Item{ID: "token " + id, Title: app.TokenName(id), Detail: "token"})
	}
	p.List.Set(items)
	p.List.SelectFirst() // a token may match better than the commands
}

// findTokens returns the ids of the first tokens that begin with a prefix, in order.
// Those that cannot be read are left out: the palette still lists the commands.
func findTokens(e app.Engine, prefix string) tokensFoundMsg {
	found := tokensFoundMsg{prefix: prefix}
	_ = e.View(func(v *chain.View) error {
		from := cw721.Walk{Place: &prefix, Inclusive: true}
		tokens, _, err := app.TakeFirst(v.Tokens("", from), maxPaletteTokens)
		for _, token := range tokens {
			if strings.HasPrefix(token.ID, prefix) {
				found.ids = append(found.ids, token.ID)
			}
		}
		return err
	})
	return found
}
