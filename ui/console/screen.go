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
	// beginnings is the list that an empty console shows; see [newBeginnings].
	beginnings *widget.Table

	// kind is the kind of the text in the editor.
	kind messageKind
	// problem says why the text is no message. It is nil for a message and for a blank text.
	problem *problem
	// outcome is what came of the text when it was last tried; nil if it was not tried.
	outcome *outcome
	// sent is the receipt of the message that was sent; nil once the text has changed.
	sent *chain.Receipt
	// result is the pane that describes the outcome.
	result *widget.Scroll

	// names has the names of the messages that the contract knows, as they were read last.
	names chain.MessageNames
	// place says where the caret is in the JSON of the text.
	place jsonPlace
	// completions has the completions of the word under the caret.
	completions []string

	// prefersQuery says that a message is taken as a query if a compiled contract can parse
	// it both as a query and as an execute message.
	prefersQuery bool

	// wanted says what the next call of Needs reads.
	wanted reading
}

// reading says what [Screen.Needs] reads in the background. Needs does not read what is nil
// or false here.
type reading struct {
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
		beginnings: newBeginnings(),
		result:     widget.NewScroll(),
	}
}

// Typing reports whether letters are typed into the message.
func (c *Screen) Typing() bool { return c.isTyping }

// Resize divides the box of the screen between the editor and the result.
func (c *Screen) Resize(box widget.Box) {
	c.box = box
	_, resultBox := c.panes()
	c.result.Resize(resultBox)
}

// Refresh is called when the chain has changed. It asks Needs to read the history again,
// whose messages the arrow keys recall, and to try the text in the editor again. If a
// message from the console was the change, the result of that message stays, and the text
// is not tried again.
func (c *Screen) Refresh(state *app.State) {
	c.wanted.needsHistory = true

	// Refresh is called while state still has the old revision. If that is older than the
	// revision of the sent message, the message was the change.
	isOwnChange := c.sent != nil && state.Revision < c.sent.Revision
	if !isOwnChange {
		c.sent = nil
		c.requestTrial(state)
	}
}

// consoleRead is the message that brings what Needs has read. A field is nil or zero if it
// was not asked for.
type consoleRead struct {
	outcome  *outcome
	idPrefix *string            // what the token ids begin with
	ids      []string           // the first token ids that begin with idPrefix
	history  []string           // the messages of the history, latest first
	names    chain.MessageNames // of the contract's messages, read with the history
}

// Needs returns a function that reads in the background what was asked for since the last
// call. It returns nil if nothing was asked for.
func (c *Screen) Needs(*app.State) app.Read {
	wanted := c.wanted
	if wanted == (reading{}) {
		return nil
	}
	c.wanted = reading{}
	prefersQuery := c.prefersQuery

	// This runs on another goroutine, so it uses what was copied above.
	return func(view *chain.View, facts app.Facts) (tea.Msg, error) {
		read := consoleRead{idPrefix: wanted.idToComplete}
		var err error
		if wanted.textToTry != nil {
			read.outcome = tryMessage(view, facts, *wanted.textToTry, prefersQuery)
		}
		if wanted.idToComplete != nil {
			read.ids, err = readTokenIDs(view, *wanted.idToComplete)
			if err != nil {
				return read, err
			}
		}
		if wanted.needsHistory {
			read.history, err = readHistoryMessages(view)
			if err != nil {
				return read, err
			}
			read.names, err = view.MessageNames()
		}
		return read, err
	}
}

// setText puts a text into the editor. JSON is formatted with one member a line. Any other
// text stays as it is.
func (c *Screen) setText(state *app.State, text string) {
	formatted := jsontext.Value(text)
	err := formatted.Format(
		jsontext.WithIndent("  "),
		jsontext.Multiline(true),
		jsontext.AllowDuplicateNames(true),
		jsontext.PreserveRawStrings(true))
	if err == nil {
		text = string(formatted)
	}
	c.editor.set(text)
	c.textChanged(state)
}

// textChanged is called when the text in the editor has changed. It drops the result of the
// text before, asks for a trial of the new text, and completes the word under the caret.
func (c *Screen) textChanged(state *app.State) {
	c.sent = nil
	c.requestTrial(state)
	c.complete(state)
}

// Update shows what was read or sent, takes texts from other screens and from the user's
// own editor, and handles keys and the mouse. An answered query is announced to the
// explorer, since a lesson may ask for it.
func (c *Screen) Update(state *app.State, msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case consoleRead:
		c.applyRead(state, msg)
		if tried := msg.outcome; tried != nil && tried.answer != nil {
			return func() tea.Msg { return app.QueriedMsg{Msg: []byte(tried.text)} }
		}
	case app.ReadFailedMsg:
		c.outcome = &outcome{fault: msg.Err.Error()}
		c.showResult(state)
	case app.ExecutedMsg:
		c.applyExecuted(state, msg)
	case app.ConsoleMsg:
		c.applyConsoleMsg(state, msg)
	case editedMsg:
		return c.applyEdited(state, msg)
	case draftMsg:
		return runEditor(msg)
	case tea.MouseMsg:
		c.updateMouse(state, msg)
	case tea.KeyMsg:
		return c.updateKey(state, msg)
	}
	return nil
}

// updateMouse applies a click or the wheel to the pane under the pointer.
func (c *Screen) updateMouse(state *app.State, msg tea.MouseMsg) {
	editorBox, _ := c.panes()
	isInEditor := msg.Y < editorBox.H+linesAboveEditor && msg.X < editorBox.W
	isInList := isInEditor && c.showsBeginnings()
	switch {
	case isInList && widget.IsClick(msg):
		c.beginnings.Click(msg.Y - linesAboveEditor)
		c.showResult(state)
	case isInList && c.beginnings.Update(msg): // the list used the wheel
		c.showResult(state)
	case widget.IsClick(msg):
		c.isTyping = isInEditor
	default:
		c.result.Update(msg)
	}
}

// applyRead shows what was read. It drops an outcome or token IDs if the text has changed
// since they were asked for.
func (c *Screen) applyRead(state *app.State, msg consoleRead) {
	if tried := msg.outcome; tried != nil && c.sent == nil && tried.text == c.editor.value() {
		c.outcome = tried
		c.kind = tried.kind
		c.showResult(state)
	}
	if c.isTyping && msg.idPrefix != nil && *msg.idPrefix == c.place.word {
		c.completions = msg.ids
	}
	if msg.history != nil {
		c.recall.historyMessages = msg.history
		c.names = msg.names
		c.listBeginnings(state)
	}
}

// updateKey applies a key. While a message is typed, a key is a command of TypingCommands,
// recalls an earlier text, or else goes to the editor. While no message is typed, updateKey
// only gets keys that are no commands. They move in the list or scroll the result.
func (c *Screen) updateKey(state *app.State, msg tea.KeyMsg) tea.Cmd {
	if !c.isTyping {
		if c.showsBeginnings() && c.beginnings.Update(msg) { // the list used the key
			c.showResult(state)
		} else {
			c.result.Update(msg)
		}
		return nil
	}

	// Pasted text is never a command.
	if command, isBound := app.FindCommand(c.TypingCommands(state), msg); isBound && !msg.Paste {
		return command.Do()
	}

	// At the edges of the text, up and down recall earlier texts.
	switch {
	case msg.String() == "up" && c.editor.isOnFirstLine():
		return c.recallText(state, toEarlier)
	case msg.String() == "down" && c.editor.isOnLastLine():
		return c.recallText(state, toLater)
	}

	// Every other key is for the editor.
	if c.editor.update(msg) {
		c.recall.stepsBack = 0 // an earlier text that is edited becomes the draft
		c.textChanged(state)
	} else {
		c.complete(state) // the caret may have moved
	}
	return nil
}

// send sends the text as the acting account, if it is an execute message. If it is a query
// that waits for this key, send asks for the answer. For any other text a notice says why
// nothing is sent.
func (c *Screen) send(state *app.State) tea.Cmd {
	text := c.editor.value()
	lock := state.LockReason()
	switch {
	case strings.TrimSpace(text) == "":
		return app.Notify(app.LevelInfo, "there is nothing to send; t shows templates")
	case lock != nil:
		return app.Notify(app.LevelWarn, lock.Error())
	case c.kind == undecidedMessage:
		return app.Notify(app.LevelInfo,
			"the contract is still being asked whether this is a query; ctrl+s sends it after that")
	case c.asksOnlyWhenSent(state):
		c.recall.addText(text)
		c.wanted.textToTry = &text
		return nil
	case c.kind == queryMessage:
		c.recall.addText(text)
		return app.Notify(app.LevelInfo, "a query is answered while it is typed; nothing is sent")
	case c.kind == instantiateMessage:
		return app.Notify(app.LevelInfo,
			"there is a collection already: an instantiate message is only previewed")
	}
	c.recall.addText(text)
	return app.ExecuteAs(state, c, state.Actor, []byte(text))
}

// applyExecuted shows the receipt of a message that this screen has sent. It ignores
// messages of other screens, and those that could not be sent.
func (c *Screen) applyExecuted(state *app.State, msg app.ExecutedMsg) {
	isFromHere := msg.From == any(c)
	if !isFromHere || msg.Err != nil {
		return
	}
	c.sent = &msg.Receipt
	c.outcome = &outcome{
		kind:       executeMessage,
		receipt:    c.sent,
		difference: msg.Receipt.Difference,
	}
	c.outcome.applyErrors(state.Facts, msg.Receipt.Refusal, nil, c.editor.value())
	c.showResult(state)
}

// openCopy opens the list of texts that can be copied. These are the message as JSON, the
// wasmd command that sends it or asks it as a query, and the answer to a query.
func (c *Screen) openCopy(state *app.State) tea.Cmd {
	// Copy JSON without blanks, and any other text as it is.
	text := c.editor.value()
	compact := jsontext.Value(text)
	if compact.Compact() == nil {
		text = string(compact)
	}

	// What can be copied depends on the kind of the message.
	items := []app.CopyItem{{Name: "message as JSON", Text: text}}
	tried := c.outcome
	switch c.kind {
	case executeMessage:
		msg := []byte(text)
		if tried != nil && tried.receipt != nil && len(tried.receipt.Message) > 0 {
			msg = tried.receipt.Message // with addresses in place of names
		}
		line := app.ExecuteLine(state, state.Actor, msg)
		items = append(items, app.CopyItem{Name: "wasmd execute", Text: line})
	case queryMessage:
		items = append(items, app.CopyItem{Name: "wasmd query", Text: app.QueryLine(state, []byte(text))})
		if tried != nil && tried.answer != nil {
			items = append(items, app.CopyItem{Name: "answer as JSON", Text: string(tried.answer)})
		}
	}
	return form.OpenCopy(state, items)
}

// Commands returns the commands while nothing is typed.
func (c *Screen) Commands(state *app.State) []app.Command {
	startTyping := func() tea.Cmd { return c.startTyping(state) }
	openTemplates := func() tea.Cmd { return c.openTemplates(state) }
	clearText := func() tea.Cmd {
		c.setText(state, "")
		return nil
	}
	openCopy := func() tea.Cmd { return c.openCopy(state) }

	commands := []app.Command{
		app.ScreenCommand("enter i", "type", "Type a message", startTyping),
		app.ScreenCommand("t ctrl+t", "templates", "Templates: a message to start from", openTemplates),
	}
	commands = append(commands, c.commonCommands(state)...)
	commands = append(commands,
		app.ScreenCommand("c", "clear", "Clear the message", clearText),
		app.ScreenCommand("y", "copy", "Copy the message, the answer, a command line", openCopy))
	scrollKeys := app.KeysForHelp(app.GroupMove, c.result.Bindings()...)
	return append(commands, scrollKeys...)
}

// TypingCommands returns the commands while the editor has the keyboard.
func (c *Screen) TypingCommands(state *app.State) []app.Command {
	stopTyping := func() tea.Cmd {
		c.isTyping = false
		c.completions = nil
		c.showResult(state)
		return nil
	}
	openTemplates := func() tea.Cmd { return c.openTemplates(state) }
	complete := func() tea.Cmd {
		c.acceptCompletion(state)
		return nil
	}

	commands := []app.Command{
		app.DialogCommand("esc", "stop typing", stopTyping),
		app.DialogCommand("tab", "complete", complete),
	}
	templates := app.DialogCommand("ctrl+t", "templates", openTemplates)
	common := slices.Insert(c.commonCommands(state), 1, templates) // behind send
	return append(commands, common...)
}

// commonCommands returns the commands that work while a message is typed and while none is.
// The first one sends the message.
func (c *Screen) commonCommands(state *app.State) []app.Command {
	send := func() tea.Cmd { return c.send(state) }
	recallEarlier := func() tea.Cmd { return c.recallText(state, toEarlier) }
	recallLater := func() tea.Cmd { return c.recallText(state, toLater) }

	// A compiled contract may parse the text both as a query and as an execute message. Then
	// switchKind tries it as the other of the two.
	switchKind := func() tea.Cmd {
		c.prefersQuery = !c.prefersQuery
		c.sent = nil
		c.requestTrial(state)
		return nil
	}
	return []app.Command{
		app.ScreenCommand("ctrl+s", "send", "Send the message", send),
		app.ScreenCommand("ctrl+p", "earlier", "The message before", recallEarlier),
		app.ScreenCommand("ctrl+n", "later", "The message after", recallLater),
		app.ScreenCommand("ctrl+e", "$EDITOR", "Edit the message in $EDITOR", c.editExternally),
		app.ScreenCommand("ctrl+x", "query or message", "Query or message, where it is both", switchKind).
			DisabledIf(!state.Compiled, "only a compiled contract can have both"),
	}
}

// Subject returns what a dialog that is opened over this screen is about: the token, the
// action and the sender of an execute message. It is zero for any other text.
func (c *Screen) Subject() app.Subject {
	if c.kind != executeMessage || c.outcome == nil || c.outcome.receipt == nil {
		return app.Subject{}
	}
	receipt := c.outcome.receipt
	// The words only decode the message here, so they need no names of accounts.
	words := app.Words{Contract: cw721.Contract{Flavour: cw721.FlavourOnchain}}
	return app.Subject{
		Token:   words.Subject(receipt.Message).Token,
		Action:  app.ActionNameOf(receipt.Message),
		Account: receipt.Sender,
	}
}
