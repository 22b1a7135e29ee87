package app

import (
	tea "github.com/charmbracelet/bubbletea"

	"ephemera/ui/widget"
)

// ListScreen is what screens with a list and its detail have in common. Such a screen embeds it.
type ListScreen struct {
	Tab
	Panes MasterDetail
}

// List returns the list.
func (s *ListScreen) List() *widget.Table { return s.Panes.Table }

// Typing is false: the screen has no text field.
func (s *ListScreen) Typing() bool { return false }

// Resize divides the box between the list and the detail.
func (s *ListScreen) Resize(box widget.Box) { s.Panes.Resize(box) }

// DetailColumn implements [PaneScreen].
func (s *ListScreen) DetailColumn(width int) (column int, ok bool) {
	return s.Panes.DetailColumn(width)
}

// Refresh makes the next reading read the rows and the detail again.
func (s *ListScreen) Refresh(*State) { s.Panes.Invalidate() }

// FilteredScreen is a [ListScreen] with a filter. F is the type of a parsed filter.
type FilteredScreen[F any] struct {
	ListScreen
	Filter FilterInput[F]
}

// Typing reports whether the filter is being typed.
func (s *FilteredScreen[F]) Typing() bool { return s.Filter.IsTyping }

// TypingCommands lists the keys that work while the filter is typed.
func (s *FilteredScreen[F]) TypingCommands(*State) []Command { return FilterKeys }

// UpdatePanes handles what every such screen does alike: a failed reading, a key, and the
// mouse. A key goes to the filter while that is typed.
func (s *FilteredScreen[F]) UpdatePanes(state *State, msg tea.Msg) {
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
