package console

import (
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/go-json-experiment/json/jsontext"

	"ephemera/ui/app"
	"ephemera/ui/form"
)

// Commands returns the commands while nothing is typed.
func (s *Screen) Commands(state *app.State) []app.Command {
	commands := []app.Command{
		app.ScreenCommand("enter i", "type", "Type a message", func() tea.Cmd {
			s.startTyping(state)
			return nil
		}),
		app.ScreenCommand("t ctrl+t", "templates", "Templates: a message to start from",
			func() tea.Cmd { return s.openTemplates(state) }),
	}
	commands = append(commands, s.commonCommands(state)...)
	commands = append(commands,
		app.ScreenCommand("c", "clear", "Clear the message", func() tea.Cmd {
			s.setText(state, "")
			return nil
		}),
		app.ScreenCommand("y", "copy", "Copy the message, the answer, a command line",
			func() tea.Cmd { return s.openCopy(state) }))
	return append(commands, app.KeysForHelp(app.GroupMove, s.resultPane.Bindings()...)...)
}

// TypingCommands returns the commands while the editor has the keyboard.
func (s *Screen) TypingCommands(state *app.State) []app.Command {
	commands := []app.Command{
		app.DialogCommand("esc", "stop typing", func() tea.Cmd {
			s.isTyping = false
			s.completions = nil
			s.showResult(state)
			return nil
		}),
		app.DialogCommand("tab", "complete", func() tea.Cmd {
			s.acceptCompletion(state)
			return nil
		}),
	}
	templates := app.DialogCommand("ctrl+t", "templates", func() tea.Cmd { return s.openTemplates(state) })
	return append(commands, slices.Insert(s.commonCommands(state), 1, templates)...) // behind send
}

// commonCommands returns the commands that work while a message is typed and while none is.
// The first one sends the message.
func (s *Screen) commonCommands(state *app.State) []app.Command {
	return []app.Command{
		app.ScreenCommand("ctrl+s", "send", "Send the message", func() tea.Cmd { return s.send(state) }),
		app.ScreenCommand("ctrl+p", "earlier", "The message before",
			func() tea.Cmd { return s.recallText(state, directionEarlier) }),
		app.ScreenCommand("ctrl+n", "later", "The message after",
			func() tea.Cmd { return s.recallText(state, directionLater) }),
		app.ScreenCommand("ctrl+e", "$EDITOR", "Edit the message in $EDITOR", s.editExternally),
		app.ScreenCommand("ctrl+x", "query or message", "Query or message, where it is both", func() tea.Cmd {
			s.prefersQuery = !s.prefersQuery
			s.sentReceipt = nil
			s.requestTrial(state)
			return nil
		}).DisabledIf(!state.Compiled, "only a compiled contract can have both"),
	}
}

// updateKey applies a key. While a message is typed, a key is a command of TypingCommands,
// recalls an earlier text, or else goes to the editor. While no message is typed, updateKey
// only gets keys that are no commands. They move in the list or scroll the result.
func (s *Screen) updateKey(state *app.State, msg tea.KeyMsg) tea.Cmd {
	switch {
	case s.showsStartList() && s.startList.Update(msg): // the list used the key
		s.showResult(state)
		return nil
	case !s.isTyping:
		s.resultPane.Update(msg)
		return nil
	}

	// Pasted text is never a command.
	if command, isBound := app.FindCommand(s.TypingCommands(state), msg); isBound && !msg.Paste {
		return command.Do()
	}

	switch {
	case msg.String() == "up" && s.editor.isOnFirstLine():
		return s.recallText(state, directionEarlier)
	case msg.String() == "down" && s.editor.isOnLastLine():
		return s.recallText(state, directionLater)
	case s.editor.update(msg):
		s.recall.stepsBack = 0 // an earlier text that is edited becomes the draft
		s.textChanged(state)
	default:
		s.updateCompletions(state) // the caret may have moved
	}
	return nil
}

// send sends an execute message as the acting account, or asks a query that waits for this key.
// For any other text a notice says why nothing is sent.
func (s *Screen) send(state *app.State) tea.Cmd {
	text := s.editor.value()
	lockReason := state.LockReason()
	switch {
	case strings.TrimSpace(text) == "":
		return app.Notify(app.LevelInfo, "there is nothing to send; t shows templates")
	case lockReason != nil:
		return app.Notify(app.LevelWarn, lockReason.Error())
	case s.kind == undecidedMessage:
		return app.Notify(app.LevelInfo,
			"the contract is still being asked whether this is a query; ctrl+s sends it after that")
	case s.asksOnlyWhenSent(state):
		s.recall.addText(text)
		s.request.textToTry = &text
		return nil
	case s.kind == queryMessage:
		s.recall.addText(text)
		return app.Notify(app.LevelInfo, "a query is answered while it is typed; nothing is sent")
	case s.kind == instantiateMessage:
		return app.Notify(app.LevelInfo,
			"there is a collection already: an instantiate message is only previewed")
	}
	s.recall.addText(text)
	return app.ExecuteAs(state, s, state.Actor, []byte(text))
}

// openCopy opens the list of texts that can be copied.
func (s *Screen) openCopy(state *app.State) tea.Cmd {
	// Copy JSON without blanks, and any other text as it is.
	text := s.editor.value()
	compact := jsontext.Value(text)
	if compact.Compact() == nil {
		text = string(compact)
	}

	items := []app.CopyItem{{Name: "message as JSON", Text: text}}
	outcome := s.outcome
	switch s.kind {
	case executeMessage:
		msg := []byte(text)
		if outcome != nil && outcome.receipt != nil && len(outcome.receipt.Message) > 0 {
			msg = outcome.receipt.Message // with addresses in place of names
		}
		line := app.ExecuteLine(state, state.Actor, msg)
		items = append(items, app.CopyItem{Name: "wasmd execute", Text: line})
	case queryMessage:
		items = append(items, app.CopyItem{Name: "wasmd query", Text: app.QueryLine(state, []byte(text))})
		if outcome != nil && outcome.answer != nil {
			items = append(items, app.CopyItem{Name: "answer as JSON", Text: string(outcome.answer)})
		}
	}
	return form.OpenCopy(state, items)
}
