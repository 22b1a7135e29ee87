package history

import (
	"fmt"
	"strconv"

	"ephemera/core/chain"
	"ephemera/core/chain/history"
	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/widget"
)

// pastReader is what reading the history needs, captured for a command.
type pastReader struct {
	words  app.Words
	filter pastFilter
	line   headLine
}

func (l *pastReader) load(v *chain.View, state history.State, req widget.Request) (page widget.Page, err error) {
	names, err := namesIn(v)
	if err != nil {
		return page, err
	}
	memo := map[history.ID]bool{}
	page, err = widget.Load(req, func(part widget.Scan, yield func(string, *widget.Row) bool) error {
		return l.scan(v, state, part, func(n history.Node) (bool, error) {
			row, err := l.row(v, n, names, memo)
			return err == nil && yield(fmt.Sprint(n.ID), row), err
		})
	})
	if l.filter.empty() {
		page.Total = int(state.Kept())
		if state.Dense() && len(page.Rows) > 0 {
			if first, err := strconv.Atoi(page.Rows[0].Key); err == nil {
				page.Index = int(state.Last) - first
			}
		}
	}
	return page, err
}

// scan walks nodes from a place of the list, whose order is youngest first.
func (l *pastReader) scan(v *chain.View, state history.State, s widget.Scan, do func(history.Node) (more bool, err error)) error {
	var from history.ID
	if s.From != nil {
		from = nodeOf(*s.From)
	}
	if s.Back {
		return younger(v, state, from+1, do)
	}
	if s.From != nil && !s.Inclusive {
		if from--; from == 0 {
			return nil
		}
	}
	for n, err := range v.History(from) {
		if err != nil {
			return err
		}
		if more, err := do(n); err != nil || !more {
			return err
		}
	}
	return nil
}

// younger walks up the numbers from one, over those that were forgotten.
func younger(v *chain.View, state history.State, first history.ID, do func(history.Node) (bool, error)) error {
	for id := max(first, state.Floor); id <= state.Last; id++ {
		n, err := v.Node(id)
		if forgotten(err) {
			continue
		}
		if err != nil {
			return err
		}
		if more, err := do(n); err != nil || !more {
			return err
		}
	}
	return nil
}

// row draws a node; nil if the filter leaves it out.
func (l *pastReader) row(v *chain.View, n history.Node, names map[history.ID][]string, memo map[history.ID]bool) (_ *widget.Row, err error) {
	sender := ""
	if n.Sender != "" {
		sender = l.words.Call(n.Sender)
	}
	text, named := l.words.Node(n), ""
	for _, name := range names[n.ID] {
		named += " [" + name + "]"
	}
	if !l.filter.keeps(n, sender, text+named) {
		return nil, nil
	}
	if l.line, err = l.line.more(v, n.Parent); err != nil {
		return nil, err
	}
	where, err := l.line.where(v, n, memo)
	if err != nil {
		return nil, err
	}
	mark, role := where.style()
	if where != atHead && where != onLine {
		mark = l.branch(n)
	}
	sign, as := app.SignOf(n.Refusal == nil)
	outcome := widget.In(as, sign)
	if len(n.Difference) > 0 {
		outcome = widget.In(themes.Warn, themes.GlyphWarn)
	}
	if n.Kind == history.KindClock {
		outcome = widget.In(themes.Faint, themes.GlyphDot)
	}
	return &widget.Row{Key: fmt.Sprint(n.ID), Cells: []widget.Line{
		mark, widget.In(themes.Muted, fmt.Sprint(n.ID)), widget.In(role, chain.Thousands(uint64(n.Height))),
		widget.In(role, sender), widget.In(role, text).And(themes.Accent, named), outcome,
	}}, nil
}

// branch draws a node beside the way to the head: hanging on it, or on another
// node beside it.
func (l *pastReader) branch(n history.Node) widget.Line {
	if n.Parent == l.line.head || l.line.has(n.Parent) {
		return widget.In(themes.Border, themes.GlyphTeeRight+themes.GlyphLine)
	}
	trunk := " "
	if n.ID < l.line.head {
		trunk = themes.GlyphSide
	}
	return widget.In(themes.Border, trunk+themes.GlyphSide)
}

// style is how a node's place in the tree is drawn.
func (s standing) style() (mark widget.Line, text themes.Role) {
	switch s {
	case atHead:
		return widget.In(themes.Live, themes.GlyphLive), themes.Text
	case onLine:
		return widget.In(themes.Border, themes.GlyphSide), themes.Text
	case ahead:
		return widget.In(themes.Muted, themes.GlyphDot), themes.Muted
	}
	return widget.Plain(" "), themes.Faint
}

func (s standing) String() string {
	return [...]string{
		"the chain stands here", "on the way to where the chain stands",
		"undone", "on another branch", "",
	}[s]
}
