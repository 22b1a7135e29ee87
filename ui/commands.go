package ui

import (
	"fmt"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
)

// Groups of commands, the headings of help.
const (
	groupHere    = "On this screen"
	groupClock   = "Clock"
	groupScreens = "Screens"
	groupProgram = "Everywhere"
	groupMove    = "Moving"
)

// Commands lists everything that can be done now: here first, then the clock
// and the rest of the program. Keys, help, palette and footer all read it.
func (m *Model) Commands() []Command {
	if !m.desk.Has() {
		return nil
	}
	all := m.screens[m.current].Commands(m.desk)
	all = append(all, m.views(all)...)
	all = append(all, m.lessonCommands()...)
	all = append(all, m.clock.commands(m.desk)...)
	all = append(all, m.program()...)
	all = append(all, doorCommands(m.opts)...)
	return append(all, m.screenCommands()...)
}

func (m *Model) program() []Command {
	d := m.desk
	return []Command{
		{bind("u", "undo", "u"), "Undo", groupProgram, func() tea.Cmd {
			m.clock.pause()
			return walk(d, "undid", func(e Engine) (chain.Walked, error) { return e.Undo(1) })
		}},
		{bind(":", "commands", ":"), "Commands: everything by name", groupProgram, func() tea.Cmd { return dialog(newPalette(m.Commands())) }},
		{bind("?", "help", "?"), "Help: the keys in force", groupProgram, func() tea.Cmd { return dialog(newHelp(m.Commands())) }},
		{bind("U ctrl+r", "redo", "U", "ctrl+r"), "Redo", groupProgram, func() tea.Cmd {
			m.clock.pause()
			return walk(d, "did again", func(e Engine) (chain.Walked, error) { return e.Redo(1) })
		}},
		{bind("a", "act as", "a"), "Act as somebody else", groupProgram, func() tea.Cmd { return openActAs(d) }},
		{bind("f", "form of times", "f"), "Times: relative, UTC, nanoseconds", groupProgram, func() tea.Cmd {
			d.Times = d.Times.Next()
			m.screens[m.current].Refresh(d)
			return say(levelInfo, "times are shown as "+d.Times.String())
		}},
		{bind("x", "ended grants", "x"), "Show or hide ended grants", groupProgram, func() tea.Cmd {
			d.HideEnded = !d.HideEnded
			text := "ended grants are shown"
			if d.HideEnded {
				text = "ended grants are hidden, as queries hide them"
			}
			m.screens[m.current].Refresh(d)
			return say(levelInfo, text)
		}},
		{bind("ctrl+l", "notices", "ctrl+l"), "Notices: everything that was said", groupProgram, func() tea.Cmd { return dialog(newLog(m.notes.Log())) }},
		{bind("", ""), "Theme", groupProgram, func() tea.Cmd { return dialog(newThemePicker(d)) }},
		{bind("q", "quit", "q"), "Quit", groupProgram, m.askToLeave},
	}
}

func (m *Model) screenCommands() []Command {
	var all []Command
	for i, s := range m.screens {
		key := fmt.Sprint(i + 1)
		all = append(all, Command{bind(key, s.Name(), key), "Go to " + s.Name(), groupScreens, func() tea.Cmd { return m.turn(i) }})
	}
	step := func(by int) func() tea.Cmd {
		return func() tea.Cmd { return m.turn((m.current + by + len(m.screens)) % len(m.screens)) }
	}
	return append(all,
		Command{bind("]", "next screen", "]"), "", groupScreens, step(+1)},
		Command{bind("[", "previous screen", "["), "", groupScreens, step(-1)},
	)
}

// askToLeave quits, after a question where the history would be lost.
func (m *Model) askToLeave() tea.Cmd {
	d := m.desk.Session
	if m.home != nil {
		if d = m.home.session; d.Engine == nil || !d.InMemory || !d.CanUndo {
			return dialog(newQuestion("Quit", "This quits the whole program, not only the lesson. Q leaves the lesson; how far you are is kept.", "Quit", m.leave))
		}
	}
	if !d.InMemory || !d.CanUndo {
		return m.leave()
	}
	return dialog(newQuestion("Quit", "This collection is only in memory: what you did here will be gone.", "Quit", m.leave))
}

func (m *Model) leave() tea.Cmd {
	m.quit = true
	return tea.Quit
}
