package scenario

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"ephemera/core/wire"
)

// Rows returns the names of the scenario's rows. The caller must play a scenario with rows once
// for each row, after a call of [Reader.RewindToRow].
func (r *Reader) Rows() (names []string) {
	for _, row := range r.filler.rows {
		names = append(names, row.Name)
	}
	return names
}

// RewindToRow goes back to the first step, to play the scenario with the values of a row of
// [Reader.Rows]. The reader's header then has no rows, and its name ends with that of the row.
// RewindToRow fails with an [*Error] if a value of the row does not fit the header.
func (r *Reader) RewindToRow(index int) error {
	r.filler.currentRow = index
	if err := r.rewind(); err != nil {
		return err
	}
	r.Header.Name = cmp.Or(r.Header.Name, r.File) + ", " + r.filler.rows[index].Name
	r.Header.Rows = nil
	return nil
}

// rowsError returns an error about the rows as an [*Error] in the header's member "rows".
func (r *Reader) rowsError(err error) error {
	return &Error{File: r.File, Field: rowsMember, Text: err.Error(), Err: err}
}

// endOfRow returns the error with which reading ends after the last step: [io.EOF], or an
// [*Error] if a value was not used, whose name is likely a typing mistake.
func (r *Reader) endOfRow() error {
	if r.filler.rows == nil {
		return io.EOF
	}
	for _, name := range slices.Sorted(maps.Keys(r.filler.rows[0].Values)) {
		if !r.filler.usedNames[name] {
			return r.rowsError(fmt.Errorf("no step has the value $%s", name))
		}
	}
	return io.EOF
}

// rowFiller puts the values of a row into the header and the steps of a scenario, in the
// place of texts such as "$when".
type rowFiller struct {
	rows         Rows            // nil if the header has none
	currentRow   int             // the index of the row that is played, or -1 before the first
	usedNames    map[string]bool // the values that the header or a step has used
	usesNull     bool            // the step that is being filled uses a value null
	visitedCount int             // JSON values visited in the text that is being filled; at most maxValues
}

// fillHeader keeps the rows of a header, and returns the header with the values of the current
// row, or of the first row before one is started. A header without rows stays as it is.
func (f *rowFiller) fillHeader(options wire.Options, header []byte) ([]byte, error) {
	tree, err := parseJSON(header)
	if err != nil {
		return header, nil // the decoder reports it
	}
	rows, hasRows := tree.member(rowsMember)
	if !hasRows {
		return header, nil
	}

	// The rows are decoded once, and alone, because the other members of the header can still
	// have names of values that do not fit, such as "$rules".
	if f.rows == nil {
		var rowsHeader Header
		rowsJSON := appendSingle(nil, rowsMember, wire.Raw(rows.json()))
		if _, err := wire.DecodeWith(options, rowsJSON, &rowsHeader); err != nil {
			return nil, err
		}
		f.rows = rowsHeader.Rows
		f.currentRow = -1
		f.usedNames = map[string]bool{}
	}

	f.visitedCount = 0
	for i, name := range tree.names {
		if name == rowsMember {
			continue
		}
		if tree.items[i], err = f.fill(tree.items[i], outermost); err != nil {
			return nil, err
		}
	}
	return tree.json(), nil
}

// fillStep returns a step with the values of the current row. isLeftOut is set if one of these
// values is null. Without rows, the step stays as it is.
func (f *rowFiller) fillStep(step []byte) (filled []byte, isLeftOut bool, err error) {
	if f.rows == nil {
		return step, false, nil
	}
	if f.currentRow < 0 {
		return nil, false, errors.New("only ephemera run plays a scenario with rows")
	}
	tree, err := parseJSON(step)
	if err != nil {
		return step, false, nil // the decoder reports it
	}
	f.usesNull = false
	f.visitedCount = 0
	tree, err = f.fill(tree, outermost)
	return tree.json(), f.usesNull, err
}

// fill returns a copy of v in which the values of the current row replace texts such as
// "$when". Before a row is started, it takes the first row. A value can contain the names of
// other values. If it contains its own name, fill fails when depth or the number of values
// becomes too large. depth counts the arrays, the objects and the values of the row that
// contain v.
func (f *rowFiller) fill(v jsonValue, depth int) (jsonValue, error) {
	f.visitedCount++
	if depth > maxNesting || f.visitedCount > maxValues {
		return v, errors.New("it becomes too large with the values of the row; does a value name itself?")
	}
	if v.kind == '"' {
		name, isName := strings.CutPrefix(v.text, "$")
		valueJSON, isValue := f.rows[max(f.currentRow, 0)].Values[name]
		if !isName || !isValue {
			return v, nil
		}
		f.usedNames[name] = true
		value, err := parseJSON(valueJSON)
		if err != nil {
			return v, err
		}
		f.usesNull = f.usesNull || value.kind == 'n'
		return f.fill(value, depth+1)
	}

	// The items are replaced in a copy, because the caller's v must stay as it is.
	v.items = slices.Clone(v.items)
	for i, item := range v.items {
		var err error
		if v.items[i], err = f.fill(item, depth+1); err != nil {
			return v, err
		}
	}
	return v, nil
}
