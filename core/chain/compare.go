package chain

import (
	"cmp"
	"encoding/hex"
	"maps"
	"slices"
	"strings"

	"ephemera/core/chain/history"
	"ephemera/core/cw721"
	"ephemera/core/kv"
	"ephemera/core/wasm"
	"ephemera/core/wire"
)

// Difference is where a compiled contract and the built-in one do not do the
// same with a message or a query.
type Difference struct {
	// Compiled and BuiltIn are the answers: as JSON, or {"error":{…}}.
	Compiled wire.Raw `wire:"compiled"`
	BuiltIn  wire.Raw `wire:"built_in"`
	// Records are those that the two leave otherwise; the first few.
	Records []RecordDifference `wire:"records"`
}

// RecordDifference is a record after a message, nil for none.
type RecordDifference struct {
	Key      string  `wire:"key"` // in hex
	Compiled *string `wire:"compiled"`
	BuiltIn  *string `wire:"built_in"`
}

// DifferenceOf gives what was found at a node of the history; nil where nothing
// was, or nothing compared.
func DifferenceOf(n history.Node) *Difference {
	var d Difference
	if len(n.Difference) == 0 || wire.Decode(n.Difference, &d) != nil {
		return nil
	}
	return &d
}

// DifferenceError is what a query fails with where the two contracts answer it
// otherwise.
type DifferenceError struct{ Difference }

func (e *DifferenceError) Error() string { return e.String() }

// String tells both sides in lines.
func (d Difference) String() string {
	var b strings.Builder
	b.WriteString("the compiled contract and the built-in one do not do the same")
	b.WriteString("\ncompiled: " + string(d.Compiled) + "\nbuilt in: " + string(d.BuiltIn))
	for _, r := range d.Records {
		compiled, builtIn := r.Sides()
		b.WriteString("\nrecord " + r.Key + "\ncompiled: " + compiled + "\nbuilt in: " + builtIn)
	}
	return b.String()
}

// Sides are the values for people: "nothing" where there is none.
func (r RecordDifference) Sides() (compiled, builtIn string) {
	nothing := "nothing"
	return *cmp.Or(r.Compiled, &nothing), *cmp.Or(r.BuiltIn, &nothing)
}

// mostRecords is how many records of a difference are kept.
const mostRecords = 10

// comparing is a compiled contract beside the built-in one; what the compiled
// one does counts. The first difference is kept: in a message, in one that the
// contract sends to itself, in a reply.
type comparing struct {
	compiled
	other builtIn
	found *Difference
}

// compared puts the built-in contract beside a compiled one; nil where the
// built-in one is what runs.
func (cfg Config) compared(code Contract) *comparing {
	binary, ok := code.(compiled)
	if !ok {
		return nil
	}
	return &comparing{compiled: binary, other: builtIn{cfg.Contract(), binary.meta}}
}

func (c *comparing) Instantiate(t kv.Txn, env cw721.Env, info cw721.Info, msg Message) (Answer, error) {
	return c.both(t, func(code Contract, t kv.Txn) (Answer, error) { return code.Instantiate(t, env, info, msg) })
}

func (c *comparing) Execute(t kv.Txn, env cw721.Env, info cw721.Info, msg Message) (Answer, error) {
	return c.both(t, func(code Contract, t kv.Txn) (Answer, error) { return code.Execute(t, env, info, msg) })
}

// reply is compared with a contract that asks for none, as the built-in one.
func (c *comparing) reply(t kv.Txn, env cw721.Env, r wasm.Reply) (Answer, error) {
	return c.both(t, func(code Contract, t kv.Txn) (Answer, error) {
		if binary, ok := code.(compiled); ok {
			return binary.reply(t, env, r)
		}
		return Answer{Response: cw721.Response{Attributes: []cw721.EventAttribute{}, Messages: []cw721.OutMsg{}}}, nil
	})
}

// Compare tells what the built-in contract would do otherwise with an execute
// message, in the moment of the view; nil where nothing, or where it is the one
// that runs. It leaves nothing behind.
func (v *View) Compare(sender cw721.Address, msg []byte) (*Difference, error) {
	code, err := v.modules.contract(v.t, v.Config)
	c := v.compared(code)
	if err != nil || c == nil {
		return nil, err
	}
	if _, err = c.Execute(kv.NewOverlay(v.contract), v.env(), cw721.Info{Sender: sender}, Message{JSON: msg}); cw721.AsError(err) != nil {
		err = nil
	}
	return c.found, err
}

// Refusals are the texts that the two refuse with; empty for one that does not.
func (d Difference) Refusals() (compiled, builtIn string) {
	text := func(side wire.Raw) string {
		var s struct {
			Error failure `wire:"error"`
		}
		_ = wire.Decode(side, &s) // fails for what is no refusal
		return s.Error.Text
	}
	return text(d.Compiled), text(d.BuiltIn)
}

func (c *comparing) both(t kv.Txn, run func(Contract, kv.Txn) (Answer, error)) (Answer, error) {
	ours, theirs := kv.NewOverlay(t), kv.NewOverlay(t)
	expected, expectedErr := run(c.other, ours)
	a, err := run(c.compiled, theirs)
	if err != nil && cw721.AsError(err) == nil {
		return a, err
	}
	var records []RecordDifference
	if err == nil && expectedErr == nil {
		if records, err = recordsThatDiffer(theirs, ours); err != nil {
			return a, err
		}
	}
	c.found = cmp.Or(c.found, differenceOf(wire.Encode(a.Response), err, wire.Encode(expected.Response), expectedErr, records))
	if err != nil {
		return a, err
	}
	return a, theirs.Flush(t)
}

// compareQuery answers as the compiled contract does, and fails with a
// [*DifferenceError] where the built-in one answers otherwise.
func (v *View) compareQuery(code compiled, msg Message) ([]byte, error) {
	expected, expectedErr := builtIn{v.Contract(), v.meta()}.Query(v.contract, v.env(), msg)
	answer, err := code.Query(v.contract, v.env(), msg)
	if err != nil && cw721.AsError(err) == nil {
		return nil, err
	}
	if d := differenceOf(answer, err, expected, expectedErr, nil); d != nil {
		return answer, &DifferenceError{*d}
	}
	return answer, err
}

type failure struct {
	Kind cw721.Kind `wire:"kind"`
	Text string     `wire:"text"`
}

// side writes an answer or what it failed with.
func side(answer []byte, err error) wire.Raw {
	if err == nil {
		return answer
	}
	f := failure{"", err.Error()} // the built-in contract cannot make sense of the storage
	if refusal := cw721.AsError(err); refusal != nil {
		f = failure{refusal.Kind, refusal.Text}
	}
	return wire.Encode(struct {
		Error failure `wire:"error"`
	}{f})
}

// differenceOf compares two outcomes; nil where they are the same. The texts of
// two kinds name Rust types, which only the compiled contract has.
func differenceOf(compiled []byte, err error, builtIn []byte, builtInErr error, records []RecordDifference) *Difference {
	d := &Difference{side(compiled, err), side(builtIn, builtInErr), records}
	x, y := cw721.AsError(err), cw721.AsError(builtInErr)
	same := x != nil && y != nil && x.Kind == y.Kind && (x.Kind == cw721.KindParse || x.Kind == cw721.KindNotFound)
	if len(records) == 0 && (same || string(d.Compiled) == string(d.BuiltIn)) {
		return nil
	}
	return d
}

// recordsThatDiffer compares what two overlays over one store have written.
func recordsThatDiffer(compiled, builtIn *kv.Overlay) (all []RecordDifference, err error) {
	after := map[string]kv.Change{} // from what the one leaves to what the other does
	changes, err := compiled.Changes()
	for _, c := range changes {
		after[string(c.Key)] = kv.Change{Key: c.Key, Old: c.New, New: c.Old}
	}
	if err == nil {
		changes, err = builtIn.Changes()
	}
	if err != nil {
		return nil, err
	}
	for _, c := range changes {
		if d, both := after[string(c.Key)]; both {
			c.Old = d.Old
		}
		after[string(c.Key)] = c
	}
	for _, key := range slices.Sorted(maps.Keys(after)) {
		if d := after[key]; !d.IsNoop() && len(all) < mostRecords {
			all = append(all, RecordDifference{hex.EncodeToString(d.Key), text(d.Old), text(d.New)})
		}
	}
	return all, nil
}

func text(value []byte) *string {
	if value == nil {
		return nil
	}
	return new(string(value))
}
