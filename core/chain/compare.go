package chain

import (
	"cmp"
	"encoding/hex"
	"errors"
	"strings"

	"ephemera/core/chain/history"
	"ephemera/core/cw721"
	"ephemera/core/kv"
	"ephemera/core/wasm"
	"ephemera/core/wire"
)

// Difference says how a compiled contract and the built-in one differ in what they do with
// a message or a query.
type Difference struct {
	// Compiled and BuiltIn are the answers: as JSON, or {"error":{…}}.
	Compiled wire.Raw `wire:"compiled"`
	BuiltIn  wire.Raw `wire:"built_in"`
	// Records are the first of the records that differ afterwards. A contract_info that
	// differs in the name and the version of the code alone is left out.
	Records []RecordDifference `wire:"records"`
}

// RecordDifference holds the two values of a record after a message, nil for no record.
type RecordDifference struct {
	Key      string  `wire:"key"` // in hex
	Compiled *string `wire:"compiled"`
	BuiltIn  *string `wire:"built_in"`
}

// DifferenceOf returns the difference that is stored with a node of the history; nil if there
// was none, or if the contracts were not compared.
func DifferenceOf(n history.Node) *Difference {
	var d Difference
	if len(n.Difference) == 0 || wire.Decode(n.Difference, &d) != nil {
		return nil
	}
	return &d
}

// DifferenceError says that the two contracts answer a query differently.
type DifferenceError struct{ Difference }

func (e *DifferenceError) Error() string { return e.String() }

// String shows both sides, one line each, also for every record.
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

// Sides returns the values for people: "nothing" if there is no record.
func (r RecordDifference) Sides() (compiled, builtIn string) {
	nothing := "nothing"
	return *cmp.Or(r.Compiled, &nothing), *cmp.Or(r.BuiltIn, &nothing)
}

// comparing runs a compiled contract and the built-in one side by side. The compiled one
// decides what happens. comparing keeps the first difference: in a message, in one that the
// contract sends to itself, or in a reply.
type comparing struct {
	compiled
	other   builtIn
	found   *Difference
	modules *modules // they remember whether another storage layout was reported
}

// compared returns a contract that compares a compiled one with the built-in one; nil if code
// is the built-in one.
func (m *modules) compared(code Contract, c Config) *comparing {
	binary, isCompiled := code.(compiled)
	if !isCompiled {
		return nil
	}
	reference := builtIn{Contract: c.Contract(), code: c.Contract(), meta: binary.meta}
	return &comparing{compiled: binary, other: reference, modules: m}
}

// Instantiate reports no other difference than another storage layout, if the compiled
// contract has made one.
func (c *comparing) Instantiate(t kv.Txn, env cw721.Env, info cw721.Info, msg Message) (Answer, error) {
	answer, err := c.runBoth(t, func(code Contract, t kv.Txn) (Answer, error) { return code.Instantiate(t, env, info, msg) })
	if err != nil {
		return answer, err
	}
	difference, isOther, err := c.modules.findOtherLayout(t)
	if isOther {
		c.found = difference
	}
	return answer, err
}

// Execute does not compare contracts with different storage layouts.
func (c *comparing) Execute(t kv.Txn, env cw721.Env, info cw721.Info, msg Message) (Answer, error) {
	difference, isOther, err := c.modules.findOtherLayout(t)
	if err != nil {
		return Answer{}, err
	}
	if isOther {
		c.found = cmp.Or(difference, c.found)
		return c.compiled.Execute(t, env, info, msg)
	}
	return c.runBoth(t, func(code Contract, t kv.Txn) (Answer, error) { return code.Execute(t, env, info, msg) })
}

// reply compares with an empty answer: the built-in contract asks for no replies.
func (c *comparing) reply(t kv.Txn, env cw721.Env, r wasm.Reply) (Answer, error) {
	return c.runBoth(t, func(code Contract, t kv.Txn) (Answer, error) {
		if binary, isCompiled := code.(compiled); isCompiled {
			return binary.reply(t, env, r)
		}
		return Answer{Response: cw721.Response{Attributes: []cw721.EventAttribute{}, Messages: []cw721.OutMsg{}}}, nil
	})
}

// findOtherLayout reports whether the records of a compiled contract are laid out in another
// way than the built-in contract's, so that the two cannot be compared. The first time, it
// returns that as the difference, in place of answers; later difference is nil.
func (m *modules) findOtherLayout(contract kv.Reader) (difference *Difference, isOther bool, err error) {
	layout, _, err := cw721.FindLayout(contract)
	if err != nil || layout == cw721.CurrentLayout {
		return nil, false, err
	}
	wasReported := m.layoutReported.Swap(true)
	if wasReported {
		return nil, true, nil
	}
	difference = &Difference{
		Compiled: wire.Raw(otherLayoutText),
		BuiltIn:  wire.Raw(`"the storage layout of cw721 0.19 and later"`),
	}
	return difference, true, nil
}

// otherLayoutText is what a [Difference] says of a contract with another storage layout.
const otherLayoutText = `"another storage layout, so the contracts are not compared"`

// reportLayoutAgain lets the next message report another storage layout if a preview has
// done so, since a preview may never be shown. found is the preview's difference, or nil.
func (m *modules) reportLayoutAgain(found *Difference) {
	if found != nil && string(found.Compiled) == otherLayoutText {
		m.layoutReported.Store(false)
	}
}

// runBoth runs a call on both contracts, each in an overlay of its own. It notes how they
// differ, and writes and returns the result of the compiled one.
func (c *comparing) runBoth(t kv.Txn, run func(Contract, kv.Txn) (Answer, error)) (Answer, error) {
	builtInWrites := kv.NewOverlay(t)
	expected, expectedErr := run(c.other, builtInWrites)
	compiledWrites := kv.NewOverlay(t)
	answer, err := run(c.compiled, compiledWrites)
	if isTrouble(err) {
		return answer, err
	}

	var records []RecordDifference
	if err == nil && expectedErr == nil {
		var storeErr error
		records, storeErr = recordsThatDiffer(compiledWrites, builtInWrites)
		if storeErr != nil {
			return answer, storeErr
		}
	}
	difference := differenceOf(wire.Encode(answer.Response), err, wire.Encode(expected.Response), expectedErr, records)
	c.found = cmp.Or(c.found, difference)
	if err != nil {
		return answer, err
	}
	return answer, compiledWrites.Flush(t)
}

// isTrouble reports whether an error is not the refusal of a contract.
func isTrouble(err error) bool { return err != nil && cw721.AsError(err) == nil }

// Compare returns how the built-in contract and the compiled one differ in what they do with
// an execute message in the moment of the view. It returns nil if they do the same, or if
// the chain runs the built-in one. It leaves nothing behind.
func (v *View) Compare(sender cw721.Address, msg []byte) (*Difference, error) {
	code, err := v.modules.contract(v.t, v.Config)
	if err != nil {
		return nil, err
	}
	comparison := v.modules.compared(code, v.Config)
	if comparison == nil {
		return nil, nil
	}
	_, err = comparison.Execute(kv.NewOverlay(v.contract), v.env(), cw721.Info{Sender: sender}, Message{JSON: msg})
	if isTrouble(err) {
		return nil, err
	}
	v.modules.reportLayoutAgain(comparison.found)
	return comparison.found, nil
}

// checkOnCompiled sends the message of a decision to the compiled contract, if that runs,
// and leaves nothing behind. If the contract does the opposite of the decision, its answer
// becomes the decision. If both refuse, the refusal gets the contract's words.
//
// A message that the built-in contract allows but refuses for what it holds, such as a bad
// address, shows nothing about a permission and leaves the decision as it is.
func (v *View) checkOnCompiled(decision *cw721.Decision, msg cw721.ExecuteMsg) error {
	difference, err := v.Compare(decision.Actor, cw721.Encode(msg))
	var limit *wasm.LimitError
	isStopped := errors.As(err, &limit)
	if isStopped && decision.Allowed {
		decision.Overrule(&cw721.Error{Kind: KindLimit, Text: limit.Text})
	}
	if isStopped {
		return nil
	}
	if err != nil || difference == nil {
		return err
	}

	compiled, builtIn := difference.Refusals()
	refusal := &cw721.Error{Kind: kindOfRefusal(compiled), Text: compiled}
	switch {
	case compiled == "" && !decision.Allowed:
		decision.Overrule(nil)
	case compiled != "" && builtIn == "":
		decision.Overrule(refusal)
	case compiled != "" && !decision.Allowed:
		decision.Refusal.Text = compiled
	}
	return nil
}

// compareQuery returns the answer of the compiled contract. It fails with a
// [*DifferenceError] if the built-in one answers differently, and until a message has
// reported it, if the contracts have different storage layouts.
func (v *View) compareQuery(code compiled, msg Message) ([]byte, error) {
	layoutDifference, isOther, err := v.modules.findOtherLayout(v.contract)
	if err != nil {
		return nil, err
	}
	if isOther {
		v.modules.reportLayoutAgain(layoutDifference)
		answer, err := code.Query(v.contract, v.env(), msg)
		if err == nil && layoutDifference != nil {
			err = &DifferenceError{*layoutDifference}
		}
		return answer, err
	}
	reference := builtIn{Contract: v.Contract(), code: v.Contract(), meta: v.meta}
	expected, expectedErr := reference.Query(v.contract, v.env(), msg)
	answer, err := code.Query(v.contract, v.env(), msg)
	if isTrouble(err) {
		return nil, err
	}
	if d := differenceOf(answer, err, expected, expectedErr, nil); d != nil {
		return answer, &DifferenceError{*d}
	}
	return answer, err
}

// outcomeError is the error of an outcome in JSON. Kind is empty if it is not a refusal.
type outcomeError struct {
	Kind cw721.Kind `wire:"kind"`
	Text string     `wire:"text"`
}

// outcomeJSON returns an answer, or {"error":{…}} for an error.
func outcomeJSON(answer []byte, err error) wire.Raw {
	if err == nil {
		return answer
	}
	e := outcomeError{Text: err.Error()} // the built-in contract can fail to decode the storage
	if refusal := cw721.AsError(err); refusal != nil {
		e = outcomeError{Kind: refusal.Kind, Text: refusal.Text}
	}
	return wire.Encode(struct {
		Error outcomeError `wire:"error"`
	}{e})
}

// Refusals returns the texts of the refusals of the two contracts, each empty if the contract
// does not refuse.
func (d Difference) Refusals() (compiled, builtIn string) {
	refusal := func(outcome wire.Raw) string {
		var o struct {
			Error outcomeError `wire:"error"`
		}
		_ = wire.Decode(outcome, &o) // it fails for an answer
		return o.Error.Text
	}
	return refusal(d.Compiled), refusal(d.BuiltIn)
}

// differenceOf compares two outcomes; nil if they are the same. Of two refusals of kind parse
// or not_found it ignores the texts: they name Rust types, which only the compiled contract
// has.
func differenceOf(compiled []byte, err error, builtIn []byte, builtInErr error, records []RecordDifference) *Difference {
	d := &Difference{Compiled: outcomeJSON(compiled, err), BuiltIn: outcomeJSON(builtIn, builtInErr), Records: records}
	if len(records) > 0 {
		return d
	}

	refusal, builtInRefusal := cw721.AsError(err), cw721.AsError(builtInErr)
	bothRefuse := refusal != nil && builtInRefusal != nil
	if bothRefuse && refusal.Kind == builtInRefusal.Kind && (refusal.Kind == cw721.KindParse || refusal.Kind == cw721.KindNotFound) {
		return nil
	}
	if string(d.Compiled) == string(d.BuiltIn) {
		return nil
	}
	return d
}

// maxRecordDifferences is how many records of a difference are kept.
const maxRecordDifferences = 10

// recordsThatDiffer returns the records that differ between two overlays over one store, in
// key order.
func recordsThatDiffer(compiled, builtIn *kv.Overlay) ([]RecordDifference, error) {
	compiledChanges, err := compiled.Changes()
	if err != nil {
		return nil, err
	}
	builtInChanges, err := builtIn.Changes()
	if err != nil {
		return nil, err
	}

	// To undo what the compiled contract wrote and then to write what the built-in one wrote
	// leads from the compiled contract's records to the built-in one's.
	differences := changeSet{}
	differences.add(kv.Inverse(compiledChanges))
	differences.add(builtInChanges)

	var records []RecordDifference
	for _, d := range differences.sorted() {
		if differsInVersionAlone(d) || len(records) == maxRecordDifferences {
			continue
		}
		records = append(records, RecordDifference{
			Key:      hex.EncodeToString(d.Key),
			Compiled: optionalText(d.Old),
			BuiltIn:  optionalText(d.New),
		})
	}
	return records, nil
}

// differsInVersionAlone reports whether two records are both a contract_info (cw2), which
// names the code and its version: a renamed fork differs in it and does the same.
func differsInVersionAlone(d kv.Change) bool {
	var compiled, builtIn cw721.Version
	isVersion := string(d.Key) == "contract_info" && d.Old != nil && d.New != nil
	return isVersion && wire.Decode(d.Old, &compiled) == nil && wire.Decode(d.New, &builtIn) == nil
}

// optionalText returns a value as a text; nil for none.
func optionalText(value []byte) *string {
	if value == nil {
		return nil
	}
	text := string(value)
	return &text
}
