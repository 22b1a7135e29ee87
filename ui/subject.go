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

// subject returns what is under the cursor of the current screen, such as a token. It
// returns an empty subject if the screen has nothing under a cursor.
func (m *Model) subject() app.Subject {
	if screen, ok := m.screen().(app.SubjectScreen); ok {
		return screen.Subject()
	}
	return app.Subject{}
}

// whyExpiredCommand returns the command that goes to the token whose approval expired in
// the last move of the clock, and explains what its spender may not do any more. It is
// disabled while there is none.
func (m *Model) whyExpiredCommand() app.Command {
	open := func() tea.Cmd {
		expired := m.clock.expiredSubject
		return tea.Sequence(app.ShowToken(*expired.Token), inspect.OpenWhy(m.state, expired))
	}
	command := app.ScreenCommand(
		"!", "why it expired", "Why: the approval that has just expired",
		open,
	)
	return command.DisabledIf(
		m.clock.expiredSubject.Empty(),
		"no approval expired in the last move of the clock",
	)
}

// subjectCommands returns the commands that look at what is under the cursor, such as "why".
// It leaves out a command if one of the screen's own commands has its key.
//
// Two things disable some of them. While a lesson waits for a prediction, the commands that
// show what the contract would permit are disabled. If the contract's storage cannot be
// decoded, the commands about grants are disabled.
func (m *Model) subjectCommands(screenCommands []app.Command) []app.Command {
	state := m.state

	// askAbout returns the action that opens a dialog about what is under the cursor.
	askAbout := func(open func(*app.State, app.Subject) tea.Cmd) func() tea.Cmd {
		return func() tea.Cmd { return open(state, m.subject()) }
	}

	// The commands that can be disabled.
	why := app.ScreenCommand(
		"w", "why", "Why: who may do what, rule by rule",
		askAbout(inspect.OpenWhy),
	)
	whoCan := app.ScreenCommand(
		"W", "who can", "Who can: a search for a way to do something, now or later",
		askAbout(inspect.OpenWhoCan),
	)
	probe := app.ScreenCommand(
		"B", "probe", "Boundary probe: one message around an expiry",
		askAbout(inspect.OpenProbe),
	)
	timeline := app.ScreenCommand(
		"L", "timeline", "Timeline: every grant as a bar, over past and future blocks",
		askAbout(inspect.OpenTimeline),
	)
	dangling := app.ScreenCommand(
		"", "", "Dangling grants: grants that people forget or misjudge",
		func() tea.Cmd { return app.GoTo(app.KindApprovals, app.ShowGrantMsg{Filter: "is:dangling"}) },
	)

	// ifReadable disables a command if the storage cannot be decoded. unlessLocked also
	// disables it while a lesson waits for a prediction.
	ifReadable := func(command app.Command) app.Command {
		return command.DisabledIf(state.UnreadableReason != "", state.UnreadableReason)
	}
	lockReason := state.LockReason()
	isLocked := lockReason != nil
	lockText := fmt.Sprint(lockReason)
	unlessLocked := func(command app.Command) app.Command {
		return ifReadable(command.DisabledIf(isLocked, lockText))
	}
	commands := []app.Command{
		unlessLocked(why),
		m.whyExpiredCommand(),
		unlessLocked(whoCan),
		unlessLocked(probe),
		ifReadable(timeline),
		unlessLocked(dangling),
		storageCommand(askAbout(inspect.OpenStorage)),
		history.RecordCommand(state),
		app.ScreenCommand("v", "views", "Other views: timeline, storage, branches", askAbout(openViews)).
			DisabledIf(isLocked, lockText),
		app.ScreenCommand("y", "copy", "Copy: ids, addresses, command lines", askAbout(copySubject)),
	}

	// A screen may use some of these keys for its own commands.
	isTaken := func(key string) bool { return app.HasKey(screenCommands, key) }
	hasTakenKey := func(command app.Command) bool {
		return slices.ContainsFunc(command.Binding.Keys(), isTaken)
	}
	return slices.DeleteFunc(commands, hasTakenKey)
}

// storageCommand returns the command that shows the raw storage of the contract by calling
// open.
func storageCommand(open func() tea.Cmd) app.Command {
	return app.ScreenCommand(
		"S", "raw storage", "Raw storage: the records of the contract, keys decoded",
		open,
	)
}

// openViews returns the command that opens a list of the views that have no screen of their
// own, such as the timeline. The view that the user chooses is about subject, which is what
// is under the cursor. If the contract's storage cannot be decoded, the list leaves out the
// views of grants.
func openViews(state *app.State, subject app.Subject) tea.Cmd {
	openByName := map[string]func(*app.State, app.Subject) tea.Cmd{}
	var items []widget.Item
	addView := func(name, description string, openView func(*app.State, app.Subject) tea.Cmd) {
		items = append(items, widget.Item{ID: name, Title: name, Detail: description})
		openByName[name] = openView
	}
	if state.UnreadableReason == "" {
		addView("Timeline", "every grant as a bar over blocks", inspect.OpenTimeline)
		addView("Who can", "a way to do something, now or later", inspect.OpenWhoCan)
	}
	addView("Raw storage", "the records of the contract, keys decoded", inspect.OpenStorage)
	openBranches := func(st *app.State, _ app.Subject) tea.Cmd { return history.OpenBranches(st) }
	addView("Branches", "the tree of what happened", openBranches)

	// Choosing a name opens its view.
	openView := func(st *app.State, name string) tea.Cmd { return openByName[name](st, subject) }
	return app.OpenDialog(form.NewChooser("Views", "another view", items, openView))
}

// terminalClipboard returns a function that copies a text to the clipboard. The function
// writes a request (OSC 52) to the terminal, so it also works over ssh. It fails for a text
// longer than [app.MaxCopyBytes], and if out cannot be written.
//
// The programs screen and tmux are terminals within a terminal. For screen, the request is
// wrapped so that the outer terminal gets it. For tmux, both forms are written, because its
// settings decide which of them works. getenv returns an environment variable.
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

// copySubject returns the command that opens a list of texts to copy. They are about what
// is under the cursor: ids, addresses, queries as JSON, and command lines for wasmd, the
// program of a CosmWasm chain.
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
