package scenario

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"

	"ephemera/core/cw721"
	"ephemera/core/wire"
)

// Format is the format of a scenario file.
type Format uint8

// The formats, and the ends of their file names.
const (
	YAML      Format = iota // .yaml, .yml: for people
	Lines                   // .jsonl: for machines
	LinesGzip               // .jsonl.gz
)

// FormatOf returns the format of a file by its name. It fails with an [*Error] that
// lists the known endings.
func FormatOf(name string) (Format, error) {
	base := strings.ToLower(path.Base(name))
	switch {
	case strings.HasSuffix(base, ".yaml"), strings.HasSuffix(base, ".yml"):
		return YAML, nil
	case strings.HasSuffix(base, ".jsonl"):
		return Lines, nil
	case strings.HasSuffix(base, ".jsonl.gz"):
		return LinesGzip, nil
	}
	return 0, &Error{File: name, Text: "expected a name that ends in .yaml, .yml, .jsonl or .jsonl.gz"}
}

// Limits on what is held in memory at once.
const (
	MaxYAML = 1 << 20  // bytes of a YAML file
	MaxLine = 64 << 20 // bytes of a line of JSON Lines
)

// Reader reads the steps of a scenario one by one.
type Reader struct {
	Header Header
	// File is the file name in errors and mismatches.
	File string

	// next returns the next step. isLeftOut is set for a step that the current row leaves
	// out. It returns io.EOF after the last step.
	next func() (s Step, isLeftOut bool, err error)
	// rewind goes back to the start of the file and reads the header again. The names in
	// it, such as $when, get the values of the current row. The next step is the first.
	rewind func() error
	rows   rowTable
	yaml   *document // nil for JSON Lines
}

// Next returns the next step, and io.EOF after the last. It skips steps that the current row
// leaves out. It fails with an [*Error], or with the error of the underlying reader.
func (r *Reader) Next() (Step, error) {
	for {
		step, isLeftOut, err := r.next()
		if err == io.EOF {
			return step, r.rowsEnd()
		}
		if err != nil || !isLeftOut {
			return step, err
		}
	}
}

// begin reads the header for the first time, and checks the names of the values of its rows.
func (r *Reader) begin() error {
	if err := r.rewind(); err != nil {
		return err
	}
	if err := r.rows.checkNames(r.Header); err != nil {
		return r.rowsError(err)
	}
	return nil
}

// Open reads the header of a scenario. The end of the name is the format. Open reads
// YAML as a whole, at most [MaxYAML] bytes. It reads JSON Lines line by line, so that a
// file of any length takes the memory of its longest line.
func Open(name string, r io.Reader) (*Reader, error) {
	format, err := FormatOf(name)
	if err != nil {
		return nil, err
	}
	switch format {
	case YAML:
		return openYAML(name, r)
	case LinesGzip:
		unzipped, err := gzip.NewReader(r)
		if err != nil {
			return nil, &Error{File: name, Text: "it is not a gzip file, as its name says: " + err.Error(), Err: err}
		}
		r = unzipped
	}
	return openLines(name, r)
}

// Load reads a whole scenario into memory. It fails for a scenario with rows.
func Load(name string, r io.Reader) (*Scenario, error) {
	reader, err := Open(name, r)
	if err != nil {
		return nil, err
	}
	return reader.ReadAll()
}

// ReadAll reads the steps that are left into memory, with the header. It fails with the
// errors of [Reader.Next].
func (r *Reader) ReadAll() (*Scenario, error) {
	s := &Scenario{Header: r.Header}
	for {
		step, err := r.Next()
		if err == io.EOF {
			return s, nil
		}
		if err != nil {
			return nil, err
		}
		s.Steps = append(s.Steps, step)
	}
}

// lines reads JSON Lines.
type lines struct {
	*Reader
	scanner    *bufio.Scanner
	lineNumber int  // of the line that was read last, from 1
	stepNumber int  // of the step that was read last, from 1
	header     line // the first line, which is decoded anew for each row
	// kept holds the lines after the header of a scenario with rows, which are read again for
	// each row. It is nil otherwise.
	kept []line
}

// line is a line of a file.
type line struct {
	number int // from 1
	text   []byte
}

// openLines decodes the header, which is the first line.
func openLines(name string, r io.Reader) (*Reader, error) {
	l := &lines{Reader: &Reader{File: name}, scanner: bufio.NewScanner(r)}
	l.scanner.Buffer(make([]byte, 64<<10), MaxLine)
	text, err := l.nextLine()
	if err == io.EOF {
		return nil, &Error{File: name, Text: "it is empty, expected a header in its first line"}
	}
	if err != nil {
		return nil, err
	}
	l.header = line{number: l.lineNumber, text: bytes.Clone(text)}

	// From here on the reader can begin, and begin again for the next row.
	l.next = l.nextStep
	l.rewind = l.readHeader
	if err := l.begin(); err != nil {
		return nil, err
	}

	// Rows read the steps more than once, so the lines have to be kept.
	if l.rows.rows != nil {
		return l.Reader, l.keepLines()
	}
	return l.Reader, nil
}

// readHeader decodes the header of a scenario in JSON Lines, and begins the count of steps
// anew. If the scenario has rows, the values of the current row, or else of the first one,
// replace their names in the header.
func (l *lines) readHeader() error {
	l.Header = Header{}
	l.stepNumber = 0
	l.lineNumber = l.header.number
	text, err := l.rows.fillHeader(wire.Options{}, l.header.text)
	if err != nil {
		return l.decodeError(err)
	}
	if err := wire.Decode(text, &l.Header); err != nil {
		return l.decodeError(err)
	}
	return nil
}

// keepLines reads the lines after the header into memory.
func (l *lines) keepLines() error {
	kept := []line{}
	for {
		text, err := l.nextLine()
		if err == io.EOF {
			l.kept = kept
			return nil
		}
		if err != nil {
			return err
		}
		kept = append(kept, line{number: l.lineNumber, text: bytes.Clone(text)})
	}
}

// nextStep decodes the step in the next line. It keeps the bytes of a message that is broken on
// purpose.
func (l *lines) nextStep() (s Step, isLeftOut bool, err error) {
	text, err := l.nextLine()
	if err != nil {
		return s, false, err
	}
	l.stepNumber++

	// Values of the current row replace their names before the step is decoded.
	text, isLeftOut, err = l.rows.fillStep(text)
	if err != nil {
		return s, false, l.rowsError(err)
	}
	if isLeftOut {
		return s, true, nil
	}
	if _, err := wire.DecodeWith(wire.Options{AnyText: true}, text, &s); err != nil {
		return s, false, l.decodeError(err)
	}
	s.Line = l.lineNumber
	return s, false, nil
}

// decodeError returns an error of the decoder with its place in the file.
func (l *lines) decodeError(err error) error {
	field, text := fieldAndText(err)
	return &Error{File: l.File, Line: l.lineNumber, Step: l.stepNumber, Field: field, Text: text, Err: err}
}

// byteOrderMark is at the start of a text that some editors write.
var byteOrderMark = []byte("\ufeff")

// nextLine returns the next line that is not blank. It is valid until the next call.
func (l *lines) nextLine() ([]byte, error) {
	// A file with rows was read as a whole.
	if l.kept != nil {
		if l.stepNumber == len(l.kept) {
			return nil, io.EOF
		}
		l.lineNumber = l.kept[l.stepNumber].number
		return l.kept[l.stepNumber].text, nil
	}
	for l.scanner.Scan() {
		if l.scanner.Err() != nil {
			break // after a read error the scanner returns a line that is cut off
		}
		l.lineNumber++
		line := l.scanner.Bytes()
		if l.lineNumber == 1 {
			line = bytes.TrimPrefix(line, byteOrderMark)
		}
		if line = bytes.TrimSpace(line); len(line) > 0 {
			return line, nil
		}
	}

	// The file has ended, or could not be read further.
	err := l.scanner.Err()
	if err == nil {
		return nil, io.EOF
	}
	located := &Error{File: l.File, Line: l.lineNumber + 1}
	if errors.Is(err, bufio.ErrTooLong) {
		located.Text = fmt.Sprintf("the line is longer than %d MiB, expected one step", MaxLine>>20)
		return nil, located
	}
	located.Text = "it cannot be read further: " + err.Error()
	located.Err = err
	return nil, located
}

// Error is a mistake in a scenario file. Its text has the form that editors and problem
// matchers read: "apes.yaml:12: as: …".
type Error struct {
	File string
	Line int // from 1; 0 for the whole file
	Step int // from 1; 0 outside of the steps
	// Field is the dotted path of the member, within the header or the step.
	Field string
	Text  string
	Err   error // the cause, or nil
}

// Error returns the place, the member if it is known, and the text.
func (e *Error) Error() string {
	place := placeInFile(e.File, e.Line)
	if e.Field != "" {
		place += ": " + e.Field
	}
	return place + ": " + e.Text
}

// placeInFile returns a file with a line: "apes.yaml:12". It leaves out the line 0, which is
// the whole file.
func placeInFile(file string, line int) string {
	if line == 0 {
		return file
	}
	return fmt.Sprintf("%s:%d", file, line)
}

// Unwrap returns the cause of the mistake, or nil.
func (e *Error) Unwrap() error { return e.Err }

// fieldAndText returns the dotted path of the member that a decoder refused, and the
// reason in words for people.
func fieldAndText(err error) (field, text string) {
	var wrong *wire.Error
	if refusal := cw721.AsError(err); refusal != nil {
		wrong = refusal.Parse
	} else if !errors.As(err, &wrong) {
		return "", err.Error()
	}

	field = wrong.Field
	if wrong.Unknown != "" {
		field = strings.TrimPrefix(field+"."+wrong.Unknown, ".")
	}

	// The reason that helps most comes first: where the JSON is broken, then a hint, then a
	// name that is nearly right.
	switch {
	case wrong.Syntax:
		return field, fmt.Sprintf("it is not JSON at byte %d: %s", wrong.Offset, wrong.Hint)
	case wrong.Hint != "":
		return field, wrong.Hint
	case wrong.Nearest != "":
		unknown, _, _ := strings.Cut(wrong.Cause, ", ")
		return field, unknown + ": did you mean " + wrong.Nearest + "?"
	}
	return field, wrong.Cause
}
