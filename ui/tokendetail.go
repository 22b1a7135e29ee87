package ui

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/themes"
	"ephemera/ui/widget"
)

// tokenDetail shows one token: its owner, its approvals, who may transfer it.
type tokenDetail struct {
	box   widget.Box
	id    string
	facts *tokenFacts // nil while nothing was read
	want  string
}

// tokenFacts is what was read of a token.
type tokenFacts struct {
	token  chain.Token
	movers []mover
}

// mover is an account with a right, or what is left of one, over the token.
type mover struct {
	who     cw721.Address
	allowed bool
	text    string
}

type tokenDetailMsg struct {
	id       string
	revision uint64
	facts    *tokenFacts
	err      error
}

func (t *tokenDetail) clear() { t.facts, t.want = nil, "" }

func (t *tokenDetail) shown() (chain.Token, bool) {
	if t.facts == nil {
		return chain.Token{}, false
	}
	return t.facts.token, true
}

func (t *tokenDetail) load(d *Desk, id string) tea.Cmd {
	t.want = id
	engine, actor := d.Engine, d.Actor
	return func() tea.Msg {
		msg := tokenDetailMsg{id: id}
		msg.err = engine.View(func(v *chain.View) error {
			msg.revision = v.Revision
			facts, err := readToken(v, id, actor)
			msg.facts = facts
			return err
		})
		return msg
	}
}

// moversShown bounds how many operators are asked about.
const moversShown = 50

// readToken reads a token and asks the contract, for everyone who has a say,
// whether they may transfer it.
func readToken(v *chain.View, id string, actor cw721.Address) (*tokenFacts, error) {
	token, ok, err := v.Token(id)
	if err != nil || !ok {
		return nil, err
	}
	f := &tokenFacts{token: token}
	asked := map[cw721.Address]bool{}
	transfer, _ := cw721.ActionNamed("transfer")
	ask := func(who cw721.Address) error {
		if asked[who] {
			return nil
		}
		asked[who] = true
		why, err := v.Why(who, transfer, id)
		if err != nil {
			return err
		}
		f.movers = append(f.movers, mover{who, why.Decision.Allowed, decisive(why)})
		return nil
	}
	if err := ask(token.Owner); err != nil {
		return nil, err
	}
	for _, a := range token.Approvals {
		if err := ask(a.Spender); err != nil {
			return nil, err
		}
	}
	n := 0
	for op, err := range v.OperatorsOf(token.Owner) {
		if err != nil {
			return nil, err
		}
		if n++; n > moversShown {
			break
		}
		if err := ask(op.Spender); err != nil {
			return nil, err
		}
	}
	return f, ask(actor)
}

// decisive is the rule that a verdict hangs on: the one that passed, or else
// the last that had something to compare.
func decisive(w chain.Why) string {
	text := w.Rules[0].Text
	for _, r := range w.Rules {
		if r.Check.Passed || r.Check.Expires != nil {
			text = r.Text
		}
		if r.Check.Passed {
			break
		}
	}
	return text
}

func (t *tokenDetail) take(msg tokenDetailMsg) {
	if msg.id != t.want || msg.err != nil {
		return
	}
	t.id, t.facts = msg.id, msg.facts
}

func (t *tokenDetail) view(d *Desk) string {
	th := d.Theme
	if t.facts == nil {
		return widget.Fill("", t.box)
	}
	var lines []string
	add := func(l widget.Line) { lines = append(lines, l.Fit(th, t.box.W)) }
	token := t.facts.token
	lines = append(lines, widget.Ends(
		widget.In(themes.Title, token.ID).Render(th),
		widget.In(themes.Muted, "owned by ").And(themes.Strong, d.Call(token.Owner)).And(themes.Text, " ").Render(th), t.box.W))
	if token.TokenURI != nil {
		add(widget.In(themes.Muted, "uri  ").And(themes.Text, *token.TokenURI))
	}
	add(widget.Plain(""))
	add(widget.In(themes.Header, "Approvals"))
	lines = append(lines, t.approvals(d)...)
	add(widget.Plain(""))
	add(widget.In(themes.Header, "Who may transfer it now?"))
	for _, m := range t.facts.movers {
		sign, role := themes.GlyphYes, themes.Good
		if !m.allowed {
			sign, role = themes.GlyphNo, themes.Bad
		}
		add(widget.In(role, sign+" ").And(themes.Strong, widget.Fit(widget.Safe(d.Call(m.who)), 10)+" ").And(themes.Muted, m.text))
	}
	lines = append(lines, metadata(d, token, t.box.W)...)
	return widget.Fill(strings.Join(lines, "\n"), t.box)
}

const barWidth = 12 // cells of a countdown

func (t *tokenDetail) approvals(d *Desk) []string {
	th := d.Theme
	var lines []string
	for _, a := range t.facts.token.Approvals {
		over := a.Expires.Expired(d.Block())
		if over && d.HideEnded {
			continue
		}
		sign, role := themes.GlyphLive, themes.Live
		if over {
			sign, role = themes.GlyphEnded, themes.Ended
		}
		left := widget.In(role, sign+" ").And(themes.Text, widget.Fit(widget.Safe(d.Call(a.Spender)), 10)+" ").And(role, d.When(a.Expires))
		right := ""
		if now, end, ends := a.Expires.Compare(d.Block()); ends && !over {
			right = widget.Bar(th, barWidth, end-now, barSpan(a.Expires.Axis, end-now)) + " "
		}
		lines = append(lines, widget.Ends(left.Render(th), right, t.box.W))
	}
	if len(lines) == 0 {
		lines = append(lines, widget.In(themes.Faint, "none").Fit(th, t.box.W))
	}
	return lines
}

// barSpan is what a full bar stands for: the next round span above what is
// left.
func barSpan(axis cw721.Axis, left uint64) uint64 {
	spans := []uint64{20, 100, 1_000, 10_000, 100_000}
	if axis == cw721.AtTime {
		const minute = 60_000_000_000
		spans = []uint64{10 * minute, 60 * minute, 24 * 60 * minute, 30 * 24 * 60 * minute, 365 * 24 * 60 * minute}
	}
	for _, s := range spans {
		if left <= s {
			return s
		}
	}
	return left
}

// metadata lists what the token's extension says.
func metadata(d *Desk, t chain.Token, w int) (lines []string) {
	m := t.Extension.Metadata
	if m == nil {
		return nil
	}
	add := func(l widget.Line) { lines = append(lines, l.Fit(d.Theme, w)) }
	add(widget.Plain(""))
	add(widget.In(themes.Header, "Metadata"))
	for _, f := range []struct {
		name  string
		value *string
	}{
		{"name", m.Name}, {"description", m.Description}, {"image", m.Image}, {"image data", m.ImageData},
		{"external url", m.ExternalURL}, {"background", m.BackgroundColor}, {"animation", m.AnimationURL}, {"youtube", m.YoutubeURL},
	} {
		if f.value != nil {
			add(widget.In(themes.Muted, widget.Fit(f.name, 13)).And(themes.Text, *f.value))
		}
	}
	if m.Attributes != nil {
		for _, a := range *m.Attributes {
			add(widget.In(themes.Muted, "  "+themes.GlyphDot+" "+a.TraitType+": ").And(themes.Text, a.Value))
		}
	}
	return lines
}

func verticalRule(d *Desk, h int) string {
	line := d.Theme.Render(themes.Border, themes.GlyphSide)
	return strings.TrimSuffix(strings.Repeat(line+"\n", h), "\n")
}

func horizontalRule(d *Desk, w int) string {
	return d.Theme.Render(themes.Border, strings.Repeat(themes.GlyphLine, w))
}
