package ui

import (
	tea "github.com/charmbracelet/bubbletea"

	"ephemera/ui/term"
)

// keys takes one message of the keyboard. Fast typing arrives as several runes
// at once: where no field takes text they are single keys (and a paste, which
// was meant for a field, is none).
func (m *Model) keys(msg tea.KeyMsg) tea.Cmd {
	if m.typing() {
		return m.key(msg)
	}
	if msg.Paste {
		return nil
	}
	var cmds []tea.Cmd
	for _, k := range term.Split(msg) {
		cmds = append(cmds, m.key(k))
	}
	return tea.Sequence(cmds...) // a batch would do them in any order
}

// typing tells whether a text field takes the keys.
func (m *Model) typing() bool {
	if len(m.dialogs) > 0 {
		return true // a dialog sorts its keys out itself
	}
	return m.desk.Has() && m.screens[m.current].Typing()
}

// key routes one key: ctrl+c, the top dialog, a field, keys of the program, the
// screen.
func (m *Model) key(msg tea.KeyMsg) tea.Cmd {
	switch msg.String() {
	case "ctrl+c":
		return m.leave()
	case "ctrl+z":
		return tea.Suspend
	}
	if n := len(m.dialogs); n > 0 {
		top := m.dialogs[n-1]
		cmd, done := top.Update(m.desk, msg)
		if done {
			m.remove(top)
		}
		return cmd
	}
	if !m.desk.Has() {
		switch msg.String() {
		case "q":
			return m.leave()
		case "r":
			return m.retry()
		}
		return nil
	}
	screen := m.screens[m.current]
	if screen.Typing() {
		return screen.Update(m.desk, msg)
	}
	commands := m.Commands()
	c, ok := find(commands, msg)
	if !ok || c.Group != groupAsk && c.Group != groupClock {
		m.clock.lost = Subject{} // the person has turned to something else
	}
	if ok {
		return c.Do()
	}
	if why := whyNot(commands, msg); why != "" {
		return say(levelInfo, why)
	}
	return screen.Update(m.desk, msg)
}

// The stack of dialogs.
type (
	openDialogMsg  struct{ dialog Dialog }
	closeDialogMsg struct{}
	showScreenMsg  int
	actAsMsg       string
)

// dialog gives the command that opens a dialog.
func dialog(d Dialog) tea.Cmd {
	return func() tea.Msg { return openDialogMsg{d} }
}

func (m *Model) push(d Dialog) tea.Cmd {
	m.dialogs = append(m.dialogs, d)
	if note, said := m.notes.Current(); said {
		m.noted = note.ID
	}
	m.fitDialogs()
	return nil
}

func (m *Model) pop() {
	if n := len(m.dialogs); n > 0 {
		m.remove(m.dialogs[n-1])
	}
}

func (m *Model) remove(d Dialog) {
	for i := range m.dialogs {
		if m.dialogs[i] == d {
			m.dialogs = append(m.dialogs[:i], m.dialogs[i+1:]...)
			m.fitDialogs()
			return
		}
	}
}
