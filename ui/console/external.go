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

// draftMsg says that the text of the console was written to the file at path. The user's own
// editor is to open that file next.
type draftMsg struct{ path string }

// editedMsg brings the text that the user's own editor has saved.
type editedMsg struct {
	text string
	err  error // why the editor failed; nil if it did not
}

// editExternally returns the command that writes the text of the console to a file, and
// then has the user's own editor opened by a draftMsg. It shows a notice if neither $VISUAL
// nor $EDITOR names an editor, or if the file cannot be written.
func (s *Screen) editExternally() tea.Cmd {
	text := s.editor.value()
	return func() tea.Msg {
		if len(editorCommand()) == 0 {
			return app.NoticeMsg{Level: app.LevelWarn, Text: "no editor is named: set $EDITOR (or $VISUAL)"}
		}
		path, err := writeDraft(text)
		if err != nil {
			return app.NoticeMsg{Level: app.LevelBad, Text: err.Error()}
		}
		return draftMsg{path: path}
	}
}

// editorCommand returns the words of $VISUAL, or else of $EDITOR; nil if both are
// empty.
func editorCommand() []string {
	for _, name := range []string{"VISUAL", "EDITOR"} {
		if words := strings.Fields(os.Getenv(name)); len(words) > 0 {
			return words
		}
	}
	return nil
}

// writeDraft writes a text to a new file that only its user can read. It leaves no
// file if it fails.
func writeDraft(text string) (path string, err error) {
	file, err := os.CreateTemp("", "ephemera-*.json") // with mode 0600
	if err != nil {
		return "", err
	}
	_, writeErr := file.WriteString(text)
	closeErr := file.Close()
	if err := errors.Join(writeErr, closeErr); err != nil {
		os.Remove(file.Name())
		return "", err
	}
	return file.Name(), nil
}

// runEditor returns the command that runs the user's own editor on the draft. The input of
// the editor is the terminal itself, and not the explorer's input, which is a pipe. Editors
// check that their input is a terminal. Besides, copying keys to the editor through a pipe
// would swallow the first key after the editor has ended.
func runEditor(msg draftMsg) tea.Cmd {
	commandWords := append(editorCommand(), msg.path)
	editorProcess := exec.Command(commandWords[0], commandWords[1:]...)
	input, err := term.Open()
	if err != nil {
		return func() tea.Msg { return readDraft(msg.path, err) }
	}
	editorProcess.Stdin = input.File
	return tea.ExecProcess(editorProcess, func(err error) tea.Msg {
		_ = input.Close() // nothing was written to it
		return readDraft(msg.path, err)
	})
}

// readDraft reads the draft, removes its file, and returns an editedMsg with the text.
// runErr is the error of the editor, or nil. With an error there is no text.
func readDraft(path string, runErr error) tea.Msg {
	defer os.Remove(path)
	if runErr != nil {
		return editedMsg{err: runErr}
	}
	text, err := os.ReadFile(path)
	return editedMsg{text: string(text), err: err}
}

// applyEdited puts the text that the user's own editor has saved into the console. If the
// editor failed, the text of the console stays as it was.
func (s *Screen) applyEdited(state *app.State, msg editedMsg) tea.Cmd {
	if msg.err != nil {
		return app.Notify(app.LevelBad, "the editor failed; the message is unchanged: "+msg.err.Error())
	}
	s.editor.setText(strings.TrimRight(msg.text, "\n"))
	s.textChanged(state)
	return nil
}
