package ui

import (
	"fmt"
	"io"
	"slices"
	"strings"

	osc52 "github.com/aymanbagabas/go-osc52/v2"
	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/cw721"
	"ephemera/core/scenario"
	"ephemera/ui/app"
	"ephemera/ui/form"
	"ephemera/ui/history"
	"ephemera/ui/inspect"
	"ephemera/ui/widget"
)

// subject is what is under the cursor now.
func (m *Model) subject() app.Subject {
	if s, ok := m.screen().(app.SubjectScreen); ok {
		return s.Subject()
	}
	return app.Subject{}
}

// questioned is what "why" is about: right after a move of the clock what it
// took from whom, else what is under the cursor.
func (m *Model) questioned() app.Subject {
	if !m.clock.lost.Empty() {
		return m.clock.lost
	}
	return m.subject()
}

// views are the commands that work on every screen and look at what is under
// its cursor. A screen that has its own meaning for a key keeps it.
func (m *Model) views(taken []app.Command) []app.Command {
	st := m.state
	ask := func(open func(*app.State, app.Subject) tea.Cmd) func() tea.Cmd {
		return func() tea.Cmd { return open(st, m.subject()) }
	}
	all := []app.Command{
		app.NewCommand(app.Bind("w", "why", "w"), "Why: who may do what, rule by rule", app.GroupAsk, func() tea.Cmd { return inspect.OpenWhy(st, m.questioned()) }),
		app.NewCommand(app.Bind("W", "who could", "W"), "Who could: a search for a way to do something, now or later", app.GroupAsk, ask(inspect.OpenWhoCould)),
		app.NewCommand(app.Bind("B", "probe", "B"), "Boundary probe: one message around an expiry", app.GroupAsk, ask(inspect.OpenProbe)),
		app.NewCommand(app.Bind("L", "timeline", "L"), "Timeline: every grant as a bar, over past and future blocks", app.GroupAsk, ask(inspect.OpenTimeline)),
		app.NewCommand(app.Bind("", ""), "Dangling grants: what would surprise people", app.GroupAsk, ask(inspect.OpenDangling)),
		storageCommand(app.GroupAsk, ask(inspect.OpenStorage)),
		history.RecordCommand(st, "Record as a scenario: what happened, to a file", app.GroupAsk, scenario.HistoryPart{}),
		app.NewCommand(app.Bind("v", "views", "v"), "Other views: timeline, storage, branches", app.GroupAsk, ask(openViews)),
		app.NewCommand(app.Bind("y", "copy", "y"), "Copy: ids, addresses, command lines", app.GroupAsk, ask(copySubject)),
	}
	return slices.DeleteFunc(all, func(c app.Command) bool {
		return slices.ContainsFunc(c.Binding.Keys(), func(k string) bool { return app.ClaimsKey(taken, k) })
	})
}

func storageCommand(group string, open func() tea.Cmd) app.Command {
	return app.NewCommand(app.Bind("S", "raw storage", "S"), "Raw storage: the records of the contract, keys decoded", group, open)
}

// openViews lets a person choose how else to look at the collection.
func openViews(_ *app.State, s app.Subject) tea.Cmd {
	views := []struct {
		name, about string
		open        func(*app.State, app.Subject) tea.Cmd
	}{
		{"Timeline", "every grant as a bar over blocks", inspect.OpenTimeline},
		{"Dangling grants", "what would surprise people", inspect.OpenDangling},
		{"Who could", "a way to do something, now or later", inspect.OpenWhoCould},
		{"Raw storage", "the records of the contract, keys decoded", inspect.OpenStorage},
		{"Branches", "the ways in which things went", func(st *app.State, _ app.Subject) tea.Cmd { return history.OpenBranches(st) }},
	}
	items := make([]widget.Item, len(views))
	for i, v := range views {
		items[i] = widget.Item{ID: v.name, Title: v.name, Detail: v.about}
	}
	return app.OpenDialog(form.NewChooser("Views", "another view", items, func(st *app.State, id string) tea.Cmd {
		for _, v := range views {
			if v.name == id {
				return v.open(st, s)
			}
		}
		return nil
	}))
}

// terminalClipboard copies by asking the terminal (OSC 52), which works across
// ssh too. Inside tmux and screen the request is wrapped so that it gets
// through; tmux may be set to take the bare one instead, so it gets both.
func terminalClipboard(out io.Writer, env func(string) string) func(string) error {
	return func(text string) error {
		if len(text) > app.CopyMost {
			return fmt.Errorf("copy: %d bytes are more than terminals take (%d)", len(text), app.CopyMost)
		}
		request := osc52.New(text)
		ask := request.String()
		switch {
		case env("TMUX") != "":
			ask += request.Tmux().String()
		case strings.HasPrefix(env("TERM"), "screen"):
			ask = request.Screen().String()
		}
		_, err := io.WriteString(out, ask)
		return err
	}
}

// copySubject offers what can be copied of what is under the cursor.
func copySubject(st *app.State, s app.Subject) tea.Cmd {
	var what []app.CopyItem
	if s.Token != nil {
		query := cw721.Encode(&cw721.AllNftInfo{TokenID: *s.Token})
		what = append(what, app.CopyItem{Name: "token id", Text: *s.Token}, app.CopyItem{Name: "query as JSON", Text: string(query)}, app.CopyItem{Name: "wasmd query", Text: app.QueryLine(st, query)})
	}
	if s.Account != "" {
		query := cw721.Encode(&cw721.TokensQuery{Owner: s.Account})
		what = append(what, app.CopyItem{Name: "address", Text: string(s.Account)}, app.CopyItem{Name: "query of its tokens", Text: string(query)}, app.CopyItem{Name: "wasmd query of its tokens", Text: app.QueryLine(st, query)})
	}
	if s.Account == "" {
		what = append(what, app.CopyItem{Name: "address of whoever acts", Text: string(st.Actor)})
	}
	return form.OpenCopy(st, append(what, app.CopyItem{Name: "address of the contract", Text: string(st.Config.Self)}))
}
