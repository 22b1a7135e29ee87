package history

import (
	"fmt"
	"io"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/human"
	"ephemera/core/scenario"
	"ephemera/ui/app"
	"ephemera/ui/form"
	"ephemera/ui/widget"
)

// RecordCommand returns the command with the key R that records the history as a scenario
// file. It is disabled where files cannot be written.
func RecordCommand(state *app.State) app.Command {
	return app.ScreenCommand("R", "record", "Record as a scenario: write the history to a file",
		func() tea.Cmd { return OpenRecord(state, scenario.HistoryPart{}) }).
		FoundBy("save, scenario, script, save as a test, replay").
		DisabledIf(state.Save == nil, "record: files cannot be written here")
}

// OpenRecord returns the command that opens the form which records the history as a
// scenario in a file. The form asks for the name of the file, whose ending decides the
// format. The steps of the scenario are the messages and clock moves up to the current
// moment, each with its answer. part can add final steps.
func OpenRecord(state *app.State, part scenario.HistoryPart) tea.Cmd {
	recordHistory := historyRecorder(state, part)
	const hint = "its ending chooses the format: .yaml, .jsonl or .jsonl.gz"
	return form.Open(state, form.NewFile("Record as a scenario", "story.yaml", hint,
		func(values map[string]string, result *form.Result) form.WriteFile {
			const effect = "Writes from the beginning to the current moment, with every answer."
			result.Effect = []widget.Line{widget.Muted(effect)}
			_, err := scenario.FormatOf(strings.TrimSpace(values["file"]))
			if err != nil && len(result.Problems) == 0 {
				result.Fail("file", "file: expected a name that ends in .yaml, .yml, .jsonl or .jsonl.gz")
			}
			return recordHistory
		}))
}

// historyRecorder returns the function that records the history in a file. It runs in the
// background.
func historyRecorder(state *app.State, part scenario.HistoryPart) form.WriteFile {
	saveFile := state.Save
	return func(engine app.Engine, path string, mayReplace bool) (notice string, err error) {
		stepCount, err := scenario.RecordToFile(engine, path, part,
			func(name string, write func(io.Writer) error) error {
				return saveFile(name, mayReplace, write)
			}, nil)
		if err != nil {
			return "", err
		}
		return fmt.Sprintf("recorded %s in %s; `ephemera run` plays it", human.Plural(stepCount, "step"), path), nil
	}
}
