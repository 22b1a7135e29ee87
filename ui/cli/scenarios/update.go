package scenarios

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"ephemera/core/scenario"
	"ephemera/ui/cli/command"
	"ephemera/ui/widget"
)

// playForUpdate plays a scenario, and writes into the file what the contract answered otherwise
// than expected. It writes nothing if the user does not allow one of the changes. It fails
// for JSON Lines, which nobody edits by hand.
func (r *runner) playForUpdate(
	outcome *scenarioOutcome,
	reader *scenario.Reader,
	options scenario.Options,
) (err error) {
	if !isYAML(outcome.file) {
		return command.UsageErrorf("%s: expected a .yaml file to write answers into", outcome.file)
	}
	updates := scenario.Updates{} // for the steps with other answers than expected
	options.OnStep = updates.AddAnswerOf
	outcome.result, err = scenario.Run(r.Ctx, reader, options)
	if err != nil {
		return err
	}
	if len(updates) == 0 {
		return nil
	}

	// Every change must be allowed before the first is written.
	var descriptions []string
	for _, number := range slices.Sorted(maps.Keys(updates)) {
		update := updates[number]
		isAllowed, err := r.confirmUpdate(update)
		if err != nil {
			return err
		}
		if !isAllowed {
			return command.UsageErrorf(
				"%s; nothing was written, because %s: expected --yes if that is right, or --update-kinds for kinds of errors only",
				update,
				update.Doubt(),
			)
		}
		descriptions = append(descriptions, update.String())
	}

	// Replace the expectations in the file.
	oldText, err := r.ReadFile(outcome.file)
	if err != nil {
		return err
	}
	newText, err := updates.Apply(outcome.file, oldText)
	if err != nil {
		return err
	}
	err = command.WriteSharedFile(outcome.file, func(w io.Writer) error {
		_, err := w.Write(newText)
		return err
	})
	if err != nil {
		return err
	}

	// The steps hold now with the new expectations, so they have no mismatch any more.
	outcome.updates = descriptions
	outcome.result.FailedSteps -= len(updates)
	outcome.result.Mismatches = slices.DeleteFunc(outcome.result.Mismatches, func(m scenario.Mismatch) bool {
		_, isUpdated := updates[m.Step]
		return isUpdated
	})
	return nil
}

// confirmUpdate reports whether --update may make a change. A change of an expected refusal
// to ok or to another kind needs a flag, or a yes on a terminal. It fails if r.Ctx is
// cancelled while it waits for the answer.
func (r *runner) confirmUpdate(update scenario.Update) (bool, error) {
	if r.allowsAll || update.Doubt() == "" || r.updatesKinds && update.NewExpect.Refused {
		return true, nil
	}
	if !command.IsTerminal(r.Stdin) || !command.IsTerminal(r.Stderr) {
		return false, nil
	}

	// Ask, and take any answer that begins with y for yes.
	fmt.Fprintf(
		r.Stderr,
		"%s: %s.\nWrite %s? [y/N] ",
		widget.Safe(update.String()),
		update.Doubt(),
		widget.Safe(update.NewExpect.String()),
	)
	reply, err := command.ReadUntilDone(r.Ctx, func() (string, error) {
		r.stdinLines.Scan() // at the end of the input the text is empty, which is no yes
		return r.stdinLines.Text(), r.stdinLines.Err()
	})
	return strings.HasPrefix(strings.ToLower(strings.TrimSpace(reply)), "y"), err
}
