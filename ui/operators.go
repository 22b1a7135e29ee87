package ui

import (
	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/chain/expiry"
	"ephemera/core/cw721"
	"ephemera/themes"
	"ephemera/ui/widget"
)

// operators is the screen of who may act for whom.
type operators struct{ grantTable }

// operatorViews are the orders that an index can serve.
var operatorViews = []grantView{
	{"all operators, soonest end first", expiry.List{Index: expiry.Index{Operators: true}}},
	{"all operators, by owner", expiry.List{Index: expiry.Index{Operators: true}, Order: expiry.ByOwner}},
	{"all operators, by operator", expiry.List{Index: expiry.Index{Operators: true}, Order: expiry.BySpender}},
}

func newOperators() *operators {
	o := &operators{grantTable{
		table: widget.NewTable(), kind: cw721.GrantOperator, list: operatorViews[0].list, about: operatorViews[0].about, cells: operatorCells,
	}}
	o.table.Empty = "no operators: o grants one"
	o.titles(Relative)
	return o
}

func (o *operators) titles(times TimeForm) {
	cols := []widget.Column{
		{Title: "", Width: 1},
		{Title: "OPERATOR", Width: 8, Flex: 2},
		{Title: "ACTS FOR", Width: 8, Flex: 2},
		{Title: "TOKENS", Width: 7, Right: true, Drop: 1},
		{Title: "ENDS", Width: endsWidth(times), Flex: 1},
		{Title: "WHICH IS", Width: whichWidth, Drop: 4},
		{Title: "LEFT", Width: leftWidth, Drop: 2},
		{Title: "SINCE HEIGHT", Width: 12, Right: true, Drop: 3},
	}
	switch o.list.Order {
	case expiry.ByOwner:
		cols[2].Sort = +1
	case expiry.BySpender:
		cols[1].Sort = +1
	default:
		cols[4].Sort = +1
	}
	o.table.SetColumns(cols...)
}

// operatorCells counts the owner's tokens too: over so many the operator has a
// say now.
func operatorCells(l rowLook, v *chain.View, e expiry.Entry) ([]widget.Line, error) {
	n, err := v.Holdings(e.Owner)
	sign, role := liveness(e.Expires, v.Clock.Block())
	return []widget.Line{
		widget.In(role, sign),
		widget.Plain(l.call(e.Spender)), widget.Plain(l.call(e.Owner)), widget.Plain(chain.Thousands(uint64(n))),
		widget.In(role, l.when(e.Expires, v.Clock)), widget.In(themes.Muted, l.other(e.Expires, v.Clock)),
		countdown(leftWidth, e.Expires, e.GrantedAt, v.Clock.Block()),
		widget.Plain(chain.Thousands(uint64(e.GrantedAt.Height))),
	}, err
}

// Kind is [KindOperators].
func (o *operators) Kind() Kind { return KindOperators }

// Name is the word on the tab.
func (o *operators) Name() string { return "Operators" }

func (o *operators) Typing() bool { return false }

// Update takes, besides what all tables of grants take, the grant that another
// screen leads to.
func (o *operators) Update(d *Desk, msg tea.Msg) tea.Cmd {
	if msg, ok := msg.(showGrantMsg); ok {
		o.point(msg.grant, operatorViews[0])
		return nil
	}
	return o.grantTable.Update(d, msg)
}

func (o *operators) View(d *Desk) string {
	o.titles(d.Times)
	return o.view(d)
}

// Subject is the operator under the cursor.
func (o *operators) Subject() Subject {
	e, _ := o.current()
	return Subject{Account: e.Spender}
}

// Commands are those on the grant under the cursor, and granting anew.
func (o *operators) Commands(d *Desk) []Command {
	var cmds []Command
	do := func(key, short, name string, fn func() tea.Cmd, keys ...string) {
		cmds = append(cmds, Command{bind(key, short, keys...), name, groupHere, fn})
	}
	e, some := o.current()
	on := func(key, short, name string, fn func() tea.Cmd, keys ...string) {
		cmds = append(cmds, Command{bind(key, short, keys...), name, groupHere, fn}.unless(!some, "no operator is under the cursor"))
	}
	do("o", "grant", "Grant an operator", func() tea.Cmd { return operatorForm(d, operatorFormMsg{what: grantOperator}) }, "o")
	on("enter", "extend", "Extend or change this operator", func() tea.Cmd {
		return asOwner(d, operatorFormMsg{what: extendOperator, entry: e})
	}, "enter")
	on("O", "revoke", "Revoke this operator", func() tea.Cmd {
		return asOwner(d, operatorFormMsg{what: revokeOperator, entry: e})
	}, "O", "r")
	do("s", "sort", "Sort by end, by owner or by operator", func() tea.Cmd { o.next(operatorViews); return nil }, "s")
	do("v /", "show", "Show the operators of, or given to, an account", func() tea.Cmd { return o.narrow(d, operatorViews) }, "v", "/")
	if o.list.Owner != "" || o.list.Spender != "" {
		do("esc", "show all", "", func() tea.Cmd { o.show(operatorViews[0].list, operatorViews[0].about); return nil }, "esc")
	}
	return append(cmds, listed(groupMove, o.table.Keys.Bindings()...)...)
}
