package scenarios

import (
	"bufio"
	"errors"
	"fmt"

	"ephemera/core/human"
	"ephemera/core/scenario"
	"ephemera/ui/cli/command"
	"ephemera/ui/widget"
)

// shrinkFile prints the smallest scenario that fails in the same way as a file, in the
// format of the file, or as the first row of values that fails. It writes to stderr how much
// smaller it is. It fails if no step of the file fails.
func (r *runner) shrinkFile(names []string) error {
	if len(names) != 1 {
		return command.UsageErrorf("--shrink: expected one file, got %d", len(names))
	}
	file, err := r.ScenarioInput(names[0])
	if err != nil {
		return err
	}
	defer file.Close()
	reader, err := scenario.Open(file.Name(), file)
	if err != nil {
		return err
	}

	rows := reader.Rows()
	if len(rows) == 0 {
		return r.shrinkStory(reader, "")
	}
	for i, name := range rows {
		if err := reader.RewindToRow(i); err != nil {
			return err
		}
		err := r.shrinkStory(reader, ", "+name)
		if !errors.Is(err, scenario.ErrNoFailure) {
			return err // nil if the row was shrunk
		}
	}
	return command.UsageErrorf("%s: %v", reader.File, scenario.ErrNoFailure)
}

// shrinkStory shrinks the scenario that a reader is about to read. rowSuffix follows the file
// name on stderr: ", " and the name of a row, or "". It fails with an error that wraps
// [scenario.ErrNoFailure] if all steps hold.
func (r *runner) shrinkStory(reader *scenario.Reader, rowSuffix string) error {
	file := reader.File
	wholeScenario, err := reader.ReadAll()
	if err != nil {
		return err
	}

	// Leave out steps as long as the scenario fails in the same way.
	options := scenario.Options{
		Open:   r.OpenInMemory,
		Import: importNextTo(file),
	}
	smallScenario, replayCount, err := scenario.ShrinkFailure(r.Ctx, *wholeScenario, options)
	if errors.Is(err, scenario.ErrNoFailure) {
		return &command.UsageError{Text: fmt.Sprintf("%s: %v", file, err), Err: err}
	}
	if err != nil {
		return err
	}
	fmt.Fprintf(
		r.Stderr,
		"%s: %d of %s left, after %s\n",
		widget.Safe(file+rowSuffix),
		len(smallScenario.Steps),
		human.Plural(len(wholeScenario.Steps), "step"),
		human.Plural(replayCount, "replay"),
	)

	format := scenario.JSONLines
	if isYAML(file) {
		format = scenario.YAML
	}
	return r.Write(func(w *bufio.Writer) error { return smallScenario.Write(w, format) })
}
