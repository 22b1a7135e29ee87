package inspect

import (
	"context"
	"fmt"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/explain"
	"ephemera/core/reach"
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
	b := form.NewStack[reasoned]("Dangling grants",
		widget.Column{Title: "DANGER", Width: 19}, widget.Column{Title: "WHAT", Width: 20, Flex: 1})
	b.Table.Empty = "nothing here would surprise anybody"
	b.Rows = func(v *chain.View, _ app.Facts, req widget.Request) (widget.Page, error) {
		found, more, err := app.TakeFirst(explain.Dangling(v), danglingShown)
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
	b.Read = func(v *chain.View, f app.Facts, row widget.Row) (reasoned, error) {
		found := row.About.(explain.Finding)
		way, err := wayToUse(v, found, f.Words())
		return reasoned{found, way}, err
	}
	b.Lines, b.Keys = findingLines, findingKeys
	return b.Open(st)
}

// reasoned is a finding, and the messages by which the spender of its grant can still
// transfer the token.
type reasoned struct {
	explain.Finding
	way []stepWords
}

// wayToUse searches for these messages: on the token of the grant, or the first one of
// its owner. There are none for an offer, nor for a grant to oneself.
func wayToUse(v *chain.View, f explain.Finding, w app.Words) ([]stepWords, error) {
	g := f.Grant
	if g.Kind != cw721.GrantApproval && g.Kind != cw721.GrantOperator || g.Spender == g.Owner {
		return nil, nil
	}
	id, some, err := ownedBy(v, g.Owner, f.Token)
	if err != nil || !some {
		return nil, err
	}
	transfer, _ := cw721.ActionNamed("transfer")
	a, err := reach.Ask(context.Background(), v, reach.Question{Action: transfer, Token: id, As: g.Spender, Depth: 2})
	if err != nil || a.Verdict != reach.Way {
		return nil, err
	}
	return stepsOf(v, a, 0, w), nil
}

// findingLines are the sentence in full, who can take the grant away, and by which
// messages it can still be used.
func findingLines(st *app.State, f reasoned, _ int) []widget.Line {
	lines := []widget.Line{widget.Plain(f.Text)}
	if f.Node != 0 {
		lines = append(lines, widget.In(themes.Muted, fmt.Sprintf("brought about by #%d of the history", f.Node)))
	}
	if f.Remedy != nil {
		lines = append(lines, widget.In(themes.Muted, "enter takes it away, as "+st.DisplayName(f.By)))
	}
	if len(f.way) > 0 {
		lines = append(lines, nil, widget.In(themes.Header, "How "+st.DisplayName(f.Grant.Spender)+" can still transfer the token"))
	}
	for i, step := range f.way {
		lines = append(lines, append(widget.Plain("  "), step.head(st, i+1, themes.Text)...), widget.In(themes.Muted, "     allowed: "+step.allowed))
	}
	return lines
}

func findingKeys(st *app.State, row widget.Row, some bool) []app.Command {
	if !some {
		return nil
	}
	f := row.About.(explain.Finding)
	about := app.Subject{Token: f.Token, Account: f.Grant.Spender, Giver: f.Grant.Owner, Expires: f.Grant.Expires}
	return []app.Command{
		app.Key("enter D", "take it away", func() tea.Cmd {
			if f.Remedy == nil {
				return app.Notify(app.LevelInfo, "no message takes this away")
			}
			what := "the grant of an operator"
			if f.Grant.Kind == cw721.GrantApproval {
				what = "an approval of " + app.Brief(f.Grant.Token)
			}
			return changeForm(st, explain.Counterfactual{Text: "take away " + what, By: f.By, Message: f.Remedy})
		}, "enter", "D"),
		app.Key("w", "why", func() tea.Cmd { return OpenWhy(st, about) }, "w"),
		app.Key("W", "who could", func() tea.Cmd { return OpenWhoCould(st, about) }, "W"),
		app.Key("B", "probe", func() tea.Cmd { return OpenProbe(st, about) }, "B"),
	}
}
