package ui

import (
	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
)

// resort goes on to the next order that an index can serve.
func (t *tokens) resort(d *Desk) tea.Cmd {
	if t.search.filter.byEnd() {
		return say(levelInfo, "this filter is answered in the order of the ends; esc takes it off")
	}
	t.sortEnds = !t.sortEnds
	text := "sorted by id"
	if t.sortEnds {
		text = "sorted by what ends next: only tokens with approvals"
	}
	t.restart(d)
	return say(levelInfo, text)
}

// back takes off, one after the other, what stands between a person and the
// whole list.
func (t *tokens) back(d *Desk) tea.Cmd {
	switch {
	case t.inDetail:
		t.turn(false)
	case t.search.scanning():
		t.stopScan()
	case len(t.table.Marked()) > 0:
		t.table.ClearMarks()
	case t.search.applied != "":
		t.clearFilter(d)
	}
	return nil
}

// Commands are those on the token under the cursor, or on those selected.
func (t *tokens) Commands(d *Desk) []Command {
	row, some := t.table.Cursor()
	const none = "no token is under the cursor"
	cmds := t.onOne(d, row.Key)
	for i := range cmds {
		cmds[i] = cmds[i].unless(!some, none)
	}
	if marked := t.table.Marked(); len(marked) > 0 {
		cmds = t.onMany(d, marked)
	}
	do := func(b Command, fn func() tea.Cmd) { b.Do, b.Group = fn, groupHere; cmds = append(cmds, b) }
	do(Command{Binding: bind("m", "mint", "m"), Name: "Mint a token"}, func() tea.Cmd { return mintForm(d) })
	do(Command{Binding: bind("/", "filter", "/"), Name: "Filter: " + filterHelp}, func() tea.Cmd {
		t.search.typing = true
		t.turn(false)
		return nil
	})
	do(Command{Binding: bind("s", "sort", "s"), Name: "Sort by id, or by what ends next"}, func() tea.Cmd { return t.resort(d) })
	cmds = append(cmds, Command{bind("enter tab", "read on", "enter", "tab", "shift+tab"), "Scroll the token's details, or go back", groupHere, func() tea.Cmd {
		t.turn(!t.inDetail)
		return nil
	}}.unless(!some, none))
	if t.inDetail || t.search.scanning() || len(t.table.Marked()) > 0 || t.search.applied != "" {
		do(Command{Binding: bind("esc", "back", "esc"), Name: ""}, func() tea.Cmd { return t.back(d) })
	}
	if t.inDetail {
		return append(cmds, listed(groupMove, t.detail.scroll.Bindings()...)...)
	}
	return append(cmds, listed(groupMove, t.table.Keys.Bindings()...)...)
}

func (t *tokens) onOne(d *Desk, id string) []Command {
	on := func(open func(chain.Token) tea.Cmd) func() tea.Cmd {
		return func() tea.Cmd {
			token, ok := t.detail.shown(id)
			if ok {
				return open(token)
			}
			return withToken(d, id, open) // the key came faster than what is shown
		}
	}
	return []Command{
		{bind("t", "transfer", "t"), "Transfer this token", groupHere, on(func(x chain.Token) tea.Cmd { return transferForm(d, x) })},
		{bind("p", "approve", "p"), "Approve a spender for this token", groupHere, on(func(x chain.Token) tea.Cmd { return approveForm(d, x) })},
		{bind("r", "revoke", "r"), "Revoke an approval of this token", groupHere, on(func(x chain.Token) tea.Cmd { return revokeForm(d, x) })},
		{bind("d", "deliver", "d"), "Deliver this token to a contract", groupHere, on(func(x chain.Token) tea.Cmd { return sendForm(d, x) })},
		{bind("b", "burn", "b"), "Burn this token", groupHere, on(func(x chain.Token) tea.Cmd { return burnForm(d, x) })},
		{bind("i", "info", "i"), "Update this token's URI and metadata", groupHere, on(func(x chain.Token) tea.Cmd { return infoForm(d, x) })},
	}
}

// withToken gives the command that goes on with a token as it is stored.
func withToken(d *Desk, id string, then func(chain.Token) tea.Cmd) tea.Cmd {
	engine := d.Engine
	return func() tea.Msg {
		var token chain.Token
		found := false
		err := engine.View(func(v *chain.View) (err error) {
			token, found, err = v.Token(id)
			return err
		})
		switch {
		case err != nil:
			return sayMsg{levelBad, err.Error()}
		case !found:
			return sayMsg{levelInfo, "there is no " + brief(id) + " any more"}
		}
		return thenMsg{engine, func() tea.Cmd { return then(token) }}
	}
}

func (t *tokens) onMany(d *Desk, ids []string) []Command {
	many := "the " + plural(len(ids), "selected token")
	all := []Command{
		{bind("t", "transfer them", "t"), "Transfer " + many, groupHere, func() tea.Cmd { return transferMany(d, ids) }},
		{bind("p", "approve", "p"), "Approve a spender for " + many, groupHere, func() tea.Cmd { return approveMany(d, ids) }},
		{bind("r", "revoke", "r"), "Revoke every approval of " + many, groupHere, func() tea.Cmd { return revokeMany(d, ids) }},
		{bind("b", "burn them", "b"), "Burn " + many, groupHere, func() tea.Cmd { return burnMany(d, ids) }},
	}
	for _, c := range t.onOne(d, "") {
		if !claimed(all, c.Binding.Keys()[0]) {
			all = append(all, c.unless(true, "one token at a time: esc selects none"))
		}
	}
	return all
}
