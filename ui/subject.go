package ui

import (
	"fmt"
	"io"
	"slices"
	"strings"

	osc52 "github.com/aymanbagabas/go-osc52/v2"
	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/cw721"
	"ephemera/ui/app"
	"ephemera/ui/form"
	"ephemera/ui/history"
	"ephemera/ui/inspect"
	"ephemera/ui/widget"
)

// subjectCommands returns the commands that look at what is under the cursor, such as "why".
// It leaves out a command if one of the screen's own commands has its key.
//
// The commands that show what the contract would permit are disabled while a lesson waits for
// a prediction, and the commands about grants if the contract's storage cannot be decoded.
func subjectCommands(state *app.State, screens *screenSet, clock *clockPanel, screenCommands []app.Command) []app.Command {
	// about returns the action that opens a dialog about what is under the cursor.
	about := func(open func(*app.State, app.Subject) tea.Cmd) func() tea.Cmd {
		return func() tea.Cmd { return open(state, screens.subject(state)) }
	}
	lockReason := state.LockReason()
	isLocked := lockReason != nil
	lockText := fmt.Sprint(lockReason)
	unreadable := state.UnreadableReason
	isUnreadable := unreadable != ""

	commands := []app.Command{
		app.ScreenCommand("w", "why", "Why: who may do what, rule by rule", about(inspect.OpenWhy)).
			FoundBy("permission, rights, allowed, why not, can i, refused, denied, unauthorized, explain, rules").
			DisabledIf(isLocked, lockText).
			DisabledIf(isUnreadable, unreadable),
		app.ScreenCommand("!", "why it expired", "Why: the approval that has just expired",
			func() tea.Cmd {
				expired := clock.expiredSubject
				return tea.Sequence(app.ShowToken(*expired.Token), inspect.OpenWhy(state, expired))
			}).
			FoundBy("what expired, just expired").
			DisabledIf(clock.expiredSubject.Empty(), "no approval expired in the last move of the clock"),
		app.ScreenCommand("W", "who can", "Who can: a search for a way to do something, now or later",
			about(inspect.OpenWhoCan)).
			FoundBy("hack, risk, attack, steal, exploit, danger, safe, vulnerability, is it safe, who can steal, who could").
			DisabledIf(isLocked, lockText).
			DisabledIf(isUnreadable, unreadable),
		app.ScreenCommand("B", "probe", "Boundary probe: one message around an expiry", about(inspect.OpenProbe)).
			FoundBy("last block, exactly when, off by one, test an expiry, edge").
			DisabledIf(isLocked, lockText).
			DisabledIf(isUnreadable, unreadable),
		app.ScreenCommand("L", "timeline", "Timeline: every grant as a bar, over past and future blocks",
			about(inspect.OpenTimeline)).
			FoundBy("calendar, schedule, expiries, deadlines, upcoming, when does it expire, never expires, forever").
			DisabledIf(isUnreadable, unreadable),
		app.ScreenCommand("", "", "Dangling grants: grants that people forget or misjudge",
			func() tea.Cmd { return app.GoTo(app.KindApprovals, app.ShowGrantMsg{Filter: "is:dangling"}) }).
			FoundBy("forgotten, stale, leftover, clean up, audit, security, unused, old approvals").
			DisabledIf(isLocked, lockText).
			DisabledIf(isUnreadable, unreadable),
		storageCommand(about(inspect.OpenStorage)),
		history.RecordCommand(state),
		app.ScreenCommand("v", "views", "Other views: timeline, storage, branches", about(openViews)).
			DisabledIf(isLocked, lockText),
		app.ScreenCommand("y", "copy", "Copy: ids, addresses, command lines", about(copySubject)).
			FoundBy("clipboard, address, wasmd, command line"),
	}

	// A screen may use some of these keys for its own commands.
	return slices.DeleteFunc(commands, func(command app.Command) bool {
		return slices.ContainsFunc(command.Binding.Keys(), func(key string) bool {
			return app.HasKey(screenCommands, key)
		})
	})
}

// storageCommand returns the command that shows the raw storage of the contract by calling
// open.
func storageCommand(open func() tea.Cmd) app.Command {
	return app.ScreenCommand("S", "raw storage", "Raw storage: the records of the contract, keys decoded", open).
		FoundBy("database, bytes, state, keys, hex")
}

// openViews opens a list of the views that have no screen of their own, such as the timeline.
// If the contract's storage cannot be decoded, it leaves out the views of grants.
func openViews(state *app.State, subject app.Subject) tea.Cmd {
	views := []struct {
		name, description string
		open              func(*app.State, app.Subject) tea.Cmd
	}{
		{"Timeline", "every grant as a bar over blocks", inspect.OpenTimeline},
		{"Who can", "a way to do something, now or later", inspect.OpenWhoCan},
		{"Raw storage", "the records of the contract, keys decoded", inspect.OpenStorage},
		{"Branches", "the tree of what happened",
			func(st *app.State, _ app.Subject) tea.Cmd { return history.OpenBranches(st) }},
	}
	if state.UnreadableReason != "" {
		views = views[2:]
	}
	var items []widget.Item
	for _, view := range views {
		items = append(items, widget.Item{ID: view.name, Title: view.name, Detail: view.description})
	}
	open := func(st *app.State, name string) tea.Cmd {
		for _, view := range views {
			if view.name == name {
				return view.open(st, subject)
			}
		}
		return nil
	}
	return app.OpenDialog(form.NewChooser("Views", "another view", items, open))
}

// terminalClipboard returns a function that copies a text to the clipboard by a request to the
// terminal (OSC 52), so it also works over ssh. It fails for a text longer than
// [app.MaxCopyBytes], and if out cannot be written.
//
// The programs screen and tmux are terminals within a terminal. For screen, the request is
// wrapped so that the outer terminal gets it. For tmux, both forms are written, because its
// settings decide which of them works.
func terminalClipboard(out io.Writer, getenv func(string) string) func(string) error {
	return func(text string) error {
		if len(text) > app.MaxCopyBytes {
			return fmt.Errorf(
				"copy: %d bytes are more than terminals take (%d)",
				len(text), app.MaxCopyBytes,
			)
		}

		sequence := osc52.New(text)
		request := sequence.String()
		switch {
		case getenv("TMUX") != "":
			request += sequence.Tmux().String()
		case strings.HasPrefix(getenv("TERM"), "screen"):
			request = sequence.Screen().String()
		}
		_, err := io.WriteString(out, request)
		return err
	}
}

// copySubject opens a list of texts to copy about what is under the cursor: ids, addresses,
// queries as JSON, and command lines for wasmd, the program of a CosmWasm chain.
func copySubject(state *app.State, subject app.Subject) tea.Cmd {
	var items []app.CopyItem
	addItem := func(name, text string) { items = append(items, app.CopyItem{Name: name, Text: text}) }

	if subject.Token != nil {
		query := cw721.Encode(&cw721.AllNftInfo{TokenID: *subject.Token})
		addItem("token id", *subject.Token)
		addItem("query as JSON", string(query))
		addItem("wasmd query", app.QueryLine(state, query))
	}
	if subject.Account != "" {
		query := cw721.Encode(&cw721.TokensQuery{Owner: subject.Account})
		addItem("address", string(subject.Account))
		addItem("query of its tokens", string(query))
		addItem("wasmd query of its tokens", app.QueryLine(state, query))
	} else {
		addItem("address of the acting account", string(state.Actor))
	}
	addItem("address of the contract", string(state.Config.Self))
	return form.OpenCopy(state, items)
}
