package scenario

import (
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"

	"ephemera/core/cw721"
	"ephemera/core/wire"
)

// Open reads the header of a scenario and returns a reader for its steps. The ending of the
// name decides the format. Open reads a YAML file as a whole, at most [MaxYAML] bytes. JSON
// Lines are read line by line, so that a file of any length takes only the memory of its
// longest line. A scenario with rows is kept in memory.
func Open(name string, r io.Reader) (*Reader, error) {
	format, err := FormatOf(name)
	if err != nil {
		return nil, err
	}
	if format == YAML {
		return openYAML(name, r)
	}
	if format == LinesGzip {
		if r, err = gzip.NewReader(r); err != nil {
			text := "it is not a gzip file, as its name says: " + err.Error()
			return nil, &Error{File: name, Text: text, Err: err}
		}
	}
	return openLines(name, r)
}

// Load reads a whole scenario into memory. The ending of the name decides the format. Load
// fails for a scenario with rows.
func Load(name string, r io.Reader) (*Scenario, error) {
	reader, err := Open(name, r)
	if err != nil {
		return nil, err
	}
	return reader.ReadAll()
}

// Format is the format of a scenario file.
type Format uint8

// The formats of scenario files, each with the endings of its file names.
const (
	YAML      Format = iota // .yaml, .yml: for people
	JSONLines               // .jsonl: for machines
	LinesGzip               // .jsonl.gz
)

// FormatOf returns the format of a file by the ending of its name. It fails with an [*Error]
// that lists the known endings.
func FormatOf(name string) (Format, error) {
	base := strings.ToLower(path.Base(name))
	switch {
	case strings.HasSuffix(base, ".yaml"), strings.HasSuffix(base, ".yml"):
		return YAML, nil
	case strings.HasSuffix(base, ".jsonl"):
		return JSONLines, nil
	case strings.HasSuffix(base, ".jsonl.gz"):
		return LinesGzip, nil
	}
	return 0, &Error{File: name, Text: "expected a name that ends in .yaml, .yml, .jsonl or .jsonl.gz"}
}

// Limits on the part of a file that is held in memory at once.
const (
	MaxYAML = 1 << 20  // bytes of a YAML file
	MaxLine = 64 << 20 // bytes of a line of JSON Lines
)

// Reader reads the steps of a scenario one by one.
type Reader struct {
	Header Header
	File   string // the file name in errors and mismatches

	steps      []Step       // of a scenario in memory, those that were not read yet
	source     source       // nil for a scenario in memory
	options    wire.Options // of the decoder
	stepNumber int          // of the step that was read last from the source, from 1; 0 before the first
	filler     rowFiller    // zero for a scenario without rows
	yamlFile   *document    // the source if it is YAML, or nil
	// checker finds mistakes in the messages of YAML. If the scenario begins with a dump, it is
	// nil until the dump has been read.
	checker *messageChecker
}

// source is a file that is read as a scenario.
type source interface {
	// headerJSON goes back to the beginning of the file, and returns the header as JSON.
	headerJSON() ([]byte, error)
	// stepJSON returns the next step as JSON, and io.EOF after the last one. It counts the step
	// in the stepNumber of the reader.
	stepJSON() ([]byte, error)
	// lineOf returns the line of a member in the header or step that was read last, whose
	// dotted path is field. For "" it returns the line of the header or step.
	lineOf(field string) int
}

// begin reads the header for the first time. A value of the rows cannot have the name of an
// account, because "$name" would have two meanings.
func (r *Reader) begin() error {
	if err := r.rewind(); err != nil || r.filler.rows == nil {
		return err
	}
	for _, account := range r.Header.chainAccounts() {
		if _, isValue := r.filler.rows[0].Values[account.Name]; isValue {
			return r.rowsError(fmt.Errorf("%q names both a value and an account", account.Name))
		}
	}
	return nil
}

// rewind goes back to the start of the file, so that Next returns the first step again. It
// decodes the header with the values of the current row.
func (r *Reader) rewind() error {
	r.Header = Header{}
	r.stepNumber = 0
	text, err := r.source.headerJSON()
	if err != nil {
		return err
	}
	text, err = r.filler.fillHeader(r.options, text)
	if err == nil {
		_, err = wire.DecodeWith(r.options, text, &r.Header)
	}
	if err != nil {
		return r.decodeError(err)
	}
	if r.yamlFile != nil && r.Header.Import == "" {
		r.checker = &messageChecker{
			contract: r.Header.config().Contract(),
			accounts: r.Header.chainAccounts(),
		}
	}
	return nil
}

// Next returns the next step, and io.EOF after the last one. It skips steps that are not
// played with the current row of values. It fails with an [*Error], or with the error of the
// underlying reader.
func (r *Reader) Next() (step Step, err error) {
	if r.source == nil {
		if len(r.steps) == 0 {
			return step, io.EOF
		}
		step = r.steps[0]
		r.steps = r.steps[1:]
		return step, nil
	}

	for {
		text, err := r.source.stepJSON()
		if err == io.EOF {
			return step, r.endOfRow()
		}
		if err != nil {
			return step, err
		}
		text, isLeftOut, err := r.filler.fillStep(text)
		if err != nil {
			return step, r.rowsError(err)
		}
		if !isLeftOut {
			return r.decodeStep(text)
		}
	}
}

// decodeStep decodes the step that was read last. In YAML it also checks the step's message
// for typing mistakes.
func (r *Reader) decodeStep(text []byte) (step Step, err error) {
	options := r.options
	options.AllowsInvalidUnicode = true // keeps the bytes of a message that is broken on purpose
	if _, err := wire.DecodeWith(options, text, &step); err != nil {
		return step, r.decodeError(err)
	}
	step.Line = r.source.lineOf("")
	step.FromYAML = r.yamlFile != nil

	// A message that decodes can still be a mistake, such as an unknown member.
	if r.checker == nil {
		return step, nil
	}
	if field, mistake := r.checker.findMistake(&step); mistake != "" {
		field = strings.TrimSuffix(string(step.Kind)+"."+field, ".")
		return step, r.errorf(r.source.lineOf(field), field, "%s", mistake)
	}
	return step, nil
}

// ReadAll returns a scenario in memory: the header, and all steps that have not been read
// yet. It fails with the errors of [Reader.Next].
func (r *Reader) ReadAll() (*Scenario, error) {
	scenario := &Scenario{Header: r.Header}
	for {
		step, err := r.Next()
		if err == io.EOF {
			return scenario, nil
		}
		if err != nil {
			return nil, err
		}
		scenario.Steps = append(scenario.Steps, step)
	}
}

// Error is a mistake in a scenario file. Its text has the form that editors and problem
// matchers read: "apes.yaml:12: as: …".
type Error struct {
	File  string
	Line  int    // from 1; 0 for the whole file
	Step  int    // from 1; 0 outside of the steps
	Field string // the dotted path of the member at fault within the header or step, or ""
	Text  string
	Err   error // the cause, or nil
}

// Error returns the error in one line.
func (e *Error) Error() string {
	place := placeInFile(e.File, e.Line)
	if e.Field != "" {
		place += ": " + e.Field
	}
	return place + ": " + e.Text
}

// placeInFile returns the name of a file and a line in it, such as "apes.yaml:12". Without a
// line it returns only the name.
func placeInFile(file string, line int) string {
	if line == wholeFile {
		return file
	}
	return fmt.Sprintf("%s:%d", file, line)
}

// Unwrap returns the cause of the mistake, or nil.
func (e *Error) Unwrap() error { return e.Err }

// wholeFile is the line number in errors that are not about a single line.
const wholeFile = 0

// errorf returns an [*Error] in the step that was read last. line can be wholeFile. field
// is the dotted path of the member at fault, or "".
func (r *Reader) errorf(line int, field, format string, args ...any) *Error {
	return &Error{
		File:  r.File,
		Line:  line,
		Step:  r.stepNumber,
		Field: field,
		Text:  fmt.Sprintf(format, args...),
	}
}

// decodeError returns an error of the decoder as an [*Error] in the header or step that was
// read last.
func (r *Reader) decodeError(err error) error {
	field, text := splitDecodeError(err)
	if r.yamlFile != nil {
		text = addQuotesAdvice(text)
	}
	decodeErr := r.errorf(r.source.lineOf(field), field, "%s", text)
	decodeErr.Err = err
	return decodeErr
}

// splitDecodeError returns the two parts of a decoder's error: the dotted path of the
// member that the decoder refused, and the reason in words for people. For any other error
// it returns no path and the whole text.
func splitDecodeError(err error) (field, text string) {
	// A refusal of a message that cannot be decoded has the decoder's error in it.
	var mistake *wire.Error
	if refusal := cw721.AsError(err); refusal != nil {
		mistake = refusal.Parse
	} else if !errors.As(err, &mistake) {
		return "", err.Error()
	}

	// The path of an unknown member ends with its name.
	field = mistake.Field
	if mistake.UnknownName != "" {
		field = strings.TrimPrefix(field+"."+mistake.UnknownName, ".")
	}

	// Give the reason that helps most: where the JSON is broken, else a hint, else a name
	// that is nearly right.
	switch {
	case mistake.Syntax:
		return field, fmt.Sprintf("it is not JSON at byte %d: %s", mistake.Offset, mistake.Hint)
	case mistake.Hint != "":
		return field, mistake.Hint
	case mistake.NearestName != "":
		unknown, _, _ := strings.Cut(mistake.Cause, ", ")
		return field, unknown + ": did you mean " + mistake.NearestName + "?"
	}
	return field, mistake.Cause
}
