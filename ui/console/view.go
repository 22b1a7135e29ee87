package console

import (
	"fmt"
	"slices"
	"strings"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/explain"
	"ephemera/core/wire"
	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/widget"
)

// complete looks for what the string under the caret may become.
func (c *Screen) complete(st *app.State) {
	c.offers, c.prefix = nil, nil
	if !c.typing {
		return
	}
	c.at = placeAt(c.edit.value(), c.edit.caret())
	if n := len(c.at.path); !c.at.key && c.at.inString && n > 0 && slices.Contains(idMembers, c.at.path[n-1]) {
		c.prefix = &c.at.word
		return
	}
	c.offers = offersAt(st, c.at)
}

// accept takes the first offer; without one it indents.
func (c *Screen) accept(st *app.State) {
	switch {
	case len(c.offers) > 0:
		text := string(wire.AppendString(nil, c.offers[0]))
		c.edit.replace(len(c.at.word), text[1:len(text)-1])
	case c.at.inString:
		return
	default:
		c.edit.replace(0, "  ")
	}
	c.changed(st)
}

// aboveEditor is how many lines stand above the editor: what is typed, and what it
// may become.
const aboveEditor = 2

// split shares the box: the editor, and below or beside it what comes of it.
func (c *Screen) split() (editor, below widget.Box) {
	if c.box.W >= 100 {
		left, rest := c.box.SplitLeft(c.box.W * 50 / 100)
		_, left = left.SplitTop(aboveEditor)
		return left, widget.Box{W: max(rest.W-2, 0), H: rest.H}
	}
	h := max(c.box.H-3, 0)
	return widget.Box{W: c.box.W, H: (h + 1) / 2}, widget.Box{W: c.box.W, H: h / 2}
}

func (c *Screen) View(st *app.State) string {
	th := st.Theme
	ed, below := c.split()
	c.scroll.Resize(below)
	text := c.body(st, widget.Box{W: max(ed.W-1, 0), H: ed.H})
	lines := strings.Split(text, "\n")
	for i := range lines {
		lines[i] = " " + lines[i]
	}
	left := widget.JoinV(c.head(st, ed.W), c.offered(st, ed.W), strings.Join(lines, "\n"))
	if c.box.W >= 100 {
		left = widget.Fill(left, widget.Box{W: ed.W, H: c.box.H})
		side := widget.Fill(app.RuleDown(st, c.box.H, !c.typing), widget.Box{W: 2, H: c.box.H})
		return widget.Fill(widget.JoinH(left, side, c.scroll.View(th)), c.box)
	}
	return widget.Fill(widget.JoinV(left, app.RuleAcross(st, c.box.W, !c.typing), c.scroll.View(th)), c.box)
}

// head says what is typed and by whom it would be sent.
func (c *Screen) head(st *app.State, w int) string {
	th := st.Theme
	what := widget.In(themes.Header, " Message")
	switch c.kind {
	case executeMessage:
		what = what.And(themes.Muted, "  execute, as ").And(themes.Strong, st.DisplayName(st.Actor))
	case queryMessage, instantiateMessage:
		what = what.And(themes.Muted, "  "+c.kind.String())
	}
	var right widget.Line
	if c.typing {
		right = widget.In(themes.Key, "ctrl+s").And(themes.Muted, " sends  ").And(themes.Key, "esc").And(themes.Muted, " leaves ")
	}
	return widget.Ends(what.Render(th), right.Render(th), w)
}

// offered is the line of what the word under the caret may become.
func (c *Screen) offered(st *app.State, w int) string {
	if len(c.offers) == 0 {
		return widget.Fit("", w)
	}
	l := widget.In(themes.Key, " tab ").And(themes.Match, c.offers[0])
	for _, o := range c.offers[1:] {
		l = l.And(themes.Faint, "  "+o)
	}
	return l.Fit(st.Theme, w)
}

func (c *Screen) body(st *app.State, b widget.Box) string {
	if c.empty() {
		c.begins.Resize(b)
		return c.begins.View(st.Theme)
	}
	n := c.problem
	if n == nil && c.outcome != nil {
		n = c.outcome.problem
	}
	return c.edit.view(st.Theme, b, c.typing, n)
}

// lines is what comes of the text.
func (c *Screen) lines(st *app.State) (lines []widget.Line) {
	o := c.outcome
	add := func(l ...widget.Line) { lines = append(lines, l...) }
	switch {
	case o == nil:
		return nil
	case o.fault != "":
		return []widget.Line{widget.In(themes.Bad, themes.GlyphNo+" "+o.fault)}
	case o.refusal != nil:
		how := "would be refused"
		if c.sent != nil || o.kind == queryMessage {
			how = "refused"
		}
		add(app.Verdict(false).And(themes.Bad, how).And(themes.Muted, " ("+string(o.refusal.Kind)+")"))
		add(widget.Plain("  " + o.refusal.Text))
		return append(append(lines, o.aside()...), c.otherwise(st)...)
	case o.problem != nil:
		return []widget.Line{app.Verdict(false).And(themes.Text, o.problem.text)}
	case o.kind == queryMessage:
		lines = c.otherwise(st)
		add(app.Verdict(true).And(themes.Muted, fmt.Sprintf("answered at height %s", chain.Thousands(uint64(st.Clock.Height)))))
		add(append(o.aside(), widget.Plain(""))...)
		return append(lines, named(st, o.answer)...)
	}
	r := o.receipt
	switch {
	case c.sent != nil:
		add(app.Verdict(true).And(themes.Good, "carried out").And(themes.Muted, fmt.Sprintf(", step #%d of the history", r.Node)))
	case o.kind == instantiateMessage:
		add(app.Verdict(true).And(themes.Text, "would create this collection").And(themes.Muted, " (there is one already: only a preview)"))
	default:
		add(app.Verdict(true).And(themes.Text, "will work").And(themes.Muted, "; ctrl+s sends it"))
	}
	for _, s := range explain.Describe(r.Changes, st.Words().Call) {
		add(widget.In(themes.Muted, "  "+themes.GlyphDot+" ").And(themes.Text, s))
	}
	if len(r.Changes) == 0 {
		add(widget.In(themes.Muted, "  "+themes.GlyphDot+" nothing changes"))
	}
	add(o.aside()...)
	add(c.otherwise(st)...)
	add(widget.Plain(""), widget.In(themes.Header, "Answer"))
	return append(lines, app.Indented(named(st, wire.Encode(r.Response)))...)
}

// named lays an answer out, with the name of each account beside its address.
func named(st *app.State, answer []byte) []widget.Line {
	lines := widget.JSONLines(string(answer))
	for i, l := range lines {
		for _, span := range l {
			if name, ok := st.Names[cw721.Address(strings.Trim(span.Text, `"`))]; ok {
				lines[i] = lines[i].And(themes.Faint, "  "+name)
			}
		}
	}
	return lines
}

// otherwise shows what the built-in contract does otherwise.
func (c *Screen) otherwise(st *app.State) []widget.Line {
	if c.outcome.other == nil {
		return nil
	}
	_, below := c.split()
	head := []widget.Line{widget.Plain(""), widget.In(themes.Warn, themes.GlyphWarn+" the built-in contract does otherwise")}
	return append(append(head, st.DifferenceLines(*c.outcome.other, below.W)...), widget.Plain(""))
}

// aside names the members of a message that the contract passes over, and tells
// what it logged.
func (o *outcome) aside() (lines []widget.Line) {
	for _, m := range o.receipt.Ignored {
		lines = append(lines, widget.In(themes.Warn, themes.GlyphWarn+" "+m.String()))
	}
	for _, line := range o.receipt.Debug {
		lines = append(lines, widget.In(themes.Muted, "  debug ").And(themes.Text, line))
	}
	return lines
}
