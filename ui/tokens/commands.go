package tokens

import (
	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/ui/app"
)

// resort goes on to the next order that an index can serve.
func (t *Screen) resort(st *app.State) tea.Cmd {
	if t.search.filter.byExpiry() {
		return app.Notify(app.LevelInfo, "this filter is answered in the order of expiry; esc takes it off")
	}
	t.sortEnds = !t.sortEnds
	text := "sorted by id"
	if t.sortEnds {
		text = "sorted by what expires next: only tokens with approvals"
	}
	t.restart(st)
	return app.Notify(app.LevelInfo, text)
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
		t.FocusDetail(false)
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
	cmds, marked := t.Links(), t.Table.Marked()
	if len(marked) > 0 {
		cmds = append(cmds, t.onMany(st, marked)...)
	} else {
		for _, c := range t.onOne(st, row.Key) {
			cmds = append(cmds, c.Unless(!some, none))
		}
	}
	cmds = append(cmds,
		app.Here("m", "mint", "Mint a token", func() tea.Cmd { return mintForm(st) }, "m"),
		app.Here("/", "filter", "Filter: "+filterHelp, func() tea.Cmd {
			t.search.typing = true
			t.FocusDetail(false)
			return nil
		}, "/"),
		app.Here("s", "sort", "Sort by id, or by what expires next", func() tea.Cmd { return t.resort(st) }, "s"),
		app.Here("enter tab", "read on", "Scroll the token's details, or go back", func() tea.Cmd {
			t.FocusDetail(!t.InDetail)
			return nil
		}, "enter", "tab", "shift+tab").Unless(!some, none))
	if t.InDetail || len(marked) > 0 || t.search.applied != "" {
		cmds = append(cmds, app.Key("esc", "back", func() tea.Cmd { return t.back(st) }, "esc"))
	}
	if t.InDetail {
		return append(cmds, app.Listed(app.GroupMove, t.Scroll.Bindings()...)...)
	}
	return append(cmds, app.Listed(app.GroupMove, t.Table.Keys.Bindings()...)...)
}

func (t *Screen) onOne(st *app.State, id string) []app.Command {
	on := func(open func(*app.State, chain.Token) tea.Cmd) func() tea.Cmd {
		return func() tea.Cmd {
			token, ok := t.detail.shown(id)
			if ok {
				return open(st, token)
			}
			return withToken(st, id, open) // the key came faster than what is shown
		}
	}
	return []app.Command{
		app.Here("t", "transfer", "Transfer this token", on(transferForm), "t"),
		app.Here("p", "approve", "Approve a spender for this token", on(approveForm), "p"),
		app.Here("r", "revoke", "Revoke an approval of this token", on(revokeForm), "r"),
		app.Here("d", "send", "Send this token to a contract", on(sendForm), "d"),
		app.Here("b D", "burn", "Burn this token", on(burnForm), "b", "D"),
		app.Here("i", "info", "Update this token's URI and metadata", on(infoForm), "i"),
	}
}

// withToken gives the command that goes on with a token as it is stored.
func withToken(st *app.State, id string, then func(*app.State, chain.Token) tea.Cmd) tea.Cmd {
	var token chain.Token
	found := false
	return app.ReadThen(st, func(v *chain.View) (err error) {
		token, found, err = v.Token(id)
		return err
	}, func() tea.Cmd {
		if !found {
			return app.Notify(app.LevelInfo, "there is no "+app.Brief(id)+" any more")
		}
		return then(st, token)
	})
}

func (t *Screen) onMany(st *app.State, ids []string) []app.Command {
	many := "the " + app.Plural(len(ids), "selected token")
	all := []app.Command{
		app.Here("t", "transfer them", "Transfer "+many, func() tea.Cmd { return transferMany(st, ids) }, "t"),
		app.Here("p", "approve", "Approve a spender for "+many, func() tea.Cmd { return approveMany(st, ids) }, "p"),
		app.Here("r", "revoke", "Revoke every approval of "+many, func() tea.Cmd { return revokeMany(st, ids) }, "r"),
		app.Here("b D", "burn them", "Burn "+many, func() tea.Cmd { return burnMany(st, ids) }, "b", "D"),
	}
	for _, c := range t.onOne(st, "") {
		if !app.ClaimsKey(all, c.Binding.Keys()[0]) {
			all = append(all, c.Unless(true, "one token at a time: esc selects none"))
		}
	}
	return all
}
