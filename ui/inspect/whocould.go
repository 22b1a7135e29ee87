package inspect

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/explain"
	"ephemera/core/scenario"
	"ephemera/ui/app"
	"ephemera/ui/form"
	"ephemera/ui/widget"
)

// whoCould is the dialog that searches whether anybody could do something, such as
// transfer a token, by sending any messages. It shows the question in one line, the
// answer as far as it was searched, and one way as a list of steps. A way is a sequence
// of messages after which the action succeeds; a step is one message with its sender
// and block.
type whoCould struct {
	box      widget.Box
	question widget.Edit
	isTyping bool // keys go to the question

	search       search
	cancelSearch context.CancelFunc

	wayIndex     int  // of the way on the screen, in search.ways
	stepIndex    int  // of the step under the cursor, in the way
	showsRules   bool // the step under the cursor lists the contract's rules
	answerScroll *widget.Scroll
	cursorMoved  bool // the next View scrolls to the cursor
	isClosed     bool // the next Update closes the dialog
}

// OpenWhoCould opens the dialog with a question about s and begins to search. If s is a
// grant over all tokens of an owner, the question is about the first of them.
func OpenWhoCould(st *app.State, s app.Subject) tea.Cmd {
	// A grant over all tokens of an owner is asked about with the first of them.
	chooseToken := func(v *chain.View) error {
		if s.Token != nil || s.Giver == "" {
			return nil
		}
		tokenID, isFound, err := findTokenOf(v, s.Giver, nil)
		if isFound {
			s.Token = &tokenID
		}
		return err
	}
	open := func() tea.Cmd {
		w := &whoCould{
			question:     widget.NewEdit(),
			answerScroll: widget.NewScroll(),
			cancelSearch: func() {},
		}
		return app.OpenDialogThen(w, w.ask(st, questionAbout(st, s).String()))
	}
	return app.ReadThen(st, chooseToken, open)
}

// questionAbout makes the question about s, such as "transfer ape-04 as bob after h1110
// unmoved". Without a token in s it is about the token that was last under a cursor, or
// about minting if there is none. For a grant that will expire, it asks what is
// possible after the expiry, because until then the answer would be the grant itself.
func questionAbout(st *app.State, s app.Subject) explain.WhoCouldQuestion {
	token := s.Token
	if token == nil {
		token = st.LastSelection.Token
	}
	question, err := explain.NewWhoCouldQuestion(cmp.Or(s.Action, "transfer"), token)
	if err != nil { // the action needs a token
		question, _ = explain.NewWhoCouldQuestion("mint", nil) // which needs none
	}
	if s.Account != "" {
		question.As = st.InputText(s.Account)
	}

	// Ask whether the access outlives the grant.
	if s.Expires.Axis != cw721.Never && !s.Expires.Expired(st.Block()) {
		question.After = form.FormatExpiry(s.Expires)
		question.Unmoved = true
	}
	return question
}

// Close stops the running search.
func (w *whoCould) Close() { w.cancelSearch() }

// ask begins to search for one way that answers a question.
func (w *whoCould) ask(st *app.State, question string) tea.Cmd {
	w.question.Set(question)
	w.wayIndex = 0
	w.stepIndex = 0
	return w.startSearch(st, 1)
}

// startSearch stops the running search and begins another for a number of ways. The
// search goes by depth: first the ways of one message, then those of two, and so on.
// Each depth is one command, so that the dialog shows what was found in between.
func (w *whoCould) startSearch(st *app.State, ways int) tea.Cmd {
	w.cancelSearch()
	w.search = search{questionText: w.question.Value(), waysWanted: ways}
	w.search.ctx, w.cancelSearch = context.WithTimeout(context.Background(), searchTimeout)
	newSearch := w.search
	return st.Ask(w, func(app.Engine) tea.Msg { return newSearch })
}

// Resize sets the box of the dialog.
func (w *whoCould) Resize(b widget.Box) { w.box = b }

// Typing reports whether letters are typed into the question.
func (w *whoCould) Typing() bool { return w.isTyping }

// Commands returns the keys of the dialog: while the question is typed only enter and
// escape, and otherwise also those for the way on the screen, if there is one.
func (w *whoCould) Commands(st *app.State) []app.Command {
	if w.isTyping {
		ask := func() tea.Cmd {
			w.isTyping = false
			return w.ask(st, w.question.Value())
		}
		return []app.Command{
			app.DialogCommand("enter", "ask", ask),
			w.command("esc", "leave the line", func() { w.isTyping = false }, "esc", "tab"),
		}
	}

	// Keys that always work, then those for a way, then those that scroll.
	commands := []app.Command{
		w.command("esc", "close", func() { w.isClosed = true }, "esc", "q", "W"),
		app.DialogCommand("tab", "ask with fields", func() tea.Cmd { return w.openQuestionForm(st) }),
		w.command("/", "change the question", func() { w.isTyping = true }),
	}
	if way, current := w.currentWay(); len(way) > 0 {
		commands = append(commands, w.wayCommands(st, way, current)...)
	}
	if w.answerScroll.Hidden() != (widget.Hidden{}) {
		commands = append(commands, app.KeysForHelp(app.GroupHere,
			app.Bind("ctrl+d", "read on", "ctrl+d", "pgdown"),
			app.Bind("ctrl+u", "read back", "ctrl+u", "pgup"))...)
	}
	return commands
}

// command returns a command that changes the dialog alone.
func (w *whoCould) command(shown, label string, do func(), keys ...string) app.Command {
	change := func() tea.Cmd {
		do()
		return nil
	}
	return app.DialogCommand(shown, label, change, keys...)
}

// wayCommands returns the commands for the way on the screen. current is the index of the
// step under the cursor.
func (w *whoCould) wayCommands(st *app.State, way []wayStep, current int) []app.Command {
	last := len(way) - 1
	playAndClose := func() tea.Cmd {
		w.isClosed = true
		return playWay(st, way)
	}

	// Ways are counted from the shortest.
	showNext := func() tea.Cmd { return w.showNextWay(st) }
	showWayBefore := func() {
		w.wayIndex = max(w.wayIndex-1, 0)
		w.stepIndex = 0
	}

	// These two ask a new question: without the sender of this step, or about the time
	// after a grant.
	askWithoutSender := func() tea.Cmd { return w.askWithout(st, way[current].As) }
	askLater := func() tea.Cmd { return w.askAfterExpiry(st, way[last]) }
	return []app.Command{
		app.DialogCommand("enter", "play this way", playAndClose),
		w.command("w", "why this step", func() { w.showsRules = !w.showsRules }),
		app.DialogCommand("n", "another way", showNext, "n", "right"),
		w.command("N", "the way before", showWayBefore, "N", "left"),
		app.DialogCommand("x", "not through its sender", askWithoutSender),
		app.DialogCommand("L", "later", askLater),
		app.DialogCommand("R", "record as a scenario", w.record),
		w.command("j ↓", "next step", func() { w.stepIndex = min(current+1, last) }, "j", "down"),
		w.command("k ↑", "step before", func() { w.stepIndex = max(current-1, 0) }, "k", "up"),
	}
}

// currentWay returns the way on the screen, and the index of the step under the cursor.
// Without a way it returns nil and -1.
func (w *whoCould) currentWay() (way []wayStep, current int) {
	if w.wayIndex < len(w.search.ways) {
		way = w.search.ways[w.wayIndex]
	}
	return way, min(w.stepIndex, len(way)-1) // a repeated search may find a shorter way
}

// Update shows what a search has found, searches again after every change of the chain,
// and handles keys and the mouse. A search that was stopped is recognised by its
// context, and its result dropped.
func (w *whoCould) Update(st *app.State, msg tea.Msg) (tea.Cmd, bool) {
	var cmd tea.Cmd
	switch msg := msg.(type) {
	case search:
		// A search that was stopped has another context.
		if msg.ctx == w.search.ctx {
			cmd = w.applySearch(st, msg)
		}

	case questionAskedMsg:
		cmd = w.ask(st, msg.question.String())

	case app.ExecutedMsg, app.MovedMsg, app.WalkedMsg, app.ChangedMsg:
		cmd = w.startSearch(st, w.search.waysWanted)

	case tea.MouseMsg:
		w.answerScroll.Update(msg)

	case tea.KeyMsg:
		// Keys that are not commands edit the question or scroll the answer.
		command, isBound := app.FindCommand(w.Commands(st), msg)
		switch {
		case isBound:
			cmd = command.Do()
			w.cursorMoved = true
		case w.isTyping:
			w.question.Update(msg)
		default:
			w.answerScroll.Update(msg)
		}
	}
	return cmd, w.isClosed
}

// applySearch shows what was found so far, and continues the search one message deeper
// unless it is over. The first depth is quick, so keys wait for it. Deeper ones run in
// the background, and keys don't wait.
func (w *whoCould) applySearch(st *app.State, found search) tea.Cmd {
	w.search = found
	w.cursorMoved = true

	if !found.isOver {
		words := st.Words()
		continueSearch := st.Ask(w, func(e app.Engine) tea.Msg { return found.searchDeeper(e, words) })
		if found.answer.Depth > 0 {
			return app.Background(continueSearch)
		}
		return continueSearch
	}

	// The search was for one more way, and there is none.
	if len(found.ways) > 0 && w.wayIndex >= len(found.ways) {
		w.wayIndex = len(found.ways) - 1
		return app.Notify(app.LevelInfo, "there is no other way with so few messages")
	}
	return nil
}

// showNextWay shows the next way. After the last one it searches for one more.
func (w *whoCould) showNextWay(st *app.State) tea.Cmd {
	w.stepIndex = 0
	w.wayIndex++
	if w.wayIndex < len(w.search.ways) {
		return nil
	}
	return w.startSearch(st, w.wayIndex+1)
}

// askWithout asks the question again for ways in which an account sends nothing. The
// accounts that were left out before stay left out.
func (w *whoCould) askWithout(st *app.State, sender cw721.Address) tea.Cmd {
	if sender == w.search.answer.Anyone {
		return app.Notify(app.LevelInfo, "anyone means every other account, and cannot be left out")
	}
	question := w.search.question
	question.Passive = nil
	for _, passive := range append(slices.Clone(w.search.answer.Passive), sender) {
		question.Passive = append(question.Passive, st.InputText(passive))
	}
	if question.As == st.InputText(sender) {
		question.As = ""
	}
	return w.ask(st, question.String())
}

// askAfterExpiry asks the question again for ways whose last step happens after the
// permission that allows that step now has expired.
func (w *whoCould) askAfterExpiry(st *app.State, lastStep wayStep) tea.Cmd {
	expires := lastStep.Decision.GrantingCheck().Expires
	if expires == nil || expires.Axis == cw721.Never {
		return app.Notify(app.LevelInfo, "what allows it never expires, so it can be done at any later time")
	}
	question := w.search.question
	question.After = form.FormatExpiry(*expires)
	return w.ask(st, question.String())
}

// playWay sends the messages of a way, each in its block, beginning at the current
// state. It stops at the first message that is refused.
func playWay(st *app.State, way []wayStep) tea.Cmd {
	return st.Write(func(e app.Engine) tea.Msg {
		for i, step := range way {
			if err := step.play(e); err != nil {
				return app.ChangedMsg{Err: fmt.Errorf("message %d of the way: %w", i+1, err)}
			}
		}
		return app.ChangedMsg{Text: fmt.Sprintf("played the way, %s: u goes back, and History keeps it as a branch", app.Plural(len(way), "message"))}
	})
}

// play moves the clock to the block of a step, and sends its message.
func (s wayStep) play(e app.Engine) error {
	if _, err := e.Advance(chain.ClockStep{Height: &s.Block.Height, Time: &s.Block.Time}); err != nil {
		return err
	}
	receipt, err := e.Execute(s.As, cw721.Encode(s.Message))
	if err != nil {
		return err
	}
	return receipt.Err()
}

// record asks for the name of a scenario file, which will hold the history and end with
// an expectation: that nobody can do what the question asks. The file therefore fails
// when it is run, until the way on the screen is closed.
func (w *whoCould) record() tea.Cmd {
	part := scenario.HistoryPart{FinalSteps: []scenario.Step{w.search.expectations[w.wayIndex]}}
	return func() tea.Msg { return app.RecordMsg(part) }
}
