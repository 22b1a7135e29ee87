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

// maxEarlierListed bounds the earlier messages in the list of an empty console. The
// keys for the message before reach all of them.
const maxEarlierListed = 8

// newBeginnings makes the list of texts that a message can begin with. An empty
// console shows it in place of the message.
func newBeginnings() *widget.Table {
	return widget.NewTable(
		widget.Column{Title: "BEGIN WITH", Width: 12, Flex: 1},
		widget.Column{Title: "", Width: 12})
}

// showsBeginnings reports whether the list is on the screen.
func (c *Screen) showsBeginnings() bool { return c.editor.value() == "" && !c.isTyping }

// listBeginnings fills the list: an empty message, earlier messages, and templates.
// About of each row is its text.
func (c *Screen) listBeginnings(st *app.State) {
	rows := []widget.Row{beginningRow("", "a message of your own", "", "")}
	earlier := c.recall.all()
	for _, text := range earlier[:min(len(earlier), maxEarlierListed)] {
		summary := st.Words().Node(history.Node{Kind: history.KindExecute, Message: text})
		rows = append(rows, beginningRow("past/"+text, summary, "earlier", text))
	}
	people := c.people(st)
	for _, t := range templatesOf(st.Config.Rules) {
		rows = append(rows, beginningRow("template/"+t.name, t.name, t.kindUnder(st.Config.Rules), t.fill(people)))
	}

	c.beginnings.Reload()
	if req, isWanted := c.beginnings.Want(); isWanted {
		c.beginnings.Set(widget.WholePage(req, rows))
	}
	c.showResult(st)
}

func beginningRow(key, title, kind, text string) widget.Row {
	return widget.Row{
		Key:   key,
		Cells: []widget.Line{widget.Plain(title), widget.In(themes.Muted, kind)},
		About: text,
	}
}

// selectedBeginning is the text under the cursor of the list.
func (c *Screen) selectedBeginning() string {
	row, _ := c.beginnings.Cursor()
	text, _ := row.About.(string)
	return text
}

// startTyping gives the keys to the editor. An empty editor gets the text under the
// cursor of the list.
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

// showResult writes the result of the message, or the text under the cursor of the
// list.
func (c *Screen) showResult(st *app.State) {
	if !c.showsBeginnings() {
		c.result.Set(c.resultLines(st))
		return
	}
	if text := c.selectedBeginning(); strings.TrimSpace(text) != "" {
		c.result.Set(widget.JSONLines(text))
		return
	}
	c.result.Set([]widget.Line{
		widget.In(themes.Muted, "Any message of the contract, as JSON; ").
			And(themes.Text, `"$alice"`).
			And(themes.Muted, " stands for her address."),
	})
}

// recall goes back and forth in earlier texts: those that were sent or asked in this
// session, and then the messages of the history, each latest first.
type recall struct {
	session []string
	history []string
	index   int    // in all; -1 is the draft
	draft   string // the text that was being typed when the first earlier one was shown
}

// maxRecalled bounds the texts of the session, and those of the history.
const maxRecalled = 200

// readHistoryMessages reads the latest messages of the history, each once.
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

// add puts a text before all others, and moves back to the draft.
func (r *recall) add(text string) {
	r.session = slices.DeleteFunc(r.session, func(other string) bool { return other == text })
	r.session = append([]string{text}, r.session[:min(len(r.session), maxRecalled)]...)
	r.index = -1
}

func (r *recall) all() []string { return append(slices.Clone(r.session), r.history...) }

// move goes to an earlier text (+1) or a later one (-1), and returns it. current is
// the text in the editor, which becomes the draft if it is not an earlier one. exists
// is false if there is none in this direction.
func (r *recall) move(by int, current string) (text string, exists bool) {
	all := r.all()
	next := r.index + by
	if next < -1 || next >= len(all) {
		return "", false
	}
	if r.index == -1 {
		r.draft = current
	}
	r.index = next
	if next == -1 {
		return r.draft, true
	}
	return all[next], true
}

// recallText puts an earlier text (+1) or a later one (-1) into the editor.
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
