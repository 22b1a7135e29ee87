package command

import (
	"bufio"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/adrg/xdg"
	"github.com/spf13/cobra"

	"ephemera/core/scenario"
)

// FileOrStdout calls write with a file, or with stdout if the name is "-". A file that is
// not empty is replaced only with force.
func (a *App) FileOrStdout(name string, force bool, write func(io.Writer) error) error {
	if name == "-" {
		return a.Write(func(w *bufio.Writer) error { return write(w) })
	}
	if err := CheckReplaceable(name, force); err != nil {
		return err
	}
	return WriteFile(name, write)
}

// SaveFile is [SaveBytes] for a text, in which it escapes characters that a terminal could act
// on. A file whose name ends in .gz is no text.
func SaveFile(path string, replace bool, write func(io.Writer) error) error {
	if strings.HasSuffix(path, ".gz") {
		return SaveBytes(path, replace, write)
	}
	return SaveBytes(path, replace, func(w io.Writer) error {
		return write(&textWriter{out: w, change: func(s string) string { return Escape(s, false) }})
	})
}

// SaveBytes writes a file as [WriteFile] does. "~/" at the beginning of the path means the user's
// home directory. An existing file that is not empty is only replaced if replace is set.
func SaveBytes(path string, replace bool, write func(io.Writer) error) error {
	if rest, ok := strings.CutPrefix(path, "~/"); ok {
		path = filepath.Join(xdg.Home, rest)
	}
	if err := CheckReplaceable(path, replace); err != nil {
		return err
	}
	return WriteFile(path, write)
}

// CheckReplaceable fails with a [*UsageError] that wraps [fs.ErrExist] if a file exists and
// is not empty, unless it may be replaced.
func CheckReplaceable(path string, replace bool) error {
	info, err := os.Stat(path)
	if replace || err != nil || !info.Mode().IsRegular() || info.Size() == 0 {
		return nil
	}
	return &UsageError{
		Text: path + ": exists already, expected another name, or --force to replace it",
		Err:  fs.ErrExist,
	}
}

// AddForceFlag adds --force to a command that writes a file.
func AddForceFlag(cmd *cobra.Command, force *bool) {
	cmd.Flags().BoolVar(force, "force", false, "replace an existing file")
}

// WriteFile writes a file that only its owner may read. The old file stays until write has
// succeeded. A pipe or a device is written to directly. WriteFile fails inside a database.
func WriteFile(path string, write func(io.Writer) error) error {
	return replaceFile(path, false, write)
}

// WriteSharedFile is [WriteFile] for a file that other users may read, such as a report. A new
// file has the mode of the umask, and a file that is replaced keeps its mode.
func WriteSharedFile(path string, write func(io.Writer) error) error {
	return replaceFile(path, true, write)
}

// WriteFileBytes is [WriteFile] with a content.
func WriteFileBytes(path string, content []byte) error {
	return WriteFile(path, func(w io.Writer) error {
		_, err := w.Write(content)
		return err
	})
}

// partSuffix ends the names of files that are not complete yet.
const partSuffix = ".part"

// replaceFile is [WriteSharedFile] if isShared is set, and otherwise [WriteFile]. It writes into a
// temporary file in the same directory, and then renames that to path.
func replaceFile(path string, isShared bool, write func(io.Writer) error) error {
	info, err := os.Stat(path)
	exists := err == nil
	if exists {
		switch {
		case info.IsDir():
			return UsageErrorf("%s: is a directory, expected a file", path)
		case !info.Mode().IsRegular():
			device, err := os.OpenFile(path, os.O_WRONLY, 0)
			if err != nil {
				return writeError(path, err)
			}
			defer device.Close()
			return writeBuffered(device, path, write)
		}
		if path, err = filepath.EvalSymlinks(path); err != nil {
			return writeError(path, err)
		}
	}

	// A database could take a file in its directory for one of its own.
	dir, name := filepath.Split(path)
	if db := databaseAround(dir); db != "" {
		return UsageErrorf("%s: is inside the database in %s, expected another place", path, db)
	}

	pattern := "." + name + ".*" + partSuffix
	abandonedPaths, _ := filepath.Glob(filepath.Join(dir, pattern)) // none if a name is no pattern
	for _, path := range abandonedPaths {
		removeIfUnlocked(path) // running programs have locked theirs
	}
	mode := fs.FileMode(0o600)
	if isShared {
		mode = 0o666
	}
	tempPath := filepath.Join(dir, strings.Replace(pattern, "*", rand.Text(), 1))
	file, err := os.OpenFile(tempPath, os.O_RDWR|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return writeError(path, err)
	}
	defer os.Remove(tempPath) // does nothing after the renaming below
	defer file.Close()
	if isShared && exists {
		err = file.Chmod(info.Mode().Perm())
	}
	if err := errors.Join(err, lockTempFile(file)); err != nil {
		return writeError(path, err)
	}
	if err := writeBuffered(file, path, write); err != nil {
		return err
	}

	// The new content must be on the disk before it replaces the old one.
	if err := errors.Join(file.Sync(), file.Close()); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	if err := os.Rename(tempPath, path); err != nil {
		return fmt.Errorf("%s: %w", path, causeOf(err))
	}
	return nil
}

// databaseAround returns the first database of dir and the directories around it, or "".
func databaseAround(dir string) string {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return ""
	}
	for {
		// These two files show that a directory is a database.
		_, manifestErr := os.Stat(filepath.Join(dir, "MANIFEST"))
		_, sealErr := os.Stat(filepath.Join(dir, "SEAL"))
		if manifestErr == nil && sealErr == nil {
			return dir
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return ""
		}
		dir = parent
	}
}

// writeBuffered calls write with a buffer, and writes the buffer to a file. It returns an
// error of the file with the path in front, and an error of write as it is.
func writeBuffered(file io.Writer, path string, write func(io.Writer) error) error {
	out := bufio.NewWriterSize(file, 1<<20)
	err := write(out)
	if fileErr := out.Flush(); fileErr != nil { // write may have returned it too
		return fmt.Errorf("%s: %w", path, fileErr)
	}
	return err
}

func writeError(path string, err error) error {
	return UsageErrorf("%s: cannot be written: %v", path, causeOf(err))
}

// RecordHistory writes the history of a database, or a part of it, to a file as a scenario, and
// the storage of the collection that it begins with, if any, to a second file beside it. If the
// name is "-", it writes YAML to stdout, which takes no second file. An existing file is
// replaced only if force is set.
func (a *App) RecordHistory(db *Database, name string, force bool, part scenario.HistoryPart) error {
	if err := db.Verify(); err != nil {
		return err
	}
	save := func(name string, write func(io.Writer) error) error {
		return SaveFile(name, force, write)
	}
	if name == "-" {
		name = "stdout.yaml" // the ending means YAML
		save = func(savedName string, write func(io.Writer) error) error {
			if savedName != name {
				return UsageErrorf("-: the collection that it begins with is written beside the scenario, expected the name of a file")
			}
			return a.Write(func(w *bufio.Writer) error { return write(w) })
		}
	}
	_, err := scenario.RecordToFile(db, name, part, save, a.Ctx.Err)
	return err
}
