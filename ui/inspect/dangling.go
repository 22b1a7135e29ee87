package inspect

import (
	"fmt"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/explain"
	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/widget"
)

// dangling lists the grants that surprise people. Enter takes one away, with
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

// OpenDangling opens the list of grants that surprise people.
func OpenDangling(st *app.State, _ app.Subject) tea.Cmd {
	x := &dangling{}
	return app.OpenDialogThen(x, x.load(st))
}

func (x *dangling) load(st *app.State) tea.Cmd {
	x.seq++
	seq := x.seq
	return st.Ask(x, func(e app.Engine) tea.Msg {
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

func (x *dangling) Commands(*app.State) []app.Command {
	if len(x.found) == 0 {
		return app.Listed(app.GroupHere, app.Bind("esc", "close", "esc", "q"))
	}
	return app.Listed(app.GroupHere,
		app.Bind("enter D", "take it away", "enter", "D"), app.Bind("esc", "close", "esc", "q"), app.Bind("w", "why", "w"), app.Bind("B", "probe", "B"),
		app.Bind("j k ↓ ↑", "move", "j", "k", "down", "up"), app.Bind("g G", "first and last", "g", "G"))
}

func (x *dangling) Update(st *app.State, msg tea.Msg) (tea.Cmd, bool) {
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
	case app.ExecutedMsg, app.MovedMsg, app.WalkedMsg, app.ChangedMsg:
		return x.load(st), false
	case tea.KeyMsg:
		return x.key(st, msg.String())
	case tea.MouseMsg:
		if i := x.top + msg.Y - 1; app.Clicked(msg) && msg.Y > 0 && msg.Y <= x.shown && i < len(x.found) {
			x.cursor = i
		}
		x.cursor = max(0, min(x.cursor+app.Wheeled(msg), len(x.found)-1))
	}
	return nil, false
}

func (x *dangling) key(st *app.State, key string) (tea.Cmd, bool) {
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
	case "enter", "D":
		if f.Cure == nil {
			return app.Say(app.LevelInfo, "no message takes this away"), false
		}
		return changeForm(st, explain.Counterfactual{Text: "take away " + dangerWords(f), By: f.By, Message: f.Cure}), false
	case "w":
		return OpenWhy(st, subjectOf(f)), false
	case "B":
		return OpenProbe(st, subjectOf(f)), false
	}
	return nil, false
}

func subjectOf(f explain.Finding) app.Subject {
	return app.Subject{Token: f.Token, Account: f.Grant.Spender}
}

func dangerWords(f explain.Finding) string {
	if f.Grant.Kind == cw721.GrantApproval {
		return "an approval of " + app.Brief(f.Grant.Token)
	}
	return "the grant of an operator"
}

// Whole tells that the view takes the whole terminal.
func (x *dangling) Whole() {}

func (x *dangling) View(st *app.State) string {
	inner := widget.FrameInner(x.box)
	below := x.detail(st, inner.W)
	below = below[:min(len(below), max(inner.H-2, 0))]
	list := widget.Box{W: inner.W, H: max(1, inner.H-len(below))}
	lines := append([]string{widget.Fill(strings.Join(x.list(st, list.H, list.W), "\n"), list)}, below...)
	return widget.FrameHiding(st.Theme, "Dangling grants", strings.Join(lines, "\n"), true, x.box, widget.Hidden{Above: x.top, Below: len(x.found) - x.top - x.shown})
}

func (x *dangling) list(st *app.State, h, w int) []string {
	th := st.Theme
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

// detail is the sentence in full, and who can take the grant away.
func (x *dangling) detail(st *app.State, w int) []string {
	lines := []string{app.RuleAcross(st, w, false)}
	add := func(l widget.Line) {
		for _, part := range widget.WrapLine(l, max(w-2, 2)) {
			lines = append(lines, " "+part.Fit(st.Theme, max(w-1, 0)))
		}
	}
	if x.cursor < len(x.found) {
		f := x.found[x.cursor]
		add(widget.Plain(f.Text))
		if f.Node != 0 {
			add(widget.In(themes.Muted, fmt.Sprintf("brought about by #%d of the history", f.Node)))
		}
		if f.Cure != nil {
			add(widget.In(themes.Muted, "enter takes it away, as "+st.Call(f.By)))
		}
	}
	return lines
}
