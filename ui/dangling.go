package ui

import (
	"fmt"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/explain"
	"ephemera/themes"
	"ephemera/ui/widget"
)

// dangling lists the rights that surprise people. Enter takes one away, with
// the message shown before it is sent.
type dangling struct {
	box    widget.Box
	found  []explain.Finding
	more   bool
	read   bool
	fault  string
	cursor int
	top    int // the first finding in view
	shown  int // how many are
	seq    int
}

type danglingMsg struct {
	seq   int
	found []explain.Finding
	more  bool
	err   error
}

// danglingShown bounds the list.
const danglingShown = 500

func openDangling(d *Desk, _ Subject) tea.Cmd {
	x := &dangling{}
	return dialogThen(x, x.load(d))
}

func (x *dangling) load(d *Desk) tea.Cmd {
	x.seq++
	seq := x.seq
	return d.ask(x, func(e Engine) tea.Msg {
		msg := danglingMsg{seq: seq}
		msg.err = e.View(func(v *chain.View) error {
			for f, err := range explain.Dangling(v) {
				if err != nil {
					return err
				}
				if msg.more = len(msg.found) == danglingShown; msg.more {
					break
				}
				msg.found = append(msg.found, f)
			}
			return nil
		})
		return msg
	})
}

func (x *dangling) Resize(b widget.Box) { x.box = b }

func (x *dangling) Commands(*Desk) []Command {
	if len(x.found) == 0 {
		return listed(groupHere, bind("esc", "close", "esc", "q"))
	}
	return listed(groupHere,
		bind("j ↓", "the one below", "j", "down"), bind("k ↑", "the one above", "k", "up"), bind("g G", "first and last", "g", "G"),
		bind("enter", "take it away", "enter"), bind("w", "why, about it", "w"), bind("B", "probe it", "B"), bind("esc", "close", "esc", "q"))
}

func (x *dangling) Update(d *Desk, msg tea.Msg) (tea.Cmd, bool) {
	switch msg := msg.(type) {
	case danglingMsg:
		if msg.seq != x.seq {
			return nil, false
		}
		x.found, x.more, x.read, x.fault = msg.found, msg.more, true, ""
		if msg.err != nil {
			x.fault = msg.err.Error()
		}
		x.cursor = min(x.cursor, max(len(x.found)-1, 0))
	case executedMsg, movedMsg, walkedMsg, changedMsg:
		return x.load(d), false
	case tea.KeyMsg:
		return x.key(d, msg.String())
	case tea.MouseMsg:
		if i := x.top + msg.Y - 1; clicked(msg) && msg.Y > 0 && msg.Y <= x.shown && i < len(x.found) {
			x.cursor = i
		}
		x.cursor = max(0, min(x.cursor+wheeled(msg), len(x.found)-1))
	}
	return nil, false
}

func (x *dangling) key(d *Desk, key string) (tea.Cmd, bool) {
	if key == "esc" || key == "q" {
		return nil, true
	}
	if len(x.found) == 0 {
		return nil, false
	}
	f := x.found[x.cursor]
	switch key {
	case "j", "down":
		x.cursor = min(x.cursor+1, len(x.found)-1)
	case "k", "up":
		x.cursor = max(x.cursor-1, 0)
	case "g", "home":
		x.cursor = 0
	case "G", "end":
		x.cursor = len(x.found) - 1
	case "enter":
		if f.Cure == nil {
			return say(levelInfo, "no message takes this away"), false
		}
		return flipForm(d, explain.Counterfactual{Text: "take away " + dangerWords(f), By: f.By, Message: f.Cure}), false
	case "w":
		return openWhy(d, subjectOf(f)), false
	case "B":
		return openProbe(d, subjectOf(f)), false
	}
	return nil, false
}

func subjectOf(f explain.Finding) Subject { return Subject{Token: f.Token, Account: f.Grant.Spender} }

func dangerWords(f explain.Finding) string {
	if f.Grant.Kind == cw721.GrantApproval {
		return "an approval of " + brief(f.Grant.Token)
	}
	return "the right of an operator"
}

const danglingWidth = 110

func (x *dangling) View(d *Desk) string {
	box := widget.Box{W: min(x.box.W, danglingWidth), H: x.box.H}
	inner := widget.FrameInner(box)
	below := x.detail(d, inner.W)
	if room := max(inner.H-2, 0); len(below) > room && room > 2 { // the keys stay
		below = append(below[:room-2:room-2], " "+d.Theme.Render(themes.Faint, widget.Fit(themes.GlyphEllipsis, max(inner.W-1, 0))), below[len(below)-1])
	}
	lines := append(x.list(d, max(1, inner.H-len(below)), inner.W), below...)
	box.H = min(box.H, len(lines)+box.H-inner.H)
	return widget.FrameHiding(d.Theme, "Dangling rights", strings.Join(lines, "\n"), true, box, widget.Hidden{Above: x.top, Below: len(x.found) - x.top - x.shown})
}

func (x *dangling) list(d *Desk, h, w int) []string {
	th := d.Theme
	switch {
	case x.fault != "":
		return []string{widget.In(themes.Bad, " "+themes.GlyphNo+" "+x.fault).Fit(th, w)}
	case !x.read:
		return []string{widget.In(themes.Muted, " looking through all grants and the history"+themes.GlyphEllipsis).Fit(th, w)}
	case len(x.found) == 0:
		return []string{widget.In(themes.Good, " "+themes.GlyphYes+" ").And(themes.Text, "nothing here would surprise anybody").Fit(th, w)}
	}
	count := fmt.Sprintf(" %d found", len(x.found))
	if x.more {
		count = fmt.Sprintf(" the first %d", len(x.found))
	}
	lines := []string{widget.In(themes.Muted, count).Fit(th, w)}
	h--
	x.top = max(0, min(x.cursor-h/2, len(x.found)-h))
	x.shown = max(0, min(h, len(x.found)-x.top))
	for i := x.top; i < x.top+x.shown; i++ {
		f := x.found[i]
		pointer, text := "  ", themes.Text
		if i == x.cursor {
			pointer, text = themes.GlyphPointer+" ", themes.Strong
		}
		lines = append(lines, widget.In(themes.Accent, pointer).And(themes.Warn, themes.GlyphWarn+" "+widget.Fit(string(f.Danger), 17)).And(text, f.Text).Fit(th, w))
	}
	return lines
}

// detail is the sentence in full, and what can be done.
func (x *dangling) detail(d *Desk, w int) []string {
	lines := []string{ruleAcross(d, w, false)}
	add := func(l widget.Line) {
		for _, part := range widget.WrapLine(l, max(w-2, 2)) {
			lines = append(lines, " "+part.Fit(d.Theme, max(w-1, 0)))
		}
	}
	hint := widget.Line{}
	if x.cursor < len(x.found) {
		f := x.found[x.cursor]
		add(widget.Plain(f.Text))
		if f.Node != 0 {
			add(widget.In(themes.Muted, fmt.Sprintf("brought about by #%d of the history", f.Node)))
		}
		if f.Cure != nil {
			hint = hint.And(themes.Key, "enter").And(themes.Muted, " takes it away as "+d.Call(f.By)+"  ")
		}
		hint = hint.And(themes.Key, "w").And(themes.Muted, " why  ").And(themes.Key, "B").And(themes.Muted, " probe  ")
	}
	add(hint.And(themes.Key, "esc").And(themes.Muted, " closes"))
	return lines
}
