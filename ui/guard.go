package ui

import (
	"reflect"
	"sync/atomic"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/ui/crash"
)

// guard stands around the model and catches its panics, in Update, in View and
// in commands, so that the terminal is given back before anything is said.
// Bubbletea catches them too, but prints them over the screen, and tells
// nobody what they were.
type guard struct {
	model tea.Model
	// stop ends the program; the guard calls it for the first panic.
	stop func()
	// caught is the first panic.
	caught atomic.Pointer[crash.Panic]
}

// catch is to be deferred around whatever may panic.
func (g *guard) catch(where string) {
	if r := recover(); r != nil {
		g.caught.CompareAndSwap(nil, crash.Caught(where, r))
		g.stop()
	}
}

// Init is the model's.
func (g *guard) Init() (cmd tea.Cmd) {
	defer g.catch("starting")
	return g.cmd(g.model.Init())
}

// Update is the model's.
func (g *guard) Update(msg tea.Msg) (_ tea.Model, cmd tea.Cmd) {
	defer g.catch("taking a message")
	_, cmd = g.model.Update(msg) // it is a pointer, and gives itself
	return g, g.cmd(cmd)
}

// View is the model's. Nothing of what a broken model draws is of use.
func (g *guard) View() string {
	defer g.catch("drawing the screen")
	if g.caught.Load() != nil {
		return ""
	}
	return g.model.View()
}

// cmd guards a command, and those that it gives.
func (g *guard) cmd(cmd tea.Cmd) tea.Cmd {
	if cmd == nil {
		return nil
	}
	return func() tea.Msg {
		defer g.catch("working in the background")
		return g.commands(cmd())
	}
}

// commands guards the commands in a batch or a sequence. Both are slices of
// commands, and the second has no exported name.
func (g *guard) commands(msg tea.Msg) tea.Msg {
	v := reflect.ValueOf(msg)
	if !v.IsValid() || v.Kind() != reflect.Slice || v.Type().Elem() != reflect.TypeFor[tea.Cmd]() {
		return msg
	}
	guarded := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
	for i := range v.Len() {
		cmd, _ := v.Index(i).Interface().(tea.Cmd)
		guarded.Index(i).Set(reflect.ValueOf(g.cmd(cmd)))
	}
	return guarded.Interface()
}
