package ui

import (
	"fmt"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	"ephemera/core/chain"
	"ephemera/core/chain/chaintest"
	"ephemera/ui/app"
	"ephemera/ui/uitest"
)

func TestTheHeightAndTheActorShowInEverySize(t *testing.T) {
	for _, size := range uitest.AllSizes {
		d := uitest.New(t, New, size[0], size[1])
		for i := range root(d).screens.all {
			d.Press(fmt.Sprint(i + 1))
			d.Sees("height 1,102", "as ● alice", "Interchain Apes")
		}
	}
}

func TestTheHeaderMarksAReadOnlySessionInEverySize(t *testing.T) {
	for _, size := range uitest.AllSizes {
		d := uitest.New(t, New, size[0], size[1])
		d.DoesNotSee("read-only")
		d.Given(func(st *app.State) { st.ReadOnly, st.InMemory = true, false })
		d.Sees("read-only", "as ● alice")
		d.Fits()
	}
}

func TestAFormWarnsThatAReadOnlySessionKeepsNothing(t *testing.T) {
	d := uitest.New(t, New, 80, 24)
	d.Model.State().ReadOnly, d.Model.State().InMemory = true, false
	d.Press("b")
	d.Sees("will work, and is not kept: this session is read-only")
}

func TestTheHeaderCountsOneTokenInTheSingular(t *testing.T) {
	d := uitest.New(t, New, 120, 36)
	d.Given(func(st *app.State) { st.Collection.TokenCount = 1 })
	d.Sees("· 1 token ")
	d.Given(func(st *app.State) { st.Collection.TokenCount = 1204 })
	d.Sees("· 1,204 tokens ")
}

func TestTheFooterShowsHelpAndUndoBesideANotice(t *testing.T) {
	for _, size := range uitest.AllSizes {
		d := uitest.New(t, New, size[0], size[1])
		for i := range root(d).screens.all {
			d.Press(fmt.Sprint(i + 1))
			d.Send(app.NoticeMsg{Level: app.LevelBad, Text: "a notice that is as long as the refusals of the contract are when they name two addresses and a token"})
			footer := d.Line(size[1] - 1)
			if !strings.HasSuffix(strings.TrimRight(footer, " "), "? help") {
				t.Errorf("on %s at %d columns help is not there: %q", root(d).screens.all[i].Name(), size[0], footer)
			}
			if i != 5 && !strings.Contains(footer, "u undo") { // nothing is undone while a message is typed
				t.Errorf("on %s at %d columns undo is not there: %q", root(d).screens.all[i].Name(), size[0], footer)
			}
			if !strings.Contains(d.Line(root(d).layout().noticeRow), "✗ a notice that is as long") {
				t.Errorf("the notice does not stand on its line:\n%s", d.Screen())
			}
			d.Fits()
		}
	}
}

func TestTheFooterShowsEnterAndEscForADialogInEverySize(t *testing.T) {
	for _, size := range uitest.AllSizes {
		for keys, want := range map[string][]string{
			"a": {"enter choose", "esc cancel"}, "t": {"enter send", "esc cancel"}, "w": {"enter", "esc close"}, ":": {"enter", "esc cancel"}, "T": {"enter", "esc cancel"},
		} {
			d := uitest.New(t, New, size[0], size[1])
			if keys == "w" {
				d.ActAs("bob") // there is a step that turns it around
			}
			d.Press(keys)
			for _, hint := range want {
				if footer := d.Line(size[1] - 1); !strings.Contains(footer, hint) {
					t.Errorf("%s at %d columns: no %q in %q", keys, size[0], hint, footer)
				}
			}
		}
	}
}

func TestANoticeStandsBelowADialogThatCoversItsPlace(t *testing.T) {
	for _, size := range uitest.AllSizes {
		for _, key := range []string{"?", ":", "w", "B"} {
			d := uitest.New(t, New, size[0], size[1])
			d.Send(app.NoticeMsg{Level: app.LevelWarn, Text: "said before"})
			d.Press(key)
			d.DoesNotSee("said before") // opening a dialog is another act
			covered := strings.Trim(d.Line(root(d).layout().noticeRow), "─") != ""
			d.Send(app.NoticeMsg{Level: app.LevelWarn, Text: "said while it was open"})
			at := root(d).layout().noticeRow
			if covered {
				at = size[1] - 2
			}
			if line := d.Line(at); !strings.Contains(line, "─ ▲ said while it was open ─") {
				t.Errorf("%s at %d×%d: line %d is %q:\n%s", key, size[0], size[1], at, line, d.Screen())
			}
			if n := strings.Count(d.Screen(), "said while it was open"); n != 1 {
				t.Errorf("%s at %d×%d: said %d times", key, size[0], size[1], n)
			}
			if footer := d.Line(size[1] - 1); !strings.Contains(footer, "esc ") {
				t.Errorf("%s at %d×%d: the footer is %q", key, size[0], size[1], footer)
			}
			d.Sees("┘") // the frame of the dialog ends above it
			d.Fits()

			d.Press("esc")
			if line := d.Line(root(d).layout().noticeRow); !strings.Contains(line, "▲ said while it was open") {
				t.Errorf("%s at %d×%d: after it closed the notice is %q", key, size[0], size[1], line)
			}

			d.Press(key)
			d.DoesNotSee("said while it was open") // it is not about this one
		}
	}
}

func TestANoticeThatTheClockRepeatsInFullIsLeftOut(t *testing.T) {
	d := uitest.New(t, New, 80, 24)
	d.Press("e")
	if n := strings.Count(d.Screen(), "bob's approval on ape-04 expired"); n != 1 {
		t.Errorf("said %d times:\n%s", n, d.Screen())
	}

	d = uitest.New(t, New, 40, 12)
	d.Press("e")
	d.Sees("▲ bob's approval on ape-04 expired")
}

func TestATooSmallTerminalShowsTheNeededSizeInItsMiddle(t *testing.T) {
	d := uitest.New(t, New, 39, 11)
	d.Fits()
	for y := range 11 {
		if line := strings.TrimSpace(d.Line(y)); (line != "") != (y == 4 || y == 5) {
			t.Errorf("line %d is %q", y, line)
		}
	}
	d.Sees("needs 40×12", "39×11")
	for _, size := range [][2]int{{1, 1}, {5, 3}, {200, 2}, {30, 40}} {
		uitest.New(t, New, size[0], size[1]).Fits()
	}
}

func TestTheHeaderLeavesOutWhatIsNotReadOfTheActor(t *testing.T) {
	d := uitest.New(t, New, 120, 36)
	d.Sees("as ● alice", "owner of")
	_, read := d.Model.Update(app.ActAsMsg{Address: chaintest.Address("carol")})
	if header := d.Line(0); !strings.Contains(header, "as ● ") || strings.Contains(header, "alice") || strings.Contains(header, "owner of") {
		t.Errorf("before it is read the header says %q", header)
	}

	d.Run(read)
	d.Sees("owner of")
}

func TestTheHeaderKeepsItsTwoEndsApart(t *testing.T) {
	d := uitest.New(t, New, 40, 24)
	for w := 40; w <= 140; w++ {
		d.Send(tea.WindowSizeMsg{Width: w, Height: 24})
		line, _, _ := strings.Cut(d.Screen(), "\n")
		if left, _, found := strings.Cut(line, "as ●"); found && !strings.HasSuffix(left, "  ") && strings.Contains(left, "·") {
			t.Errorf("at %d: %s", w, line)
		}
	}
}

// root is the explorer that is driven.
func root(d *uitest.Driver) *Model { return d.Model.(*Model) }

func TestAWideTerminalShowsIDsAddressesAndExpiriesInFull(t *testing.T) {
	const longID = "a-token-with-quite-a-long-id"
	d := uitest.New(t, New, 200, 55)
	stranger := string(chaintest.Address("stranger")) // has no name
	other := string(chaintest.Address("other"))
	d.Do("minter", `{"mint":{"token_id":"`+longID+`","owner":"`+stranger+`"}}`)
	d.Do("stranger", `{"approve":{"token_id":"`+longID+`","spender":"`+other+`","expires":{"at_time":"1795300000000000000"}}}`)
	d.Do("stranger", `{"approve_all":{"operator":"`+other+`","expires":{"at_height":1234567}}}`)

	d.SeesIn(uitest.List, longID, stranger, "in 10h 26m")
	d.To("Approvals")
	d.Sees(longID, stranger, other, "22:26:40 UTC")
	d.To("Operators")
	d.Sees(stranger, other, "height 1,234,567")
	d.To("Accounts")
	d.SeesIn(uitest.List, string(chaintest.Address("alice")))
	d.To("History")
	d.SeesIn(uitest.List, longID)

	for _, size := range uitest.AllSizes {
		d := uitest.On(t, New, d.Chain, size[0], size[1])
		d.SeesIn(uitest.List, stranger[len(stranger)-5:])
	}
}

func TestABatchGivesOneNoticeAtItsEnd(t *testing.T) {
	for name, keys := range map[string][]string{
		"all are done":   {"space", "j", "j", "space", "t", "bob", "enter", "enter"},
		"one is refused": {"space", "j", "space", "t", "bob", "enter", "enter", "enter"},
		"one message":    {"4", "1", "space", "t", "bob", "enter", "enter"},
		"approvals":      {"space", "j", "j", "space", "p", "bob", "tab", "+10", "enter", "enter"},
	} {
		d := uitest.New(t, New, 120, 36)
		before := len(root(d).notices.log.Log())
		d.Keys(keys...)
		notices := root(d).notices.log.Log()[before:]
		if len(d.Model.Dialogs()) > 0 || len(notices) != 1 {
			t.Errorf("%s: %d notices: %v\n%s", name, len(notices), notices, d.Screen())
		}
	}
}

// A terminal can report its size after the database is open, and after the first keys.
func TestAFrameDoesNotDependOnWhenTheSizeIsKnown(t *testing.T) {
	empty := func(t *testing.T) *chain.Chain { return chaintest.Must(chaintest.InMemory())(t) }
	for _, size := range append(uitest.AllSizes, [2]int{98, 30}) {
		for _, c := range []struct {
			name string
			open func(*testing.T) *chain.Chain
			keys []string
		}{
			{"the welcome", empty, nil},
			{"a form over the welcome", empty, []string{"c"}},
			{"no dialog", uitest.Fixture, nil},
			{"a form", uitest.Fixture, []string{"t"}},
			{"a form after a notice", uitest.Fixture, []string{".", "e", "t"}},
			{"the palette", uitest.Fixture, []string{":"}},
			{"why", uitest.Fixture, []string{"w"}},
			{"help", uitest.Fixture, []string{"?"}},
			{"the timeline", uitest.Fixture, []string{"L"}},
			{"a batch", uitest.Fixture, []string{"space", "j", "space", "b"}},
		} {
			play := func(isSizeKnown bool) string {
				o := app.Options{MemoryOnly: true, FirstActor: "alice", Open: func() (app.Engine, error) { return c.open(t), nil }}
				uitest.WithFixedLook(t, &o)
				typist := &typist{model: New(o), choose: func(int) int { return 0 }}
				typist.updated = func(tea.Msg) func() { return func() { typist.model.View() } }
				sendSize := func() {
					typist.send(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
					typist.runAll()
				}
				if isSizeKnown {
					sendSize()
				}
				typist.start(typist.model.Init(), func() {})
				typist.runAll()
				for _, key := range c.keys {
					if view := typist.model.View(); !isSizeKnown && view != "" {
						t.Errorf("%s: before the size is known, %d lines are drawn", c.name, 1+strings.Count(view, "\n"))
					}
					typist.send(uitest.Key(key))
					typist.runAll()
				}
				if !isSizeKnown {
					sendSize()
				}
				return ansi.Strip(typist.model.View())
			}
			if early, late := play(true), play(false); early != late {
				t.Errorf("%s at %v: with a size that is known late the frame is\n%s\nand otherwise\n%s", c.name, size, late, early)
			}
		}
	}
}
