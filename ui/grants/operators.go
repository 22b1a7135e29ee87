package grants

import (
	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/chain/expiry"
	"ephemera/core/cw721"
	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/widget"
)

// Operators is the screen of who may act for whom.
type Operators struct{ grantTable }

// operatorViews are the orders that an index can serve.
var operatorViews = []grantView{
	{"all operators, soonest to expire first", expiry.List{Index: expiry.Index{Operators: true}}},
	{"all operators, by owner", expiry.List{Index: expiry.Index{Operators: true}, Order: expiry.ByOwner}},
	{"all operators, by operator", expiry.List{Index: expiry.Index{Operators: true}, Order: expiry.BySpender}},
}

// NewOperators makes the screen of all operator grants.
func NewOperators() *Operators {
	o := &Operators{grantTable{
		table: widget.NewTable(), kind: cw721.GrantOperator, list: operatorViews[0].list, about: operatorViews[0].about, cells: operatorCells,
	}}
	o.table.Empty = "no operators: o grants one"
	o.titles(app.Relative)
	return o
}

func (o *Operators) titles(times app.TimeForm) {
	cols := []widget.Column{
		{Title: "", Width: 1},
		{Title: "OPERATOR", Width: 8, Flex: 2},
		{Title: "ACTS FOR", Width: 8, Flex: 2},
		{Title: "TOKENS", Width: 7, Right: true, Drop: 1},
		{Title: "EXPIRES", Width: expiryWidth(times), Flex: 1},
		{Title: "WHICH IS", Width: whichWidth, Drop: 4},
		{Title: "TIME LEFT", Width: app.LeftWidth, Drop: 2},
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
func operatorCells(l app.RowView, v *chain.View, e expiry.Entry) ([]widget.Line, error) {
	n, err := v.Holdings(e.Owner)
	sign, role := app.Liveness(e.Expires, v.Clock.Block())
	return []widget.Line{
		widget.In(role, sign),
		widget.Plain(l.Call(e.Spender)), widget.Plain(l.Call(e.Owner)), widget.Plain(chain.Thousands(uint64(n))),
		widget.In(role, l.When(e.Expires, v.Clock)), widget.In(themes.Muted, l.Other(e.Expires, v.Clock)),
		app.Countdown(app.LeftWidth, e.Expires, v.Clock),
		widget.Plain(chain.Thousands(uint64(e.GrantedAt.Height))),
	}, err
}

// Kind is [KindOperators].
func (o *Operators) Kind() app.Kind { return app.KindOperators }

// Name is the word on the tab.
func (o *Operators) Name() string { return "Operators" }

func (o *Operators) Typing() bool { return false }

// Update takes, besides what all tables of grants take, the grant that another
// screen leads to.
func (o *Operators) Update(st *app.State, msg tea.Msg) tea.Cmd {
	if msg, ok := msg.(app.ShowGrantMsg); ok {
		o.point(msg.Grant, operatorViews[0])
		return nil
	}
	return o.grantTable.Update(st, msg)
}

func (o *Operators) View(st *app.State) string {
	o.titles(st.Times)
	return o.view(st)
}

// Subject is the operator under the cursor.
func (o *Operators) Subject() app.Subject {
	e, _ := o.current()
	return app.Subject{Account: e.Spender}
}

// Commands are those on the grant under the cursor, and granting anew.
func (o *Operators) Commands(st *app.State) []app.Command {
	var cmds []app.Command
	do := func(key, short, name string, fn func() tea.Cmd, keys ...string) {
		cmds = append(cmds, app.NewCommand(app.Bind(key, short, keys...), name, app.GroupHere, fn))
	}
	e, some := o.current()
	on := func(key, short, name string, fn func() tea.Cmd, keys ...string) {
		cmds = append(cmds, app.NewCommand(app.Bind(key, short, keys...), name, app.GroupHere, fn).Unless(!some, "no operator is under the cursor"))
	}
	do("o", "grant", "Grant an operator", func() tea.Cmd { return OperatorForm(st, app.OperatorFormMsg{What: app.GrantOperator}) }, "o")
	on("enter", "extend", "Extend or change this operator", func() tea.Cmd {
		return asOwner(st, app.OperatorFormMsg{What: app.ExtendOperator, Entry: e})
	}, "enter")
	on("O", "revoke", "Revoke this operator", func() tea.Cmd {
		return asOwner(st, app.OperatorFormMsg{What: app.RevokeOperator, Entry: e})
	}, "O", "r")
	do("s", "sort", "Sort by expiry, by owner or by operator", func() tea.Cmd { o.next(operatorViews); return nil }, "s")
	do("v /", "show", "Show the operators of, or given to, an account", func() tea.Cmd { return o.narrow(st, operatorViews) }, "v", "/")
	if o.list.Owner != "" || o.list.Spender != "" {
		do("esc", "show all", "", func() tea.Cmd { o.show(operatorViews[0].list, operatorViews[0].about); return nil }, "esc")
	}
	return append(cmds, app.Listed(app.GroupMove, o.table.Keys.Bindings()...)...)
}
