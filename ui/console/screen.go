// Package console is the screen on which messages are typed as JSON. It completes
// names, offers templates and earlier messages, and can hand the text to a person's
// own editor.
//
// core/cw721 decides what a text means, and whether it is a message.
package console

import (
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/go-json-experiment/json/jsontext"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/ui/app"
	"ephemera/ui/form"
	"ephemera/ui/widget"
)

// Screen is the console: any message of the contract can be typed as JSON. While it is
// typed, a message is previewed, and a query is answered. ctrl+s sends a message.
type Screen struct {
	app.Tab
	box    widget.Box
	editor editor
	// isTyping says that the editor has the keyboard.
	isTyping bool
	// recall has the earlier messages.
	recall recall
	// startList is the list that an empty console shows; see [newStartList].
	startList *widget.Table

	// kind is the kind of the text in the editor.
	kind messageKind
	// problem says why the text is no message. It is nil for a message and for a blank text.
	problem *problem
	// outcome is what came of the text when it was last tried; nil if it was not tried.
	outcome *outcome
	// sentReceipt is the receipt of the message that was sent; nil once the text has changed.
	sentReceipt *chain.Receipt
	// resultPane is the pane that describes the outcome.
	resultPane *widget.Scroll

	// names has the names of the messages that the contract knows, as they were read last.
	names chain.MessageNames
	// caretContext says where the caret is in the JSON of the text.
	caretContext caretContext
	// completions has the completions of the word under the caret.
	completions []string

	// prefersQuery says that a message is taken as a query if a compiled contract can parse
	// it both as a query and as an execute message.
	prefersQuery bool

	// request says what the next call of NextRead reads.
	request readRequest
}

// readRequest says what [Screen.NextRead] reads in the background. NextRead does not read
// what is nil or false here.
type readRequest struct {
	textToTry    *string // the message to try
	idToComplete *string // what the token IDs to read begin with
	// needsHistory asks for the messages of the history. It also asks for the names of the
	// messages that the contract knows.
	needsHistory bool
}

// New makes the screen with an empty editor.
func New() *Screen {
	return &Screen{
		Tab:        app.NewTab(app.KindConsole, "Console"),
		editor:     newEditor(),
		startList:  newStartList(),
		resultPane: widget.NewScroll(),
	}
}

// Typing reports whether letters are typed into the message.
func (s *Screen) Typing() bool { return s.isTyping }

// HasInput reports whether the text is neither a query nor one that the arrow keys recall.
func (s *Screen) HasInput() bool {
	text := s.editor.value()
	return text != "" && s.kind != queryMessage &&
		!slices.Contains(s.recall.earlierTexts(), text)
}

// Resize divides the box of the screen between the editor and the result.
func (s *Screen) Resize(box widget.Box) {
	s.box = box
	_, resultBox := s.panes()
	s.resultPane.Resize(resultBox)
}

// Refresh is called when the chain has changed. It asks NextRead to read the history again,
// whose messages the arrow keys recall, and to try the text in the editor again. If a
// message from the console was the change, the result of that message stays, and the text
// is not tried again.
func (s *Screen) Refresh(state *app.State) {
	s.request.needsHistory = true

	// Refresh is called while state still has the old revision. If that is older than the
	// revision of the sent message, the message was the change.
	isOwnChange := s.sentReceipt != nil && state.Revision < s.sentReceipt.Revision
	if isOwnChange {
		return
	}
	s.sentReceipt = nil
	s.requestTrial(state)
}

// consoleRead is the message that brings what NextRead has read. A field is nil or zero if it
// was not asked for.
type consoleRead struct {
	outcome  *outcome
	idPrefix *string            // what the token ids begin with
	tokenIDs []string           // the first token ids that begin with idPrefix
	history  []string           // the messages of the history, latest first
	names    chain.MessageNames // of the contract's messages, read with the history
}

// NextRead returns a function that reads in the background what was asked for since the last
// call. It returns nil if nothing was asked for.
func (s *Screen) NextRead(*app.State) app.Read {
	request := s.request
	if request == (readRequest{}) {
		return nil
	}
	s.request = readRequest{}
	prefersQuery := s.prefersQuery

	// This runs on another goroutine, so it uses what was copied above.
	return func(view *chain.View, facts app.Facts) (tea.Msg, error) {
		answer := consoleRead{idPrefix: request.idToComplete}
		var err error
		if request.textToTry != nil {
			answer.outcome = tryMessage(view, facts, *request.textToTry, prefersQuery)
		}
		if request.idToComplete != nil {
			answer.tokenIDs, err = readTokenIDs(view, *request.idToComplete)
			if err != nil {
				return answer, err
			}
		}
		if request.needsHistory {
			answer.history, err = readHistoryMessages(view)
			if err != nil {
				return answer, err
			}
			answer.names, err = view.MessageNames()
		}
		return answer, err
	}
}

// setText puts a text into the editor. JSON is formatted with one member a line. Any other
// text stays as it is.
func (s *Screen) setText(state *app.State, text string) {
	formatted := jsontext.Value(text)
	err := formatted.Format(
		jsontext.WithIndent("  "),
		jsontext.Multiline(true),
		jsontext.AllowDuplicateNames(true),
		jsontext.PreserveRawStrings(true))
	if err == nil {
		text = string(formatted)
	}
	s.editor.setText(text)
	s.textChanged(state)
}

// textChanged is called when the text in the editor has changed. It drops the result of the
// text before, asks for a trial of the new text, and completes the word under the caret.
func (s *Screen) textChanged(state *app.State) {
	s.sentReceipt = nil
	s.requestTrial(state)
	s.updateCompletions(state)
}

// Update shows what was read or sent, takes texts from other screens and from the user's
// own editor, and handles keys and the mouse. An answered query is announced to the
// explorer, since a lesson may ask for it.
func (s *Screen) Update(state *app.State, msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case consoleRead:
		s.applyRead(state, msg)
		if outcome := msg.outcome; outcome != nil && outcome.answer != nil {
			return func() tea.Msg { return app.QueriedMsg{Msg: []byte(outcome.text)} }
		}
	case app.ReadFailedMsg:
		s.outcome = &outcome{fault: msg.Err.Error()}
		s.showResult(state)
	case app.ExecutedMsg:
		s.applyExecuted(state, msg)
	case app.ConsoleMsg:
		s.applyConsoleMsg(state, msg)
	case editedMsg:
		return s.applyEdited(state, msg)
	case draftMsg:
		return runEditor(msg)
	case tea.MouseMsg:
		s.updateMouse(state, msg)
	case tea.KeyMsg:
		return s.updateKey(state, msg)
	}
	return nil
}

// updateMouse applies a click or the wheel to the pane under the pointer.
func (s *Screen) updateMouse(state *app.State, msg tea.MouseMsg) {
	editorBox, _ := s.panes()
	isInEditor := msg.Y < editorBox.H+linesAboveEditor && msg.X < editorBox.W
	isInList := isInEditor && s.showsStartList()
	switch {
	case isInList && widget.IsClick(msg):
		s.startList.Click(msg.Y - linesAboveEditor)
		s.showResult(state)
	case isInList && s.startList.Update(msg): // the list used the wheel
		s.showResult(state)
	case widget.IsClick(msg):
		s.isTyping = isInEditor
	default:
		s.resultPane.Update(msg)
	}
}

// applyRead shows what was read. It drops an outcome or token IDs if the text has changed
// since they were asked for.
func (s *Screen) applyRead(state *app.State, msg consoleRead) {
	if outcome := msg.outcome; outcome != nil && s.sentReceipt == nil && outcome.text == s.editor.value() {
		s.outcome = outcome
		s.kind = outcome.kind
		s.showResult(state)
	}
	if s.isTyping && msg.idPrefix != nil && *msg.idPrefix == s.caretContext.word {
		s.completions = msg.tokenIDs
	}
	if msg.history != nil {
		s.recall.historyMessages = msg.history
		s.names = msg.names
		s.fillStartList(state)
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

	// At the edges of the text, up and down recall earlier texts.
	switch {
	case msg.String() == "up" && s.editor.isOnFirstLine():
		return s.recallText(state, directionEarlier)
	case msg.String() == "down" && s.editor.isOnLastLine():
		return s.recallText(state, directionLater)
	}

	// Every other key is for the editor.
	if s.editor.update(msg) {
		s.recall.stepsBack = 0 // an earlier text that is edited becomes the draft
		s.textChanged(state)
	} else {
		s.updateCompletions(state) // the caret may have moved
	}
	return nil
}

// send sends the text as the acting account, if it is an execute message. If it is a query
// that waits for this key, send asks for the answer. For any other text a notice says why
// nothing is sent.
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

// applyExecuted shows the receipt of a message that this screen has sent. It ignores
// messages of other screens, and those that could not be sent.
func (s *Screen) applyExecuted(state *app.State, msg app.ExecutedMsg) {
	if msg.From != any(s) || msg.Err != nil {
		return
	}
	s.sentReceipt = &msg.Receipt
	s.outcome = &outcome{
		kind:       executeMessage,
		receipt:    s.sentReceipt,
		difference: msg.Receipt.Difference,
	}
	s.outcome.applyErrors(state.Facts, msg.Receipt.Refusal, nil, s.editor.value())
	s.showResult(state)
}

// openCopy opens the list of texts that can be copied. These are the message as JSON, the
// wasmd command that sends it or asks it as a query, and the answer to a query.
func (s *Screen) openCopy(state *app.State) tea.Cmd {
	// Copy JSON without blanks, and any other text as it is.
	text := s.editor.value()
	compact := jsontext.Value(text)
	if compact.Compact() == nil {
		text = string(compact)
	}

	// What can be copied depends on the kind of the message.
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

// Commands returns the commands while nothing is typed.
func (s *Screen) Commands(state *app.State) []app.Command {
	startTyping := func() tea.Cmd { return s.startTyping(state) }
	openTemplates := func() tea.Cmd { return s.openTemplates(state) }
	clearText := func() tea.Cmd {
		s.setText(state, "")
		return nil
	}
	openCopy := func() tea.Cmd { return s.openCopy(state) }

	commands := []app.Command{
		app.ScreenCommand("enter i", "type", "Type a message", startTyping),
		app.ScreenCommand("t ctrl+t", "templates", "Templates: a message to start from", openTemplates),
	}
	commands = append(commands, s.commonCommands(state)...)
	commands = append(commands,
		app.ScreenCommand("c", "clear", "Clear the message", clearText),
		app.ScreenCommand("y", "copy", "Copy the message, the answer, a command line", openCopy))
	scrollKeys := app.KeysForHelp(app.GroupMove, s.resultPane.Bindings()...)
	return append(commands, scrollKeys...)
}

// TypingCommands returns the commands while the editor has the keyboard.
func (s *Screen) TypingCommands(state *app.State) []app.Command {
	stopTyping := func() tea.Cmd {
		s.isTyping = false
		s.completions = nil
		s.showResult(state)
		return nil
	}
	openTemplates := func() tea.Cmd { return s.openTemplates(state) }
	complete := func() tea.Cmd {
		s.acceptCompletion(state)
		return nil
	}

	commands := []app.Command{
		app.DialogCommand("esc", "stop typing", stopTyping),
		app.DialogCommand("tab", "complete", complete),
	}
	templates := app.DialogCommand("ctrl+t", "templates", openTemplates)
	sharedCommands := slices.Insert(s.commonCommands(state), 1, templates) // behind send
	return append(commands, sharedCommands...)
}

// commonCommands returns the commands that work while a message is typed and while none is.
// The first one sends the message.
func (s *Screen) commonCommands(state *app.State) []app.Command {
	send := func() tea.Cmd { return s.send(state) }
	recallEarlier := func() tea.Cmd { return s.recallText(state, directionEarlier) }
	recallLater := func() tea.Cmd { return s.recallText(state, directionLater) }

	// A compiled contract may parse the text both as a query and as an execute message. Then
	// switchKind tries it as the other of the two.
	switchKind := func() tea.Cmd {
		s.prefersQuery = !s.prefersQuery
		s.sentReceipt = nil
		s.requestTrial(state)
		return nil
	}
	return []app.Command{
		app.ScreenCommand("ctrl+s", "send", "Send the message", send),
		app.ScreenCommand("ctrl+p", "earlier", "The message before", recallEarlier),
		app.ScreenCommand("ctrl+n", "later", "The message after", recallLater),
		app.ScreenCommand("ctrl+e", "$EDITOR", "Edit the message in $EDITOR", s.editExternally),
		app.ScreenCommand("ctrl+x", "query or message", "Query or message, where it is both", switchKind).
			DisabledIf(!state.Compiled, "only a compiled contract can have both"),
	}
}

// Subject returns what a dialog that is opened over this screen is about: the token, the
// action and the sender of an execute message. It is zero for any other text.
func (s *Screen) Subject() app.Subject {
	if s.kind != executeMessage || s.outcome == nil || s.outcome.receipt == nil {
		return app.Subject{}
	}
	receipt := s.outcome.receipt
	// The words only decode the message here, so they need no names of accounts.
	words := app.Words{Contract: cw721.Contract{Flavour: cw721.FlavourOnchain}}
	return app.Subject{
		Token:   words.SubjectOfMessage(receipt.Message).Token,
		Action:  app.ActionNameOf(receipt.Message),
		Account: receipt.Sender,
	}
}
