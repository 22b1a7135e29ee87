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

// clockForm sets the clock exactly, or moves it on by what is typed.
type clockForm struct {
	form  *widget.Form
	sheet *widget.Sheet
	box   widget.Box
	step  chain.Step
	pace  uint64
	text  string // where it would go
	bad   bool
}

func newClockForm(st *app.State) *clockForm {
	f := &clockForm{form: widget.NewForm(
		widget.Field{Name: "to", Label: "Move to", Placeholder: "+10 blocks",
			Hint: form.Examples(st.Clock)},
		widget.Field{Name: "pace", Label: "Seconds a block", Value: app.Decimal(st.Clock.SecondsPerBlock)},
	)}
	f.sheet = widget.NewSheet(f.form)
	f.review(st)
	return f
}

func (f *clockForm) Resize(b widget.Box) { f.box = b }

func (f *clockForm) Commands(*app.State) []app.Command {
	return form.SheetKeys(f.sheet, "set the clock", "cancel")
}

func (f *clockForm) Update(st *app.State, msg tea.Msg) (tea.Cmd, bool) {
	switch f.sheet.Update(msg) {
	case widget.FormChange:
		f.review(st)
	case widget.FormCancel:
		return nil, true
	case widget.FormSubmit:
		if f.bad {
			return nil, false
		}
		return f.submit(st), true
	}
	return nil, false
}

func (f *clockForm) submit(st *app.State) tea.Cmd {
	var cmds []tea.Cmd
	if f.pace != st.Clock.SecondsPerBlock {
		pace := f.pace
		cmds = append(cmds, st.Write(func(e app.Engine) tea.Msg {
			m, err := e.Pace(pace)
			return app.MovedMsg{Move: m, Err: err, Play: 0}
		}))
	}
	if strings.TrimSpace(f.form.Value("to")) != "" {
		cmds = append(cmds, app.Advance(st, f.step, 0))
	}
	return tea.Sequence(cmds...)
}

// review reads what was typed and says where the clock would go.
func (f *clockForm) review(st *app.State) {
	f.bad, f.text, f.step = false, "", chain.Step{}
	f.form.ClearErrors()
	fail := func(field, text string) {
		f.bad = true
		f.form.SetError(field, text)
	}
	pace, err := strconv.ParseUint(strings.TrimSpace(f.form.Value("pace")), 10, 64)
	if err != nil || pace == 0 || pace > 86_400 {
		fail("pace", "seconds a block: expected a whole number from 1 to 86,400")
		return
	}
	f.pace = pace
	text := strings.TrimSpace(f.form.Value("to"))
	if text == "" {
		f.text = "the clock stays at height " + chain.Thousands(uint64(st.Clock.Height))
		return
	}
	e, err := form.Wanted{Field: "move to", Not: "moment", Help: form.Examples(st.Clock), Exact: true}.Read(text, st.Clock)
	if err != nil {
		fail("to", err.Error())
		return
	}
	f.step = stepTo(text, e.Expiration, st.Clock)
	to, err := preview(st.Clock, f.step)
	if err != nil {
		fail("to", err.Error())
		return
	}
	f.text = fmt.Sprintf("to height %s, %s", chain.Thousands(uint64(to.Height)), chain.InUTC(to.Time))
	if e.Warning != "" {
		f.text += " " + themes.GlyphWarn + " " + e.Warning
	}
}

// stepTo makes a step of a typed end: from now on where a plus was typed, and
// otherwise the axis set exactly and the other left alone.
func stepTo(text string, e cw721.Expiration, clock chain.Clock) chain.Step {
	relative := strings.HasPrefix(text, "+")
	switch {
	case relative && e.Axis == cw721.AtHeight:
		return chain.Step{Blocks: e.Value - uint64(clock.Height)}
	case relative && e.Axis == cw721.AtTime:
		return chain.Step{Duration: time.Duration(e.Value - uint64(clock.Time))}
	case e.Axis == cw721.AtHeight:
		h := cw721.Height(e.Value)
		return chain.Step{Height: &h}
	case e.Axis == cw721.AtTime:
		t := cw721.Time(e.Value)
		return chain.Step{Time: &t}
	}
	return chain.Step{}
}

func preview(clock chain.Clock, s chain.Step) (chain.Clock, error) {
	if s.Height != nil || s.Time != nil {
		return clock.Set(s.Height, s.Time)
	}
	return clock.Forward(s.Blocks, s.Duration)
}

func (f *clockForm) View(st *app.State) string {
	var said []widget.Line
	if f.text != "" {
		said = append(said, widget.In(themes.Muted, f.text))
	}
	return f.sheet.View(st.Theme, "Clock", widget.Box{W: min(f.box.W, 72), H: f.box.H}, said)
}

// showEntry gives the command that shows what ends at a mark of the clock: the
// token of an approval, the grant of an operator, the role that is offered.
func showEntry(st *app.State, e expiry.Entry) tea.Cmd {
	about := app.Say(app.LevelInfo, st.Gain(e)+" "+st.When(e.Expires))
	switch e.Kind {
	case cw721.GrantApproval:
		return tea.Sequence(about, app.ShowToken(e.Token))
	case cw721.GrantOperator:
		return tea.Sequence(about,
			func() tea.Msg { return app.ShowScreenMsg(app.KindOperators) },
			func() tea.Msg { return app.ShowGrantMsg{Grant: e.Grant} })
	}
	return tea.Sequence(about, func() tea.Msg { return app.ShowScreenMsg(app.KindCollection) })
}
