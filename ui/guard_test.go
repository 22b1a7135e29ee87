package ui

import (
	"testing"

	tea "github.com/charmbracelet/bubbletea"
)

func TestTheGuardCatchesAPanicInABatchAndKeepsNilCommandsNil(t *testing.T) {
	stopped := 0
	g := &guard{stop: func() { stopped++ }}
	if g.guardCommand(nil) != nil {
		t.Error("no command became one")
	}
	quiet := func() tea.Msg { return nil }
	broken := func() tea.Msg { panic("broken") }
	for _, cmd := range g.guardCommand(tea.Batch(quiet, broken))().(tea.BatchMsg) {
		cmd()
	}
	if stopped != 1 || g.firstPanic.Load() == nil {
		t.Errorf("stopped %d times, caught %v", stopped, g.firstPanic.Load())
	}
}
