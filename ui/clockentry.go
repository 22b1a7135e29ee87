package ui

import (
	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain/expiry"
	"ephemera/core/cw721"
)

// showEntry gives the command that shows what ends at a mark of the clock: the
// token of an approval, the grant of an operator, the role that is offered.
func showEntry(d *Desk, e expiry.Entry) tea.Cmd {
	about := say(levelInfo, d.gain(e)+" "+d.When(e.Expires))
	switch e.Kind {
	case cw721.GrantApproval:
		return tea.Sequence(about, showToken(e.Token))
	case cw721.GrantOperator:
		return tea.Sequence(about,
			func() tea.Msg { return showScreenMsg(KindOperators) },
			func() tea.Msg { return showGrantMsg{e.Grant} })
	}
	return tea.Sequence(about, func() tea.Msg { return showScreenMsg(KindCollection) })
}
