package inspect

import (
	"fmt"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/explain"
	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/form"
	"ephemera/ui/widget"
)

// danglingShown bounds the list.
const danglingShown = 500

// OpenDangling opens the list of grants that surprise people. Enter takes one away, with
// the message shown before it is sent.
func OpenDangling(st *app.State, _ app.Subject) tea.Cmd {
	b := form.NewStack[explain.Finding]("Dangling grants",
		widget.Column{Title: "DANGER", Width: 19}, widget.Column{Title: "WHAT", Width: 20, Flex: 1})
	b.Table.Empty = "nothing here would surprise anybody"
	b.Rows = func(v *chain.View, _ app.Facts, req widget.Request) (widget.Page, error) {
		found, more, err := app.First(explain.Dangling(v), danglingShown)
		rows := make([]widget.Row, len(found))
		for i, f := range found {
			rows[i] = widget.Row{Key: string(f.Danger) + laneKey(f.Grant), About: f, Cells: []widget.Line{
				widget.In(themes.Warn, themes.GlyphWarn+" "+string(f.Danger)), widget.Plain(f.Text),
			}}
		}
		page := widget.All(req, rows)
		page.Least = more
		return page, err
	}
	b.Read = func(_ *chain.View, _ app.Facts, row widget.Row) (explain.Finding, error) {
		return row.About.(explain.Finding), nil
	}
	b.Lines, b.Keys = findingLines, findingKeys
	return b.Open(st)
}

// findingLines are the sentence in full, and who can take the grant away.
func findingLines(st *app.State, f explain.Finding, _ int) []widget.Line {
	lines := []widget.Line{widget.Plain(f.Text)}
	if f.Node != 0 {
		lines = append(lines, widget.In(themes.Muted, fmt.Sprintf("brought about by #%d of the history", f.Node)))
	}
	if f.Cure != nil {
		lines = append(lines, widget.In(themes.Muted, "enter takes it away, as "+st.Call(f.By)))
	}
	return lines
}

func findingKeys(st *app.State, row widget.Row, some bool) []app.Command {
	if !some {
		return nil
	}
	f := row.About.(explain.Finding)
	about := app.Subject{Token: f.Token, Account: f.Grant.Spender}
	return []app.Command{
		app.Key("enter D", "take it away", func() tea.Cmd {
			if f.Cure == nil {
				return app.Say(app.LevelInfo, "no message takes this away")
			}
			what := "the grant of an operator"
			if f.Grant.Kind == cw721.GrantApproval {
				what = "an approval of " + app.Brief(f.Grant.Token)
			}
			return changeForm(st, explain.Counterfactual{Text: "take away " + what, By: f.By, Message: f.Cure})
		}, "enter", "D"),
		app.Key("w", "why", func() tea.Cmd { return OpenWhy(st, about) }, "w"),
		app.Key("B", "probe", func() tea.Cmd { return OpenProbe(st, about) }, "B"),
	}
}
