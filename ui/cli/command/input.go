package command

import (
	"bufio"
	"io"
	"os"
)

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
