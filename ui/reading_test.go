package ui

import (
	"errors"
	"fmt"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/chain/history"
	"ephemera/core/cw721"
	"ephemera/ui/app"
	"ephemera/ui/lessons"
	"ephemera/ui/uitest"
)

func TestAReadingOfAChainThatIsNoLongerShownIsDropped(t *testing.T) {
	d := uitest.New(t, New, 120, 36)
	late := readEverything(root(d))
	late.facts.Revision = 1 << 40
	d.Press("7", "enter", "1", "enter", "enter")
	d.Send(late)
	d.Sees("Flowers", "height 1,100")

	d.Press(".")
	d.Sees("height 1,101")

	check := root(d).book.Update(root(d).state, app.FactsChangedMsg{})().(lessons.CheckedMsg)
	check.Check.Done = true
	d.Press("Q", "7", "j", "enter", "esc")
	d.Send(check)
	d.Press("N", "esc", "N")
	d.Sees("task 1 of 4")
}

// readEverything reads the facts and what the screen needs, and gives the model
// nothing of it.
func readEverything(m *Model) readMsg {
	m.screen().Refresh(m.state)
	return readCmd(m.state, m.screen(), m.screen().NextRead(m.state), true)().(readMsg)
}

// lateReads gives, for each screen, what was read for it on a chain where
// everything is different.
func lateReads(t *testing.T, other *uitest.Driver) (all []readMsg) {
	t.Helper()
	for i := range root(other).screens.all {
		other.Press(fmt.Sprint(i + 1))
		all = append(all, readEverything(root(other)))
	}
	return all
}

func TestAScreenIgnoresAnswersOfOtherEnginesAndScreens(t *testing.T) {
	c := uitest.Fixture(t)
	uitest.Execute1(t, c, "alice", `{"burn":{"token_id":"ape-01"}}`)
	other := uitest.On(t, New, c, 120, 36)
	d := uitest.New(t, New, 120, 36)
	for i, late := range lateReads(t, other) {
		d.Press(fmt.Sprint(i + 1))
		before := d.Screen()
		d.Send(late) // of another engine, for another room
		d.Send(app.Answer{Engine: root(d).state.Engine, Asker: late.Asker, Msg: late.Msg})
		d.Send(app.Answer{Engine: c, Asker: root(d).screens.all[i], Msg: late.Msg})
		if after := d.Screen(); after != before {
			t.Errorf("a late answer changes %s:\n%s\n-- before\n%s", root(d).screens.all[i].Name(), after, before)
		}
	}
}

func TestADialogIgnoresAnswersOfOtherEnginesAndDialogs(t *testing.T) {
	for _, key := range []string{"t", "w", "B", "L", "a"} {
		c := uitest.Fixture(t)
		uitest.Execute1(t, c, "alice", `{"approve":{"token_id":"ape-01","spender":"$bob"}}`)
		other := uitest.On(t, New, c, 120, 36)
		var late []app.Answer
		other.Tap = func(msg tea.Msg) {
			if a, ok := msg.(app.Answer); ok {
				late = append(late, a)
			}
		}
		other.Press(key, ".")
		d := uitest.New(t, New, 120, 36)
		d.Press(key)
		before, top := d.Screen(), root(d).dialogs.open[0]
		if key != "t" && len(late) == 0 {
			t.Errorf("%s: the dialog reads nothing", key)
		}
		for _, a := range late {
			d.Send(a)
			d.Send(app.Answer{Engine: root(d).state.Engine, Asker: a.Asker, Msg: a.Msg})
			d.Send(app.Answer{Engine: a.Engine, Asker: top, Msg: a.Msg})
		}
		if after := d.Screen(); after != before {
			t.Errorf("%s: a late answer changes the dialog:\n%s\n-- before\n%s", key, after, before)
		}
	}
}

// counting counts the transactions that read a chain, and can let them fail.
type counting struct {
	app.Engine
	views int
	fault error
}

func (c *counting) View(fn func(*chain.View) error) error {
	c.views++
	if c.fault != nil {
		return c.fault
	}
	return c.Engine.View(fn)
}
func (c *counting) ViewAt(id history.ID, fn func(*chain.View) error) error {
	c.views++
	return c.Engine.ViewAt(id, fn)
}
func (c *counting) ViewAtMoment(w chain.Moment, fn func(*chain.View) error) error {
	c.views++
	return c.Engine.ViewAtMoment(w, fn)
}
func (c *counting) Preview(who cw721.Address, msg []byte) (chain.Receipt, error) {
	c.views++
	return c.Engine.Preview(who, msg)
}

// counted starts the explorer on an engine that counts.
func counted(t *testing.T) (*uitest.Driver, *counting) {
	engine := &counting{}
	return uitest.New(t, func(o app.Options) *Model {
		open := o.Open
		o.Open = func() (_ app.Engine, err error) {
			engine.Engine, err = open()
			return engine, err
		}
		return New(o)
	}, 120, 36), engine
}

func TestAFailedReadingIsRepeatedOnlyAfterAnEvent(t *testing.T) {
	d, engine := counted(t)
	for i, s := range root(d).screens.all {
		d.Press(fmt.Sprint(i + 1))
		engine.fault = errors.New("the disk is gone")
		for range 2 {
			engine.views = 0
			if d.Run(root(d).Reread()); engine.views != 1 {
				t.Errorf("%s reads %d times what cannot be read", s.Name(), engine.views)
			}
		}
		d.Sees("the disk is gone")
		engine.fault = nil
		d.Run(root(d).Reread())
	}
}

func TestEveryScreenReadsAChangeInOneView(t *testing.T) {
	d, engine := counted(t)
	for i, s := range root(d).screens.all {
		d.Press(fmt.Sprint(i + 1))
		engine.views = 0
		if d.Press("."); engine.views != 1 {
			t.Errorf("on %s a step of the clock is read in %d views", s.Name(), engine.views)
		}
		engine.views = 0
		d.Run(app.ExecuteAs(root(d).state, nil, root(d).state.Actor, []byte(`{"approve":{"token_id":"ape-01","spender":"$bob"}}`)))
		if engine.views != 1 {
			t.Errorf("on %s a write is read in %d views", s.Name(), engine.views)
		}
		engine.views = 0
		if d.Press("u"); engine.views != 1 {
			t.Errorf("on %s undo is read in %d views", s.Name(), engine.views)
		}
	}
}
