package inspect

import (
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
	matrix *matrix
	index  int // which of the two moments
	list   *widget.Chooser
	items  []widget.Item
	box    widget.Box
	fault  string
}

// stepsOffered bounds the steps of the history in the list.
const stepsOffered = 200

func openMoments(st *app.State, m *matrix) tea.Cmd {
	c := &momentChooser{matrix: m, index: m.active, list: widget.NewChooser()}
	c.list.Prompt = "type a height, a time, +10, +90m, or search"
	engine, w := st.Engine, st.Words()
	return func() tea.Msg {
		err := engine.View(func(v *chain.View) (err error) {
			c.items, err = momentItems(v, w)
			return err
		})
		if err != nil {
			return app.SayMsg{Level: app.LevelBad, Text: err.Error()}
		}
		c.list.Set(c.items)
		return app.OpenDialogMsg{Dialog: c, Engine: engine}
	}
}

// momentItems lists now, the next expiry, and the latest steps of the history.
func momentItems(v *chain.View, w app.Words) ([]widget.Item, error) {
	items := []widget.Item{{ID: "now", Title: "now", Detail: "height " + chain.Thousands(uint64(v.Clock.Height))}}
	next, err := v.NextExpiry()
	if err != nil {
		return nil, err
	}
	if next != nil {
		items = append(items,
			widget.Item{ID: "next", Title: "the next expiry", Detail: chain.Expiry(next.Expires)},
			widget.Item{ID: "before-next", Title: "just before the next expiry"})
	}
	snapshots, err := v.Snapshots()
	if err != nil {
		return nil, err
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

func (c *momentChooser) Resize(b widget.Box) {
	frame := b.W - widget.FrameInner(b).W
	c.box = widget.Box{W: min(b.W, max(form.ChooserWidth, min(c.list.Natural()+frame, form.FormWidth+8))), H: min(b.H, len(c.items)+5)}
	inner := widget.FrameInner(c.box)
	c.list.Resize(widget.Box{W: inner.W, H: max(inner.H-1, 1)})
}

// Typing tells that letters are for a field.
func (c *momentChooser) Typing() bool { return true }

func (c *momentChooser) Commands(*app.State) []app.Command {
	return app.Listed(app.GroupHere, c.list.Keys.Bindings()...)
}

func (c *momentChooser) Update(st *app.State, msg tea.Msg) (tea.Cmd, bool) {
	switch msg := msg.(type) {
	case momentMsg:
		if msg.err != nil {
			c.fault = msg.err.Error()
			return nil, false
		}
		return st.Ask(c.matrix, func(app.Engine) tea.Msg { return msg }), true
	case tea.KeyMsg, tea.MouseMsg:
		return c.input(st, msg)
	}
	return nil, false
}

func (c *momentChooser) input(st *app.State, msg tea.Msg) (tea.Cmd, bool) {
	was := c.list.Query()
	event := c.list.Update(msg)
	if text := c.list.Query(); text != was {
		c.fault = ""
		c.offer(strings.TrimSpace(text))
	}
	switch event {
	case widget.ChooserCancel:
		return nil, true
	case widget.ChooserPick:
		item, _ := c.list.Current()
		return st.Ask(c, func(e app.Engine) tea.Msg {
			p, err := findMoment(e, item.ID)
			return momentMsg{c.index, p, err}
		}), false
	}
	return nil, false
}

// offer puts what was typed before the list where it looks like a moment; else
// the text only searches.
func (c *momentChooser) offer(text string) {
	if !typedMoment.MatchString(text) {
		c.list.Set(c.items)
		return
	}
	typed := widget.Item{ID: text, Title: text, Detail: "as typed"}
	c.list.Set(append([]widget.Item{typed}, c.items...))
	c.list.Select(text)
}

var typedMoment = regexp.MustCompile(`^(?i:h ?)?[0-9+#-]`)

func (c *momentChooser) View(st *app.State) string {
	w := widget.FrameInner(c.box).W
	foot := widget.In(themes.Muted, " "+chain.WhenHelp)
	if c.fault != "" {
		foot = widget.In(themes.Bad, " "+themes.GlyphNo+" ").And(themes.Text, c.fault)
	}
	title := "Moment"
	if c.matrix.compare {
		title += " " + string(rune('A'+c.index))
	}
	return widget.Frame(st.Theme, title, widget.JoinV(c.list.View(st.Theme), foot.Fit(st.Theme, w)), true, c.box)
}
