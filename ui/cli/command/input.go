package command

import (
	"bufio"
	"io"
	"os"
)

// File is a file that is read, or stdin. What goes wrong in reading it names it.
type File struct {
	io.Reader
	name string
}

// OpenFile opens a file.
func OpenFile(name string) (File, error) {
	file, err := os.Open(name)
	if err != nil {
		return File{}, Unreadable(name, err)
	}
	return File{file, name}, nil
}

// Input is [OpenFile], and - is stdin.
func (a *App) Input(name string) (File, error) {
	if name == "-" {
		return File{a.Stdin, "stdin"}, nil
	}
	return OpenFile(name)
}

// ScenarioInput is [App.Input] for a scenario, whose format its name tells; that of
// stdin is told by how it begins.
func (a *App) ScenarioInput(name string) (File, error) {
	if name != "-" {
		return OpenFile(name)
	}
	in := bufio.NewReader(a.Stdin)
	switch first, _ := in.Peek(1); string(first) { // what fails here fails again
	case "{":
		return File{in, "stdin.jsonl"}, nil
	case "\x1f": // of gzip
		return File{in, "stdin.jsonl.gz"}, nil
	}
	return File{in, "stdin.yaml"}, nil
}

// Name is what the file is called where it fails.
func (f File) Name() string { return f.name }

// Read fails with a sentence that names the file.
func (f File) Read(b []byte) (int, error) {
	n, err := f.Reader.Read(b)
	if err != nil && err != io.EOF {
		err = Unreadable(f.name, err)
	}
	return n, err
}

// Close closes the file, but not stdin.
func (f File) Close() {
	if file, ok := f.Reader.(*os.File); ok && file != os.Stdin {
		_ = file.Close() // it was only read
	}
}
