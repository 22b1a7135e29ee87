package inspect

import (
	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/chain/expiry"
	"ephemera/core/cw721"
	"ephemera/core/explain"
	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/form"
	"ephemera/ui/widget"
)

// probe sends one message right before a grant expires, when it does and right after it, on
// throw-away copies of the chain.
type probe struct {
	*form.Browser[probing]
	try int // of the messages that the grant under the cursor can be tried with
}

// probing is a grant that is probed, and what came of the message.
type probing struct {
	probed
	try  int
	rows []explain.ProbeRow // none where there is nothing to probe
}

// OpenProbe opens the boundary probe, at the grant that s is about.
func OpenProbe(st *app.State, s app.Subject) tea.Cmd {
	p := &probe{Browser: form.NewStack[probing]("Boundary probe",
		widget.Column{Title: "  GRANT", Width: 16, Flex: 1}, widget.Column{Title: "EXPIRES", Width: 16, Flex: 1})}
	p.Opens, p.Table.Empty = "B", "nobody was given a grant here that could expire"
	look := st.RowView()
	p.Rows = func(v *chain.View, f app.Facts, req widget.Request) (widget.Page, error) {
		look.Facts = f
		grants, err := probedGrants(v, s)
		rows := make([]widget.Row, len(grants))
		for i, g := range grants {
			sign, role := app.Liveness(g.grant.Expires, v.Clock.Block())
			rows[i] = widget.Row{Key: laneKey(g.grant), About: g, Cells: []widget.Line{
				widget.In(role, sign+" ").And(themes.Text, f.GrantLabel(expiry.Entry{Grant: g.grant})), widget.In(role, look.When(g.grant.Expires, v.Clock)),
			}}
		}
		return widget.All(req, rows), err
	}
	p.choose(0)
	p.DetailHead, p.Lines, p.Keys = p.tries, p.found, p.keys
	return p.Open(st)
}

// choose has the grants tried with another of their messages.
func (p *probe) choose(try int) {
	p.try = try
	p.Read = func(v *chain.View, _ app.Facts, row widget.Row) (probing, error) {
		out := probing{probed: row.About.(probed)}
		if len(out.tries) == 0 {
			return out, nil
		}
		out.try = min(try, len(out.tries)-1)
		if out.grant.Expires.Axis == cw721.Never {
			return out, nil
		}
		var err error
		out.rows, _, err = explain.Probe(v, out.grant.Spender, out.tries[out.try].msg, &out.grant.Expires)
		return out, err
	}
	p.ReloadDetail()
}

func (p *probe) keys(st *app.State, row widget.Row, some bool) []app.Command {
	if !some {
		return nil
	}
	r := row.About.(probed)
	other := func(by int) tea.Cmd {
		if n := len(r.tries); n > 0 {
			p.choose((min(p.try, n-1) + n + by) % n)
			p.Scroll.Set(nil) // from the top again
		}
		return nil
	}
	return append([]app.Command{app.Key("enter", "clock to before it", func() tea.Cmd { return toBefore(st, r.grant) }, "enter")},
		app.Pair("h l ← →", "message", other, -1, "h left", "l right")...)
}

// toBefore moves the clock to just before the expiry of a grant.
func toBefore(st *app.State, g cw721.Grant) tea.Cmd {
	before := g.Expires
	if now, end, ends := before.Compare(st.Block()); !ends || end <= now+1 {
		return app.Notify(app.LevelInfo, "that expiry is not ahead of the clock; u goes back")
	}
	before.Value--
	return app.Advance(st, stepToward(before, st.Clock), 0)
}
