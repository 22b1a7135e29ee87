package scenario

import (
	"maps"
	"slices"
	"strings"

	"ephemera/core/chain"
	"ephemera/core/wire"
)

// DecodeWire reads a header.
func (h *Header) DecodeWire(decoder *wire.Decoder) error {
	return readObject(decoder, "the header", h)
}

// DecodeWire reads an object of names, each with an address or null.
func (a *Accounts) DecodeWire(decoder *wire.Decoder) error {
	return readMembers(decoder, func(name string) error {
		account := chain.Account{Name: name}
		err := readText(decoder, &account.Address, "an address in a string, or nothing")
		*a = append(*a, account)
		return err
	})
}

// AppendWire writes the accounts as an object, in their order.
func (a Accounts) AppendWire(dst []byte) []byte {
	return appendListAsObject(dst, a, func(account chain.Account) memberValue {
		if account.Address == "" {
			return memberValue{name: account.Name}
		}
		return memberValue{name: account.Name, value: account.Address}
	})
}

// DecodeWire reads an object of names, each with a way to receive tokens, such as
// {"$market": "accepts"}. The dollar sign is optional.
func (c *Contracts) DecodeWire(decoder *wire.Decoder) error {
	return readMembers(decoder, func(name string) error {
		contract := chain.Account{Name: strings.TrimPrefix(name, "$")}
		known := []chain.Receiver{chain.ReceiverAccepts, chain.ReceiverRejects, chain.ReceiverPlain}
		err := readOneOf(decoder, &contract.Receiver, "way to receive tokens", known)
		*c = append(*c, contract)
		return err
	})
}

// AppendWire writes the contracts as an object, in their order.
func (c Contracts) AppendWire(dst []byte) []byte {
	return appendListAsObject(dst, c, func(contract chain.Account) memberValue {
		return memberValue{name: contract.Name, value: string(contract.Receiver)}
	})
}

// DecodeWire reads an array of invariants in the form of steps.
func (list *Invariants) DecodeWire(decoder *wire.Decoder) error {
	return readArray(decoder, "a list of queries", func() error {
		var invariant Step
		if err := invariant.DecodeWire(decoder); err != nil {
			return err
		}
		movesClock := invariant.At != nil || invariant.Advance != nil
		expectsAnswer := invariant.Kind == Query && invariant.Expect != nil
		canBeInvariant := expectsAnswer || invariant.Kind == Nobody
		if movesClock || !canBeInvariant {
			return errorAt(decoder,
				"invariant %d: expected query and expect, or nobody, and no clock move",
				len(*list)+1)
		}
		*list = append(*list, invariant)
		return nil
	})
}

// DecodeWire reads the member "deliver", which is the opposite of u.
func (u *Undelivered) DecodeWire(decoder *wire.Decoder) error {
	delivers := true
	err := readBool(decoder, &delivers)
	*u = Undelivered(!delivers)
	return err
}

// AppendWire writes the member "deliver".
func (u Undelivered) AppendWire(dst []byte) []byte { return wire.Append(dst, !bool(u)) }

// DecodeWire reads an object of names, each with what the misconception believes.
func (list *Misconceptions) DecodeWire(decoder *wire.Decoder) error {
	return readMembers(decoder, func(name string) error {
		belief, err := decoder.Text("what is believed, in a string")
		*list = append(*list, Misconception{Name: name, Belief: belief})
		return err
	})
}

// AppendWire writes the misconceptions as an object, in their order.
func (list Misconceptions) AppendWire(dst []byte) []byte {
	return appendListAsObject(dst, list, func(m Misconception) memberValue {
		return memberValue{name: m.Name, value: m.Belief}
	})
}

// Rows are named sets of values, in the order of the file. The scenario is played once with
// the values of each row. For example, these rows check the last block of an approval and
// the block after it:
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
// Where a text is "$" and the name of a value, such as $when, the value takes its place. The
// value can be of any kind, such as a moment, a name or a whole message. A step that uses a
// value null is not played with that row.
type Rows []Row

// Row is a named set of values; see [Rows]. All rows of a scenario have values of the same
// names.
type Row struct {
	Name   string
	Values map[string]wire.Raw // the JSON of each value by its name
}

// rowsMember is the member of a header that holds the rows.
const rowsMember = "rows"

// DecodeWire reads an object of at least one row. All rows must have the same values.
func (rows *Rows) DecodeWire(decoder *wire.Decoder) error {
	const example = `named rows, such as at the end: {when: "+10"}`
	if kind := decoder.Kind(); kind != '{' {
		return decoder.FailType(example, kind)
	}

	// Each row is checked when it is read, so that the error is in the line of that row.
	err := readMembers(decoder, func(name string) error {
		row, err := readRow(decoder, name)
		if err != nil {
			return err
		}
		*rows = append(*rows, row)
		return rows.checkLast(decoder)
	})
	if err != nil {
		return err
	}
	if len(*rows) == 0 {
		return errorAt(decoder, "expected %s", example)
	}
	return nil
}

// readRow reads the values of a row, such as {when: "+9", answer: ok}.
func readRow(decoder *wire.Decoder, name string) (Row, error) {
	row := Row{Name: name, Values: map[string]wire.Raw{}}
	if kind := decoder.Kind(); kind != '{' {
		return row, decoder.FailType("named values", kind)
	}
	err := readMembers(decoder, func(valueName string) error {
		var value wire.Raw
		err := value.DecodeWire(decoder)
		row.Values[valueName] = value
		return err
	})
	return row, err
}

// checkLast fails if the last row does not have values of the same names as the first one.
func (rows Rows) checkLast(decoder *wire.Decoder) error {
	firstValues := rows[0].Values
	lastValues := rows[len(rows)-1].Values
	for name := range firstValues {
		if _, ok := lastValues[name]; !ok {
			return errorAt(decoder,
				"it lacks %s, expected the same values in every row; null leaves a step out",
				name)
		}
	}
	if len(lastValues) != len(firstValues) {
		return errorAt(decoder,
			"expected the same values as in the row before it; null leaves a step out")
	}
	return nil
}

// AppendWire writes the rows as an object, in their order.
func (rows Rows) AppendWire(dst []byte) []byte {
	return appendListAsObject(dst, rows, func(row Row) memberValue {
		return memberValue{name: row.Name, value: row}
	})
}

// AppendWire writes the values of the row as an object, in the order of their names.
func (row Row) AppendWire(dst []byte) []byte {
	names := slices.Sorted(maps.Keys(row.Values))
	return appendListAsObject(dst, names, func(name string) memberValue {
		return memberValue{name: name, value: row.Values[name]}
	})
}
