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

// Difference is how a compiled contract and the built-in one differ in what they do with a
// message or a query.
type Difference struct {
	// Compiled and BuiltIn are the answers: as JSON, or {"error":{…}}.
	Compiled wire.Raw `wire:"compiled"`
	BuiltIn  wire.Raw `wire:"built_in"`
	// Records are the first of the records that differ afterwards. A contract_info is left
	// out if it differs only in the name and the version of the code.
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

// DifferenceError reports that the two contracts answer a query differently.
type DifferenceError struct{ Difference }

func (e *DifferenceError) Error() string { return e.String() }

// String shows both answers in a line each, and both values of each record.
func (d Difference) String() string {
	var b strings.Builder
	b.WriteString("the compiled contract and the built-in one differ")
	b.WriteString("\ncompiled: " + string(d.Compiled) + "\nbuilt in: " + string(d.BuiltIn))
	for _, r := range d.Records {
		compiled, builtIn := r.Sides()
		b.WriteString("\nrecord " + r.Key + "\ncompiled: " + compiled + "\nbuilt in: " + builtIn)
	}
	return b.String()
}

// Sides returns both values as texts, "nothing" if there is no record.
func (r RecordDifference) Sides() (compiled, builtIn string) {
	nothing := "nothing"
	return *cmp.Or(r.Compiled, &nothing), *cmp.Or(r.BuiltIn, &nothing)
}

// comparedContract is a compiled contract whose calls also run on the built-in one, for
// comparison. The result is always that of the compiled one.
type comparedContract struct {
	compiled
	reference builtIn
	// difference is the first difference found: in a message, in one that the contract sends
	// to itself, or in a reply. It is nil if there was none.
	difference *Difference
	modules    *modules // they remember whether another storage layout was reported
}

// compareWithBuiltIn returns a contract that runs code and compares it with the built-in
// contract. It returns nil if code is the built-in contract.
func (m *modules) compareWithBuiltIn(code Contract, c Config) *comparedContract {
	binary, isCompiled := code.(compiled)
	if !isCompiled {
		return nil
	}
	reference := builtIn{Contract: c.Contract(), code: c.Contract(), meta: binary.meta}
	return &comparedContract{compiled: binary, reference: reference, modules: m}
}

// Instantiate runs an instantiate message on both contracts. If the compiled contract then
// has another storage layout, that is the only difference.
func (c *comparedContract) Instantiate(t kv.Txn, env cw721.Env, info cw721.Info, msg Message) (Answer, error) {
	answer, err := c.runBoth(t, func(code Contract, t kv.Txn) (Answer, error) {
		return code.Instantiate(t, env, info, msg)
	})
	if err != nil {
		return answer, err
	}
	difference, isOther, err := c.modules.findOtherLayout(t)
	if isOther {
		c.difference = difference
	}
	return answer, err
}

// Execute runs an execute message on both contracts. If they have different storage layouts,
// it only runs the compiled one.
func (c *comparedContract) Execute(t kv.Txn, env cw721.Env, info cw721.Info, msg Message) (Answer, error) {
	difference, isOther, err := c.modules.findOtherLayout(t)
	if err != nil {
		return Answer{}, err
	}
	if isOther {
		c.difference = cmp.Or(difference, c.difference)
		return c.compiled.Execute(t, env, info, msg)
	}
	return c.runBoth(t, func(code Contract, t kv.Txn) (Answer, error) {
		return code.Execute(t, env, info, msg)
	})
}

// reply runs the compiled contract's reply to the outcome of a message that it sent. The
// built-in contract gets no replies, so reply compares with an empty answer.
func (c *comparedContract) reply(t kv.Txn, env cw721.Env, r wasm.Reply) (Answer, error) {
	empty := cw721.Response{Attributes: []cw721.EventAttribute{}, Messages: []cw721.OutMsg{}}
	return c.runBoth(t, func(code Contract, t kv.Txn) (Answer, error) {
		if binary, isCompiled := code.(compiled); isCompiled {
			return binary.reply(t, env, r)
		}
		return Answer{Response: empty}, nil
	})
}

// findOtherLayout reports whether a compiled contract stores its records in another layout
// than the built-in contract, so that the two cannot be compared. The first time that it
// does, it returns that as a difference to report. Later, difference is nil.
func (m *modules) findOtherLayout(contract kv.Reader) (difference *Difference, isOther bool, err error) {
	layout, _, err := cw721.FindLayout(contract)
	if err != nil || layout == cw721.CurrentLayout {
		return nil, false, err
	}

	// Without this, every message would report the same difference.
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

// otherLayoutText takes the place of the answer, in a [Difference], of a contract that has
// another storage layout.
const otherLayoutText = `"another storage layout, so the contracts are not compared"`

// reportLayoutAgain is called after a preview with the difference that it found; nil for
// none. That the compiled contract stores its records in another layout is reported once.
// If the preview has reported it, the next message reports it again, because a preview may
// never be shown.
func (m *modules) reportLayoutAgain(difference *Difference) {
	if difference != nil && string(difference.Compiled) == otherLayoutText {
		m.layoutReported.Store(false)
	}
}

// runBoth runs a call on both contracts, each in an overlay of its own. It stores the first
// difference, and writes and returns the result of the compiled contract.
func (c *comparedContract) runBoth(t kv.Txn, run func(Contract, kv.Txn) (Answer, error)) (Answer, error) {
	// Run both calls on the same state. Neither sees the writes of the other.
	builtInWrites := kv.NewOverlay(t)
	expected, expectedErr := run(c.reference, builtInWrites)
	compiledWrites := kv.NewOverlay(t)
	answer, err := run(c.compiled, compiledWrites)
	if isTrouble(err) {
		return answer, err
	}

	// If both accept the message, their writes are compared, too.
	var records []RecordDifference
	if err == nil && expectedErr == nil {
		var storeErr error
		records, storeErr = recordsThatDiffer(compiledWrites, builtInWrites)
		if storeErr != nil {
			return answer, storeErr
		}
	}

	// Keep the first difference, and apply only the writes of the compiled contract.
	difference := differenceOf(wire.Encode(answer.Response), err, wire.Encode(expected.Response), expectedErr, records)
	c.difference = cmp.Or(c.difference, difference)
	if err != nil {
		return answer, err
	}
	return answer, compiledWrites.Flush(t)
}

// isTrouble reports whether err is an error other than a contract's refusal, such as a
// failure of the store.
func isTrouble(err error) bool { return err != nil && cw721.AsError(err) == nil }

// Compare returns how the built-in contract and the compiled one differ in what they do with
// an execute message in the moment of the view. It returns nil if they do the same, or if
// the chain runs the built-in one. It leaves nothing behind.
func (v *View) Compare(sender cw721.Address, msg []byte) (*Difference, error) {
	code, err := v.modules.contract(v.t, v.Config)
	if err != nil {
		return nil, err
	}

	// The built-in contract is not compared with itself.
	comparison := v.modules.compareWithBuiltIn(code, v.Config)
	if comparison == nil {
		return nil, nil
	}

	// Execute in an overlay, which is dropped.
	_, err = comparison.Execute(kv.NewOverlay(v.contract), v.env(), cw721.Info{Sender: sender}, Message{JSON: msg})
	if isTrouble(err) {
		return nil, err
	}
	v.modules.reportLayoutAgain(comparison.difference)
	return comparison.difference, nil
}

// checkOnCompiled tries the message of a decision on the compiled contract, if the chain runs
// one, and leaves nothing behind. If the contract does the opposite of the decision, the
// contract's answer replaces the decision. If both refuse, the refusal gets the contract's
// text.
//
// The decision stays as it is if its rules permit the message but the built-in contract
// refuses it for another reason, such as a bad address: then the answer of the compiled
// contract shows nothing about permissions.
func (v *View) checkOnCompiled(decision *cw721.Decision, msg cw721.ExecuteMsg) error {
	difference, err := v.Compare(decision.Actor, cw721.Encode(msg))
	var limit *wasm.LimitError
	isStopped := errors.As(err, &limit)

	// A message that the contract cannot finish is refused.
	if isStopped && decision.Allowed {
		decision.Overrule(&cw721.Error{Kind: KindLimit, Text: limit.Text})
	}
	if isStopped {
		return nil
	}
	if err != nil || difference == nil {
		return err
	}

	// The two contracts differ. Where they differ in the verdict, the compiled one is
	// right.
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

// compareQuery returns the answer of the compiled contract to a query. It also fails with a
// [*DifferenceError] if the built-in contract answers differently, or if the contracts have
// different storage layouts and no message has reported that yet.
func (v *View) compareQuery(code compiled, msg Message) ([]byte, error) {
	layoutDifference, isOther, err := v.modules.findOtherLayout(v.contract)
	if err != nil {
		return nil, err
	}

	// The records of another layout cannot be compared. The answer is still the compiled
	// contract's.
	if isOther {
		v.modules.reportLayoutAgain(layoutDifference)
		answer, err := code.Query(v.contract, v.env(), msg)
		if err == nil && layoutDifference != nil {
			err = &DifferenceError{*layoutDifference}
		}
		return answer, err
	}

	// Ask both contracts, and compare the answers.
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

// outcomeError is the error of a message or query in JSON. Kind is empty if the error is no
// refusal.
type outcomeError struct {
	Kind cw721.Kind `wire:"kind"`
	Text string     `wire:"text"`
}

// outcomeJSON returns an answer in JSON, or {"error":{…}} if err is not nil.
func outcomeJSON(answer []byte, err error) wire.Raw {
	if err == nil {
		return answer
	}
	e := outcomeError{Text: err.Error()}
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
	return refusalIn(d.Compiled), refusalIn(d.BuiltIn)
}

// refusalIn returns the text of the refusal in an outcome that [outcomeJSON] wrote, and "" for
// an answer.
func refusalIn(outcome wire.Raw) string {
	var o struct {
		Error outcomeError `wire:"error"`
	}
	_ = wire.Decode(outcome, &o) // it fails for an answer
	return o.Error.Text
}

// differenceOf compares the outcomes of one message or query, each an answer or an error. It
// returns nil if they are the same. records are the records that differ afterwards. It
// ignores the texts of refusals of kind parse and not_found, which name Rust types that only
// the compiled contract has.
func differenceOf(compiled []byte, err error, builtIn []byte, builtInErr error, records []RecordDifference) *Difference {
	d := &Difference{Compiled: outcomeJSON(compiled, err), BuiltIn: outcomeJSON(builtIn, builtInErr), Records: records}
	if len(records) > 0 {
		return d
	}

	// Refusals of these kinds are compared by their kind alone.
	refusal := cw721.AsError(err)
	builtInRefusal := cw721.AsError(builtInErr)
	haveSameKind := refusal != nil && builtInRefusal != nil && refusal.Kind == builtInRefusal.Kind
	if haveSameKind && (refusal.Kind == cw721.KindParse || refusal.Kind == cw721.KindNotFound) {
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

	// Undoing the compiled contract's changes and then making the built-in one's turns the
	// compiled contract's records into the built-in one's.
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

// differsInVersionAlone reports whether a difference is only in contract_info, the record
// with the name and the version of the code. A renamed fork of a contract differs in it
// although it does the same.
func differsInVersionAlone(d kv.Change) bool {
	var compiled, builtIn cw721.Version
	isVersion := string(d.Key) == "contract_info" && d.Old != nil && d.New != nil
	return isVersion && wire.Decode(d.Old, &compiled) == nil && wire.Decode(d.New, &builtIn) == nil
}

// optionalText returns a value as a text, and nil for nil.
func optionalText(value []byte) *string {
	if value == nil {
		return nil
	}
	text := string(value)
	return &text
}
