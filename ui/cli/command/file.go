package command

import (
	"bufio"
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

// WriteFile lets write fill a file for its owner alone, and puts it in the place of
// the old one when it is whole. What is no common file, such as a device, is written to.
func WriteFile(path string, write func(io.Writer) error) error {
	if info, err := os.Stat(path); err == nil {
		switch {
		case info.IsDir():
			return UsageErrorf("%s: is a directory, expected a file", path)
		case !info.Mode().IsRegular():
			return writeInto(path, write)
		}
		if path, err = filepath.EvalSymlinks(path); err != nil {
			return unwritable(path, err)
		}
	}
	dir, name := filepath.Split(path)
	if db := databaseAround(dir); db != "" {
		return UsageErrorf("%s: is inside the database in %s, expected another place", path, db)
	}
	removeAbandoned(filepath.Join(dir, "."+name+".*"+partSuffix))
	file, err := os.CreateTemp(filepath.Dir(path), "."+name+".*"+partSuffix) // mode 0600
	if err != nil {
		return unwritable(path, err)
	}
	defer os.Remove(file.Name()) // does nothing once the file is in its place
	defer file.Close()
	if err := holdFile(file); err != nil {
		return unwritable(path, err)
	}
	if err := writeBuffered(file, path, write); err != nil {
		return err
	}
	if err := errors.Join(file.Sync(), file.Close()); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	if err := os.Rename(file.Name(), path); err != nil {
		return fmt.Errorf("%s: %w", path, causeOf(err))
	}
	return nil
}

// WriteFileBytes is [WriteFile] for what is there already.
func WriteFileBytes(path string, content []byte) error {
	return WriteFile(path, func(w io.Writer) error {
		_, err := w.Write(content)
		return err
	})
}

// partSuffix ends the names of files that are not whole yet.
const partSuffix = ".part"

// removeAbandoned removes the files that programs which were killed have left:
// a program that runs holds its own.
func removeAbandoned(pattern string) {
	left, _ := filepath.Glob(pattern) // nothing, for a name that is no pattern
	for _, path := range left {
		removeUnheld(path)
	}
}

// databaseAround names the database that a directory is, or is in; empty where
// there is none.
func databaseAround(dir string) string {
	dir, err := filepath.Abs(dir)
	for err == nil {
		_, manifest := os.Stat(filepath.Join(dir, "MANIFEST"))
		_, seal := os.Stat(filepath.Join(dir, "SEAL"))
		if manifest == nil && seal == nil {
			return dir
		}
		if up := filepath.Dir(dir); up != dir {
			dir = up
			continue
		}
		return ""
	}
	return ""
}

// writeBuffered lets write fill a file. What fails in the file is told with its
// name; what write has to say is about something else.
func writeBuffered(file io.Writer, path string, write func(io.Writer) error) error {
	out := bufio.NewWriterSize(file, 1<<20)
	err := write(out)
	if failed := out.Flush(); failed != nil { // also what write has met
		return fmt.Errorf("%s: %w", path, failed)
	}
	return err
}

// unwritable is the error for a file that cannot be written.
func unwritable(path string, err error) error {
	return UsageErrorf("%s: cannot be written: %v", path, causeOf(err))
}

// CheckReplaceable fails with a sentence where a file of that name holds something and
// is not to be replaced.
func CheckReplaceable(path string, force bool) error {
	if info, err := os.Stat(path); err == nil && !force && info.Mode().IsRegular() && info.Size() > 0 {
		return fmt.Errorf("%s: %w", path, fs.ErrExist)
	}
	return nil
}

// AlreadyExists tells how to replace a file.
func AlreadyExists(path string, err error) error {
	if errors.Is(err, fs.ErrExist) {
		return UsageErrorf("%s: is there already, expected another name, or --force to replace it", path)
	}
	return err
}

// FileOrStdout lets write fill a file, or stdout where name is -. A file that
// holds something is replaced only with force.
func (a *App) FileOrStdout(name string, force bool, write func(io.Writer) error) error {
	if name == "-" {
		return a.Write(func(w *bufio.Writer) error { return write(w) })
	}
	if err := CheckReplaceable(name, force); err != nil {
		return AlreadyExists(name, err)
	}
	return WriteFile(name, write)
}

// ForceFlag adds --force to a command that writes a file.
func ForceFlag(cmd *cobra.Command, force *bool) {
	cmd.Flags().BoolVar(force, "force", false, "replace a file that is there")
}

// Record writes what happened in a database as a scenario to a file, or in YAML to
// stdout where its name is -, and what an import brought beside it. A file that is
// there is replaced where force asks for it.
func (a *App) Record(db *Database, name string, force bool, part scenario.HistoryPart) error {
	if err := db.Verify(); err != nil {
		return err
	}
	save := func(name string, write func(io.Writer) error) error {
		return AlreadyExists(name, SaveFile(name, force, write))
	}
	if name == "-" {
		name = "stdout.yaml"
		save = func(to string, write func(io.Writer) error) error {
			if to != name {
				return UsageErrorf("-: what the import brought is written beside the scenario, expected the name of a file")
			}
			return a.Write(func(w *bufio.Writer) error { return write(w) })
		}
	}
	_, err := scenario.RecordToFile(db, name, part, save, a.Ctx.Err)
	return err
}

// SaveFile lets write fill a file for its owner alone, and puts it in its place
// when it is whole; "~/" is the person's home. Without replace it fails with
// [fs.ErrExist] where there is a file of that name that holds something, and with
// a sentence that names the file where it cannot be written.
func SaveFile(path string, replace bool, write func(io.Writer) error) error {
	return SaveBytes(path, replace, func(w io.Writer) error {
		if strings.HasSuffix(path, ".gz") {
			return write(w)
		}
		return write(&textWriter{to: w, change: func(s string) string { return Escape(s, false) }})
	})
}

// SaveBytes is [SaveFile] for what is no text.
func SaveBytes(path string, replace bool, write func(io.Writer) error) error {
	if rest, ok := strings.CutPrefix(path, "~/"); ok {
		path = filepath.Join(xdg.Home, rest)
	}
	if err := CheckReplaceable(path, replace); err != nil {
		return err
	}
	return WriteFile(path, write)
}

func writeInto(path string, write func(io.Writer) error) error {
	file, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return unwritable(path, err)
	}
	defer file.Close()
	return writeBuffered(file, path, write)
}
