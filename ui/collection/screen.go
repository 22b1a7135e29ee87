// Package collection is the screen of the collection itself: its fields, the
// roles of minter and creator, the royalty, and the forms that change them.
//
// Who may change what is core/explain's to say, never this package's.
package collection

import (
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/form"
	"ephemera/ui/widget"
)

// Screen is the screen of what the collection is: its fields on the left,
// and on the right one of them in full, with who may change it.
type Screen struct {
	app.Tab
	app.MasterDetail
	facts *collectionFacts // nil until they are read
	shown string           // the key of the field in the detail
	stale bool             // the facts may be out of date
}

// New returns the screen. It reads nothing until the root asks what it needs.
func New() *Screen {
	return &Screen{Tab: app.NewTab(app.KindCollection, "Collection"), MasterDetail: app.NewMasterDetail(52,
		widget.Column{Title: "FIELD", Width: 18},
		widget.Column{Title: "VALUE", Width: 10, Flex: 1},
		widget.Column{Title: "YOU", Width: 3},
	)}
}

func (c *Screen) Refresh(*app.State) { c.stale = true }

// Needs reads the collection and who may change it.
func (c *Screen) Needs(*app.State) app.Read {
	if !c.stale {
		return nil
	}
	c.stale = false
	return func(v *chain.View, f app.Facts) (tea.Msg, error) { return readCollection(v, f) }
}

func (c *Screen) Update(st *app.State, msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case *collectionFacts:
		c.facts = msg
		c.Table.Reload()
		c.fillTable(st)
		c.showField(st)
	case app.ReadFailedMsg:
		c.Scroll.Set([]widget.Line{widget.In(themes.Bad, themes.GlyphNo+" ").And(themes.Text, msg.Err.Error())})
	case tea.KeyMsg, tea.MouseMsg:
		if c.Move(msg) {
			c.fillTable(st)
			c.showField(st)
		}
	}
	return nil
}

// fillTable gives the table the rows that it lacks.
func (c *Screen) fillTable(st *app.State) {
	if c.facts == nil {
		return
	}
	if req, ok := c.Table.Want(); ok {
		c.Table.Set(widget.WholePage(req, c.facts.rows(st)))
	}
}

// showField writes the detail of the field under the cursor.
func (c *Screen) showField(st *app.State) {
	f, ok := c.field()
	if !ok {
		return
	}
	lines := c.facts.detail(st, f)
	if f.key == c.shown {
		c.Scroll.Keep(lines)
		return
	}
	c.shown = f.key
	c.Scroll.Set(lines)
}

// field returns the field under the cursor.
func (c *Screen) field() (collectionField, bool) {
	row, ok := c.Table.Cursor()
	if !ok || c.facts == nil {
		return collectionField{}, false
	}
	i := slices.IndexFunc(collectionFields, func(f collectionField) bool { return f.key == row.Key })
	return collectionFields[i], true
}

// find opens the chooser of a field by its name or value.
func (c *Screen) find(st *app.State) tea.Cmd {
	var items []widget.Item
	for _, f := range fieldsOf(st.Config.Rules) {
		items = append(items, widget.Item{ID: f.key, Title: f.label, Detail: f.value(st, c.facts.Collection).String()})
	}
	return app.OpenDialog(form.NewChooser("Fields", "a field, or what it says", items, func(st *app.State, key string) tea.Cmd {
		c.FocusDetail(false)
		c.Table.Goto(key, key)
		c.fillTable(st)
		c.showField(st)
		return nil
	}))
}

// Subject returns the account in the field under the cursor.
func (c *Screen) Subject() app.Subject {
	f, ok := c.field()
	if !ok || f.account == nil {
		return app.Subject{}
	}
	if a := f.account(c.facts.Collection); a != nil {
		return app.Subject{Account: *a}
	}
	return app.Subject{}
}

// Commands change the field under the cursor. What has no field is only in the
// palette.
func (c *Screen) Commands(st *app.State) (cmds []app.Command) {
	if c.facts == nil {
		return c.MasterDetail.Commands()
	}
	now := c.facts.Collection
	if f, ok := c.field(); ok {
		cmds = append(cmds, app.ScreenCommand("enter i", f.verb, "Change the "+f.label, func() tea.Cmd { return f.edit(st, now) }, "enter", "i").
			DisabledIf(f.edit == nil, f.label+": no message changes it"))
	}
	royalty := extension(now).RoyaltyInfo
	cmds = append(cmds,
		app.ScreenCommand("/", "find", "Find a field", func() tea.Cmd { return c.find(st) }, "/"),
		app.ScreenCommand("c", "calculate", "Royalty of a sale: calculate it", func() tea.Cmd { return openCalculator(st, *royalty) }, "c").
			DisabledIf(royalty == nil, "there is no royalty to calculate with yet"))
	cmds = append(cmds, c.MasterDetail.Commands()...)
	byName := func(name string, do func() tea.Cmd) { cmds = append(cmds, app.ScreenCommand("", "", name, do)) }
	for _, r := range []app.RoleKind{app.MinterRole, app.CreatorRole} {
		for _, do := range roleActions {
			byName(do.title+" the "+r.Name+" role", func() tea.Cmd { return roleForm(st, now, r, do.name) })
		}
	}
	if st.Config.Rules.HasAdditionalMinters() {
		for _, do := range minterActions {
			byName(do.title, func() tea.Cmd { return mintersForm(st, do.name) })
		}
	}
	for _, do := range withdrawActions {
		byName(do.title, func() tea.Cmd { return withdrawForm(st, now, do.name) })
	}
	return cmds
}
