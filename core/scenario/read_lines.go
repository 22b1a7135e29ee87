package scenario

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"

	"ephemera/core/wire"
)

// openLines opens a scenario in JSON Lines and decodes its header, which is the first line.
func openLines(name string, r io.Reader) (*Reader, error) {
	const firstBufferBytes = 64 << 10 // the buffer grows with the lines, up to MaxLine
	l := &linesReader{Reader: &Reader{File: name}, scanner: bufio.NewScanner(r)}
	l.scanner.Buffer(make([]byte, firstBufferBytes), MaxLine)
	text, err := l.nextLine()
	if err == io.EOF {
		return nil, &Error{File: name, Text: "it is empty, expected a header in its first line"}
	}
	if err != nil {
		return nil, err
	}
	l.header = line{number: l.lineNumber, text: bytes.Clone(text)}

	l.next = l.nextStep
	l.rewind = l.readHeader
	if err := l.begin(); err != nil {
		return nil, err
	}

	// The steps of a scenario with rows are read once for each row, but r can only be read
	// once.
	if l.filler.rows != nil {
		return l.Reader, l.keepLines()
	}
	return l.Reader, nil
}

// linesReader reads a scenario from JSON Lines: a header and then one step a line.
type linesReader struct {
	*Reader
	scanner    *bufio.Scanner
	lineNumber int  // of the line that was read last, from 1
	header     line // decoded anew for each row of values
	// keptLines has all lines after the header if the scenario has rows of values,
	// because they are read again for each row. Otherwise it is nil.
	keptLines []line
}

// line is a line of a file.
type line struct {
	number int // from 1
	text   []byte
}

// readHeader decodes the header of a scenario in JSON Lines, and counts the steps anew.
// In a scenario with rows it first fills in the values of the current row, or of the
// first row before one is started.
func (l *linesReader) readHeader() error {
	l.Header = Header{}
	l.stepNumber = 0
	l.lineNumber = l.header.number
	text, err := l.filler.fillHeader(wire.Options{}, l.header.text)
	if err != nil {
		return l.decodeError(err)
	}
	if err := wire.Decode(text, &l.Header); err != nil {
		return l.decodeError(err)
	}
	return nil
}

// keepLines reads the lines after the header into memory.
func (l *linesReader) keepLines() error {
	lines := []line{}
	for {
		text, err := l.nextLine()
		if err == io.EOF {
			l.keptLines = lines
			return nil
		}
		if err != nil {
			return err
		}
		lines = append(lines, line{number: l.lineNumber, text: bytes.Clone(text)})
	}
}

// nextStep decodes the step in the next line, and returns io.EOF after the last one.
// isLeftOut is set for a step that is not played with the current row of values.
func (l *linesReader) nextStep() (step Step, isLeftOut bool, err error) {
	text, err := l.nextLine()
	if err != nil {
		return step, false, err
	}
	l.stepNumber++

	// Values of the current row replace their names before the step is decoded.
	text, isLeftOut, err = l.filler.fillStep(text)
	if err != nil {
		return step, false, l.rowsError(err)
	}
	if isLeftOut {
		return step, true, nil
	}

	// AllowsInvalidUnicode keeps the bytes of a message that is broken on purpose.
	if _, err := wire.DecodeWith(wire.Options{AllowsInvalidUnicode: true}, text, &step); err != nil {
		return step, false, l.decodeError(err)
	}
	step.Line = l.lineNumber
	return step, false, nil
}

// nextLine returns the next line that is not blank, without the space around it. It returns
// io.EOF after the last line, and an [*Error] if the file cannot be read further. The line
// is valid until the next call.
func (l *linesReader) nextLine() ([]byte, error) {
	// The lines of a scenario with rows are in memory. Each of them is a step.
	if l.keptLines != nil {
		if l.stepNumber == len(l.keptLines) {
			return nil, io.EOF
		}
		keptLine := l.keptLines[l.stepNumber]
		l.lineNumber = keptLine.number
		return keptLine.text, nil
	}

	// After a read error the scanner returns a line that is cut off.
	for l.scanner.Scan() && l.scanner.Err() == nil {
		l.lineNumber++
		text := l.scanner.Bytes()
		if l.lineNumber == 1 {
			text = bytes.TrimPrefix(text, byteOrderMark)
		}
		text = bytes.TrimSpace(text)
		if len(text) > 0 {
			return text, nil
		}
	}

	// The file has ended, or the line after the last one could not be read.
	err := l.scanner.Err()
	switch {
	case err == nil:
		return nil, io.EOF
	case errors.Is(err, bufio.ErrTooLong):
		text := fmt.Sprintf("the line is longer than %d MiB, expected one step", MaxLine>>20)
		return nil, &Error{File: l.File, Line: l.lineNumber + 1, Text: text}
	}
	text := "it cannot be read further: " + err.Error()
	return nil, &Error{File: l.File, Line: l.lineNumber + 1, Text: text, Err: err}
}

// byteOrderMark is a sign that some editors write at the start of a file. It is not part of
// the text.
var byteOrderMark = []byte("\ufeff")

// decodeError returns an error of the decoder as an [*Error] in the line that was read last.
func (l *linesReader) decodeError(err error) error {
	field, text := splitDecodeError(err)
	decodeErr := l.errorf(l.lineNumber, field, "%s", text)
	decodeErr.Err = err
	return decodeErr
}
