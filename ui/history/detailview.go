package history

import (
	"encoding/hex"
	"fmt"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/chain/history"
	"ephemera/core/cw721"
	"ephemera/core/wire"
	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/widget"
)

// lines is the detail of a node, and where its lines lead: to who sent it, and to
// the token.
func (p *pastDetail) lines(st *app.State) (lines []widget.Line, to map[int]tea.Cmd) {
	f, n := p.facts, p.facts.node
	to = map[int]tea.Cmd{1: st.Leads(n.Sender)}
	add := func(l ...widget.Line) { lines = append(lines, l...) }
	title := widget.In(themes.Title, fmt.Sprintf("#%d ", n.ID)).And(themes.Strong, st.Words().Node(n))
	for _, name := range f.names {
		title = title.And(themes.Accent, " ["+name+"]")
	}
	add(title)
	by := ""
	if n.Sender != "" {
		by = "by " + st.Call(n.Sender) + " "
	}
	add(widget.In(themes.Muted, fmt.Sprintf("%sat height %s · %s UTC", by, chain.Thousands(uint64(n.Height)), app.SecondsOf(n.Time))))
	add(p.where()...)
	add(answered(n)...)
	if len(n.Difference) > 0 {
		add(widget.In(themes.Warn, themes.GlyphWarn+" ").And(themes.Text, "the built-in contract does otherwise: ").And(themes.Key, "C").And(themes.Muted, " shows both"))
	}
	add(f.changed()...)
	for line := range strings.Lines(n.Debug) {
		add(widget.In(themes.Muted, "  debug ").And(themes.Text, strings.TrimSuffix(line, "\n")))
	}
	if f.then.token != nil && st.Unreadable == "" {
		to[len(lines)+3] = app.ShowToken(f.token)
	}
	add(f.stood(st)...)
	add(attributes(st, n)...)
	if n.Kind != history.KindClock && n.Message != "" {
		add(widget.Plain(""), widget.In(themes.Header, "Message"))
		add(app.Indented(widget.JSONLines(n.Message))...)
	}
	if len(n.Answer) > 0 && n.Kind != history.KindClock {
		add(widget.Plain(""), widget.In(themes.Header, "Answer"))
		add(app.Indented(widget.JSONLines(string(n.Answer)))...)
	}
	return append(lines, f.inBytes(st)...), to
}

// attributes lists what the contract answered, addresses by their names.
func attributes(st *app.State, n history.Node) []widget.Line {
	var answer cw721.Response
	if n.Kind == history.KindClock || wire.Decode(n.Answer, &answer) != nil || len(answer.Attributes) == 0 {
		return nil
	}
	lines := []widget.Line{widget.Plain(""), widget.In(themes.Header, "Attributes")}
	for _, a := range answer.Attributes {
		text := a.Value
		if name, ok := st.Names[cw721.Address(text)]; ok {
			text = name
		}
		lines = append(lines, widget.In(themes.Muted, "  "+widget.Fit(widget.Safe(a.Key), 12)+" ").And(themes.Text, text))
	}
	return lines
}

// thereShown bounds what is said of the difference to another moment.
const thereShown = 5

// where tells where the node is in the tree and what going there would do.
func (p *pastDetail) where() []widget.Line {
	f := p.facts
	steps := func(n int) string {
		if n == 1 {
			return "1 step"
		}
		return chain.Thousands(uint64(n)) + " steps"
	}
	sign, _ := f.standing.look()
	l := append(sign, widget.Span{Role: themes.Muted, Text: " " + f.standing.String()})
	if f.redo {
		l = l.And(themes.Muted, "; redo leads here")
	}
	if f.standing == atHead {
		return []widget.Line{l}
	}
	text := " goes there"
	switch {
	case f.more:
		text += ", over more than " + steps(f.up+f.down)
	case f.up > 0 && f.down > 0:
		text += fmt.Sprintf(": undoes %s, then does %s", steps(f.up), steps(f.down))
	case f.up > 0:
		text += ": undoes " + steps(f.up)
	case f.down > 0:
		text += fmt.Sprintf(": does %s again", steps(f.down))
	}
	lines := []widget.Line{l, widget.In(themes.Key, "enter").And(themes.Muted, text)}
	for i, change := range f.there {
		if i == thereShown {
			return append(lines, widget.In(themes.Faint, fmt.Sprintf("  %s %d more", themes.GlyphEllipsis, len(f.there)-i)))
		}
		lines = append(lines, widget.In(themes.Muted, "  "+themes.GlyphDot+" ").And(themes.Text, change))
	}
	return lines
}

// answered is the answer in a line, or the refusal.
func answered(n history.Node) []widget.Line {
	if n.Refusal == nil {
		if n.Kind == history.KindClock {
			return nil
		}
		return []widget.Line{app.Verdict(true).And(themes.Text, "carried out")}
	}
	return []widget.Line{app.Verdict(false).And(themes.Text, "refused").And(themes.Muted, " ("+string(n.Refusal.Kind)+"): ").And(themes.Text, n.Refusal.Text)}
}

// changed tells in words what the node changed.
func (f *pastFacts) changed() []widget.Line {
	if f.node.Kind == history.KindClock {
		return nil
	}
	lines := []widget.Line{widget.Plain(""), widget.In(themes.Header, "What it changed")}
	if len(f.changes) == 0 {
		return append(lines, widget.In(themes.Faint, "  nothing"))
	}
	for _, text := range f.words {
		lines = append(lines, widget.In(themes.Muted, "  "+themes.GlyphDot+" ").And(themes.Text, text))
	}
	return lines
}

// inBytes shows the changes as the store has them.
func (f *pastFacts) inBytes(st *app.State) []widget.Line {
	if f.node.Kind == history.KindClock || len(f.changes) == 0 {
		return nil
	}
	lines := []widget.Line{widget.Plain(""), widget.In(themes.Header, "In bytes")}
	for _, c := range f.changes {
		lines = append(lines,
			widget.In(themes.Accent, "  "+st.RecordKey(c.key)),
			widget.In(themes.Faint, "    "+strings.ToUpper(hex.EncodeToString(c.key))),
			widget.In(themes.Muted, "    - ").And(themes.Expired, value(c.old)),
			widget.In(themes.Muted, "    + ").And(themes.Text, value(c.new)))
	}
	return lines
}

func value(b []byte) string {
	if b == nil {
		return "nothing"
	}
	return string(b)
}

// stood tells how things stood after the node.
func (f *pastFacts) stood(st *app.State) []widget.Line {
	lines := []widget.Line{widget.Plain(""), widget.In(themes.Header, "How things stood after it")}
	if !f.then.known {
		return append(lines, widget.In(themes.Faint, "  "+f.then.why))
	}
	c, block := f.then.collection, f.then.block
	height := " · height " + chain.Thousands(uint64(block.Height))
	if st.Unreadable != "" {
		return append(lines, widget.In(themes.Muted, "  ").And(themes.Text, c.Name).And(themes.Muted, height))
	}
	lines = append(lines, widget.In(themes.Muted, "  ").And(themes.Text, c.Name+" · "+c.Symbol).
		And(themes.Muted, " · "+app.Plural(int(c.Tokens), "token")+height))
	if !f.onToken {
		return lines
	}
	token := f.then.token
	if token == nil {
		return append(lines, widget.In(themes.Muted, "  ").And(themes.Text, f.token).And(themes.Muted, " did not exist"))
	}
	lines = append(lines, widget.In(themes.Muted, "  ").And(themes.Text, token.ID).And(themes.Muted, " owned by ").And(themes.Strong, st.Call(token.Owner)))
	for _, a := range token.Approvals {
		sign, role := themes.GlyphLive, themes.Live
		if a.Expires.Expired(block) {
			sign, role = themes.GlyphExpired, themes.Expired
		}
		lines = append(lines, widget.In(role, "    "+sign+" ").And(themes.Text, st.Call(a.Spender)+" ").And(role, chain.ExpiresIn(a.Expires, block)))
	}
	if len(token.Approvals) == 0 {
		lines = append(lines, widget.In(themes.Faint, "    no approvals"))
	}
	return lines
}
