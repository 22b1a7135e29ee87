package inspect

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/explain"
	"ephemera/core/scenario"
	"ephemera/ui/app"
	"ephemera/ui/form"
	"ephemera/ui/widget"
)

// whoCan is the dialog that searches whether anybody could do something, such as transfer a
// token, by sending any messages. It shows the question in one line, the answer as far as it
// was searched, and one way as a list of steps. This file has its keys; whocansearch.go searches
// in the background, whocanview.go draws the answer, and whocanform.go asks for the question.
type whoCan struct {
	box widget.Box

	search       search             // the latest search and what it has found so far
	cancelSearch context.CancelFunc // stops it

	wayIndex     int            // the index of the way on the screen in search.ways
	stepIndex    int            // the index of the step under the cursor in that way
	showsRules   bool           // whether the step under the cursor shows all its rules
	answerScroll *widget.Scroll // the part of the answer on the screen
	mustShowStep bool           // the next View must scroll to the step under the cursor
}

// OpenWhoCan opens the dialog with a question about subject and begins to search. An operator
// grant names no token, so the question is about the first token of the owner. Of an account it
// asks who could transfer its first token, or whether it could mint if it owns none.
func OpenWhoCan(state *app.State, subject app.Subject) tea.Cmd {
	return app.ReadThen(state, func(view *chain.View) error {
		owner := cmp.Or(subject.Giver, subject.Account)
		if subject.Token != nil || owner == "" || subject.Action != "" {
			return nil
		}
		tokenID, isFound, err := firstTokenOf(view, owner)
		if isFound {
			subject.Token = &tokenID
		}
		switch {
		case subject.Giver != "":
		case isFound:
			subject.Account = ""
		default:
			subject.Action = "mint"
		}
		return err
	}, func() tea.Cmd {
		w := &whoCan{answerScroll: widget.NewScroll(), cancelSearch: func() {}}
		return app.OpenDialogThen(w, w.ask(state, questionAbout(state, subject)))
	})
}

// questionAbout returns the question to begin with, such as "transfer ape-04 as bob after
// h1110 unmoved". It is about the token of subject, or else about the token that was last
// under a cursor, or else about minting.
//
// If subject is a grant that will expire, the question is what the account can do after
// the expiry. Until then the answer would only be that the grant permits it.
func questionAbout(state *app.State, subject app.Subject) explain.WhoCanQuestion {
	token := cmp.Or(subject.Token, state.LastSelection.Token)
	if subject.Action == "mint" {
		token = nil // this one was minted already
	}
	question, err := explain.NewWhoCanQuestion(cmp.Or(subject.Action, "transfer"), token)
	if err != nil {
		// The action needs a token and there is none.
		question, _ = explain.NewWhoCanQuestion("mint", nil)
	}
	if subject.Account != "" {
		question.Actor = state.InputText(subject.Account)
	}
	if subject.Expires.Axis != cw721.Never && !subject.Expires.HasExpired(state.Block()) {
		question.After = form.FormatExpiry(subject.Expires)
		question.TokenMustStay = true
	}
	return question
}

// ask begins to search for one way of doing what a question asks.
func (w *whoCan) ask(state *app.State, question explain.WhoCanQuestion) tea.Cmd {
	w.wayIndex = 0
	w.stepIndex = 0
	const maxWays = 1
	return w.startSearch(state, question, maxWays)
}

// startSearch stops the running search and begins another, which ends when it has found
// maxWays ways. The search first tries ways of one message, then those of two, and so on.
// After each length the dialog shows what was found so far.
func (w *whoCan) startSearch(state *app.State, question explain.WhoCanQuestion, maxWays int) tea.Cmd {
	w.cancelSearch()
	w.search = search{question: question, maxWays: maxWays}
	w.search.ctx, w.cancelSearch = context.WithTimeout(context.Background(), searchTimeout)

	// The new search comes back to the dialog as a message. [whoCan.applySearch] then
	// begins with ways of one message, because the search has not tried any yet.
	newSearch := w.search
	return state.Ask(w, func(app.Engine) tea.Msg { return newSearch })
}

// Close stops the running search.
func (w *whoCan) Close() { w.cancelSearch() }

// Resize sets the box of the dialog.
func (w *whoCan) Resize(box widget.Box) { w.box = box }

// Update shows what a search has found, searches again after every change of the chain, and
// handles keys and the mouse.
func (w *whoCan) Update(state *app.State, msg tea.Msg) (cmd tea.Cmd, mustClose bool) {
	switch msg := msg.(type) {
	case search:
		// Each search has a context of its own, so a search that was stopped has another one.
		if msg.ctx == w.search.ctx {
			cmd = w.applySearch(state, msg)
		}

	case questionAskedMsg:
		cmd = w.ask(state, msg.question)

	case app.ExecutedMsg, app.MovedMsg, app.UndoRedoMsg, app.ChangedMsg:
		cmd = w.startSearch(state, w.search.question, w.search.maxWays)

	case tea.MouseMsg:
		w.answerScroll.Update(msg)

	case tea.KeyMsg:
		if key.Matches(msg, closeWhoCan.Binding) {
			return nil, true
		}
		command, isBound := app.FindCommand(w.Commands(state), msg)
		if !isBound {
			w.answerScroll.Update(msg)
			break
		}
		cmd = command.Do()
		w.mustShowStep = true
	}
	return cmd, false
}

// applySearch shows what was found so far. Unless the search is over, it continues with ways
// that are one message longer. A search for single messages is quick, so keys wait for it.
// Longer searches run in the background, and keys don't wait for them.
func (w *whoCan) applySearch(state *app.State, newSearch search) tea.Cmd {
	w.search = newSearch
	w.mustShowStep = w.wayIndex > 0 // the first way stands below those who can now

	if !newSearch.isOver {
		facts := state.Facts
		continueSearch := state.Ask(w, func(engine app.Engine) tea.Msg {
			return newSearch.searchDeeper(engine, facts)
		})
		if newSearch.answer.Depth > 0 {
			return app.Background(continueSearch)
		}
		return continueSearch
	}

	// The user asked for one more way, but there is none. Show the last one again.
	if len(newSearch.ways) > 0 && w.wayIndex >= len(newSearch.ways) {
		w.wayIndex = len(newSearch.ways) - 1
		return app.Notify(app.LevelInfo, "there is no other way with so few messages")
	}
	return nil
}

// closeWhoCan lists the keys that close the dialog.
var closeWhoCan = app.Command{Binding: app.Bind("esc", "close", "esc", "q", "W"), Group: app.GroupHere}

// Commands returns the keys of the dialog, with those for the way on the screen if there is
// one, and those that scroll if a part of the answer is hidden.
func (w *whoCan) Commands(state *app.State) []app.Command {
	commands := []app.Command{
		closeWhoCan,
		app.DialogCommand("/", "change the question",
			func() tea.Cmd { return w.openQuestionForm(state) }, "/", "tab"),
	}
	if steps, stepIndex := w.currentSteps(); len(steps) > 0 {
		commands = append(commands, w.stepCommands(state, steps, stepIndex)...)
	}
	if w.answerScroll.Hidden() != (widget.HiddenCounts{}) {
		commands = append(commands, app.KeysForHelp(app.GroupHere,
			app.Bind("ctrl+d", "read on", "ctrl+d", "pgdown"),
			app.Bind("ctrl+u", "read back", "ctrl+u", "pgup"))...)
	}
	return commands
}

// command returns a command that only changes what the dialog shows, so that there is
// nothing to wait for.
func (w *whoCan) command(shownKeys, label string, changeDialog func(), keys ...string) app.Command {
	return app.DialogCommand(shownKeys, label, func() tea.Cmd {
		changeDialog()
		return nil
	}, keys...)
}

// stepCommands returns the commands for the way on the screen. stepIndex is the index of the
// step under the cursor.
func (w *whoCan) stepCommands(state *app.State, steps []describedStep, stepIndex int) []app.Command {
	lastIndex := len(steps) - 1
	return []app.Command{
		app.DialogCommand("enter", "open this step",
			func() tea.Cmd { return openStep(state, steps, stepIndex) }),
		w.command("w", "why this step", func() { w.showsRules = !w.showsRules }),
		app.DialogCommand("n", "another way",
			func() tea.Cmd { return w.showNextWay(state) }, "n", "right"),
		w.command("N", "the way before", func() {
			w.wayIndex = max(w.wayIndex-1, 0)
			w.stepIndex = 0
		}, "N", "left"),
		app.DialogCommand("x", "not through its sender",
			func() tea.Cmd { return w.askWithout(state, steps[stepIndex].Sender) }),
		app.DialogCommand("L", "later",
			func() tea.Cmd { return w.askAfterExpiry(state, steps[lastIndex]) }),
		app.DialogCommand("R", "record as a scenario", func() tea.Cmd {
			// It repeats the history, and then expects that nobody can do what the question asks.
			expectation := w.search.expectations[w.wayIndex]
			return app.Send(app.RecordMsg{FinalSteps: []scenario.Step{expectation}})
		}),
		w.command("j ↓", "next step", func() { w.stepIndex = min(stepIndex+1, lastIndex) }, "j", "down"),
		w.command("k ↑", "step before", func() { w.stepIndex = max(stepIndex-1, 0) }, "k", "up"),
	}
}

// currentSteps returns the way on the screen, and the index of the step under the cursor. It
// returns nil and -1 if the search has found no such way.
func (w *whoCan) currentSteps() (steps []describedStep, stepIndex int) {
	if w.wayIndex < len(w.search.ways) {
		steps = w.search.ways[w.wayIndex]
	}

	// The way can become shorter when the search is repeated, so limit the index.
	return steps, min(w.stepIndex, len(steps)-1)
}

// showNextWay shows the next way that the search has found. After the last one it searches
// for one more.
func (w *whoCan) showNextWay(state *app.State) tea.Cmd {
	w.stepIndex = 0
	w.wayIndex++
	if w.wayIndex < len(w.search.ways) {
		return nil
	}
	return w.startSearch(state, w.search.question, w.wayIndex+1)
}

// askWithout asks the question again, with sender as one more account that sends nothing.
func (w *whoCan) askWithout(state *app.State, sender cw721.Address) tea.Cmd {
	if sender == w.search.answer.Anyone {
		return app.Notify(app.LevelInfo, "anyone means every other account, and cannot be left out")
	}
	question := w.search.question
	name := state.InputText(sender)
	question.PassiveAccounts = append(slices.Clone(question.PassiveAccounts), name)
	if question.Actor == name {
		question.Actor = ""
	}
	return w.ask(state, question)
}

// askAfterExpiry asks the question again for the time after the expiry of the grant that
// permits the last step. If nothing expires, a notice says so.
func (w *whoCan) askAfterExpiry(state *app.State, lastStep describedStep) tea.Cmd {
	expires := lastStep.Decision.GrantingCheck().Expires
	if expires == nil || expires.Axis == cw721.Never {
		return app.Notify(app.LevelInfo,
			"what allows it never expires, so it can be done at any later time")
	}
	question := w.search.question
	question.After = form.FormatExpiry(*expires)
	return w.ask(state, question)
}

// openStep opens the form of the step at an index, filled in. If the step can only be taken in
// a later block, it opens the form of the clock with that moment instead.
func openStep(state *app.State, steps []describedStep, index int) tea.Cmd {
	step := steps[index]
	if step.Block != state.Block() {
		moment := cw721.UntilHeight(step.Block.Height)
		target, err := state.Clock.ToExpiry(moment, 0)
		if err != nil || target.Block() != step.Block { // the block begins when a time is reached
			moment = cw721.UntilTime(step.Block.Time)
		}
		return app.Send(app.ClockFormMsg{Moment: form.FormatExpiry(moment)})
	}
	change := explain.DecisionChange{
		Text:    step.sender + ": " + step.message,
		Sender:  step.Sender,
		Message: step.Message,
	}
	title := fmt.Sprintf("Step %d of %d", index+1, len(steps))
	return openFilledForm(state, title, change, "never") // as the grants of the search
}
