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

// editedMsg brings the text that the user's own editor has saved.
type editedMsg struct {
	text string
	err  error // why the editor failed; nil if it did not
}

// editExternally returns the command that hands the text of the console to the user's own
// editor; an editedMsg brings the text back. It shows a notice if neither $VISUAL nor $EDITOR
// names an editor, or if the draft cannot be written.
func (s *Screen) editExternally() tea.Cmd {
	text := s.editor.value()
	return func() tea.Msg {
		words := editorCommand()
		if len(words) == 0 {
			return app.NoticeMsg{Level: app.LevelWarn, Text: "no editor is named: set $EDITOR (or $VISUAL)"}
		}
		path, err := writeDraft(text)
		if err != nil {
			return app.NoticeMsg{Level: app.LevelBad, Text: err.Error()}
		}

		// The input of the editor is the terminal itself, and not the explorer's input, which is
		// a pipe. Editors check that their input is a terminal. Besides, copying keys to the
		// editor through a pipe would swallow the first key after the editor has ended.
		input, err := term.Open()
		if err != nil {
			return readDraft(path, err)
		}
		editor := exec.Command(words[0], append(words[1:], path)...)
		editor.Stdin = input.File
		runEditor := tea.ExecProcess(editor, func(err error) tea.Msg {
			_ = input.Close() // nothing was written to it
			return readDraft(path, err)
		})
		return runEditor() // the message on which bubbletea starts the editor
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
