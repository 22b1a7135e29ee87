package app

import (
	tea "github.com/charmbracelet/bubbletea"

	"ephemera/ui/widget"
)

// ListScreen is what screens with a list, its detail and a filter have in common. Such a
// screen embeds it. F is the type of a parsed filter.
type ListScreen[F any] struct {
	Tab
	Panes  MasterDetail
	Filter FilterInput[F]
}

// List returns the list.
func (s *ListScreen[F]) List() *widget.Table { return s.Panes.Table }

// Typing reports whether the filter is being typed.
func (s *ListScreen[F]) Typing() bool { return s.Filter.IsTyping }

// TypingCommands lists the keys that work while the filter is typed.
func (s *ListScreen[F]) TypingCommands(*State) []Command { return FilterKeys }

// Resize divides the box between the list and the detail.
func (s *ListScreen[F]) Resize(box widget.Box) { s.Panes.Resize(box) }

// DetailColumn implements [PaneScreen].
func (s *ListScreen[F]) DetailColumn(width int) (column int, ok bool) {
	return s.Panes.DetailColumn(width)
}

// Refresh makes the next reading read the rows and the detail again.
func (s *ListScreen[F]) Refresh(*State) { s.Panes.Invalidate() }

// UpdatePanes handles what every such screen does alike: a failed reading, a key, and the
// mouse. A key goes to the filter while that is typed.
func (s *ListScreen[F]) UpdatePanes(state *State, msg tea.Msg) {
	switch msg := msg.(type) {
	case ReadFailedMsg:
		s.Panes.Table.Fail(msg.Err.Error())
	case tea.MouseMsg:
		s.Panes.UpdatePane(msg)
	case tea.KeyMsg:
		if !s.Filter.Update(state, msg) {
			s.Panes.UpdatePane(msg)
		}
	}
}
