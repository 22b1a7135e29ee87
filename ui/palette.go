package ui

import (
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/human"
	"ephemera/ui/app"
	"ephemera/ui/form"
	"ephemera/ui/widget"
)

// palette is the dialog that lists by name everything that can be done or shown. It lists
// the commands of the current screen, those commands of other screens that have synonyms,
// the contract's messages and the accounts. It also lists the tokens whose ids begin with
// the text that the user has typed.
type palette struct {
	*form.Chooser
	items   []widget.Item             // all items except the tokens
	actions map[string]func() tea.Cmd // what enter does, by the ID of the item
}

// tokensFoundMsg brings the first ids of tokens that begin with the typed text.
type tokensFoundMsg struct {
	prefix string
	ids    []string
}

// maxPaletteTokens is the number of tokens that the palette lists at most.
const maxPaletteTokens = 8

// openPalette returns the command that opens the palette. commands are those of the current
// screen and of the program. If one of them and a command of another screen have the same name,
// only the former is listed.
func openPalette(state *app.State, screens *screenSet, commands []app.Command) tea.Cmd {
	p := &palette{actions: map[string]func() tea.Cmd{}}
	for _, command := range commands {
		if command.Name != "" {
			p.addCommand(command, command.Group, command.Do)
		}
	}
	for i, screen := range screens.all {
		for _, command := range screen.Commands(state) {
			if command.Phrases == "" || command.Do == nil {
				continue
			}
			command.Binding.SetHelp("", "") // its key does something else here
			p.addCommand(command, "on "+screen.Name(), func() tea.Cmd {
				return tea.Sequence(screens.choose(state, i), command.Do())
			})
		}
	}

	// Add the contract's messages. The names of a compiled contract's messages must be read
	// from the chain first.
	var askForNames tea.Cmd
	if state.Compiled {
		askForNames = state.Ask(p, func(engine app.Engine) tea.Msg {
			var names chain.MessageNames // none if they cannot be read: the palette still lists the commands
			_ = engine.View(func(view *chain.View) (err error) {
				names, err = view.MessageNames()
				return err
			})
			return names
		})
	} else {
		rules := state.Config.Rules
		p.addMessages(chain.MessageNames{Execute: rules.ExecuteNames(), Query: rules.QueryNames()})
	}

	// Add the accounts.
	for _, account := range state.Accounts {
		p.addItem(
			widget.Item{ID: "account " + account.Name, Title: account.Name, Detail: "account"},
			func() tea.Cmd { return app.GoTo(app.KindAccounts, app.ShowAccountMsg{Name: account.Name}) },
		)
	}
	p.Chooser = form.NewChooser("Commands", "what do you want to do?", p.items, p.choose)
	return app.OpenDialogThen(p, askForNames)
}

// addItem adds an item to the list, with the action that enter carries out for it. It does
// nothing if the palette has an action for the same ID already.
func (p *palette) addItem(item widget.Item, action func() tea.Cmd) {
	if _, exists := p.actions[item.ID]; exists {
		return
	}
	p.items = append(p.items, item)
	p.actions[item.ID] = action
}

// addCommand lists a command with a note beside its name, and with its key and synonyms. If it
// cannot be carried out now, the note is the reason, and enter notifies the user of it.
func (p *palette) addCommand(command app.Command, note string, action func() tea.Cmd) {
	item := widget.Item{
		ID:       command.Name,
		Title:    command.Name,
		Detail:   note,
		Hint:     command.Binding.Help().Key,
		Keywords: command.Phrases,
	}
	if reason := command.Reason(); reason != "" {
		item.Detail = reason
		item.Disabled = true
		action = func() tea.Cmd { return app.Notify(app.LevelInfo, reason) }
	}
	p.addItem(item, action)
}

// addMessages adds the names of the contract's messages and queries to the list. Choosing
// one opens it in the console.
func (p *palette) addMessages(names chain.MessageNames) {
	for _, name := range slices.Concat(names.Execute, names.Query) {
		p.addItem(
			widget.Item{ID: "message " + name, Title: name, Detail: "in the console"},
			func() tea.Cmd { return app.GoTo(app.KindConsole, app.ConsoleMsg{Template: name}) },
		)
	}
}

// choose carries out the action of the item that the user chose. The ID "token ape-0001"
// shows that token; all other IDs have an action in p.actions.
func (p *palette) choose(_ *app.State, id string) tea.Cmd {
	if token, ok := strings.CutPrefix(id, "token "); ok {
		return app.ShowToken(token)
	}
	return p.actions[id]()
}

// Update handles keys and the mouse as the chooser does. If they have changed the typed
// text, it also searches for the tokens whose ids begin with the text, and lists them when
// they are found. done reports whether the palette must close.
func (p *palette) Update(state *app.State, msg tea.Msg) (cmd tea.Cmd, done bool) {
	switch msg := msg.(type) {
	case tokensFoundMsg:
		if msg.prefix != p.List.Query() { // another text was typed meanwhile
			return nil, false
		}
		items := slices.Clone(p.items)
		for _, id := range msg.ids {
			items = append(items, widget.Item{ID: "token " + id, Title: human.TokenID(id), Detail: "token"})
		}
		p.List.Set(items)
		p.List.SelectFirst() // a token may match better than the commands
		return nil, false
	case chain.MessageNames:
		p.addMessages(msg)
		p.List.Set(p.items)
		return nil, false
	}

	previousText := p.List.Query()
	cmd, done = p.Chooser.Update(state, msg)
	prefix := p.List.Query()
	if done || prefix == previousText || prefix == "" {
		return cmd, done
	}
	search := state.Ask(p, func(engine app.Engine) tea.Msg { return findTokens(engine, prefix) })
	return tea.Batch(cmd, search), false
}

// findTokens returns the ids of the first tokens that begin with a prefix, in order. It
// ignores an error of the reading, because the palette is useful without the tokens.
func findTokens(engine app.Engine, prefix string) tokensFoundMsg {
	var tokens []chain.Token
	walkFromPrefix := cw721.Walk{Place: &prefix, Inclusive: true}
	_ = engine.View(func(view *chain.View) (err error) {
		tokens, _, err = app.ReadAtMost(view.Tokens("", walkFromPrefix), maxPaletteTokens)
		return err
	})

	// The last of these tokens may come after all that begin with the prefix.
	msg := tokensFoundMsg{prefix: prefix}
	for _, token := range tokens {
		if strings.HasPrefix(token.ID, prefix) {
			msg.ids = append(msg.ids, token.ID)
		}
	}
	return msg
}
