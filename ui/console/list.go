package console

import (
	"ephemera/core/chain/history"
	"ephemera/ui/app"
	"ephemera/ui/widget"
)

// newStartList makes the list that an empty console shows in place of the editor: earlier messages
// and templates, from which the user can start a message.
func newStartList() *widget.Table {
	return widget.NewTable(
		widget.Column{Title: "BEGIN WITH", Width: 12, Flex: 1},
		widget.Column{Title: "", Width: 12})
}

// showsStartList reports whether the list of [newStartList] is shown in place of the
// editor. It is shown while the editor is empty and does not have the keyboard.
func (s *Screen) showsStartList() bool { return s.editor.value() == "" && !s.isTyping }

// maxEarlierListed is the largest number of earlier messages in the list of an empty
// console. The key ctrl+p also reaches older ones.
const maxEarlierListed = 8

// fillStartList fills the list: an empty message, earlier messages, and templates.
func (s *Screen) fillStartList(state *app.State) {
	rows := []widget.Row{startRow("", "a message of your own", "", "")} // has no text

	earlierTexts := s.recall.earlierTexts()
	for _, text := range earlierTexts[:min(len(earlierTexts), maxEarlierListed)] {
		summary := state.DescribeNode(history.Node{Kind: history.KindExecute, Message: text})
		rows = append(rows, startRow("past/"+text, summary, "earlier", text))
	}

	filler := templateFiller(state)
	for _, t := range templatesOf(s.names, state.Compiled) {
		rows = append(rows, startRow("template/"+t.name, t.name, t.kind, filler.Replace(t.text)))
	}

	s.startList.Reload()
	if req, isWanted := s.startList.NextRequest(); isWanted {
		s.startList.Set(widget.WholePage(req, rows))
	}
	s.showResult(state) // of the text under the cursor
}

// startRow makes a row of the list. kind is a word such as "earlier" or "query". text is what the
// editor gets if the row is chosen.
func startRow(key, title, kind, text string) widget.Row {
	return widget.Row{
		Key:       key,
		Cells:     []widget.Line{widget.Plain(title), widget.Muted(kind)},
		OwnerData: text,
	}
}

// selectedStartText returns the text of the row under the cursor of the list. It is "" for the
// first row, with which the user writes a message from nothing.
func (s *Screen) selectedStartText() string {
	row, _ := s.startList.Cursor()
	text, _ := row.OwnerData.(string)
	return text
}

// startTyping gives the keyboard to the editor. If the list is shown, the editor also gets
// the text of the row under the list's cursor.
func (s *Screen) startTyping(state *app.State) {
	text := s.selectedStartText()
	startsFromText := s.showsStartList() && text != ""
	s.isTyping = true
	if startsFromText {
		s.setText(state, text)
	} else {
		s.updateCompletions(state)
	}
}
