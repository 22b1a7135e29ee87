package ui

import (
	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain/expiry"
	"ephemera/core/cw721"
	"ephemera/ui/app"
)

// showEntry gives the command that shows what ends at a mark of the clock: the
// token of an approval, the grant of an operator, the role that is offered.
func showEntry(st *app.State, e expiry.Entry) tea.Cmd {
	about := app.Say(app.LevelInfo, st.Gain(e)+" "+st.When(e.Expires))
	switch e.Kind {
	case cw721.GrantApproval:
		return tea.Sequence(about, app.ShowToken(e.Token))
	case cw721.GrantOperator:
		return tea.Sequence(about,
			func() tea.Msg { return app.ShowScreenMsg(app.KindOperators) },
			func() tea.Msg { return app.ShowGrantMsg{Grant: e.Grant} })
	}
	return tea.Sequence(about, func() tea.Msg { return app.ShowScreenMsg(app.KindCollection) })
}
