package console

import (
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/chain/history"
	"ephemera/ui/app"
)

// recall moves back and forth through earlier texts, as the arrow keys of a shell do. Going
// back, the texts of this session come first, and then the messages of the history. The
// text that the user was typing before going back is the draft. Moving forward past the
// latest earlier text returns to it.
type recall struct {
	sessionTexts    []string // the texts that were sent or asked in this session, latest first
	historyMessages []string // the messages of the history, latest first
	stepsBack       int      // how far back the text in the editor is: 0 is the draft, 1 the latest text
	draft           string   // the text to return to
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

// addText makes a text the latest of the session, which has each text once. It also ends the
// walk through earlier texts.
func (r *recall) addText(text string) {
	olderTexts := slices.DeleteFunc(r.sessionTexts, func(other string) bool { return other == text })
	r.sessionTexts = append([]string{text}, olderTexts[:min(len(olderTexts), maxRecalled)]...)
	r.stepsBack = 0
}

func (r *recall) earlierTexts() []string {
	return slices.Concat(r.sessionTexts, r.historyMessages)
}

// The directions in which [recall.move] goes.
const (
	directionEarlier = +1
	directionLater   = -1
)

// move goes to the next text in a direction and returns it. exists is false if there is none.
// editorText, the text in the editor, becomes the draft if the user begins to go back with it.
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

// recallText puts the next earlier or later text into the editor, or shows that there is none.
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
