package console

import (
	"errors"
	"os"
	"os/exec"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/ui/app"
	"ephemera/ui/term"
)

// draftedMsg says that the text stands in a file, editedMsg that the person's
// editor is done with it.
type (
	draftedMsg struct{ path string }
	EditedMsg  struct {
		Text string
		err  error
	}
)

// external hands the text to the person's editor, in a file that nobody else
// can read.
func (c *Screen) external() tea.Cmd {
	text := c.edit.value()
	return func() tea.Msg {
		if len(editorCommand(os.Getenv)) == 0 {
			return app.NoticeMsg{Level: app.LevelWarn, Text: "no editor is named: set $EDITOR (or $VISUAL)"}
		}
		path, err := writeDraft(text)
		if err != nil {
			return app.NoticeMsg{Level: app.LevelBad, Text: err.Error()}
		}
		return draftedMsg{path}
	}
}

// editorCommand is the person's editor with its arguments.
func editorCommand(env func(string) string) []string {
	for _, name := range []string{"VISUAL", "EDITOR"} {
		if words := strings.Fields(env(name)); len(words) > 0 {
			return words
		}
	}
	return nil
}

// writeDraft writes a text into a new file with mode 0600.
func writeDraft(text string) (path string, err error) {
	f, err := os.CreateTemp("", "ephemera-*.json")
	if err != nil {
		return "", err
	}
	_, err = f.WriteString(text)
	if err = errors.Join(err, f.Close()); err != nil {
		os.Remove(f.Name())
		return "", err
	}
	return f.Name(), nil
}

// readDraft reads the text back and removes the file, whatever the editor did.
func readDraft(path string, ran error) tea.Msg {
	defer os.Remove(path)
	if ran != nil {
		return EditedMsg{err: ran}
	}
	b, err := os.ReadFile(path)
	return EditedMsg{string(b), err}
}

// runEditor lets the editor have the terminal, itself and not what the explorer
// reads of it: an editor asks whether its input is one, and a copy would wait for
// one more key after the editor has ended.
func runEditor(msg draftedMsg) tea.Cmd {
	words := append(editorCommand(os.Getenv), msg.path)
	cmd := exec.Command(words[0], words[1:]...)
	in, err := term.Open()
	if err != nil {
		return func() tea.Msg { return readDraft(msg.path, err) }
	}
	cmd.Stdin = in.File
	return tea.ExecProcess(cmd, func(err error) tea.Msg {
		_ = in.Close() // it was only lent
		return readDraft(msg.path, err)
	})
}

// edited takes the text back. What the editor refused leaves it as it was.
func (c *Screen) edited(st *app.State, msg EditedMsg) tea.Cmd {
	if msg.err != nil {
		return app.Notify(app.LevelBad, "the editor failed, and the message is as it was: "+msg.err.Error())
	}
	c.edit.set(strings.TrimRight(msg.Text, "\n"))
	c.changed(st)
	return nil
}
