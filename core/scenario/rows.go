package scenario

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"
)

// rowsMember is the member of a YAML file that holds its rows.
const rowsMember = "rows"

// rowTable has the rows of a YAML file. A row is a named set of values, and the scenario is
// played once with each row:
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
type rowTable struct {
	names  []string              // of the rows, in the order of the file
	values []map[string]ast.Node // of each row, by name
	// current is the index of the row that is played, or -1.
	current int
	// used has the names of the values that the header or a step has used.
	used map[string]bool
	// hasNull is set if a value that was used since it was reset is null.
	hasNull bool
}

// Rows returns the names of the rows of a scenario. The scenario must be played once with
// each of them, after [Reader.StartRow]. A scenario without rows returns none.
func (r *Reader) Rows() []string {
	if r.yaml == nil {
		return nil
	}
	return r.yaml.rows.names
}

// StartRow begins the scenario anew with the values of a row. index is that of the row in
// [Reader.Rows]. The header's name ends with the name of the row then. StartRow fails with
// an [*Error] if a value does not fit the header.
func (r *Reader) StartRow(index int) error {
	d := r.yaml
	d.rows.current = index
	d.stepNumber = 0
	if err := d.readHeader(); err != nil {
		return err
	}
	r.Header.Name = cmp.Or(r.Header.Name, r.File) + ", " + d.rows.names[index]
	return nil
}

// readRows reads the rows of a file. It fails with an [*Error] if they are no named sets of
// values, or lack a value that another row has.
func (d *document) readRows(m member) error {
	d.rows = rowTable{current: -1, used: map[string]bool{}}
	table := &d.rows
	rows, ok := d.members(m.value)
	if !ok || len(rows) == 0 {
		return d.errorf(m.line, rowsMember, "expected named rows, such as at the end: {when: \"+10\"}, got %s", describeNode(m.value))
	}

	for _, row := range rows {
		members, ok := d.members(row.value)
		if !ok {
			return d.errorf(row.line, rowsMember+"."+row.name, "expected named values, got %s", describeNode(row.value))
		}
		values := map[string]ast.Node{}
		for _, value := range members {
			values[value.name] = value.value
		}
		table.names = append(table.names, row.name)
		table.values = append(table.values, values)

		for name := range table.values[0] {
			if values[name] == nil {
				return d.errorf(row.line, rowsMember+"."+row.name, "it lacks %s, expected the same values in every row; null leaves a step out", name)
			}
		}
		if len(values) != len(table.values[0]) {
			return d.errorf(row.line, rowsMember+"."+row.name, "expected the same values as in the row before it; null leaves a step out")
		}
	}
	return nil
}

// checkRows fails for a row value that has the name of an account, since "$name" would have
// two meanings.
func (d *document) checkRows() error {
	table := d.rows
	if len(table.names) == 0 {
		return nil
	}
	for _, account := range d.Header.chainAccounts() {
		if table.values[0][account.Name] != nil {
			return d.errorf(0, rowsMember, "%q names both a value and an account", account.Name)
		}
	}
	return nil
}

// checkRowsUsed fails if neither the header nor a step has used a value, which is likely a
// typing mistake.
func (d *document) checkRowsUsed() error {
	table := d.rows
	if len(table.names) == 0 {
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(table.values[0])) {
		if !table.used[name] {
			return d.errorf(0, rowsMember, "no step has the value $%s", name)
		}
	}
	return nil
}

// value returns the value of the current row that replaces a text such as "$when". ok is
// false for any other text, and if the file has no rows.
func (t *rowTable) value(text string) (value ast.Node, ok bool) {
	name, isName := strings.CutPrefix(text, "$")
	if !isName || len(t.names) == 0 {
		return nil, false
	}
	value = t.values[max(t.current, 0)][name]
	if value == nil {
		return nil, false
	}
	t.used[name] = true
	if _, isNull := value.(*ast.NullNode); isNull {
		t.hasNull = true
	}
	return value, true
}
