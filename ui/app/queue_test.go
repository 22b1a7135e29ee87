package app

import (
	"testing"

	tea "github.com/charmbracelet/bubbletea"
)

func TestWritesRunInTheOrderOfTheirCommands(t *testing.T) {
	st := &State{Queue: new(Queue)}
	var done []int
	ask := func(n int) tea.Cmd {
		return st.Write(func(Engine) tea.Msg { done = append(done, n); return n })
	}
	first := ask(1)
	if ask(2) != nil || ask(3) != nil {
		t.Fatal("a write starts while another runs")
	}
	for cmd := first; cmd != nil; cmd = st.Queue.Next() {
		if _, ok := cmd().(DoneMsg); !ok {
			t.Fatal("a write does not say that it is done")
		}
	}
	if len(done) != 3 || done[0] != 1 || done[1] != 2 || done[2] != 3 {
		t.Fatalf("the writes came in the order %v", done)
	}
	if ask(4) == nil {
		t.Fatal("an idle queue does not start")
	}
}
