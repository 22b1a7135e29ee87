package history

import (
	"fmt"
	"io"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/chain/history"
	"ephemera/core/cw721"
	"ephemera/core/scenario"
	"ephemera/ui/app"
	"ephemera/ui/form"
	"ephemera/ui/widget"
)

// openCopy returns the command that opens a list of texts about the node under the
// cursor; the user can copy one of them. A node is one message or clock move of the
// history. Until the node was read, openCopy returns nil.
func (s *Screen) openCopy(state *app.State) tea.Cmd {
	if s.detail == nil {
		return nil
	}
	return form.OpenCopy(state, s.detail.copyItems(state))
}

// copyItems returns the texts about a node that can be copied: the message and its answer
// as JSON, wasmd commands that send the message and that query the token, and a step of a
// scenario file. A text that does not exist for the node is left out.
func (d *nodeDetail) copyItems(state *app.State) (items []app.CopyItem) {
	node := d.node
	isMessage := node.Kind == history.KindExecute || node.Kind == history.KindInstantiate
	if isMessage {
		items = append(items, app.CopyItem{Name: "message as JSON", Text: node.Message})
	}

	// The answer of a clock move is only the clock after it.
	if len(node.Answer) > 0 && node.Kind != history.KindClock {
		items = append(items, app.CopyItem{Name: "answer as JSON", Text: string(node.Answer)})
	}
	if node.Kind == history.KindExecute {
		line := app.ExecuteLine(state, node.Sender, []byte(node.Message))
		items = append(items, app.CopyItem{Name: "wasmd execute", Text: line})
	}

	// Query the token of the message, or else the collection.
	query := cw721.Encode(&cw721.GetCollectionInfoAndExtension{})
	if d.tokenID != nil {
		query = cw721.Encode(&cw721.AllNftInfo{TokenID: *d.tokenID})
	}
	items = append(items, app.CopyItem{Name: "wasmd query", Text: app.QueryLine(state, query)})
	if step := scenarioStepText(state, node); step != "" {
		items = append(items, app.CopyItem{Name: "scenario step", Text: step})
	}
	return items
}

// scenarioStepText returns a node as one step of a scenario file in YAML: the block, the
// message, and the answer that is expected. It returns "" for a node that cannot be a
// step of a scenario.
func scenarioStepText(state *app.State, node history.Node) string {
	step := scenario.Step{At: &scenario.At{Height: &node.Height, Time: &node.Time}}
	switch node.Kind {
	case history.KindClock:
		// A clock move is a step without a message, at the clock after the move.
		_, after, found := chain.ClocksOf(node)
		if !found {
			return ""
		}
		step.At = &scenario.At{Height: &after.Height, Time: &after.Time}
	case history.KindExecute, history.KindInstantiate:
		step.Sender = state.InputText(node.Sender)
		step.Kind = scenario.Kind(node.Kind)
		step.Message = []byte(node.Message)
		step.Expect = &scenario.Expect{Answer: node.Answer}
		if node.Refusal != nil {
			step.Expect = &scenario.Expect{Refused: true, Kind: node.Refusal.Kind}
		}
	default:
		return ""
	}

	// Only a whole scenario can be written, so cut off its header.
	var out strings.Builder
	err := scenario.Write(&out, scenario.YAML, scenario.Header{}, func(write func(scenario.Step) error) error {
		return write(step)
	})
	if err != nil {
		return ""
	}
	_, text, _ := strings.Cut("\n"+out.String(), "\nsteps:\n")
	return text
}

// openNaming returns the command that opens the form for naming a node, so that the user
// can come back to it. A node is one message or clock move of the history; a named node
// is called a snapshot.
func openNaming(state *app.State, id history.ID) tea.Cmd {
	return openNameForm(state, fmt.Sprintf("Name #%d", id), "name it", "",
		func(engine app.Engine, name string) form.WorkOutcome {
			_, err := engine.Snapshot(name, id)
			return namingOutcome(err, fmt.Sprintf("#%d is named %s", id, name))
		})
}

// openRenaming returns the command that opens the form for renaming a snapshot of a node.
// If the node has several names, a list first asks which.
func openRenaming(state *app.State, id history.ID, names []string) tea.Cmd {
	return withChosenName("Rename which?", id, names, func(oldName string) tea.Cmd {
		title := fmt.Sprintf("Rename %s, at #%d", widget.Safe(oldName), id)
		return openNameForm(state, title, "rename it", oldName,
			func(engine app.Engine, name string) form.WorkOutcome {
				_, err := engine.RenameSnapshot(oldName, name)
				return namingOutcome(err, fmt.Sprintf("#%d is named %s instead of %s", id, name, oldName))
			})
	})
}

// openNameForm returns the command that opens a form for a name. The field of the name
// begins with oldName, which is "" for a new name. giveName gives the typed name. If the
// chain refuses the name, the form stays open and shows the reason.
func openNameForm(
	state *app.State,
	title, verb, oldName string,
	giveName func(engine app.Engine, name string) form.WorkOutcome,
) tea.Cmd {
	nameField := widget.Field{
		Name:         "name",
		Label:        "Name",
		Value:        oldName,
		TypingAmends: true, // typing changes the old name
		Placeholder:  "before the sale",
		Hint:         "a name to come back to; a branch is called by its newest one",
	}
	buildResult := func(_ *app.State, values map[string]string) form.Result {
		name := strings.TrimSpace(values["name"])
		return form.Result{Do: func(engine app.Engine) form.WorkOutcome { return giveName(engine, name) }}
	}
	naming := form.NewAction(title, buildResult, nameField)
	naming.Verb = verb
	return form.Open(state, naming)
}

// namingOutcome returns the outcome for the form: a notice for the user, or an error to
// show below the field of the name.
func namingOutcome(err error, notice string) form.WorkOutcome {
	return form.WorkOutcome{
		Err:   err,
		Field: "name",
		Then:  func() tea.Msg { return app.ChangedMsg{Text: notice} },
	}
}

// openNameDeletion returns the command that asks whether to delete a name of a node,
// because undo does not bring a name back. If the node has several names, a list first
// asks which.
func openNameDeletion(state *app.State, id history.ID, names []string) tea.Cmd {
	askAbout := func(name string) tea.Cmd {
		title := "Delete the name “" + widget.Safe(name) + "”"
		question := fmt.Sprintf(
			"#%d stays in the history, and can be named again. Undo does not bring the name back.",
			id)
		deleteIt := func() tea.Cmd { return deleteName(state, id, name) }
		return app.OpenDialog(form.NewConfirm(title, question, "Delete", deleteIt))
	}
	return withChosenName("Delete which?", id, names, askAbout)
}

// deleteName returns the command that deletes a name of a node, and then notifies the
// user.
func deleteName(state *app.State, id history.ID, name string) tea.Cmd {
	notice := fmt.Sprintf("#%d is no longer named %s", id, name)
	return app.Change(state, notice, func(engine app.Engine) error {
		_, err := engine.DeleteSnapshot(name)
		return err
	})
}

// withChosenName calls useName with the only name of a node, and returns its command. If
// there are several names, the command opens a list with a title, and useName is called
// with the chosen name. If there is no name, the command shows a notice.
func withChosenName(
	title string,
	id history.ID,
	names []string,
	useName func(name string) tea.Cmd,
) tea.Cmd {
	switch len(names) {
	case 0:
		return app.Notify(app.LevelInfo, fmt.Sprintf("#%d has no name: n gives it one", id))
	case 1:
		return useName(names[0])
	}
	items := make([]widget.Item, len(names))
	for i, name := range names {
		items[i] = widget.Item{ID: name, Title: name}
	}
	useChosen := func(_ *app.State, name string) tea.Cmd { return useName(name) }
	return app.OpenDialog(form.NewChooser(title, "this moment has several names", items, useChosen))
}

// RecordCommand returns the command with the key R that records the history as a scenario
// file. It is disabled where files cannot be written.
func RecordCommand(state *app.State) app.Command {
	record := func() tea.Cmd { return OpenRecord(state, scenario.HistoryPart{}) }
	const paletteName = "Record as a scenario: write the history to a file"
	return app.ScreenCommand("R", "record", paletteName, record).
		DisabledIf(state.Save == nil, "record: files cannot be written here")
}

// OpenRecord returns the command that opens the form which records the history as a
// scenario in a file. The form asks for the name of the file, whose ending decides the
// format, such as .yaml or .jsonl. The steps of the scenario are the messages and clock
// moves up to the current moment, each with its answer. part can add final steps.
func OpenRecord(state *app.State, part scenario.HistoryPart) tea.Cmd {
	recordHistory := historyRecorder(state, part)

	// prepareWrite runs after every key, and refuses a name without a known ending.
	prepareWrite := func(values map[string]string, result *form.Result) form.WriteFile {
		const effect = "Writes from the beginning to the current moment, with every answer."
		result.Effect = []widget.Line{widget.Muted(effect)}

		name := strings.TrimSpace(values["file"])
		_, err := scenario.FormatOf(name)
		if err != nil && len(result.Problems) == 0 {
			result.Fail("file", "file: expected a name that ends in .yaml, .yml, .jsonl or .jsonl.gz")
		}
		return recordHistory
	}
	const hint = "its ending chooses the format: .yaml, .jsonl or .jsonl.gz"
	recording := form.NewFile("Record as a scenario", "story.yaml", hint, prepareWrite)
	return form.Open(state, recording)
}

// historyRecorder returns the function that records the history in a file. It runs in the
// background.
func historyRecorder(state *app.State, part scenario.HistoryPart) form.WriteFile {
	saveFile := state.Save
	return func(engine app.Engine, path string, mayReplace bool) (notice string, err error) {
		save := func(name string, write func(io.Writer) error) error {
			return saveFile(name, mayReplace, write)
		}
		stepCount, err := scenario.RecordToFile(engine, path, part, save, nil)
		if err != nil {
			return "", err
		}
		return fmt.Sprintf("recorded %s in %s; `ephemera run` plays it", app.Plural(stepCount, "step"), path), nil
	}
}
