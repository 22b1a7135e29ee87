package scenario

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
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

	l.source = l
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
	lineNumber int    // of the line that was read last, from 1
	header     line   // decoded anew for each row of values
	keptLines  []line // those after the header of a scenario with rows; otherwise nil
}

// line is a line of a file.
type line struct {
	number int // from 1
	text   []byte
}

// headerJSON returns the first line; see [source].
func (l *linesReader) headerJSON() ([]byte, error) {
	l.lineNumber = l.header.number
	return l.header.text, nil
}

// stepJSON returns the next line; see [source].
func (l *linesReader) stepJSON() ([]byte, error) {
	text, err := l.nextLine()
	if err == nil {
		l.stepNumber++
	}
	return text, err
}

// lineOf returns the line that was read last; see [source].
func (l *linesReader) lineOf(field string) int { return l.lineNumber }

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
