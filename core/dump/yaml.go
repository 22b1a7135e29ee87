package dump

import (
	"bufio"
	"errors"
	"io"
	"strings"
)

// readYAML reads a page in YAML as wasmd prints it where no --output is given:
//
//	models:
//	- key: 0006746F6B656E7331
//	  value: eyJ…
//	pagination:
//	  next_key: null
//	  total: "0"
//
// Only this form is read, a line at a time, so that a million records are never
// held; a YAML library holds a whole document.
func readYAML(p *page, r io.Reader) error {
	lines := bufio.NewScanner(r)
	lines.Buffer(make([]byte, 64<<10), longest)
	y := yamlPage{page: p}
	for lines.Scan() {
		if err := y.line(lines.Text()); err != nil {
			return err
		}
	}
	switch err := lines.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		return p.fail("a value is longer than %d MiB, expected records of a chain", longest>>20)
	case err != nil:
		return p.unpacking(err)
	}
	if err := y.flush(); err != nil {
		return err
	}
	return p.whole()
}

type yamlPage struct {
	*page
	inside     bool // among the records
	key, value *string
}

func (y *yamlPage) line(line string) error {
	line = strings.TrimRight(line, " \r")
	content := strings.TrimLeft(line, " ")
	if content == "" || content[0] == '#' || content == "---" {
		return nil
	}
	content, item := strings.CutPrefix(content, "- ")
	name, text, ok := strings.Cut(content, ":")
	if !ok {
		return y.fail(`expected JSON, or YAML as wasmd prints it, got the line %s`, short(line))
	}
	text = unquoted(strings.TrimSpace(text))
	switch {
	case item && y.inside:
		if err := y.flush(); err != nil {
			return err
		}
		y.record++
	case line[0] != ' ': // a member of the page
		if err := y.flush(); err != nil {
			return err
		}
		y.record = 0
		if y.inside = name == "models"; y.inside {
			y.begin()
		}
		return nil
	}
	switch {
	case y.inside && name == "key":
		y.key = &text
	case y.inside && name == "value":
		y.value = &text
	case name == "next_key" && text != "null":
		y.next(text)
	}
	return nil
}

// flush takes the record whose lines are read.
func (y *yamlPage) flush() error {
	if !y.inside || y.record == 0 {
		return nil
	}
	key, value := y.key, y.value
	y.key, y.value = nil, nil
	return y.add(key, value)
}

// unquoted takes the quotes off a scalar. Neither hex nor base64 has a character
// that would be escaped in them.
func unquoted(s string) string {
	if len(s) >= 2 && (s[0] == '"' || s[0] == '\'') && s[len(s)-1] == s[0] {
		return s[1 : len(s)-1]
	}
	return s
}
