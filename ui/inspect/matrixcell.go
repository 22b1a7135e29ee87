package inspect

import (
	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/explain"
	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/widget"
)

// matrixCell is what an account may do with a token, in the order of the moments
// in view. Each row of the table keeps those of its cells.
type matrixCell struct {
	account chain.Account
	access  []explain.Access
}

// cell is the one under the cursor. It is of the accounts that were in view when
// its row was read.
func (m *matrix) cell() (token string, c matrixCell, ok bool) {
	row, ok := m.table.Cursor()
	if !ok {
		return "", c, false
	}
	for _, c := range row.About.([]matrixCell) {
		if c.account.Address == m.names[m.account].Address {
			return row.Key, c, true
		}
	}
	return row.Key, c, false
}

// toAccount moves the cursor to an account, as near as there is one, and the view
// to where it begins with another, as near as the cursor allows.
func (m *matrix) toAccount(st *app.State, i, first int) tea.Cmd {
	was := m.first
	m.account, m.first = max(0, min(i, len(m.names)-1)), first
	m.columns()
	if m.first != was {
		return m.again(st)
	}
	return m.want(st)
}

// accountAt gives the account whose column is at a cell across, or else the one
// under the cursor.
func (m *matrix) accountAt(x int) int {
	i := m.table.ColumnAt(x) - 1
	if m.owners() {
		i--
	}
	if i < 0 {
		return m.account
	}
	return m.first + i
}

// explain opens why about the cell under the cursor.
func (m *matrix) explain(st *app.State) tea.Cmd {
	token, c, ok := m.cell()
	if !ok {
		return nil
	}
	return OpenWhy(st, app.Subject{Token: &token, Account: c.account.Address})
}

// reasons say of the cell under the cursor why, a line for each moment.
func (m *matrix) reasons() []widget.Line {
	order := m.order()
	lines := make([]widget.Line, len(order))
	_, c, ok := m.cell()
	if !ok || len(c.access) != len(order) {
		return lines // other rows are on their way
	}
	for n, i := range order {
		l := widget.Plain(" ")
		if m.compare {
			l = l.And(themes.Muted, string(rune('A'+i))+" ")
		}
		role, _ := accessRole(c.access[n])
		if role == themes.Faint {
			role = themes.Muted
		}
		lines[n] = l.And(themes.Text, c.account.Name+": ").And(role, c.access[n].Because)
	}
	return lines
}
