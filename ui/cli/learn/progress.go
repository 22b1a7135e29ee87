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

// KeepProgress keeps how far the learner is in a small file of the learner's
// own, for the explorer and for the learn command: in the state directory of XDG.
func KeepProgress() lesson.Storage { return keepIn("lessons.json") }

// KeepLearner is [KeepProgress] for one of several learners, by name.
func KeepLearner(name string) lesson.Storage { return keepIn("lessons-" + name + ".json") }

// keepIn keeps progress in a file. No directory is made before something is kept.
func keepIn(file string) lesson.Storage {
	path := filepath.Join(xdg.StateHome, "ephemera", file)
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
			return name, os.Rename(path, filepath.Join(filepath.Dir(path), name))
		},
		Save: func(raw []byte) error {
			if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
				return err
			}
			return command.WriteFileBytes(path, raw)
		},
	}
}
