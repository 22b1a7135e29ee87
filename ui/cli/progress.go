package cli

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/adrg/xdg"

	"ephemera/core/lesson"
)

// progressFile is where progress is kept, in the state directory of XDG.
var progressFile = filepath.Join("ephemera", "lessons.json")

// KeepProgress keeps how far the learner is in a small file of the learner's
// own, for the explorer and for the learn command. No directory is made before
// something is kept.
func KeepProgress() lesson.Keeper {
	path := filepath.Join(xdg.StateHome, progressFile)
	return lesson.Keeper{
		Load: func() ([]byte, error) {
			raw, err := os.ReadFile(path)
			if errors.Is(err, fs.ErrNotExist) {
				return nil, nil
			}
			return raw, err
		},
		Save: func(raw []byte) error {
			if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
				return err
			}
			return toFile(path, func(w io.Writer) error {
				_, err := w.Write(raw)
				return err
			})
		},
	}
}
