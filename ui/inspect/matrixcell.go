package inspect

import (
	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/cw721"
	"ephemera/core/explain"
	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/widget"
)

// accesses are what accounts may do with the token of a row, each in the order of the
// moments in view.
type accesses map[cw721.Address][]explain.Access

// cell is the one under the cursor; ok is false where there is none, or its row was
// read for other accounts or moments.
func (m *matrix) cell() (token string, access []explain.Access, ok bool) {
	row, some := m.table.Cursor()
	if some {
		access = row.About.(accesses)[m.names[m.account].Address]
	}
	return row.Key, access, len(access) == len(m.order())
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
	token, access, _ := m.cell()
	if access == nil {
		return nil
	}
	return OpenWhy(st, app.Subject{Token: &token, Account: m.names[m.account].Address})
}

// reasons say of the cell under the cursor why, a line for each moment.
func (m *matrix) reasons() []widget.Line {
	order := m.order()
	lines := make([]widget.Line, len(order))
	_, access, ok := m.cell()
	if !ok {
		return lines // other rows are on their way
	}
	for n, i := range order {
		l := widget.Plain(" ")
		if m.compare {
			l = l.And(themes.Muted, string(rune('A'+i))+" ")
		}
		role, _ := accessRole(access[n])
		if role == themes.Faint {
			role = themes.Muted
		}
		lines[n] = l.And(themes.Text, m.names[m.account].Name+": ").And(role, access[n].Because)
	}
	return lines
}
