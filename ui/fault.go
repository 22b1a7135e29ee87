package ui

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/themes"
	"ephemera/ui/widget"
)

// faultView is what there is to see when the database could not be opened: why,
// which says what can be done elsewhere, and what can be done here.
func (m *Model) faultView(box widget.Box) string {
	th := m.state.Theme
	lines := []string{"", th.Render(themes.Bad, widget.Fit(" "+themes.GlyphNo+" the database could not be opened", box.W)), ""}
	for _, l := range widget.Wrap(widget.Safe(m.openErr.Error()), max(box.W-4, 2)) {
		lines = append(lines, "   "+l)
	}
	lines = append(lines, "", th.Render(themes.Muted, widget.Fit("   r tries again   q quits", box.W)))
	return widget.Fill(strings.Join(lines, "\n"), box)
}

// retry opens the database once more: another program may have let go of it, or
// somebody may have made room.
func (m *Model) retry() tea.Cmd {
	if m.openErr == nil || m.opening {
		return nil
	}
	m.opening = true
	return open(m.opts.Open)
}
