package tokens

import (
	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/ui/app"
)

// resort goes on to the next order that an index can serve.
func (t *Screen) resort(st *app.State) tea.Cmd {
	if t.search.filter.byExpiry() {
		return app.Say(app.LevelInfo, "this filter is answered in the order of expiry; esc takes it off")
	}
	t.sortEnds = !t.sortEnds
	text := "sorted by id"
	if t.sortEnds {
		text = "sorted by what expires next: only tokens with approvals"
	}
	t.restart(st)
	return app.Say(app.LevelInfo, text)
}

// sortBy is a click on the head of a column: the id, or what tells of approvals.
func (t *Screen) sortBy(st *app.State, column int) tea.Cmd {
	if ends := column >= 2; column >= 0 && column != 1 && ends != t.sortEnds {
		return t.resort(st)
	}
	return nil
}

// back takes off, one after the other, what stands between a person and the
// whole list.
func (t *Screen) back(st *app.State) tea.Cmd {
	switch {
	case t.InDetail:
		t.Turn(false)
	case t.search.scanning():
		t.stopScan()
	case len(t.Table.Marked()) > 0:
		t.Table.ClearMarks()
	case t.search.applied != "":
		t.clearFilter(st)
	}
	return nil
}

// Commands are those on the token under the cursor, or on those selected.
func (t *Screen) Commands(st *app.State) []app.Command {
	row, some := t.Table.Cursor()
	const none = "no token is under the cursor"
	cmds := t.onOne(st, row.Key)
	for i := range cmds {
		cmds[i] = cmds[i].Unless(!some, none)
	}
	if marked := t.Table.Marked(); len(marked) > 0 {
		cmds = t.onMany(st, marked)
	}
	cmds = append(t.Links(), cmds...)
	do := func(b app.Command, fn func() tea.Cmd) { b.Do, b.Group = fn, app.GroupHere; cmds = append(cmds, b) }
	do(app.Command{Binding: app.Bind("m", "mint", "m"), Name: "Mint a token"}, func() tea.Cmd { return mintForm(st) })
	do(app.Command{Binding: app.Bind("/", "filter", "/"), Name: "Filter: " + filterHelp}, func() tea.Cmd {
		t.search.typing = true
		t.Turn(false)
		return nil
	})
	do(app.Command{Binding: app.Bind("s", "sort", "s"), Name: "Sort by id, or by what expires next"}, func() tea.Cmd { return t.resort(st) })
	cmds = append(cmds, app.NewCommand(app.Bind("enter tab", "read on", "enter", "tab", "shift+tab"), "Scroll the token's details, or go back", app.GroupHere, func() tea.Cmd {
		t.Turn(!t.InDetail)
		return nil
	}).Unless(!some, none))
	if t.InDetail || t.search.scanning() || len(t.Table.Marked()) > 0 || t.search.applied != "" {
		do(app.Command{Binding: app.Bind("esc", "back", "esc"), Name: ""}, func() tea.Cmd { return t.back(st) })
	}
	if t.InDetail {
		return append(cmds, app.Listed(app.GroupMove, t.detail.scroll.Bindings()...)...)
	}
	return append(cmds, app.Listed(app.GroupMove, t.Table.Keys.Bindings()...)...)
}

func (t *Screen) onOne(st *app.State, id string) []app.Command {
	on := func(open func(chain.Token) tea.Cmd) func() tea.Cmd {
		return func() tea.Cmd {
			token, ok := t.detail.shown(id)
			if ok {
				return open(token)
			}
			return withToken(st, id, open) // the key came faster than what is shown
		}
	}
	return []app.Command{
		app.NewCommand(app.Bind("t", "transfer", "t"), "Transfer this token", app.GroupHere, on(func(x chain.Token) tea.Cmd { return transferForm(st, x) })),
		app.NewCommand(app.Bind("p", "approve", "p"), "Approve a spender for this token", app.GroupHere, on(func(x chain.Token) tea.Cmd { return approveForm(st, x) })),
		app.NewCommand(app.Bind("r", "revoke", "r"), "Revoke an approval of this token", app.GroupHere, on(func(x chain.Token) tea.Cmd { return revokeForm(st, x) })),
		app.NewCommand(app.Bind("d", "send", "d"), "Send this token to a contract", app.GroupHere, on(func(x chain.Token) tea.Cmd { return sendForm(st, x) })),
		app.NewCommand(app.Bind("b D", "burn", "b", "D"), "Burn this token", app.GroupHere, on(func(x chain.Token) tea.Cmd { return burnForm(st, x) })),
		app.NewCommand(app.Bind("i", "info", "i"), "Update this token's URI and metadata", app.GroupHere, on(func(x chain.Token) tea.Cmd { return infoForm(st, x) })),
	}
}

// withToken gives the command that goes on with a token as it is stored.
func withToken(st *app.State, id string, then func(chain.Token) tea.Cmd) tea.Cmd {
	engine := st.Engine
	return func() tea.Msg {
		var token chain.Token
		found := false
		err := engine.View(func(v *chain.View) (err error) {
			token, found, err = v.Token(id)
			return err
		})
		switch {
		case err != nil:
			return app.SayMsg{Level: app.LevelBad, Text: err.Error()}
		case !found:
			return app.SayMsg{Level: app.LevelInfo, Text: "there is no " + app.Brief(id) + " any more"}
		}
		return app.ThenMsg{Engine: engine, Do: func() tea.Cmd { return then(token) }}
	}
}

func (t *Screen) onMany(st *app.State, ids []string) []app.Command {
	many := "the " + app.Plural(len(ids), "selected token")
	all := []app.Command{
		app.NewCommand(app.Bind("t", "transfer them", "t"), "Transfer "+many, app.GroupHere, func() tea.Cmd { return transferMany(st, ids) }),
		app.NewCommand(app.Bind("p", "approve", "p"), "Approve a spender for "+many, app.GroupHere, func() tea.Cmd { return approveMany(st, ids) }),
		app.NewCommand(app.Bind("r", "revoke", "r"), "Revoke every approval of "+many, app.GroupHere, func() tea.Cmd { return revokeMany(st, ids) }),
		app.NewCommand(app.Bind("b D", "burn them", "b", "D"), "Burn "+many, app.GroupHere, func() tea.Cmd { return burnMany(st, ids) }),
	}
	for _, c := range t.onOne(st, "") {
		if !app.Claims(all, c.Binding.Keys()[0]) {
			all = append(all, c.Unless(true, "one token at a time: esc selects none"))
		}
	}
	return all
}
