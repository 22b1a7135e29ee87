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

// ProgressStorage returns the storage of the user's progress, which the explorer and the
// learn command share: lessons.json in the state directory of XDG.
func ProgressStorage() lesson.Storage { return storageIn("lessons.json") }

// LearnerStorage is [ProgressStorage] for one of several learners. The name becomes a
// part of the name of the file.
func LearnerStorage(learner string) lesson.Storage { return storageIn("lessons-" + learner + ".json") }

// storageIn returns a storage of progress in a file. Saving creates missing directories.
func storageIn(file string) lesson.Storage {
	dir := filepath.Join(xdg.StateHome, "ephemera")
	path := filepath.Join(dir, file)
	return lesson.Storage{
		Load: func() ([]byte, error) {
			raw, err := os.ReadFile(path)
			if errors.Is(err, fs.ErrNotExist) {
				return nil, nil
			}
			return raw, err
		},
		MoveAside: func() (string, error) {
			name := file + time.Now().UTC().Format(".damaged-0102-150405")
			return name, os.Rename(path, filepath.Join(dir, name))
		},
		Save: func(raw []byte) error {
			if err := os.MkdirAll(dir, 0o700); err != nil {
				return err
			}
			return command.WriteFileBytes(path, raw)
		},
	}
}
