package learn

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/adrg/xdg"

	"ephemera/core/lesson"
	"ephemera/ui/cli/command"
)

// ProgressStorage returns the storage of a learner's progress. The explorer and the learn
// command share it. The progress is in a file in the state directory of XDG. The file is
// named lessons-ana.json for the learner ana, and lessons.json for a learner without a
// name. Saving creates missing directories. A damaged file is moved aside, for example to
// lessons.json.damaged-1121-120000, so that it is not overwritten.
func ProgressStorage(learner string) lesson.Storage {
	fileName := "lessons.json"
	if learner != "" {
		fileName = "lessons-" + learner + ".json"
	}
	dir := filepath.Join(xdg.StateHome, "ephemera")
	path := filepath.Join(dir, fileName)

	return lesson.Storage{
		Load: func() ([]byte, error) {
			content, err := os.ReadFile(path)
			if errors.Is(err, fs.ErrNotExist) { // nothing was saved yet
				return nil, nil
			}
			return content, err
		},
		MoveAside: func() (string, error) {
			newName := fileName + time.Now().UTC().Format(".damaged-0102-150405")
			return newName, os.Rename(path, filepath.Join(dir, newName))
		},
		Save: func(content []byte) error {
			if err := os.MkdirAll(dir, 0o700); err != nil {
				return err
			}
			return command.WriteFileBytes(path, content)
		},
	}
}
