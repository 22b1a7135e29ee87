package ui

import (
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/ui/app"
	"ephemera/ui/uitest"
)

// A slowEngine counts the transactions that take the time of a slow store.
type slowEngine struct {
	app.Engine
	transactions int
}

func (e *slowEngine) View(fn func(*chain.View) error) error {
	e.transactions++
	return e.Engine.View(fn)
}

func (e *slowEngine) Advance(s chain.ClockStep) (chain.Move, error) {
	e.transactions++
	return e.Engine.Advance(s)
}

func (e *slowEngine) Execute(a cw721.Address, msg []byte) (chain.Receipt, error) {
	e.transactions++
	return e.Engine.Execute(a, msg)
}

// countTime has commands give their messages in virtual time, in which only
// transactions of the store take long. It returns the clock.
func (t *typist) countTime(engine *slowEngine, latency time.Duration) (now *time.Duration) {
	now = new(time.Duration)
	t.started = func(c *runningCommand) {
		before := engine.transactions
		msg := c.cmd()
		c.cmd = func() tea.Msg { return msg }
		c.readyAt = *now + latency*time.Duration(engine.transactions-before)
	}
	t.choose = func(int) int {
		first := t.firstReady()
		*now = max(*now, t.commands[first].readyAt)
		return first
	}
	return now
}

// firstReady returns the command that gives its message first.
func (t *typist) firstReady() (first int) {
	for i, c := range t.commands {
		if c.readyAt < t.commands[first].readyAt {
			first = i
		}
	}
	return first
}

// longestLag holds a key for a second, 30 times a second, and returns how long a
// press waited at most.
func longestLag(t *testing.T, key string, latency time.Duration) (longest time.Duration) {
	t.Helper()
	const presses = 30
	arrival := func(press int) time.Duration { return time.Duration(press) * time.Second / presses }
	engine := &slowEngine{Engine: uitest.Fixture(t)}
	typist := newTypist(t, engine)
	now := typist.countTime(engine, latency)

	pressed := 0
	notePressed := func(arrived int) {
		for ; pressed < arrived-len(typist.model.keys.waiting); pressed++ {
			longest = max(longest, *now-arrival(pressed))
		}
	}
	for press := range presses {
		for len(typist.commands) > 0 && typist.commands[typist.firstReady()].readyAt <= arrival(press) {
			typist.runOne()
			notePressed(press)
		}
		*now = max(*now, arrival(press))
		typist.send(uitest.Key(key))
		notePressed(press + 1)
	}
	for pressed < presses {
		typist.runOne()
		notePressed(presses)
	}
	return longest
}

func TestAHeldKeyKeepsUpWithTheStore(t *testing.T) {
	for _, c := range []struct {
		key     string
		latency time.Duration
		most    time.Duration
	}{
		{"j", 5 * time.Millisecond, 0},
		{"j", 20 * time.Millisecond, 0},
		{"j", 100 * time.Millisecond, 0},
		{".", 5 * time.Millisecond, 0},
		{".", 20 * time.Millisecond, 0},
		{".", 100 * time.Millisecond, 2 * time.Second}, // a write takes as long as three repeats
	} {
		lag := longestLag(t, c.key, c.latency)
		t.Logf("held %s on a store of %v: a press waits at most %v", c.key, c.latency, lag)
		if lag > c.most {
			t.Errorf("held %s on a store of %v: a press waits %v, want at most %v", c.key, c.latency, lag, c.most)
		}
	}
}
