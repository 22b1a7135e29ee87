package learn

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/adrg/xdg"
	"github.com/spf13/cobra"

	"ephemera/core/chain"
	"ephemera/core/lesson"
	"ephemera/ui/cli/command"
)

// course has the lessons, and what one learner has done in them.
type course struct {
	learner    string // empty if --learner is not given
	resultFile string // the file for the teacher; empty for none

	lessons  []lesson.Lesson
	storage  lesson.Storage // of the progress
	progress lesson.Progress

	// makeCommands makes the commands of the program, some of which can be used inside
	// a lesson.
	makeCommands func(*command.App) []*cobra.Command
}

// load reads the lessons and the learner's progress. It fails for wrong flags. It prints
// what it cannot read, and goes on without that.
func (c *course) load(a *command.App) error {
	if c.learner != "" && !chain.IsValidName(c.learner) {
		return command.UsageErrorf("--learner: %q cannot name a learner, expected 1 to 32 letters, digits, dots, dashes or underscores", c.learner)
	}
	if c.learner == "" && c.resultFile != "" {
		return command.UsageErrorf("--result: it is not said whose, expected --learner NAME as well")
	}

	var err error
	c.lessons, err = Lessons()
	if err != nil {
		a.Report(command.UsageErrorf("%v", err))
	}

	c.storage = a.Progress
	if c.learner != "" && a.Learner != nil {
		c.storage = a.Learner(c.learner)
	}
	c.progress, err = c.storage.Read()
	if err != nil {
		fmt.Fprintf(a.Stderr, "ephemera: %v\n", err)
	}
	return nil
}

// Lessons returns the lessons of the program, and behind them the user's own, which are in
// ephemera/lessons in the configuration directory of XDG. It returns every lesson that it
// can read. The error says which ones it cannot read.
func Lessons() ([]lesson.Lesson, error) {
	lessons, err := lesson.All()
	folder := os.DirFS(filepath.Join(xdg.ConfigHome, "ephemera", "lessons"))
	own, ownErr := lesson.ReadFolder(folder)
	if errors.Is(ownErr, fs.ErrNotExist) {
		ownErr = nil
	}
	return append(lessons, own...), errors.Join(err, ownErr)
}

// writeResult writes the file for the teacher, if --result names one.
func (c *course) writeResult() error {
	if c.resultFile == "" {
		return nil
	}
	raw, err := c.progress.Result(c.learner, c.lessons).Encode()
	if err != nil {
		return err
	}
	return command.WriteFileBytes(c.resultFile, append(raw, '\n'))
}
