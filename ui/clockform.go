package ui

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/chain/expiry"
	"ephemera/core/cw721"
	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/form"
	"ephemera/ui/widget"
)

// openClockForm opens the form that sets the clock exactly, or moves it on by what
// is typed.
func openClockForm(st *app.State) tea.Cmd {
	f := form.NewAction("Clock", readClock,
		widget.Field{Name: "to", Label: "Move to", Placeholder: "+10 blocks", Hint: form.Examples(st.Clock)},
		widget.Field{Name: "pace", Label: "Seconds a block", Value: app.Decimal(st.Clock.SecondsPerBlock)},
	)
	f.Verb = "set the clock"
	return form.Open(st, f)
}

// readClock says where the clock would go.
func readClock(st *app.State, v map[string]string) form.Result {
	fail := func(field, text string) form.Result {
		return form.Result{Problems: []form.Problem{{Field: field, Text: text}}}
	}
	pace, err := strconv.ParseUint(strings.TrimSpace(v["pace"]), 10, 64)
	if err != nil || pace == 0 || pace > 86_400 {
		return fail("pace", "seconds a block: expected a whole number from 1 to 86,400")
	}
	text, step := strings.TrimSpace(v["to"]), chain.ClockStep{}
	said := "the clock stays at height " + chain.Thousands(uint64(st.Clock.Height))
	if text != "" {
		e, err := form.ReadMoment(text, st.Clock, chain.MomentParser{Field: "move to", Not: "moment", Help: form.Examples(st.Clock), Exact: true})
		if err != nil {
			return fail("to", err.Error())
		}
		step = stepTo(text, e.Expiration, st.Clock)
		to, err := st.Clock.After(step)
		if err != nil {
			return fail("to", err.Error())
		}
		said = fmt.Sprintf("to height %s, %s", chain.Thousands(uint64(to.Height)), chain.InUTC(to.Time))
		if e.Warning != "" {
			said += " " + themes.GlyphWarn + " " + e.Warning
		}
	}
	return form.Result{Said: []widget.Line{widget.In(themes.Muted, said)}, Then: func(st *app.State) tea.Cmd {
		var cmds []tea.Cmd
		if pace != st.Clock.SecondsPerBlock {
			cmds = append(cmds, st.Write(func(e app.Engine) tea.Msg {
				m, err := e.SetPace(pace)
				return app.MovedMsg{Move: m, Err: err, Play: 0}
			}))
		}
		if text != "" {
			cmds = append(cmds, app.Advance(st, step, 0))
		}
		return tea.Sequence(cmds...)
	}}
}

// stepTo makes a step of a typed moment: from now on where a plus was typed, and
// otherwise the axis set exactly and the other left alone.
func stepTo(text string, e cw721.Expiration, clock chain.Clock) chain.ClockStep {
	relative := strings.HasPrefix(text, "+")
	switch {
	case relative && e.Axis == cw721.AtHeight:
		return chain.ClockStep{Blocks: e.Value - uint64(clock.Height)}
	case relative && e.Axis == cw721.AtTime:
		return chain.ClockStep{Duration: time.Duration(e.Value - uint64(clock.Time))}
	case e.Axis == cw721.AtHeight:
		h := cw721.Height(e.Value)
		return chain.ClockStep{Height: &h}
	case e.Axis == cw721.AtTime:
		t := cw721.Time(e.Value)
		return chain.ClockStep{Time: &t}
	}
	return chain.ClockStep{}
}

// showEntry gives the command that shows what expires at a mark of the clock: the
// token of an approval, the grant of an operator, the role that is offered.
func showEntry(st *app.State, e expiry.Entry) tea.Cmd {
	about := app.Notify(app.LevelInfo, st.GrantLabel(e)+" "+st.When(e.Expires))
	return tea.Sequence(about, app.LinkToGrant(e.Grant))
}
