package inspect

import (
	"cmp"
	"fmt"
	"regexp"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/form"
	"ephemera/ui/widget"
)

// momentChooser asks for a moment of the matrix: one of a list, or whatever is
// typed. A text that is no moment keeps it open and says why.
type momentChooser struct {
	*form.Chooser
	matrix *matrix
	items  []widget.Item
	fault  string
}

// stepsOffered bounds the steps of the history in the list.
const stepsOffered = 200

func openMoments(st *app.State, m *matrix) tea.Cmd {
	c, w := &momentChooser{matrix: m}, st.Words()
	return app.ReadThen(st, func(v *chain.View) (err error) {
		c.items, err = momentItems(v, w)
		return err
	}, func() tea.Cmd {
		title, index := "Moment", m.active
		if m.compare {
			title += " " + string(rune('A'+index))
		}
		c.Chooser = form.NewChooser(title, "type a height, a time, +10, +90m, or search", c.items, func(st *app.State, id string) tea.Cmd {
			return st.Ask(c, func(e app.Engine) tea.Msg {
				p, err := findMoment(e, id)
				return momentMsg{index, p, err}
			})
		})
		c.Foot = c.foot
		return app.OpenDialog(c)
	})
}

// momentItems lists now, the next expiry, and the latest steps of the history.
func momentItems(v *chain.View, w app.Words) ([]widget.Item, error) {
	items := []widget.Item{{ID: "now", Title: "now", Detail: "height " + chain.Thousands(uint64(v.Clock.Height))}}
	next, noExpiry := v.NextExpiry()
	snapshots, noSnapshots := v.Snapshots()
	if err := cmp.Or(noExpiry, noSnapshots); err != nil {
		return nil, err
	}
	if next != nil {
		items = append(items,
			widget.Item{ID: "next", Title: "the next expiry", Detail: chain.Expiry(next.Expires)},
			widget.Item{ID: "before-next", Title: "just before the next expiry"})
	}
	for _, s := range snapshots {
		items = append(items, widget.Item{ID: fmt.Sprintf("#%d", s.ID), Title: s.Name, Detail: fmt.Sprintf("after #%d", s.ID)})
	}
	for n, err := range v.History(0) {
		if err != nil {
			return nil, err
		}
		if len(items) > stepsOffered {
			break
		}
		id := fmt.Sprintf("#%d", n.ID)
		items = append(items, widget.Item{ID: id, Title: "after " + id + " " + w.Node(n), Detail: "height " + chain.Thousands(uint64(n.Height))})
	}
	return items, nil
}

func (c *momentChooser) Update(st *app.State, msg tea.Msg) (tea.Cmd, bool) {
	if found, ok := msg.(momentMsg); ok {
		if found.err != nil {
			c.fault = found.err.Error()
			return nil, false
		}
		return st.Ask(c.matrix, func(app.Engine) tea.Msg { return found }), true
	}
	was := c.List.Query()
	cmd, done := c.Chooser.Update(st, msg)
	if text := c.List.Query(); text != was {
		c.fault = ""
		c.offer(strings.TrimSpace(text))
	}
	return cmd, done && cmd == nil // what was chosen may be no moment
}

// offer puts what was typed before the list where it looks like a moment; else
// the text only searches.
func (c *momentChooser) offer(text string) {
	if !typedMoment.MatchString(text) {
		c.List.Set(c.items)
		return
	}
	typed := widget.Item{ID: text, Title: text, Detail: "as typed"}
	c.List.Set(append([]widget.Item{typed}, c.items...))
	c.List.Select(text)
}

var typedMoment = regexp.MustCompile(`^(?i:h ?)?[0-9+#-]`)

// foot is what can be typed, or what is wrong with what was.
func (c *momentChooser) foot() widget.Line {
	if c.fault != "" {
		return widget.In(themes.Bad, " "+themes.GlyphNo+" ").And(themes.Text, c.fault)
	}
	return widget.In(themes.Muted, " "+chain.MomentHelp)
}
