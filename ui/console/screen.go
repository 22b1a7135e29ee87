// Package console is the screen on which messages are typed as JSON. It completes
// names, offers templates and earlier messages, and can hand the text to a person's
// own editor.
//
// core/cw721 decides what a text means, and whether it is a message. A key belongs in
// commands.go, what is said about an outcome in result.go, and an example of a message in
// templates.go.
package console

import (
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/go-json-experiment/json/jsontext"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/widget"
)

// Screen is the console: any message of the contract can be typed as JSON. While it is
// typed, a message is previewed, and a query is answered. ctrl+s sends a message.
type Screen struct {
	app.Tab
	box       widget.Box
	editor    editor
	isTyping  bool // the editor has the keyboard
	recall    recall
	startList *widget.Table // is shown in an empty console; see [newStartList]

	kind        messageKind    // of the text in the editor
	problem     *problem       // why the text is no message; nil for a message and for a blank text
	outcome     *outcome       // what came of the text when it was last tried; nil if it was not tried
	sentReceipt *chain.Receipt // of the message that was sent; nil once the text has changed
	resultPane  *widget.Scroll // describes the outcome

	names        chain.MessageNames // the messages that the contract knows, as they were read last
	caretContext caretContext       // where the caret is in the JSON of the text
	completions  []string           // of the word under the caret
	// prefersQuery says that a message is taken as a query if a compiled contract can parse
	// it both as a query and as an execute message.
	prefersQuery bool
	request      readRequest // what the next call of NextRead reads
}

// readRequest says what [Screen.NextRead] reads in the background.
type readRequest struct {
	textToTry    *string // the message to try
	idToComplete *string // what the token IDs to read begin with
	needsHistory bool    // read the messages of the history, and the names of the contract's messages
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
	return text != "" && s.kind != queryMessage && !slices.Contains(s.recall.earlierTexts(), text)
}

// Subject returns what a dialog that is opened over this screen is about: the token, the
// action and the sender of an execute message. It is zero for any other text.
func (s *Screen) Subject() app.Subject {
	if s.kind != executeMessage || s.outcome == nil || s.outcome.receipt == nil {
		return app.Subject{}
	}
	receipt := s.outcome.receipt
	// To decode the message, no more than the flavour must be known.
	facts := app.Facts{Config: chain.Config{Flavour: cw721.FlavourOnchain}}
	return app.Subject{
		Token:   facts.SubjectOfMessage(receipt.Message).Token,
		Action:  app.ActionNameOf(receipt.Message),
		Account: receipt.Sender,
	}
}

// Resize divides the box of the screen between the editor and the result.
func (s *Screen) Resize(box widget.Box) {
	s.box = box
	_, resultBox := s.panes()
	s.resultPane.Resize(resultBox)
}

// linesAboveEditor is the number of lines above the editor: the title and the completions.
const linesAboveEditor = 2

// minWidthForTwoPanes is the smallest width, in cells, with which the result is right of the
// editor. On a narrower screen the result is below the editor.
const minWidthForTwoPanes = 100

// panes returns the sizes of the editor and of the result. A border separates them.
func (s *Screen) panes() (editor, result widget.Box) {
	if s.box.W >= minWidthForTwoPanes {
		left, right := s.box.SplitLeft(s.box.W / 2)
		_, editor = left.SplitTop(linesAboveEditor)
		result = widget.Box{W: max(right.W-2, 0), H: right.H} // without the border
		return editor, result
	}

	// An odd line goes to the editor.
	lineCount := max(s.box.H-linesAboveEditor-1, 0) // without the border
	editor = widget.Box{W: s.box.W, H: (lineCount + 1) / 2}
	result = widget.Box{W: s.box.W, H: lineCount / 2}
	return editor, result
}

// Refresh asks NextRead to read the history again, and to try the text in the editor again unless
// a message from the console was the change.
func (s *Screen) Refresh(state *app.State) {
	s.request.needsHistory = true

	// Refresh is called while state still has the old revision. If that is older than the
	// revision of the sent message, the message was the change.
	if s.sentReceipt != nil && state.Revision < s.sentReceipt.Revision {
		return
	}
	s.sentReceipt = nil
	s.requestTrial(state)
}

// NextRead returns a function that reads in the background what was asked for since the last call.
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

// consoleRead brings what NextRead has read. A field is nil or zero if it was not asked for.
type consoleRead struct {
	outcome  *outcome
	idPrefix *string            // what the token ids begin with
	tokenIDs []string           // the first token ids that begin with idPrefix
	history  []string           // the messages of the history, latest first
	names    chain.MessageNames // of the contract's messages, read with the history
}

// Update shows what was read or sent, takes texts from other screens and from the user's own
// editor, and handles keys and the mouse. It announces an answered query, since a lesson may
// ask for it.
func (s *Screen) Update(state *app.State, msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case consoleRead:
		s.applyRead(state, msg)
		if outcome := msg.outcome; outcome != nil && outcome.answer != nil {
			return app.Send(app.QueriedMsg{Msg: []byte(outcome.text)})
		}
	case app.ReadFailedMsg:
		s.outcome = &outcome{fault: msg.Err.Error()}
		s.showResult(state)
	case app.ExecutedMsg:
		s.applyExecuted(state, msg)
	case app.ConsoleMsg:
		if msg.Template != "" {
			s.typeTemplate(state, templateText(msg.Template))
		} else {
			s.setText(state, msg.Text)
		}
	case editedMsg:
		return s.applyEdited(state, msg)
	case tea.MouseMsg:
		s.updateMouse(state, msg)
	case tea.KeyMsg:
		return s.updateKey(state, msg)
	}
	return nil
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

// textChanged drops the result of the text before, asks for a trial of the new text, and
// completes the word under the caret.
func (s *Screen) textChanged(state *app.State) {
	s.sentReceipt = nil
	s.requestTrial(state)
	s.updateCompletions(state)
}

// View draws the title, the completions and the editor, and beside or below them the result.
func (s *Screen) View(state *app.State) string {
	editorBox, _ := s.panes()
	result := s.resultPane.View(state.Theme)

	const indent = " " // of the editor
	body := s.editorBody(state, widget.Box{W: max(editorBox.W-len(indent), 0), H: editorBox.H})
	body = indent + strings.ReplaceAll(body, "\n", "\n"+indent)
	editorPane := widget.JoinVertically(
		s.titleLine(state, editorBox.W),
		s.completionLine(state, editorBox.W),
		body)

	resultHasFocus := !s.isTyping
	if s.box.W < minWidthForTwoPanes {
		border := app.RuleAcross(state, s.box.W, resultHasFocus)
		return widget.Fill(widget.JoinVertically(editorPane, border, result), s.box)
	}
	editorPane = widget.Fill(editorPane, widget.Box{W: editorBox.W, H: s.box.H})
	border := widget.Fill(app.RuleDown(state, s.box.H, resultHasFocus), widget.Box{W: 2, H: s.box.H})
	return widget.Fill(widget.JoinHorizontally(editorPane, border, result), s.box)
}

// titleLine says what kind of message the text is, and who would send it. While a message is
// typed, it also has the keys that send it and that leave the editor.
func (s *Screen) titleLine(state *app.State, width int) string {
	title := widget.Header(" Message")
	switch s.kind {
	case executeMessage:
		title = title.Muted("  execute, as ").Strong(state.DisplayName(state.Actor))
	case queryMessage, instantiateMessage:
		title = title.Muted("  " + s.kind.String())
	}
	var keys widget.Line
	if s.isTyping {
		keys = widget.Styled(themes.Key, "ctrl+s").Muted(" sends  ").
			Append(themes.Key, "esc").Muted(" leaves ")
	}
	return widget.JoinEnds(title.Render(state.Theme), keys.Render(state.Theme), width)
}

// completionLine returns a line with the completions of the word under the caret, of which the tab
// key takes the first.
func (s *Screen) completionLine(state *app.State, width int) string {
	if len(s.completions) == 0 {
		return widget.Fit("", width)
	}
	line := widget.Styled(themes.Key, " tab ").Append(themes.Match, s.completions[0])
	for _, completion := range s.completions[1:] {
		line = line.Append(themes.Faint, "  "+completion)
	}
	return line.Fit(state.Theme, width)
}

// editorBody draws the editor with the problem of its text, or the list of texts to start from.
func (s *Screen) editorBody(state *app.State, box widget.Box) string {
	if s.showsStartList() {
		s.startList.Resize(box)
		return s.startList.View(state.Theme)
	}
	shownProblem := s.problem
	if shownProblem == nil && s.outcome != nil {
		shownProblem = s.outcome.problem
	}
	return s.editor.view(state.Theme, box, s.isTyping, shownProblem)
}
