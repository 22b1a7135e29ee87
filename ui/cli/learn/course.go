package learn

import (
	"ephemera/core/chain"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/adrg/xdg"
	"github.com/spf13/cobra"

	"ephemera/core/lesson"
	"ephemera/ui/cli/command"
)

// course is the lessons that there are, and what one learner has done in them.
type course struct {
	learner string // "" where nobody said who
	result  string // the file for the teacher; "" for none
	all     []lesson.Lesson
	keep    lesson.Storage

	// sayable are the commands that a lesson takes some of.
	sayable  func(*command.App) []*cobra.Command
	progress lesson.Progress
}

// open reads the lessons and the learner's progress. What cannot be read of the
// progress, or of one's own lessons, is said and left out.
func open(a *command.App, c *course) (err error) {
	switch {
	case c.learner != "" && !chain.IsValidName(c.learner):
		return command.UsageErrorf("--learner: %q cannot name a learner, expected 1 to 32 letters, digits, dots, dashes or underscores", c.learner)
	case c.learner == "" && c.result != "":
		return command.UsageErrorf("--result: it is not said whose, expected --learner NAME as well")
	}
	var faults error
	if c.all, faults = Lessons(); faults != nil {
		a.Report(command.UsageErrorf("%v", faults))
	}
	if c.keep = a.Progress; c.learner != "" && a.Learner != nil {
		c.keep = a.Learner(c.learner)
	}
	if c.progress, err = c.keep.Read(); err != nil {
		fmt.Fprintf(a.Stderr, "ephemera: %v\n", err)
	}
	return nil
}

// Lessons gives the lessons of the program, and behind them those of a folder of
// one's own, ephemera/lessons in the configuration directory of XDG. The error
// says which of these cannot be read.
func Lessons() ([]lesson.Lesson, error) {
	all, err := lesson.All()
	own, faults := lesson.ReadFolder(os.DirFS(filepath.Join(xdg.ConfigHome, "ephemera", "lessons")))
	if errors.Is(faults, fs.ErrNotExist) {
		faults = nil
	}
	return append(all, own...), errors.Join(err, faults)
}

// hand writes the file for the teacher.
func (c *course) hand() error {
	if c.result == "" {
		return nil
	}
	raw, err := c.progress.Result(c.learner, c.all).Encode()
	if err != nil {
		return err
	}
	return command.WriteFileBytes(c.result, append(raw, '\n'))
}
