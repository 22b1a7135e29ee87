package command

import (
	"bufio"
	"errors"
	"io"
	"io/fs"
	"os"
)

// Input opens a file to read. For the name "-" it returns stdin.
func (a *App) Input(name string) (File, error) {
	if name == "-" {
		return File{Reader: a.Stdin, name: "stdin"}, nil
	}
	return OpenFile(name)
}

// ScenarioInput opens a scenario to read. For the name "-" it returns stdin, with a name such as
// "stdin.yaml" by its first byte, because the reader of scenarios goes by the name.
func (a *App) ScenarioInput(name string) (File, error) {
	if name != "-" {
		return OpenFile(name)
	}
	in := bufio.NewReader(a.Stdin)
	first, _ := in.Peek(1) // an error comes again with the next read
	switch string(first) {
	case "{":
		return File{Reader: in, name: "stdin.jsonl"}, nil
	case "\x1f": // of gzip
		return File{Reader: in, name: "stdin.jsonl.gz"}, nil
	}
	return File{Reader: in, name: "stdin.yaml"}, nil
}

// OpenFile opens a file to read.
func OpenFile(name string) (File, error) {
	file, err := os.Open(name)
	if err != nil {
		return File{}, ReadError(name, err)
	}
	return File{Reader: file, name: name}, nil
}

// File is a file to read, or stdin. Its errors name it.
type File struct {
	io.Reader
	name string // the path, or a name for stdin such as "stdin.yaml"
}

// Name returns the name of the file, which the errors of [dump.Read] begin with.
func (f File) Name() string { return f.name }

// Read reads from the file. Its errors are sentences that name the file.
func (f File) Read(buffer []byte) (int, error) {
	n, err := f.Reader.Read(buffer)
	if err != nil && err != io.EOF {
		err = ReadError(f.name, err)
	}
	return n, err
}

// Close closes a file, but not stdin.
func (f File) Close() {
	if file, ok := f.Reader.(*os.File); ok && file != os.Stdin {
		_ = file.Close() // a file that was only read
	}
}

// ReadFile reads a file, or stdin for "-", that is no longer than a message.
func (a *App) ReadFile(name string) ([]byte, error) {
	file, err := a.Input(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, MaxMessageBytes+1))
	if err != nil {
		return nil, err
	}
	if len(text) > MaxMessageBytes {
		return nil, tooLongError(file.name)
	}
	return text, nil
}

// ReadError returns an error of reading a file as a [*UsageError] that names the file.
func ReadError(name string, err error) error {
	return UsageErrorf("%s: cannot be read: %v", name, causeOf(err))
}

// causeOf returns an error of the file system without the name of the file.
func causeOf(err error) error {
	if pathError, ok := errors.AsType[*fs.PathError](err); ok {
		return pathError.Err
	}
	return err
}
