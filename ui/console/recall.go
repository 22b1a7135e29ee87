package console

import (
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/chain/history"
	"ephemera/ui/app"
)

// recall brings earlier messages back: those of the history, and the queries
// of this session.
type recall struct {
	past  []string // of the history, the latest first
	typed []string // of this session, the latest first
	at    int      // in all, -1 at what is being typed
	draft string   // what was being typed
}

// recalledShown is how many messages of the history can be recalled.
const recalledShown = 200

// earlierMessages are those of the history, the latest first.
func earlierMessages(v *chain.View) ([]string, error) {
	past := []string{}
	for n, err := range v.History(0) {
		if err != nil {
			return nil, err
		}
		if n.Kind == history.KindExecute && !slices.Contains(past, n.Message) {
			past = append(past, n.Message)
		}
		if len(past) == recalledShown {
			break
		}
	}
	return past, nil
}

// add keeps a text of this session.
func (r *recall) add(text string) {
	r.typed = slices.DeleteFunc(r.typed, func(t string) bool { return t == text })
	r.typed = append([]string{text}, r.typed[:min(len(r.typed), recalledShown)]...)
	r.at = -1
}

func (r *recall) all() []string { return append(slices.Clone(r.typed), r.past...) }

// step goes to an earlier (+1) or a later (-1) text.
func (r *recall) step(by int, now string) (text string, ok bool) {
	all := r.all()
	to := r.at + by
	if to < -1 || to >= len(all) {
		return "", false
	}
	if r.at == -1 {
		r.draft = now
	}
	if r.at = to; to == -1 {
		return r.draft, true
	}
	return all[to], true
}

// recalled brings an earlier (+1) or a later (-1) text back.
func (c *Screen) recalled(st *app.State, by int) tea.Cmd {
	text, ok := c.recall.step(by, c.edit.value())
	switch {
	case ok:
		c.set(st, text)
		return nil
	case by > 0:
		return app.Notify(app.LevelInfo, "there is no earlier message")
	}
	return app.Notify(app.LevelInfo, "there is no later message")
}
