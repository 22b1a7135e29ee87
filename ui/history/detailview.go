package history

import (
	"fmt"
	"strings"

	"ephemera/core/chain"
	"ephemera/core/chain/history"
	"ephemera/core/cw721"
	"ephemera/core/wire"
	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/widget"
)

// text is the detail of a node, which leads to who sent it, and to the token.
func (f *pastFacts) text(st *app.State) (t widget.Text) {
	if f == nil {
		return t
	}
	n := f.node
	title := widget.In(themes.Title, fmt.Sprintf("#%d ", n.ID)).And(themes.Strong, st.Words().Node(n))
	for _, name := range f.names {
		title = title.And(themes.Accent, " ["+name+"]")
	}
	t.Add(title)
	by := ""
	if n.Sender != "" {
		by = "by " + st.DisplayName(n.Sender) + " "
	}
	t.Lead(widget.In(themes.Muted, fmt.Sprintf("%sat height %s · %s UTC", by, chain.Thousands(uint64(n.Height)), app.SecondsOf(n.Time))), st.LinkToAccount(n.Sender))
	t.Add(f.where()...)
	clock := n.Kind == history.KindClock
	switch {
	case n.Refusal != nil:
		t.Add(app.Verdict(false).And(themes.Text, "refused").And(themes.Muted, " ("+string(n.Refusal.Kind)+"): ").And(themes.Text, n.Refusal.Text))
	case !clock:
		t.Add(app.Verdict(true).And(themes.Text, "carried out"))
	}
	if len(n.Difference) > 0 {
		t.Add(widget.In(themes.Warn, themes.GlyphWarn+" ").And(themes.Text, "the built-in contract does otherwise: ").And(themes.Key, "C").And(themes.Muted, " shows both"))
	}
	if !clock {
		head(&t, "What it changed")
		t.Add(points(f.words)...)
	}
	for line := range strings.Lines(n.Debug) {
		t.Add(widget.In(themes.Muted, "  debug ").And(themes.Text, strings.TrimSuffix(line, "\n")))
	}
	f.stood(st, &t)
	if clock {
		return t
	}
	attributes(st, &t, n)
	for _, part := range [][2]string{{"Message", n.Message}, {"Answer", string(n.Answer)}} {
		if part[1] != "" {
			head(&t, part[0])
			t.Add(app.Indented(widget.JSONLines(part[1]))...)
		}
	}
	if len(f.bytes) > 0 {
		head(&t, "In bytes")
		t.Add(f.bytes...)
	}
	return t
}

// head begins a part of the detail.
func head(t *widget.Text, title string) { t.Add(nil, widget.In(themes.Header, title)) }

// points lists sentences, or says that there is nothing.
func points(texts []string) (lines []widget.Line) {
	for _, text := range texts {
		lines = append(lines, widget.In(themes.Muted, "  "+themes.GlyphDot+" ").And(themes.Text, text))
	}
	if len(texts) == 0 {
		lines = append(lines, widget.In(themes.Faint, "  nothing"))
	}
	return lines
}

// attributes lists what the contract answered, addresses by their names.
func attributes(st *app.State, t *widget.Text, n history.Node) {
	var answer cw721.Response
	if wire.Decode(n.Answer, &answer) != nil || len(answer.Attributes) == 0 {
		return
	}
	head(t, "Attributes")
	for _, a := range answer.Attributes {
		text := a.Value
		if name, ok := st.Names[cw721.Address(text)]; ok {
			text = name
		}
		t.Add(widget.In(themes.Muted, "  "+widget.Fit(widget.Safe(a.Key), 12)+" ").And(themes.Text, text))
	}
}

// thereShown bounds what is said of the difference to another moment.
const thereShown = 5

// where tells where the node is in the tree and what going there would do.
func (f *pastFacts) where() []widget.Line {
	steps := func(n int) string { return app.Plural(n, "step") }
	sign, _ := f.standing.style()
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
	if len(f.there) > 0 {
		lines = append(lines, points(f.there[:min(len(f.there), thereShown)])...)
	}
	if more := len(f.there) - thereShown; more > 0 {
		lines = append(lines, widget.In(themes.Faint, fmt.Sprintf("  %s %d more", themes.GlyphEllipsis, more)))
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
func (f *pastFacts) stood(st *app.State, t *widget.Text) {
	head(t, "How things stood after it")
	if f.unknown != "" {
		t.Add(widget.In(themes.Faint, "  "+f.unknown))
		return
	}
	c, block := f.collection, f.block
	height := " · height " + chain.Thousands(uint64(block.Height))
	if st.Unreadable != "" {
		t.Add(widget.Plain("  "+c.Name).And(themes.Muted, height))
		return
	}
	t.Add(widget.Plain("  "+c.Name+" · "+c.Symbol).And(themes.Muted, " · "+app.Plural(int(c.Tokens), "token")+height))
	token := f.then
	switch {
	case !f.onToken:
		return
	case token == nil:
		t.Add(widget.Plain("  "+f.token).And(themes.Muted, " did not exist"))
		return
	}
	t.Lead(widget.Plain("  "+token.ID).And(themes.Muted, " owned by ").And(themes.Strong, st.DisplayName(token.Owner)), app.ShowToken(f.token))
	for _, a := range token.Approvals {
		sign, role := app.Liveness(a.Expires, block)
		t.Add(widget.In(role, "    "+sign+" ").And(themes.Text, st.DisplayName(a.Spender)+" ").And(role, chain.ExpiresIn(a.Expires, block)))
	}
	if len(token.Approvals) == 0 {
		t.Add(widget.In(themes.Faint, "    no approvals"))
	}
}
