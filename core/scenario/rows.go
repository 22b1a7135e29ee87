package scenario

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"ephemera/core/wire"
)

// rowsMember is the member of a header that holds the rows.
const rowsMember = "rows"

// Rows are named sets of values, in the order of the file. The scenario is played once with
// each row:
//
//	rows:
//	  the last block: {when: "+9", answer: ok}
//	  the first block after it: {when: "+10", answer: error}
//	steps:
//	  - advance: $when
//	    as: bob
//	    execute: {burn: {token_id: rose}}
//	    expect: $answer
//
// A text that is "$" and the name of a value becomes the value: a moment, a name, a whole
// message, an expectation or the rules of the header. A step with a value null is left out.
type Rows []Row

// Row is a named set of values. A scenario with rows is played once for each row, with the
// values of the row in place of "$name". All rows have values of the same names.
type Row struct {
	Name   string
	Values map[string]wire.Raw // JSON, by the name of the value
}

// DecodeWire reads named rows. It fails if they lack a value that another row has.
func (rows *Rows) DecodeWire(d *wire.Decoder) error {
	const example = `named rows, such as at the end: {when: "+10"}`
	if kind := d.Kind(); kind != '{' {
		return d.FailType(example, kind)
	}

	// Each row is compared with those before it, so that the first row at fault is named.
	err := readNames(d, func(name string) error {
		row, err := readRow(d, name)
		if err != nil {
			return err
		}
		*rows = append(*rows, row)
		return rows.checkLast(d)
	})
	if err != nil {
		return err
	}
	if len(*rows) == 0 {
		return fail(d, "expected %s", example)
	}
	return nil
}

// readRow reads the values of a row, such as {when: "+9", answer: ok}.
func readRow(d *wire.Decoder, name string) (Row, error) {
	row := Row{Name: name, Values: map[string]wire.Raw{}}
	if kind := d.Kind(); kind != '{' {
		return row, d.FailType("named values", kind)
	}
	err := readNames(d, func(name string) error {
		var value wire.Raw
		err := value.DecodeWire(d)
		row.Values[name] = value
		return err
	})
	return row, err
}

// checkLast fails if the last row and the first one have values of different names.
func (rows Rows) checkLast(d *wire.Decoder) error {
	first := rows[0].Values
	last := rows[len(rows)-1].Values
	for name := range first {
		if _, ok := last[name]; !ok {
			return fail(d, "it lacks %s, expected the same values in every row; null leaves a step out", name)
		}
	}
	if len(last) != len(first) {
		return fail(d, "expected the same values as in the row before it; null leaves a step out")
	}
	return nil
}

// AppendWire writes the rows as an object, in their order.
func (rows Rows) AppendWire(dst []byte) []byte {
	return appendNamed(dst, rows, func(row Row) memberValue {
		return memberValue{name: row.Name, value: row}
	})
}

// AppendWire writes the values of the row as an object, in the order of their names.
func (row Row) AppendWire(dst []byte) []byte {
	names := slices.Sorted(maps.Keys(row.Values))
	return appendNamed(dst, names, func(name string) memberValue {
		return memberValue{name: name, value: row.Values[name]}
	})
}

// rowsOf turns several steps into one step with a row for each. It returns the rows, and the
// [Step.RowValues] with which the first step must be written. Each member in which the steps
// differ becomes a value of the rows, with the name of the member. The steps must have the same
// members. isTaken reports whether an account has a name; a value gets another one then.
func rowsOf(rowNames []string, steps []Step, isTaken func(name string) bool) (rowValues map[string]string, rows Rows) {
	rowValues = map[string]string{}
	for _, name := range rowNames {
		rows = append(rows, Row{Name: name, Values: map[string]wire.Raw{}})
	}
	for i, m := range memberValues(steps[0]) {
		// A member stays in the step if all steps have the same value.
		values := make([]wire.Raw, len(steps))
		for row, step := range steps {
			values[row] = wire.Compact(memberValues(step)[i].value)
		}
		isOther := func(value wire.Raw) bool { return !bytes.Equal(value, values[0]) }
		if !slices.ContainsFunc(values, isOther) {
			continue
		}

		// Otherwise its values go to the rows, and the step gets the name of the value.
		name := m.name
		for isTaken(name) {
			name += "_"
		}
		rowValues[m.name] = name
		for row := range rows {
			rows[row].Values[name] = values[row]
		}
	}
	return rowValues, rows
}

// Rows returns the names of the rows of a scenario. The scenario must be played once with
// each of them, after [Reader.StartRow]. A scenario without rows returns none.
func (r *Reader) Rows() (names []string) {
	for _, row := range r.rows.rows {
		names = append(names, row.Name)
	}
	return names
}

// StartRow begins the scenario anew with the values of a row. index is that of the row in
// [Reader.Rows]. The header has no rows then, and its name ends with the name of the row.
// StartRow fails with an [*Error] if a value does not fit the header.
func (r *Reader) StartRow(index int) error {
	r.rows.current = index
	if err := r.rewind(); err != nil {
		return err
	}
	r.Header.Name = cmp.Or(r.Header.Name, r.File) + ", " + r.rows.rows[index].Name
	r.Header.Rows = nil
	return nil
}

// rowsError returns an error about the rows as an [*Error].
func (r *Reader) rowsError(err error) error {
	return &Error{File: r.File, Field: rowsMember, Text: err.Error(), Err: err}
}

// rowsEnd returns what the reader returns after the last step: [io.EOF], or an [*Error] if
// there is a value that nothing has used.
func (r *Reader) rowsEnd() error {
	if err := r.rows.checkUsed(); err != nil {
		return r.rowsError(err)
	}
	return io.EOF
}

// rowTable puts the values of a row into the header and the steps of a scenario, in the place
// of texts such as "$when".
type rowTable struct {
	rows Rows
	// current is the index of the row that is played, or -1.
	current int
	// used has the names of the values that the header or a step has used.
	used map[string]bool
	// hasNull is set if a value that was used since it was reset is null.
	hasNull bool
	// filledCount is the number of JSON values in the text that is being filled.
	filledCount int
}

// fillHeader reads the rows of a header, and returns the header with the values of the
// current row or of the first one. A header without rows stays as it is, and so does one that
// is not JSON, which the decoder reports.
func (t *rowTable) fillHeader(options wire.Options, header []byte) ([]byte, error) {
	tree, err := parseJSON(header)
	if err != nil {
		return header, nil
	}
	rows, hasRows := tree.member(rowsMember)
	if !hasRows {
		return header, nil
	}

	// The rows are decoded alone, because the other members can still have names of values
	// that do not fit, such as "$rules".
	var withRows Header
	rowsAlone := appendObject(nil, []memberValue{{name: rowsMember, value: wire.Raw(rows.json())}})
	if _, err := wire.DecodeWith(options, rowsAlone, &withRows); err != nil {
		return nil, err
	}
	if t.rows == nil { // the header is read for the first time
		t.rows = withRows.Rows
		t.current = -1
		t.used = map[string]bool{}
	}

	t.filledCount = 0
	for i, name := range tree.names {
		if name == rowsMember {
			continue
		}
		if tree.items[i], err = t.fill(tree.items[i], 0); err != nil {
			return nil, err
		}
	}
	return tree.json(), nil
}

// fillStep returns the JSON of a step with the values of the current row. isLeftOut is set if
// one of them is null. Without rows, the text stays as it is.
func (t *rowTable) fillStep(step []byte) (filled []byte, isLeftOut bool, err error) {
	if t.rows == nil {
		return step, false, nil
	}
	if t.current < 0 {
		return nil, false, errors.New("only ephemera run plays a scenario with rows")
	}
	tree, err := parseJSON(step)
	if err != nil {
		return step, false, nil // the decoder reports it
	}
	t.hasNull = false
	t.filledCount = 0
	tree, err = t.fill(tree, 0)
	return tree.json(), t.hasNull, err
}

// fill replaces the texts in v that name a value of the row. A value can name other values,
// but not itself. depth is the number of arrays, objects and values of the row around v.
func (t *rowTable) fill(v jsonValue, depth int) (jsonValue, error) {
	t.filledCount++
	if depth > maxNesting || t.filledCount > maxValues {
		return v, errors.New("it becomes too large with the values of the row; does a value name itself?")
	}
	if v.kind == '"' {
		value, ok, err := t.value(v.text)
		if err != nil || !ok {
			return v, err
		}
		return t.fill(value, depth+1)
	}

	// The template is filled anew for every row, so it must stay as it is.
	v.items = slices.Clone(v.items)
	for i, item := range v.items {
		var err error
		if v.items[i], err = t.fill(item, depth+1); err != nil {
			return v, err
		}
	}
	return v, nil
}

// value returns the value of the current row, or of the first one, that replaces a text such
// as "$when". ok is false for any other text.
func (t *rowTable) value(text string) (value jsonValue, ok bool, err error) {
	name, isName := strings.CutPrefix(text, "$")
	raw, isValue := t.rows[max(t.current, 0)].Values[name]
	if !isName || !isValue {
		return value, false, nil
	}
	t.used[name] = true
	value, err = parseJSON(raw)
	t.hasNull = t.hasNull || value.kind == 'n'
	return value, true, err
}

// checkNames fails for a value that has the name of an account, since "$name" would have two
// meanings.
func (t *rowTable) checkNames(h Header) error {
	if t.rows == nil {
		return nil
	}
	for _, account := range h.chainAccounts() {
		if _, isValue := t.rows[0].Values[account.Name]; isValue {
			return fmt.Errorf("%q names both a value and an account", account.Name)
		}
	}
	return nil
}

// checkUsed fails if neither the header nor a step has used a value, which is likely a typing
// mistake.
func (t *rowTable) checkUsed() error {
	if t.rows == nil {
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(t.rows[0].Values)) {
		if !t.used[name] {
			return fmt.Errorf("no step has the value $%s", name)
		}
	}
	return nil
}
