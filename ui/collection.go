package ui

import (
	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/themes"
	"ephemera/ui/widget"
)

// collectionScreen is the screen of what the collection is: its fields on the left,
// and on the right one of them in full, with who may change it.
type collectionScreen struct {
	pair
	facts *collectionFacts // nil while nothing was read
	shown string           // the field in the detail
	lacks bool             // something may have changed since
}

func newCollection() *collectionScreen {
	return &collectionScreen{pair: newPair(52,
		widget.Column{Title: "FIELD", Width: 18},
		widget.Column{Title: "VALUE", Width: 10, Flex: 1},
		widget.Column{Title: "YOU", Width: 3},
	)}
}

// Kind is [KindCollection].
func (c *collectionScreen) Kind() Kind { return KindCollection }

// Name is the word on the tab.
func (c *collectionScreen) Name() string { return "Collection" }

func (c *collectionScreen) Typing() bool { return false }

func (c *collectionScreen) Refresh(*Desk) { c.lacks = true }

// Needs reads the collection and who may change it.
func (c *collectionScreen) Needs(*Desk) Read {
	if !c.lacks {
		return nil
	}
	c.lacks = false
	return func(v *chain.View, f Facts) (tea.Msg, error) { return readCollection(v, f) }
}

func (c *collectionScreen) Update(d *Desk, msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case *collectionFacts:
		c.facts = msg
		c.table.Reload()
		c.list(d)
		c.show(d)
	case readFailedMsg:
		c.scroll.Set([]widget.Line{widget.In(themes.Bad, themes.GlyphNo+" ").And(themes.Text, msg.err.Error())})
	case tea.KeyMsg, tea.MouseMsg:
		if c.move(msg) {
			c.list(d)
			c.show(d)
		}
	}
	return nil
}

// list gives the table its rows.
func (c *collectionScreen) list(d *Desk) {
	if c.facts == nil {
		return
	}
	if req, ok := c.table.Want(); ok {
		c.table.Set(widget.All(req, c.facts.rows(d)))
	}
}

// show writes the field under the cursor out.
func (c *collectionScreen) show(d *Desk) {
	f, ok := c.field()
	if !ok {
		return
	}
	lines := c.facts.detail(d, f)
	if f.key == c.shown {
		c.scroll.Keep(lines)
		return
	}
	c.shown = f.key
	c.scroll.Set(lines)
}

// field is the one under the cursor.
func (c *collectionScreen) field() (collectionField, bool) {
	row, ok := c.table.Cursor()
	if !ok || c.facts == nil {
		return collectionField{}, false
	}
	for _, f := range collectionFields {
		if f.key == row.Key {
			return f, true
		}
	}
	return collectionField{}, false
}

// Subject is the account that the field names, if it names one.
func (c *collectionScreen) Subject() Subject {
	f, ok := c.field()
	if !ok || f.account == nil {
		return Subject{}
	}
	if a := f.account(c.facts.Collection); a != nil {
		return Subject{Account: *a}
	}
	return Subject{}
}

func (c *collectionScreen) View(d *Desk) string { return c.pair.View(d) }

// Commands edit the field under the cursor, and do by name what has no field.
func (c *collectionScreen) Commands(d *Desk) []Command {
	var cmds []Command
	if c.facts == nil {
		return c.pair.Commands()
	}
	now := c.facts.Collection
	if f, ok := c.field(); ok {
		cmds = append(cmds, Command{bind("enter i", f.verb, "enter", "i"), "Change the " + f.label, groupHere, func() tea.Cmd { return f.edit(d, now) }}.
			unless(f.edit == nil, f.label+": no message changes it"))
	}
	royalty := now.Extension != nil && now.Extension.RoyaltyInfo != nil
	cmds = append(cmds, Command{bind("c", "calculate", "c"), "Royalty of a sale: calculate it", groupHere, func() tea.Cmd {
		return dialog(newCalculator(d, *now.Extension.RoyaltyInfo))
	}}.unless(!royalty, "there is no royalty to calculate with yet"))
	cmds = append(cmds, c.pair.Commands()...)
	for _, r := range []roleKind{minterRole, creatorRole} {
		for _, do := range roleActions {
			cmds = append(cmds, Command{bind("", ""), do.what + " the " + r.name + " role", groupHere, func() tea.Cmd { return roleForm(d, now, r, do.name) }})
		}
	}
	for _, do := range withdrawActions {
		cmds = append(cmds, Command{bind("", ""), do.title, groupHere, func() tea.Cmd { return withdrawForm(d, now, do.name) }})
	}
	return cmds
}

// roleKind is one of the two roles that can be handed on.
type roleKind struct {
	name  string
	grant cw721.GrantKind // of its offers
	of    func(chain.Collection) cw721.Ownership
	wraps func(cw721.OwnershipAction) cw721.ExecuteMsg
}

var (
	minterRole = roleKind{"minter", cw721.GrantMinterOffer, func(c chain.Collection) cw721.Ownership { return c.Minter },
		func(a cw721.OwnershipAction) cw721.ExecuteMsg {
			return &cw721.UpdateMinterOwnership{OwnershipAction: a}
		}}
	creatorRole = roleKind{"creator", cw721.GrantCreatorOffer, func(c chain.Collection) cw721.Ownership { return c.Creator },
		func(a cw721.OwnershipAction) cw721.ExecuteMsg {
			return &cw721.UpdateCreatorOwnership{OwnershipAction: a}
		}}
)
