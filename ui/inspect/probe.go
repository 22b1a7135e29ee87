package inspect

import (
	"fmt"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/explain"
	"ephemera/ui/app"
	"ephemera/ui/form"
	"ephemera/ui/widget"
)

// probe sends one message right before a grant expires, when it does and right after it, on
// throw-away copies of the chain.
type probe struct {
	subject app.Subject
	box     widget.Box
	grants  []probed
	read    bool
	cursor  int // in grants
	try     int // in the tries of the grant under the cursor
	seq     int
	rows    []explain.Probed
	fault   string
	text    *widget.Scroll // what was tried, and what came of it
}

// probeGrantsMsg brings what can be probed, probedMsg what came of it.
type (
	probeGrantsMsg struct {
		grants []probed
		err    error
	}
	probedMsg struct {
		seq  int
		rows []explain.Probed
		err  error
	}
)

// OpenProbe opens the boundary probe, at the grant that s is about.
func OpenProbe(st *app.State, s app.Subject) tea.Cmd {
	p := &probe{subject: s, text: widget.NewScroll()}
	return app.OpenDialogThen(p, p.load(st))
}

func (p *probe) load(st *app.State) tea.Cmd {
	subject := p.subject
	return st.Ask(p, func(e app.Engine) tea.Msg {
		var msg probeGrantsMsg
		msg.err = e.View(func(v *chain.View) (err error) {
			msg.grants, err = probedGrants(v, subject)
			return err
		})
		return msg
	})
}

func (p *probe) current() (probed, bool) {
	if p.cursor >= len(p.grants) {
		return probed{}, false
	}
	return p.grants[p.cursor], true
}

// run sends the message around the expiry.
func (p *probe) run(st *app.State) tea.Cmd {
	p.seq++
	p.rows, p.fault = nil, ""
	r, ok := p.current()
	if !ok {
		return nil
	}
	p.try = min(p.try, max(len(r.tries)-1, 0))
	if r.grant.Expires.Axis == cw721.Never {
		p.fault = "this grant never expires, so there is no boundary to probe"
		return nil
	}
	if len(r.tries) == 0 {
		p.fault = fmt.Sprintf("%s owns no token now that this grant could be tried on", st.Call(r.grant.Owner))
		return nil
	}
	seq, sender, msg, end := p.seq, r.grant.Spender, r.tries[p.try].msg, r.grant.Expires
	return st.Ask(p, func(e app.Engine) tea.Msg {
		var rows []explain.Probed
		err := e.View(func(v *chain.View) (err error) {
			rows, _, err = explain.Probe(v, sender, msg, &end)
			return err
		})
		return probedMsg{seq, rows, err}
	})
}

func (p *probe) Resize(b widget.Box) { p.box = b }

func (p *probe) Commands(*app.State) []app.Command {
	return append(app.Listed(app.GroupHere,
		app.Bind("enter", "clock to before it", "enter"), app.Bind("esc", "close", "esc", "q", "B"),
		app.Bind("j k ↓ ↑", "grant", "j", "k", "down", "up"), app.Bind("h l ← →", "message", "h", "l", "left", "right", "tab", "shift+tab")),
		form.ReadAsideOn(p.text)...)
}

func (p *probe) Update(st *app.State, msg tea.Msg) (tea.Cmd, bool) {
	switch msg := msg.(type) {
	case probeGrantsMsg:
		return p.take(st, msg), false
	case probedMsg:
		if msg.seq == p.seq {
			p.rows = msg.rows
			if msg.err != nil {
				p.fault = msg.err.Error()
			}
		}
	case app.ExecutedMsg, app.MovedMsg, app.WalkedMsg, app.ChangedMsg:
		return p.load(st), false
	case tea.MouseMsg:
		form.ReadAside(p.text, msg)
	case tea.KeyMsg:
		if !form.ReadAside(p.text, msg) {
			return p.key(st, msg)
		}
	}
	return nil, false
}

func (p *probe) take(st *app.State, msg probeGrantsMsg) tea.Cmd {
	p.grants, p.read = msg.grants, true
	p.cursor = min(p.cursor, max(len(p.grants)-1, 0))
	if msg.err != nil {
		p.fault = msg.err.Error()
		return nil
	}
	return p.run(st)
}

func (p *probe) key(st *app.State, msg tea.KeyMsg) (tea.Cmd, bool) {
	r, some := p.current()
	n := len(p.grants)
	move := func(grant, try int) (tea.Cmd, bool) {
		p.cursor, p.try = grant, try
		p.text.Set(nil) // from the top again
		return p.run(st), false
	}
	switch s := msg.String(); {
	case s == "esc" || s == "q" || s == "B":
		return nil, true
	case !some:
	case s == "j" || s == "down":
		return move((p.cursor+1)%n, p.try)
	case s == "k" || s == "up":
		return move((p.cursor+n-1)%n, p.try)
	case (s == "l" || s == "right" || s == "tab") && len(r.tries) > 0:
		return move(p.cursor, (p.try+1)%len(r.tries))
	case (s == "h" || s == "left" || s == "shift+tab") && len(r.tries) > 0:
		return move(p.cursor, (p.try+len(r.tries)-1)%len(r.tries))
	case s == "enter":
		return p.jump(st, r), false
	}
	return nil, false
}

// jump moves the clock to just before the expiry.
func (p *probe) jump(st *app.State, r probed) tea.Cmd {
	before := r.grant.Expires
	if now, end, ends := before.Compare(st.Block()); !ends || end <= now+1 {
		return app.Say(app.LevelInfo, "that expiry is not ahead of the clock; u goes back")
	}
	before.Value--
	return app.Advance(st, stepToward(before, st.Clock), 0)
}
