package console

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain/history"
	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/widget"
)

// An empty console lists what a message can begin with: nothing, an earlier one, or
// a template.

// earlierListed is how many of the earlier messages stand before the templates; all
// of them are brought back one by one.
const earlierListed = 8

// newBeginnings makes the list.
func newBeginnings() *widget.Table {
	return widget.NewTable(widget.Column{Title: "BEGIN WITH", Width: 12, Flex: 1}, widget.Column{Title: "", Width: 12})
}

// empty tells that the list stands where the message would.
func (c *Screen) empty() bool { return c.edit.value() == "" && !c.typing }

// list gives the list its rows. About of each is the text that it begins with.
func (c *Screen) list(st *app.State) {
	row := func(key, name, about, text string) widget.Row {
		return widget.Row{Key: key, Cells: []widget.Line{widget.Plain(name), widget.In(themes.Muted, about)}, About: text}
	}
	rows := []widget.Row{row("", "a message of your own", "", "")}
	earlier := c.recall.all()
	for _, text := range earlier[:min(len(earlier), earlierListed)] {
		rows = append(rows, row("past/"+text, st.Words().Node(history.Node{Kind: history.KindExecute, Message: text}), "earlier", text))
	}
	about := c.cast(st)
	for _, t := range templatesOf(st.Config.Rules) {
		rows = append(rows, row("template/"+t.name, t.name, t.kindOf(st.Config.Rules), t.fill(about)))
	}
	c.begins.Reload()
	if req, ok := c.begins.Want(); ok {
		c.begins.Set(widget.All(req, rows))
	}
	c.show(st)
}

// begin goes on with what is under the cursor of the list, or with what stands in
// the editor.
func (c *Screen) begin(st *app.State) tea.Cmd {
	row, _ := c.begins.Cursor()
	text, _ := row.About.(string)
	fresh := c.empty() && text != ""
	if c.typing = true; fresh {
		c.set(st, text)
	} else {
		c.complete(st)
	}
	return nil
}

// show writes out what comes of the text, or of what is under the cursor of the list.
func (c *Screen) show(st *app.State) {
	if !c.empty() {
		c.scroll.Set(c.lines(st))
		return
	}
	row, _ := c.begins.Cursor()
	if text, _ := row.About.(string); strings.TrimSpace(text) != "" {
		c.scroll.Set(widget.JSONLines(text))
		return
	}
	c.scroll.Set([]widget.Line{widget.In(themes.Muted, "Any message of the contract, as JSON; ").And(themes.Text, `"$alice"`).And(themes.Muted, " stands for her address.")})
}
