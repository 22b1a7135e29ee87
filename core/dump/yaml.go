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
// It reads only this form of YAML. It reads line by line and keeps one record in memory,
// where a YAML library would keep the whole page.
func readYAML(p *page, r io.Reader) error {
	lines := bufio.NewScanner(r)
	lines.Buffer(make([]byte, 64<<10), maxValueBytes)
	y := yamlPage{page: p}
	for lines.Scan() {
		if err := y.readLine(lines.Text()); err != nil {
			return err
		}
	}

	err := lines.Err()
	if errors.Is(err, bufio.ErrTooLong) {
		return p.fail("a value is longer than %d MiB, expected records of a chain", maxValueBytes>>20)
	}
	if err != nil {
		return p.readError(err)
	}
	if err := y.finishRecord(); err != nil {
		return err
	}
	return p.checkHasRecords()
}

// yamlPage is a page in YAML that is being read.
type yamlPage struct {
	*page
	isInModels bool    // the current line belongs to the list of records
	key        *string // of the current record; nil if it was not read yet
	value      *string // likewise
}

// readLine reads a line such as "- key: 0006746F". In the list of records, a line with a
// dash begins the next record. A line without indentation ends the list.
func (y *yamlPage) readLine(line string) error {
	line = strings.TrimRight(line, " \r")
	content := strings.TrimLeft(line, " ")
	if content == "" || content[0] == '#' || content == "---" {
		return nil
	}

	content, hasDash := strings.CutPrefix(content, "- ")
	name, text, ok := strings.Cut(content, ":")
	if !ok {
		return y.fail(`expected JSON, or YAML as wasmd prints it, got the line %s`, quoteStart(line))
	}
	text = unquote(strings.TrimSpace(text))

	// A new record and a new member of the page both end the previous record.
	beginsRecord := hasDash && y.isInModels
	isTopLevel := line[0] != ' ' && !beginsRecord
	if beginsRecord || isTopLevel {
		if err := y.finishRecord(); err != nil {
			return err
		}
	}
	if isTopLevel {
		y.recordNumber = 0
		y.isInModels = name == "models"
		if y.isInModels {
			y.beginRecords()
		}
		return nil
	}
	if beginsRecord {
		y.recordNumber++
	}

	switch {
	case y.isInModels && name == "key":
		y.key = &text
	case y.isInModels && name == "value":
		y.value = &text
	case name == "next_key" && text != "null":
		y.addNextKey(text)
	}
	return nil
}

// finishRecord yields the current record, all of whose lines were read. It does nothing before
// the first record and outside of the list.
func (y *yamlPage) finishRecord() error {
	if !y.isInModels || y.recordNumber == 0 {
		return nil
	}
	key, value := y.key, y.value
	y.key, y.value = nil, nil
	return y.yieldRecord(key, value)
}

// unquote need not undo escapes, because neither hex nor base64 has a character that YAML escapes.
func unquote(text string) string {
	if len(text) < 2 {
		return text
	}
	first, last := text[0], text[len(text)-1]
	isQuoted := (first == '"' || first == '\'') && first == last
	if !isQuoted {
		return text
	}
	return text[1 : len(text)-1]
}
