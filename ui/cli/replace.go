package cli

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// toFile lets write fill a file for its owner alone, and puts it in the place of
// the old one when it is whole. What is no common file, such as a device, is written to.
func toFile(path string, write func(io.Writer) error) error {
	if info, err := os.Stat(path); err == nil {
		switch {
		case info.IsDir():
			return misused("%s: is a directory, expected a file", path)
		case !info.Mode().IsRegular():
			return intoFile(path, write)
		}
		if path, err = filepath.EvalSymlinks(path); err != nil {
			return unwritable(path, err)
		}
	}
	dir, name := filepath.Split(path)
	if db := databaseAround(dir); db != "" {
		return misused("%s: is inside the database in %s, expected another place", path, db)
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
	if err := buffered(file, path, write); err != nil {
		return err
	}
	if err := errors.Join(file.Sync(), file.Close()); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	if err := os.Rename(file.Name(), path); err != nil {
		return fmt.Errorf("%s: %w", path, reason(err))
	}
	return nil
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

func intoFile(path string, write func(io.Writer) error) error {
	file, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return unwritable(path, err)
	}
	defer file.Close()
	return buffered(file, path, write)
}

// buffered lets write fill a file. What fails in the file is told with its
// name; what write has to say is about something else.
func buffered(file io.Writer, path string, write func(io.Writer) error) error {
	out := bufio.NewWriterSize(named{file, path}, 1<<20)
	if err := write(out); err != nil {
		return err
	}
	return out.Flush()
}

type named struct {
	io.Writer
	path string
}

func (n named) Write(p []byte) (int, error) {
	written, err := n.Writer.Write(p)
	if err != nil {
		err = fmt.Errorf("%s: %w", n.path, err)
	}
	return written, err
}

func unwritable(path string, err error) error {
	return misused("%s: cannot be written: %v", path, reason(err))
}

// replaceable fails with a sentence where a file of that name holds something and
// is not to be replaced.
func replaceable(path string, force bool) error {
	if info, err := os.Stat(path); err == nil && !force && info.Mode().IsRegular() && info.Size() > 0 {
		return fmt.Errorf("%s: %w", path, fs.ErrExist)
	}
	return nil
}

// thereAlready tells how to replace a file.
func thereAlready(path string, err error) error {
	if errors.Is(err, fs.ErrExist) {
		return misused("%s: is there already, expected another name, or --force to replace it", path)
	}
	return err
}
