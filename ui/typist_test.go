package ui

import (
	"reflect"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/ui/app"
	"ephemera/ui/uitest"
)

// A typist types into an explorer whose commands run when the test says so.
type typist struct {
	model    *Model
	commands []runningCommand
	choose   func(n int) int // the next command to run, of n
	// started, where it is set, sees each command before it runs.
	started func(*runningCommand)
	// updated, where it is set, is called before each message, and what it returns after it.
	updated func(tea.Msg) func()
}

// runningCommand is a command that was started. finished is called when the
// program has taken its messages.
type runningCommand struct {
	cmd      tea.Cmd
	finished func()
	readyAt  time.Duration // of its message, where the test counts time
}

func newTypist(test *testing.T, engine app.Engine) *typist {
	test.Helper()
	o := app.Options{
		Open:       func() (app.Engine, error) { return engine, nil },
		MemoryOnly: true,
		FirstActor: "alice",
	}
	uitest.WithFixedLook(test, &o)
	first := func(int) int { return 0 }
	t := &typist{model: New(o), choose: first}
	t.send(tea.WindowSizeMsg{Width: 120, Height: 36})
	t.start(t.model.Init(), func() {})
	t.runAll()
	return t
}

func (t *typist) send(msg tea.Msg) {
	after := func() {}
	if t.updated != nil {
		after = t.updated(msg)
	}
	_, cmd := t.model.Update(msg)
	after()
	t.start(cmd, func() {})
}

func (t *typist) start(cmd tea.Cmd, finished func()) {
	if cmd == nil {
		finished()
		return
	}
	command := runningCommand{cmd: cmd, finished: finished}
	if t.started != nil {
		t.started(&command)
	}
	t.commands = append(t.commands, command)
}

// runOne runs one command to its message, as bubbletea does: the commands of a
// batch run side by side, those of a sequence one after the other.
func (t *typist) runOne() {
	i := t.choose(len(t.commands))
	command := t.commands[i]
	t.commands = append(t.commands[:i:i], t.commands[i+1:]...)
	msg := command.cmd()
	if batch, ok := msg.(tea.BatchMsg); ok {
		left := len(batch)
		for _, cmd := range batch {
			t.start(cmd, func() {
				if left--; left == 0 {
					command.finished()
				}
			})
		}
		return
	}
	if v := reflect.ValueOf(msg); v.IsValid() && v.Type().ConvertibleTo(reflect.TypeFor[[]tea.Cmd]()) {
		t.startInOrder(v.Convert(reflect.TypeFor[[]tea.Cmd]()).Interface().([]tea.Cmd), command.finished)
		return
	}
	if _, isTimer := msg.(app.TimerMsg); msg != nil && !isTimer { // no timer rings
		t.send(msg)
	}
	command.finished()
}

func (t *typist) startInOrder(cmds []tea.Cmd, finished func()) {
	if len(cmds) == 0 {
		finished()
		return
	}
	t.start(cmds[0], func() { t.startInOrder(cmds[1:], finished) })
}

func (t *typist) runAll() {
	for len(t.commands) > 0 {
		t.runOne()
	}
}
