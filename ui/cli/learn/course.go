package learn

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/adrg/xdg"
	"github.com/spf13/cobra"

	"ephemera/core/chain"
	"ephemera/core/lesson"
	"ephemera/ui/app"
	"ephemera/ui/cli/command"
)

// course has all lessons, and what one learner has done in them.
type course struct {
	learner    string // the name, or empty
	resultFile string // the path of the file for the teacher; empty for none

	lessons  []lesson.Lesson // and challenges and games, in the order of their numbers
	storage  lesson.Storage  // of the progress, between runs of the program
	progress lesson.Progress // what the learner has done

	makeCommands func(*command.App) []*cobra.Command // see [Commands]
}

// load reads the lessons and the learner's progress. It fails for wrong flags, and goes on
// without a file that it cannot read, which it reports on stderr.
func (c *course) load(commandApp *command.App) error {
	options := commandApp.Global.Explorer
	if err := CheckFlags(options); err != nil {
		return err
	}

	c.learner = options.Learner
	lessons, err := LoadLessons(options.LessonDir)
	if err != nil {
		commandApp.Report(command.UsageErrorf("%v", err))
	}

	c.storage = commandApp.Progress(c.learner)
	c.progress, err = c.storage.Read()
	if err != nil {
		commandApp.Errorf("%v", err)
	}

	// The progress says which games of "find the mistake" there are.
	c.lessons, err = c.progress.WithGames(lessons)
	return err
}

// AddFlags adds the flags that the explorer and the learn command share.
func AddFlags(cmd *cobra.Command, options *app.Options) {
	flags := cmd.Flags()
	flags.StringVar(&options.Learner, "learner", "", "`NAME` of the learner; each learner has separate progress")
	flags.StringVar(&options.LessonDir, "lessons", "", "add the lessons in folder `DIR` to the list, sorted by file name")
	_ = cmd.MarkFlagDirname("lessons") // fails only for an unknown flag
}

// CheckFlags fails if the flags of [AddFlags] name a learner whose name cannot be part of a file
// name, or a folder that cannot be read.
func CheckFlags(options app.Options) error {
	if options.Learner != "" && !chain.IsValidName(options.Learner) {
		return command.UsageErrorf(
			"--learner: %q cannot name a learner, expected %s",
			options.Learner,
			chain.ValidNames,
		)
	}
	if options.LessonDir == "" {
		return nil
	}
	if _, err := os.ReadDir(options.LessonDir); err != nil {
		return command.UsageErrorf("--lessons: expected a folder with lessons: %v", err)
	}
	return nil
}

// LoadLessons returns the lessons of the program, then the user's own lessons, sorted by file
// name, and then the challenges. The user's own are in dir, or else in ephemera/lessons in the
// configuration directory of XDG. If a lesson cannot be read, LoadLessons returns all others,
// and an error that names it.
func LoadLessons(dir string) ([]lesson.Lesson, error) {
	lessons, err := lesson.All()

	folder := cmp.Or(dir, filepath.Join(xdg.ConfigHome, "ephemera", "lessons"))
	ownLessons, ownErr := lesson.ReadFolder(os.DirFS(folder))
	if errors.Is(ownErr, fs.ErrNotExist) {
		ownErr = nil // nobody has to have lessons of their own
	}

	challenges, challengeErr := lesson.Challenges()
	return slices.Concat(lessons, ownLessons, challenges), errors.Join(err, ownErr, challengeErr)
}

// writeResult writes the file for the teacher, if --result names one. It fails with
// [lesson.ErrNothingDone] if no task was begun.
func (c *course) writeResult() error {
	if c.resultFile == "" {
		return nil
	}
	result := c.progress.ResultOf(c.learner, c.lessons)
	result.Written = time.Now().UTC()
	content, err := result.Encode()
	if err != nil {
		return err
	}
	content = append(content, '\n')
	return command.WriteFileBytes(c.resultFile, content)
}
