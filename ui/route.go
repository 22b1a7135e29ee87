package ui

import (
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/ui/app"
	"ephemera/ui/term"
)

// mostAhead bounds what can be typed ahead.
const mostAhead = 1000

// keys takes one message of the keyboard. Fast typing arrives as several runes
// at once: outside of a field they are single keys, and a paste, which was meant
// for a field, is none. What is typed while a key still opens its dialog is
// meant for the dialog and waits for it: on a slow line "t", "bob" and enter
// arrive together, and "b" must not become the key that burns.
func (m *Model) keys(msg tea.KeyMsg) tea.Cmd {
	switch s := msg.String(); {
	case s == "ctrl+c", s == "ctrl+z", s == "q" && m.opening && len(m.ahead) == 0:
		return m.key(msg)
	case m.awaited > 0:
		m.ahead = append(m.ahead, msg)[:min(len(m.ahead)+1, mostAhead)]
		return nil
	case m.whole(msg):
		return m.key(msg)
	case msg.Paste:
		return nil
	}
	var cmds []tea.Cmd
	parts := term.Split(msg)
	for i, k := range parts {
		if m.awaited > 0 {
			m.ahead = append(m.ahead, parts[i:]...)
			break
		}
		cmds = append(cmds, m.key(k))
	}
	return tea.Sequence(cmds...) // a batch would do them in any order
}

// whole tells whether a message is for a text field, and stays as it is. In a
// dialog only a paste must: to its fields letters are the same one by one, and
// not every dialog has any.
func (m *Model) whole(msg tea.KeyMsg) bool {
	if len(m.dialogs) > 0 {
		return msg.Paste
	}
	return m.state.Has() && m.screen().Typing()
}

// keyDoneMsg says that the program has taken what the command of a key gave.
type keyDoneMsg struct{}

// await lets the keys that follow wait until the program has taken what a
// command gives: they are meant for the dialog that it opens, as whom it makes
// act, for the rows that it brings.
func (m *Model) await(cmd tea.Cmd) tea.Cmd {
	if cmd == nil {
		return nil
	}
	m.awaited++
	return tea.Sequence(cmd, func() tea.Msg { return keyDoneMsg{} })
}

// keyDone takes the keys that waited.
func (m *Model) keyDone() tea.Cmd {
	m.awaited--
	var cmds []tea.Cmd
	for len(m.ahead) > 0 && m.awaited == 0 {
		next := m.ahead[0]
		m.ahead = m.ahead[1:]
		cmds = append(cmds, m.keys(next))
	}
	return tea.Sequence(cmds...)
}

// settles tells whether a key ends what is typed, so that its command is
// awaited: enter sends a form, and takes a filter. An import cannot be left, and
// lasts: what is pressed meanwhile is for nothing that comes after it.
func settles(msg tea.KeyMsg, at any) bool {
	long, ok := at.(interface{ Lasts() bool })
	return msg.Type == tea.KeyEnter && !(ok && long.Lasts())
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
		if takes, ok := top.(interface{ Typing() bool }); msg.String() == "f1" || msg.String() == "?" && !(ok && takes.Typing()) {
			if _, open := top.(*help); !open {
				return m.hold(app.OpenDialog(newHelp(top.Commands(m.state))))
			}
		}
		cmd, done := m.updateDialog(top, msg)
		if done || settles(msg, top) {
			return m.await(cmd)
		}
		return cmd
	}
	if !m.state.Has() {
		switch msg.String() {
		case "q":
			return m.leave()
		case "r":
			return m.retry()
		}
		return nil
	}
	screen := m.screen()
	if screen.Typing() {
		cmd := screen.Update(m.state, msg)
		if settles(msg, screen) {
			return m.hold(cmd)
		}
		return cmd
	}
	commands := m.Commands()
	c, ok := app.Find(commands, msg)
	if !ok || c.Group != app.GroupAsk && c.Group != app.GroupClock {
		m.clock.lost = app.Subject{} // the person has turned to something else
	}
	if ok {
		return m.hold(c.Do())
	}
	if why := app.WhyNot(commands, msg); why != "" {
		m.ahead = nil // it was meant for what this key does not open
		return app.Say(app.LevelInfo, why)
	}
	return screen.Update(m.state, msg)
}

func (m *Model) push(d app.Dialog) tea.Cmd {
	m.dialogs = append(m.dialogs, d)
	if note, said := m.notes.Current(); said {
		m.noted = note.ID
	}
	m.fitDialogs()
	return nil
}

func (m *Model) remove(d app.Dialog) {
	if i := slices.Index(m.dialogs, d); i >= 0 {
		closeDialog(d)
		m.dialogs = slices.Delete(m.dialogs, i, i+1)
		m.fitDialogs()
	}
}

// closeDialogs lets all of them go.
func (m *Model) closeDialogs() {
	for _, d := range m.dialogs {
		closeDialog(d)
	}
	m.dialogs = nil
}

// closeDialog ends what a dialog has under way.
func closeDialog(d app.Dialog) {
	if c, ok := d.(interface{ Close() }); ok {
		c.Close()
	}
}
