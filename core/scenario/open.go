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

// Format is one of the ways to write a scenario.
type Format uint8

// The formats, by the end of a file's name.
const (
	YAML      Format = iota // .yaml, .yml: for people
	Lines                   // .jsonl: for machines
	LinesGzip               // .jsonl.gz
	noFormat
)

// FormatOf tells a file's format by its name. It fails with an [*Error] that
// lists the endings that there are.
func FormatOf(name string) (Format, error) {
	lower := strings.ToLower(path.Base(name))
	for _, f := range []struct {
		ending string
		format Format
	}{{".yaml", YAML}, {".yml", YAML}, {".jsonl", Lines}, {".jsonl.gz", LinesGzip}} {
		if strings.HasSuffix(lower, f.ending) {
			return f.format, nil
		}
	}
	return noFormat, &Error{File: name, Text: "expected a name that ends in .yaml, .yml, .jsonl or .jsonl.gz"}
}

// Limits on what is held in memory at once.
const (
	MaxYAML = 1 << 20  // bytes of a YAML file
	MaxLine = 64 << 20 // bytes of a line of JSON Lines
)

// Reader gives a scenario's steps, one by one.
type Reader struct {
	Header Header
	// File is the name that errors and mismatches carry.
	File string
	next func() (Step, error)
	yaml *document // of a YAML file
}

// Next gives the next step, and io.EOF after the last. Another error is an
// [*Error], or that of the reader below.
func (r *Reader) Next() (Step, error) { return r.next() }

// Open reads the header of a scenario. The name gives the format and stands in
// errors. JSON Lines are read as the steps are asked for, so that a file of any
// length takes the memory of its longest line; YAML is read whole and must not
// exceed [MaxYAML].
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

// Load reads a whole scenario, for files that are short.
func Load(name string, r io.Reader) (*Scenario, error) {
	reader, err := Open(name, r)
	if err != nil {
		return nil, err
	}
	s := &Scenario{Header: reader.Header}
	for {
		step, err := reader.Next()
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
	name string
	text *bufio.Scanner
	line int
	step int
}

func openLines(name string, r io.Reader) (*Reader, error) {
	l := &lines{name: name, text: bufio.NewScanner(r)}
	l.text.Buffer(make([]byte, 64<<10), MaxLine)
	raw, err := l.nextLine()
	if err == io.EOF {
		return nil, &Error{File: name, Text: "it is empty, expected a header in its first line"}
	}
	if err != nil {
		return nil, err
	}
	out := &Reader{File: name, next: l.next}
	if err := wire.Decode(raw, &out.Header); err != nil {
		return nil, l.decodeError(err)
	}
	return out, nil
}

func (l *lines) next() (s Step, err error) {
	raw, err := l.nextLine()
	if err != nil {
		return s, err
	}
	l.step++
	// A message that is broken on purpose must reach the contract as it is.
	if _, err := wire.DecodeWith(wire.Options{AnyText: true}, raw, &s); err != nil {
		return s, l.decodeError(err)
	}
	s.Line = l.line
	return s, nil
}

func (l *lines) decodeError(err error) error {
	field, text := fieldAndText(err)
	return &Error{File: l.name, Line: l.line, Step: l.step, Field: field, Text: text, Err: err}
}

var byteOrderMark = []byte("\ufeff") // that some editors put at the beginning of a text

// nextLine gives the next line that is not blank. It holds until the next call.
func (l *lines) nextLine() ([]byte, error) {
	for l.text.Scan() && l.text.Err() == nil { // what comes with an error is no whole line
		l.line++
		text := l.text.Bytes()
		if l.line == 1 {
			text = bytes.TrimPrefix(text, byteOrderMark)
		}
		if text = bytes.TrimSpace(text); len(text) > 0 {
			return text, nil
		}
	}
	switch err := l.text.Err(); {
	case err == nil:
		return nil, io.EOF
	case errors.Is(err, bufio.ErrTooLong):
		return nil, &Error{File: l.name, Line: l.line + 1, Text: fmt.Sprintf("the line is longer than %d MiB, expected one step", MaxLine>>20)}
	default:
		return nil, &Error{File: l.name, Line: l.line + 1, Text: "it cannot be read further: " + err.Error(), Err: err}
	}
}

// Error says what is wrong with a file, and where: "apes.yaml:12: as: …", the form
// that editors and problem matchers read.
type Error struct {
	File string
	Line int // from 1; 0 where the whole file is meant
	Step int // from 1; 0 outside of the steps
	// Field is the dotted path of the member, within the header or the step.
	Field string
	Text  string
	Err   error // what it comes from; can be nil
}

func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(e.File)
	if e.Line > 0 {
		fmt.Fprintf(&b, ":%d", e.Line)
	}
	if e.Field != "" {
		fmt.Fprintf(&b, ": %s", e.Field)
	}
	fmt.Fprintf(&b, ": %s", e.Text)
	return b.String()
}

func (e *Error) Unwrap() error { return e.Err }

// fieldAndText gives the field and the sentence of what a decoder found.
func fieldAndText(err error) (field, text string) {
	var w *wire.Error
	if refusal := cw721.AsError(err); refusal != nil {
		w = refusal.Parse
	} else if !errors.As(err, &w) {
		return "", err.Error()
	}
	field = w.Field
	if w.Unknown != "" {
		field = strings.TrimPrefix(field+"."+w.Unknown, ".")
	}
	switch {
	case w.Syntax:
		return field, fmt.Sprintf("it is not JSON at byte %d: %s", w.Offset, w.Hint)
	case w.Hint != "":
		return field, w.Hint
	case w.Nearest != "":
		unknown, _, _ := strings.Cut(w.Cause, ", ")
		return field, unknown + ": did you mean " + w.Nearest + "?"
	}
	return field, w.Cause
}
