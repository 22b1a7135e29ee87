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

// partSuffix ends the names of files that are not complete yet.
const partSuffix = ".part"

// WriteFile calls write with a new file that only its owner may read, and then puts that
// file in the place of the old one. Something other than a regular file, such as a device,
// is written to directly. A file inside a database is refused.
func WriteFile(path string, write func(io.Writer) error) error {
	return replaceFile(path, false, write)
}

// WriteSharedFile is [WriteFile] for a file that others may read. A new file gets the
// permissions that the umask leaves, a file that is replaced keeps its own.
func WriteSharedFile(path string, write func(io.Writer) error) error {
	return replaceFile(path, true, write)
}

// replaceFile writes a file anew: into a temporary file beside it, which then takes its
// place, so that a failure leaves the old content. A file for the user alone is readable by
// nobody else; with isShared a new one has the usual mode, and an old one keeps its mode. A
// pipe or a device is written to directly.
func replaceFile(path string, isShared bool, write func(io.Writer) error) error {
	info, err := os.Stat(path)
	exists := err == nil
	if exists {
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

	// A file inside of a database could be taken for a part of it.
	dir, name := filepath.Split(path)
	if db := databaseAround(dir); db != "" {
		return UsageErrorf("%s: is inside the database in %s, expected another place", path, db)
	}

	// Write into a new file in the same directory, from which it can be renamed.
	pattern := "." + name + ".*" + partSuffix
	removeAbandoned(filepath.Join(dir, pattern))
	mode := fs.FileMode(0o600)
	if isShared {
		mode = 0o666
	}
	tempPath := filepath.Join(dir, strings.Replace(pattern, "*", rand.Text(), 1))
	file, err := os.OpenFile(tempPath, os.O_RDWR|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return unwritable(path, err)
	}
	if isShared && exists {
		err = file.Chmod(info.Mode().Perm())
	}
	defer os.Remove(file.Name()) // fails once the file is in its place
	defer file.Close()
	if err := errors.Join(err, lockTempFile(file)); err != nil {
		return unwritable(path, err)
	}
	if err := writeBuffered(file, path, write); err != nil {
		return err
	}

	// The new content must be on the disk before it replaces the old one.
	if err := errors.Join(file.Sync(), file.Close()); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	if err := os.Rename(file.Name(), path); err != nil {
		return fmt.Errorf("%s: %w", path, causeOf(err))
	}
	return nil
}

// WriteFileBytes is [WriteFile] with the whole content.
func WriteFileBytes(path string, content []byte) error {
	return WriteFile(path, func(w io.Writer) error {
		_, err := w.Write(content)
		return err
	})
}

// removeAbandoned removes the incomplete files of programs that were killed. A running
// program has locked its own.
func removeAbandoned(pattern string) {
	paths, _ := filepath.Glob(pattern) // none if a name is no pattern
	for _, path := range paths {
		removeUnlocked(path)
	}
}

// databaseAround returns the directory of the database that dir is, or is inside of, or
// "" if there is none.
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

// writeInto writes to a pipe or a device that exists under a path. Unlike a file, it is not
// replaced.
func writeInto(path string, write func(io.Writer) error) error {
	file, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return unwritable(path, err)
	}
	defer file.Close()
	return writeBuffered(file, path, write)
}

// writeBuffered calls write with a buffer in front of a file. An error of the file names
// it; an error of write is returned as it is.
func writeBuffered(file io.Writer, path string, write func(io.Writer) error) error {
	out := bufio.NewWriterSize(file, 1<<20)
	err := write(out)
	if fileErr := out.Flush(); fileErr != nil { // write may have returned it too
		return fmt.Errorf("%s: %w", path, fileErr)
	}
	return err
}

// unwritable returns the error for a file that cannot be written, as a sentence that
// names it.
func unwritable(path string, err error) error {
	return UsageErrorf("%s: cannot be written: %v", path, causeOf(err))
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

// ForceFlag adds --force to a command that writes a file.
func ForceFlag(cmd *cobra.Command, force *bool) {
	cmd.Flags().BoolVar(force, "force", false, "replace an existing file")
}

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

// SaveFile writes a text to a file as [WriteFile] does, and escapes what a terminal could
// act on. Names that end in .gz are not text. "~/" in the path is the person's home. It
// fails as [CheckReplaceable] does, and with a sentence that names a file that cannot be
// written.
func SaveFile(path string, replace bool, write func(io.Writer) error) error {
	return SaveBytes(path, replace, func(w io.Writer) error {
		if strings.HasSuffix(path, ".gz") {
			return write(w)
		}
		return write(&textWriter{to: w, change: func(s string) string { return Escape(s, false) }})
	})
}

// SaveBytes is [SaveFile] for a file that is not text.
func SaveBytes(path string, replace bool, write func(io.Writer) error) error {
	if rest, ok := strings.CutPrefix(path, "~/"); ok {
		path = filepath.Join(xdg.Home, rest)
	}
	if err := CheckReplaceable(path, replace); err != nil {
		return err
	}
	return WriteFile(path, write)
}

// Record writes the history of a database, or a part of it, to a file as a scenario, and
// the storage that the scenario begins with to a file beside it. If the name is "-" it writes
// YAML to stdout, and fails if there is storage to write. A file is replaced only with force.
func (a *App) Record(db *Database, name string, force bool, part scenario.HistoryPart) error {
	if err := db.Verify(); err != nil {
		return err
	}
	save := func(name string, write func(io.Writer) error) error {
		return SaveFile(name, force, write)
	}

	// Stdout takes one text, so there is no place for a second file.
	if name == "-" {
		name = "stdout.yaml"
		save = func(to string, write func(io.Writer) error) error {
			if to != name {
				return UsageErrorf("-: the collection that it begins with is written beside the scenario, expected the name of a file")
			}
			return a.Write(func(w *bufio.Writer) error { return write(w) })
		}
	}
	_, err := scenario.RecordToFile(db, name, part, save, a.Ctx.Err)
	return err
}

// File is a file to read, or stdin. Its errors name it.
type File struct {
	io.Reader
	name string
}

// OpenFile opens a file to read.
func OpenFile(name string) (File, error) {
	file, err := os.Open(name)
	if err != nil {
		return File{}, Unreadable(name, err)
	}
	return File{Reader: file, name: name}, nil
}

// Input is [OpenFile], except that "-" is stdin.
func (a *App) Input(name string) (File, error) {
	if name == "-" {
		return File{Reader: a.Stdin, name: "stdin"}, nil
	}
	return OpenFile(name)
}

// ScenarioInput is [App.Input] for a scenario. The name of a file decides its format; for
// stdin the first byte does, and the file gets a name to match.
func (a *App) ScenarioInput(name string) (File, error) {
	if name != "-" {
		return OpenFile(name)
	}
	in := bufio.NewReader(a.Stdin)
	switch first, _ := in.Peek(1); string(first) { // an error returns when it is read
	case "{":
		return File{Reader: in, name: "stdin.jsonl"}, nil
	case "\x1f": // of gzip
		return File{Reader: in, name: "stdin.jsonl.gz"}, nil
	}
	return File{Reader: in, name: "stdin.yaml"}, nil
}

// Name returns the name that errors have.
func (f File) Name() string { return f.name }

// Read fails with a sentence that names the file.
func (f File) Read(b []byte) (int, error) {
	n, err := f.Reader.Read(b)
	if err != nil && err != io.EOF {
		err = Unreadable(f.name, err)
	}
	return n, err
}

// Close closes a file, but not stdin.
func (f File) Close() {
	if file, ok := f.Reader.(*os.File); ok && file != os.Stdin {
		_ = file.Close() // a file that was only read
	}
}
