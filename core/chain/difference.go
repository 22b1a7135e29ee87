package chain

import (
	"cmp"
	"encoding/hex"

	"ephemera/core/chain/history"
	"ephemera/core/cw721"
	"ephemera/core/kv"
	"ephemera/core/wire"
)

// Difference is what a compiled contract and the built-in one do differently with the same
// message or query.
type Difference struct {
	// Compiled and BuiltIn are the answers of the two contracts in JSON. A refusal has the
	// form {"error":{…}}.
	Compiled wire.Raw `wire:"compiled"`
	BuiltIn  wire.Raw `wire:"built_in"`
	// Records are the records that differ afterwards, at most ten. The record contract_info
	// is left out if it differs only in the name and the version of the code.
	Records []RecordDifference `wire:"records"`
}

// RecordDifference has the values of a record after a message was executed by both contracts.
// A value is nil if there is no such record.
type RecordDifference struct {
	Key      string  `wire:"key"`      // in hex
	Compiled *string `wire:"compiled"` // written by the compiled contract
	BuiltIn  *string `wire:"built_in"` // written by the built-in contract
}

// DifferenceOf returns the difference that is stored with a node of the history; nil for none.
func DifferenceOf(node history.Node) *Difference {
	var difference Difference
	if len(node.Difference) == 0 || wire.Decode(node.Difference, &difference) != nil {
		return nil
	}
	return &difference
}

// DifferenceError reports that the two contracts answer a query differently.
type DifferenceError struct{ Difference }

func (e *DifferenceError) Error() string { return e.String() }

// String describes the difference for people, in several lines.
func (d Difference) String() string {
	text := "the compiled contract and the built-in one differ" +
		"\ncompiled: " + string(d.Compiled) + "\nbuilt in: " + string(d.BuiltIn)
	for _, r := range d.Records {
		compiled, builtIn := r.ValueTexts()
		text += "\nrecord " + r.Key + "\ncompiled: " + compiled + "\nbuilt in: " + builtIn
	}
	return text
}

// ValueTexts returns both values of the record as texts: "nothing" if there is no such record.
func (r RecordDifference) ValueTexts() (compiled, builtIn string) {
	nothing := "nothing" // cmp.Or takes it in place of a nil pointer
	return *cmp.Or(r.Compiled, &nothing), *cmp.Or(r.BuiltIn, &nothing)
}

// Refusals returns the texts with which the two contracts refuse; "" if they don't.
func (d Difference) Refusals() (compiled, builtIn string) {
	return refusalIn(d.Compiled), refusalIn(d.BuiltIn)
}

// compareOutcomes returns how two outcomes, and the records afterwards, differ; nil if they don't.
func compareOutcomes(
	compiled []byte,
	compiledErr error,
	builtIn []byte,
	builtInErr error,
	records []RecordDifference,
) *Difference {
	difference := &Difference{
		Compiled: outcomeJSON(compiled, compiledErr),
		BuiltIn:  outcomeJSON(builtIn, builtInErr),
		Records:  records,
	}
	if len(records) > 0 {
		return difference
	}

	// The texts of refusals of the kinds parse and not_found are not compared. They name Rust
	// types, which only the compiled contract has.
	compiledRefusal := cw721.AsError(compiledErr)
	builtInRefusal := cw721.AsError(builtInErr)
	if compiledRefusal != nil && builtInRefusal != nil && compiledRefusal.Kind == builtInRefusal.Kind {
		switch compiledRefusal.Kind {
		case cw721.KindParse, cw721.KindNotFound:
			return nil
		}
	}
	if string(difference.Compiled) == string(difference.BuiltIn) {
		return nil
	}
	return difference
}

// failedOutcome is the outcome of a message or a query that failed, as [outcomeJSON] writes it.
type failedOutcome struct {
	Error struct {
		Kind cw721.Kind `wire:"kind"` // "" if the error is no refusal by a contract
		Text string     `wire:"text"`
	} `wire:"error"`
}

// outcomeJSON returns an answer, or an object such as {"error":{"kind":"parse","text":"…"}}.
func outcomeJSON(answer []byte, err error) wire.Raw {
	if err == nil {
		return answer
	}

	refusal := cmp.Or(cw721.AsError(err), &cw721.Error{Text: err.Error()})
	var outcome failedOutcome
	outcome.Error.Kind = refusal.Kind
	outcome.Error.Text = refusal.Text
	return wire.Encode(outcome)
}

// refusalIn returns the text of the refusal in an outcome of [outcomeJSON]; "" for an answer.
func refusalIn(outcome wire.Raw) string {
	var decoded failedOutcome
	_ = wire.Decode(outcome, &decoded) // it fails for an answer
	return decoded.Error.Text
}

const maxRecordDifferences = 10

// recordsThatDiffer returns the records that differ after the two contracts have written to
// overlays over the same store, in key order, and at most [maxRecordDifferences].
func recordsThatDiffer(compiled, builtIn *kv.Overlay) ([]RecordDifference, error) {
	compiledChanges, err := compiled.Changes()
	if err != nil {
		return nil, err
	}
	builtInChanges, err := builtIn.Changes()
	if err != nil {
		return nil, err
	}

	// Undoing the compiled contract's changes and then making the built-in one's turns the
	// compiled contract's records into the built-in one's.
	differences := changeSet{}
	differences.add(kv.Inverse(compiledChanges))
	differences.add(builtInChanges)

	var records []RecordDifference
	for _, difference := range differences.sorted() {
		if differsInVersionAlone(difference) || len(records) == maxRecordDifferences {
			continue
		}
		records = append(records, RecordDifference{
			Key:      hex.EncodeToString(difference.Key),
			Compiled: optionalText(difference.OldValue),
			BuiltIn:  optionalText(difference.NewValue),
		})
	}
	return records, nil
}

// differsInVersionAlone reports whether a difference is only one of the names or versions in
// the record contract_info, because a renamed copy of a contract does the same.
func differsInVersionAlone(difference kv.Change) bool {
	if string(difference.Key) != "contract_info" {
		return false
	}

	return wire.Decode(difference.OldValue, new(cw721.Version)) == nil &&
		wire.Decode(difference.NewValue, new(cw721.Version)) == nil
}

// optionalText returns a value as a text; nil if the record does not exist.
func optionalText(value []byte) *string {
	if value == nil {
		return nil
	}
	return new(string(value))
}
