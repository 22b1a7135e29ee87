package console

import (
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/chain/history"
	"ephemera/ui/app"
	"ephemera/ui/widget"
)

// maxEarlierListed is the largest number of earlier messages in the list of an empty
// console. The key ctrl+p also reaches older ones.
const maxEarlierListed = 8

// newStartList makes the list that an empty console shows in place of the editor. It has
// texts from which the user can start a message: earlier messages and templates.
func newStartList() *widget.Table {
	return widget.NewTable(
		widget.Column{Title: "BEGIN WITH", Width: 12, Flex: 1},
		widget.Column{Title: "", Width: 12})
}

// showsStartList reports whether the list of [newStartList] is shown in place of the
// editor. It is shown while the editor is empty and does not have the keyboard.
func (s *Screen) showsStartList() bool { return s.editor.value() == "" && !s.isTyping }

// fillStartList fills the list of texts to start from. First is an empty message, then come
// earlier messages, and then templates.
func (s *Screen) fillStartList(state *app.State) {
	rows := []widget.Row{startRow("", "a message of your own", "", "")} // has no text

	// Earlier messages are described in words.
	earlierTexts := s.recall.earlierTexts()
	listedCount := min(len(earlierTexts), maxEarlierListed)
	for _, text := range earlierTexts[:listedCount] {
		summary := state.Words().DescribeNode(history.Node{Kind: history.KindExecute, Message: text})
		rows = append(rows, startRow("past/"+text, summary, "earlier", text))
	}

	// The templates, filled in for this collection.
	values := s.chooseWordValues(state)
	for _, t := range templatesOf(s.names, state.Compiled) {
		rows = append(rows, startRow("template/"+t.name, t.name, t.kind, values.fillIn(t.text)))
	}

	// Put the rows into the list. The result pane shows the text under its cursor.
	s.startList.Reload()
	if req, isWanted := s.startList.NextRequest(); isWanted {
		s.startList.Set(widget.WholePage(req, rows))
	}
	s.showResult(state)
}

// startRow makes a row of the list of texts to start from. kind is a word such as
// "earlier" or "query". text is what the editor gets if the row is chosen. The row keeps it
// in OwnerData.
func startRow(key, title, kind, text string) widget.Row {
	return widget.Row{
		Key:       key,
		Cells:     []widget.Line{widget.Plain(title), widget.Muted(kind)},
		OwnerData: text,
	}
}

// selectedStartText returns the text to start from, which is that of the row under the
// cursor of the list. It is "" for the first row, with which the user writes a message
// from nothing.
func (s *Screen) selectedStartText() string {
	row, _ := s.startList.Cursor()
	text, _ := row.OwnerData.(string)
	return text
}

// startTyping gives the keyboard to the editor. If the list is shown, the editor also gets
// the text of the row under the list's cursor. It returns nil, because nothing is left to
// do in the background.
func (s *Screen) startTyping(state *app.State) tea.Cmd {
	text := s.selectedStartText()
	startsFromText := s.showsStartList() && text != ""
	s.isTyping = true
	if startsFromText {
		s.setText(state, text)
		return nil
	}
	s.updateCompletions(state)
	return nil
}

// showResult fills the result pane. It shows the outcome of the message in the editor.
// While the list is shown in place of the editor, it shows the text of the row under the
// cursor.
func (s *Screen) showResult(state *app.State) {
	if !s.showsStartList() {
		s.resultPane.Set(s.resultLines(state))
		return
	}
	if text := s.selectedStartText(); strings.TrimSpace(text) != "" {
		s.resultPane.Set(widget.JSONLines(text))
		return
	}

	// The row of an empty message has no text, so say what can be typed.
	lines := []widget.Line{
		widget.Muted("Any message of the contract, as JSON; ").
			Text(`"$alice"`).
			Muted(" stands for her address."),
	}
	if s.names.UnlistedReason != "" {
		lines = append(lines, widget.Warning("").
			Text(s.names.UnlistedReason+"; those of cw721 are listed, and it may know others."))
	}
	s.resultPane.Set(lines)
}

// recall moves back and forth through earlier texts, as the arrow keys of a shell do. Going
// back, the texts of this session come first, and then the messages of the history. The
// text that the user was typing before going back is the draft. Moving forward past the
// latest earlier text returns to it.
type recall struct {
	// sessionTexts has the texts that were sent or asked in this session, latest first.
	sessionTexts []string
	// historyMessages has the messages of the history, latest first.
	historyMessages []string
	// stepsBack says how far back the text in the editor is. 0 is the draft, 1 is the
	// latest earlier text, and so on.
	stepsBack int
	// draft is the text to return to.
	draft string
}

// maxRecalled is the largest number of texts of the session, and also of the history.
const maxRecalled = 200

// readHistoryMessages reads messages of the history, newest first. It skips a message that
// is the same as a newer one, and stops after maxRecalled messages.
func readHistoryMessages(view *chain.View) ([]string, error) {
	messages := []string{} // nil would mean that the history was not read
	for node, err := range view.History(0) {
		if err != nil {
			return nil, err
		}
		if node.Kind == history.KindExecute && !slices.Contains(messages, node.Message) {
			messages = append(messages, node.Message)
		}
		if len(messages) == maxRecalled {
			break
		}
	}
	return messages, nil
}

// addText makes a text the latest text of the session. If the session has the text already,
// addText moves it to the front. It also ends the walk through earlier texts.
func (r *recall) addText(text string) {
	isSame := func(other string) bool { return other == text }
	olderTexts := slices.DeleteFunc(r.sessionTexts, isSame)
	keptCount := min(len(olderTexts), maxRecalled)
	r.sessionTexts = append([]string{text}, olderTexts[:keptCount]...)
	r.stepsBack = 0
}

// earlierTexts returns all earlier texts: those of the session, latest first, and then
// those of the history, latest first.
func (r *recall) earlierTexts() []string {
	return slices.Concat(r.sessionTexts, r.historyMessages)
}

// The directions in which [recall.move] goes.
const (
	directionEarlier = +1
	directionLater   = -1
)

// move goes to the next text in a direction, which is directionEarlier or directionLater,
// and returns that text. exists is false if there is none. editorText is the text in the
// editor. move keeps it as the draft if the user begins to go back with it.
func (r *recall) move(direction int, editorText string) (text string, exists bool) {
	earlierTexts := r.earlierTexts()
	stepsBack := r.stepsBack + direction
	if stepsBack < 0 || stepsBack > len(earlierTexts) {
		return "", false
	}
	if r.stepsBack == 0 {
		r.draft = editorText
	}

	r.stepsBack = stepsBack
	if stepsBack == 0 {
		return r.draft, true
	}
	return earlierTexts[stepsBack-1], true
}

// recallText puts the next earlier or later text into the editor, as direction says. If
// there is none, it shows a notice.
func (s *Screen) recallText(state *app.State, direction int) tea.Cmd {
	text, exists := s.recall.move(direction, s.editor.value())
	switch {
	case exists:
		s.setText(state, text)
		return nil
	case direction == directionEarlier:
		return app.Notify(app.LevelInfo, "there is no earlier message")
	}
	return app.Notify(app.LevelInfo, "there is no later message")
}
