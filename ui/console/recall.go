package console

import (
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/chain/history"
	"ephemera/ui/app"
)

// recall moves back and forth through earlier texts, as the arrow keys of a shell do:
// first those that were sent or asked in this session, and then the messages of the
// history, each with the latest first. The text that was being typed when the first
// earlier text was shown is the draft. Moving forward past the latest text returns to
// the draft.
type recall struct {
	session []string
	history []string
	back    int // how far back the text in the editor is: 0 is the draft, 1 the latest text
	draft   string
}

// maxRecalled limits the texts of the session, and also those of the history.
const maxRecalled = 200

// readHistoryMessages reads the latest maxRecalled different messages of the history,
// newest first.
func readHistoryMessages(v *chain.View) ([]string, error) {
	messages := []string{}
	for node, err := range v.History(0) {
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

// add makes a text the latest one, wherever it was before, and moves back to the draft.
func (r *recall) add(text string) {
	r.session = slices.DeleteFunc(r.session, func(other string) bool { return other == text })
	r.session = append([]string{text}, r.session[:min(len(r.session), maxRecalled)]...)
	r.back = 0
}

// move goes to the next earlier text if by is +1, or to the next later one if by is -1,
// and returns it. current is the text in the editor; it becomes the draft if it is not
// an earlier text. exists is false if there is no text in this direction.
func (r *recall) move(by int, current string) (text string, exists bool) {
	earlier := slices.Concat(r.session, r.history)
	back := r.back + by
	if back < 0 || back > len(earlier) {
		return "", false
	}
	if r.back == 0 {
		r.draft = current
	}
	r.back = back
	if back == 0 {
		return r.draft, true
	}
	return earlier[back-1], true
}

// recallText puts the next earlier text (by = +1) or later text (by = -1) into the
// editor, or says that there is none.
func (c *Screen) recallText(st *app.State, by int) tea.Cmd {
	text, exists := c.recall.move(by, c.editor.value())
	switch {
	case exists:
		c.setText(st, text)
		return nil
	case by > 0:
		return app.Notify(app.LevelInfo, "there is no earlier message")
	}
	return app.Notify(app.LevelInfo, "there is no later message")
}
