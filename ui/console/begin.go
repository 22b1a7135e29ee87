package console

import (
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/chain/history"
	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/widget"
)

// maxEarlierListed is how many earlier messages the list of an empty console has at most.
// ctrl+p reaches the others.
const maxEarlierListed = 8

// newBeginnings makes the list that an empty console shows in place of the editor:
// texts that a message can begin with.
func newBeginnings() *widget.Table {
	return widget.NewTable(
		widget.Column{Title: "BEGIN WITH", Width: 12, Flex: 1},
		widget.Column{Title: "", Width: 12})
}

// showsBeginnings reports whether the list of texts to begin with is shown in place of the
// editor: nothing was typed, and the editor does not have the keys.
func (c *Screen) showsBeginnings() bool { return c.editor.value() == "" && !c.isTyping }

// listBeginnings fills the list with an empty message, earlier messages, and templates. The
// OwnerData of a row is the text that the editor gets if the row is chosen.
func (c *Screen) listBeginnings(st *app.State) {
	rows := []widget.Row{beginningRow("", "a message of your own", "", "")}

	// The messages that were sent or asked before, with what they do in words.
	earlier := c.recall.all()
	for _, text := range earlier[:min(len(earlier), maxEarlierListed)] {
		summary := st.Words().Node(history.Node{Kind: history.KindExecute, Message: text})
		rows = append(rows, beginningRow("past/"+text, summary, "earlier", text))
	}

	// The templates, filled in for this collection.
	people := c.people(st)
	for _, t := range templatesOf(c.names, st.Compiled) {
		rows = append(rows, beginningRow("template/"+t.name, t.name, t.kind, people.fillIn(t.text)))
	}

	// Show the new rows.
	c.beginnings.Reload()
	if req, isWanted := c.beginnings.Want(); isWanted {
		c.beginnings.Set(widget.WholePage(req, rows))
	}
	c.showResult(st)
}

// beginningRow makes one row of the list. kind is a muted word such as "earlier" or
// "query", and text is what the editor gets.
func beginningRow(key, title, kind, text string) widget.Row {
	return widget.Row{
		Key:       key,
		Cells:     []widget.Line{widget.Plain(title), widget.Muted(kind)},
		OwnerData: text,
	}
}

// selectedBeginning returns the text under the cursor of the list; "" for the first
// row, a message of one's own.
func (c *Screen) selectedBeginning() string {
	row, _ := c.beginnings.Cursor()
	text, _ := row.OwnerData.(string)
	return text
}

// startTyping gives the keys to the editor. If the list is shown, the editor gets the
// text under its cursor.
func (c *Screen) startTyping(st *app.State) tea.Cmd {
	text := c.selectedBeginning()
	takesText := c.showsBeginnings() && text != ""
	c.isTyping = true
	if takesText {
		c.setText(st, text)
	} else {
		c.complete(st)
	}
	return nil
}

// showResult fills the result pane: with the outcome of the message, or, while the list
// is shown, with the text under its cursor.
func (c *Screen) showResult(st *app.State) {
	if !c.showsBeginnings() {
		c.result.Set(c.resultLines(st))
		return
	}
	if text := c.selectedBeginning(); strings.TrimSpace(text) != "" {
		c.result.Set(widget.JSONLines(text))
		return
	}

	// For the empty message, say what can be typed.
	lines := []widget.Line{
		widget.Muted("Any message of the contract, as JSON; ").
			Text(`"$alice"`).
			Muted(" stands for her address."),
	}
	if c.names.Unlisted != "" {
		lines = append(lines, widget.In(themes.Warn, themes.GlyphWarn+" ").
			Text(c.names.Unlisted+"; those of cw721 are listed, and it may know others."))
	}
	c.result.Set(lines)
}

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

// all returns the texts of the session and then those of the history, latest first.
func (r *recall) all() []string { return append(slices.Clone(r.session), r.history...) }

// move goes to the next earlier text if by is +1, or to the next later one if by is -1,
// and returns it. current is the text in the editor; it becomes the draft if it is not
// an earlier text. exists is false if there is no text in this direction.
func (r *recall) move(by int, current string) (text string, exists bool) {
	earlier := r.all()
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
