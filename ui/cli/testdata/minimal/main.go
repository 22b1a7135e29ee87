// Minimal is the least Bubbletea program that shows something: what the start
// of the explorer is measured against.
package main

import (
	"os"

	tea "github.com/charmbracelet/bubbletea"

	_ "ephemera/themes/early" // else it waits for a terminal that does not answer
)

type model struct{}

func (model) Init() tea.Cmd { return nil }

func (m model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if _, ok := msg.(tea.KeyMsg); ok {
		return m, tea.Quit
	}
	return m, nil
}

func (model) View() string { return "the first frame" }

func main() {
	if _, err := tea.NewProgram(model{}, tea.WithAltScreen()).Run(); err != nil {
		os.Exit(1)
	}
}
