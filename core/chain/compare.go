package chain

import (
	"cmp"
	"encoding/hex"
	"errors"
	"slices"
	"strings"

	"ephemera/core/chain/history"
	"ephemera/core/cw721"
	"ephemera/core/kv"
	"ephemera/core/wasm"
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

// RecordDifference has the two values that a record has after a message was executed by the
// compiled contract and by the built-in one. A value is nil if there is no such record.
type RecordDifference struct {
	Key      string  `wire:"key"`      // in hex
	Compiled *string `wire:"compiled"` // written by the compiled contract
	BuiltIn  *string `wire:"built_in"` // written by the built-in contract
}

// DifferenceOf returns the difference between the two contracts that is stored with a node
// of the history. It returns nil if there was none, or if the contracts were not compared.
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

// String describes the difference for people, in several lines: both answers, and then for
// each record its key and both values.
func (d Difference) String() string {
	var builder strings.Builder
	builder.WriteString("the compiled contract and the built-in one differ")
	builder.WriteString("\ncompiled: " + string(d.Compiled) + "\nbuilt in: " + string(d.BuiltIn))
	for _, r := range d.Records {
		compiled, builtIn := r.ValueTexts()
		builder.WriteString("\nrecord " + r.Key + "\ncompiled: " + compiled + "\nbuilt in: " + builtIn)
	}
	return builder.String()
}

// ValueTexts returns both values of the record as texts. The text is "nothing" if there is
// no such record.
func (r RecordDifference) ValueTexts() (compiled, builtIn string) {
	nothing := "nothing" // cmp.Or takes it in place of a nil pointer
	return *cmp.Or(r.Compiled, &nothing), *cmp.Or(r.BuiltIn, &nothing)
}

// comparedContract is a compiled contract whose calls also run on the built-in contract, for
// comparison. The result of a call is always that of the compiled contract.
type comparedContract struct {
	compiled
	reference builtIn // the contract to compare with
	// difference is the first difference that was found in any call; nil for none. One
	// message can lead to several calls, because the contract can send messages to itself.
	difference *Difference
	modules    *modules // remember whether another storage layout was reported before
}

// compareWithBuiltIn returns a contract that runs the compiled contract code and compares it
// with the built-in contract. It returns nil if code is itself the built-in contract.
func (m *modules) compareWithBuiltIn(code Contract, config Config) *comparedContract {
	compiledCode, isCompiled := code.(compiled)
	if !isCompiled {
		return nil
	}
	reference := builtIn{Contract: config.Contract(), code: config.Contract(), meta: compiledCode.meta}
	return &comparedContract{compiled: compiledCode, reference: reference, modules: m}
}

// Instantiate runs an instantiate message on both contracts and compares them. If they write
// their records in different layouts, it keeps this as the only difference, because then all
// records differ.
func (c *comparedContract) Instantiate(
	txn kv.Txn,
	env cw721.Env,
	info cw721.Info,
	msg Message,
) (Answer, error) {
	answer, err := c.runBoth(txn, func(code Contract, store kv.Txn) (Answer, error) {
		return code.Instantiate(store, env, info, msg)
	})
	if err != nil {
		return answer, err
	}
	difference, hasOtherLayout, err := c.modules.reportOtherLayout(txn)
	if err != nil {
		return answer, err
	}
	if hasOtherLayout {
		c.difference = difference
	}
	return answer, nil
}

// Execute runs an execute message on both contracts and compares them. If the storage has
// another layout, which the built-in contract cannot read, it only runs the compiled one.
func (c *comparedContract) Execute(
	txn kv.Txn,
	env cw721.Env,
	info cw721.Info,
	msg Message,
) (Answer, error) {
	difference, hasOtherLayout, err := c.modules.reportOtherLayout(txn)
	if err != nil {
		return Answer{}, err
	}
	if hasOtherLayout {
		c.difference = cmp.Or(difference, c.difference)
		return c.compiled.Execute(txn, env, info, msg)
	}
	return c.runBoth(txn, func(code Contract, store kv.Txn) (Answer, error) {
		return code.Execute(store, env, info, msg)
	})
}

// reply tells the compiled contract the outcome of a message that it sent. It compares the
// contract's answer with an empty one, because the built-in contract gets no replies and so
// does nothing.
func (c *comparedContract) reply(txn kv.Txn, env cw721.Env, reply wasm.Reply) (Answer, error) {
	emptyResponse := cw721.Response{
		Attributes: []cw721.EventAttribute{},
		Messages:   []cw721.OutMsg{},
	}
	return c.runBoth(txn, func(code Contract, store kv.Txn) (Answer, error) {
		if compiledCode, isCompiled := code.(compiled); isCompiled {
			return compiledCode.reply(store, env, reply)
		}
		return Answer{Response: emptyResponse}, nil
	})
}

// reportOtherLayout finds out whether the compiled contract stores its records in another
// layout than the built-in contract. Then hasOtherLayout is true, and the two cannot be
// compared. Only the first call also returns this as a difference to report, and remembers
// that it did. In later calls difference is nil, so that not every message reports the same.
func (m *modules) reportOtherLayout(
	records kv.Reader,
) (difference *Difference, hasOtherLayout bool, err error) {
	layout, _, err := cw721.FindLayout(records)
	if err != nil {
		return nil, false, err
	}
	if layout == cw721.CurrentLayout {
		return nil, false, nil
	}

	// Remember that the difference is reported now.
	wasReported := m.isLayoutReported.Swap(true)
	if wasReported {
		return nil, true, nil
	}
	difference = &Difference{
		Compiled: wire.Raw(otherLayoutText),
		BuiltIn:  wire.Raw(`"the storage layout of cw721 0.19 and later"`),
	}
	return difference, true, nil
}

// otherLayoutText takes the place of the compiled contract's answer in a [Difference], if
// the contract has another storage layout.
const otherLayoutText = `"another storage layout, so the contracts are not compared"`

// reportLayoutAgain undoes the effect of [modules.reportOtherLayout], which reports only
// once that the compiled contract has another storage layout. A preview calls it with the
// difference that it found, because a preview may never be shown, and then the next message
// must report the layout. If difference is nil or another one, reportLayoutAgain does
// nothing.
func (m *modules) reportLayoutAgain(difference *Difference) {
	if difference != nil && string(difference.Compiled) == otherLayoutText {
		m.isLayoutReported.Store(false)
	}
}

// runBoth calls run with the compiled contract and with the built-in one, and compares their
// answers and writes. It stores the difference in c, unless c has an earlier one. Only the
// writes of the compiled contract reach txn, and the result is that contract's answer.
func (c *comparedContract) runBoth(
	txn kv.Txn,
	run func(Contract, kv.Txn) (Answer, error),
) (Answer, error) {
	// Run both on the same state, each with an overlay of its own. So neither sees the writes
	// of the other.
	builtInWrites := kv.NewOverlay(txn)
	builtInAnswer, builtInErr := run(c.reference, builtInWrites)
	compiledWrites := kv.NewOverlay(txn)
	answer, err := run(c.compiled, compiledWrites)
	if isInternalError(err) {
		return answer, err
	}

	// If neither refuses the message, compare also what they wrote.
	var differingRecords []RecordDifference
	if err == nil && builtInErr == nil {
		var storeErr error
		differingRecords, storeErr = recordsThatDiffer(compiledWrites, builtInWrites)
		if storeErr != nil {
			return answer, storeErr
		}
	}

	// Keep the first difference, and write only what the compiled contract wrote.
	compiledJSON := wire.Encode(answer.Response)
	builtInJSON := wire.Encode(builtInAnswer.Response)
	difference := compareOutcomes(compiledJSON, err, builtInJSON, builtInErr, differingRecords)
	c.difference = cmp.Or(c.difference, difference)
	if err != nil {
		return answer, err
	}
	return answer, compiledWrites.Flush(txn)
}

// isInternalError reports whether err is an error other than a contract's refusal, such
// as a failure of the store.
func isInternalError(err error) bool { return err != nil && cw721.AsError(err) == nil }

// Compare executes a message on the built-in contract and on the compiled one, and returns
// what they do differently. It returns nil if they do the same, or if the chain has no
// compiled contract. It discards everything that they write.
func (v *View) Compare(sender cw721.Address, msg []byte) (*Difference, error) {
	code, err := v.modules.contract(v.store, v.Config)
	if err != nil {
		return nil, err
	}

	// The built-in contract is not compared with itself.
	comparison := v.modules.compareWithBuiltIn(code, v.Config)
	if comparison == nil {
		return nil, nil
	}

	// Execute the message in an overlay that is never written to the store.
	discarded := kv.NewOverlay(v.records)
	_, err = comparison.Execute(discarded, v.env(), cw721.Info{Sender: sender}, Message{JSON: msg})
	if isInternalError(err) {
		return nil, err
	}
	v.modules.reportLayoutAgain(comparison.difference)
	return comparison.difference, nil
}

// correctDecision corrects a decision, which the rules made about a message, by what the
// compiled contract does with the message, if the chain runs one. If the contract does the
// opposite of the decision, its answer replaces the decision. If both refuse, the refusal
// gets the contract's text. What the contract writes is discarded.
//
// The rules can permit a message that the built-in contract refuses for another reason, such
// as a bad address. Then the decision stays as it is, because the answer of the compiled
// contract shows nothing about permissions.
func (v *View) correctDecision(decision *cw721.Decision, msg cw721.ExecuteMsg) error {
	difference, err := v.Compare(decision.Actor, cw721.Encode(msg))

	// A message that takes the contract too much time or memory is refused.
	var limit *wasm.LimitError
	if errors.As(err, &limit) {
		if decision.Allowed {
			decision.Overrule(&cw721.Error{Kind: KindLimit, Text: limit.Text})
		}
		return nil
	}
	if err != nil || difference == nil {
		return err
	}

	// The two contracts differ. If only one of them refuses, the compiled one is right.
	compiled, builtIn := difference.Refusals() // "" if the contract does not refuse
	refusal := &cw721.Error{Kind: kindOfRefusal(compiled), Text: compiled}
	switch {
	case compiled == "" && !decision.Allowed:
		decision.Overrule(nil) // the message is permitted after all
	case compiled != "" && builtIn == "":
		decision.Overrule(refusal)
	case compiled != "" && !decision.Allowed:
		decision.Refusal.Text = compiled
	}
	return nil
}

// compareQuery returns the answer of the compiled contract to a query. If the built-in
// contract answers differently, it returns a [*DifferenceError] with the answer. Another
// storage layout also counts as a difference, but only until a message has reported it.
func (v *View) compareQuery(code compiled, msg Message) ([]byte, error) {
	layoutDifference, hasOtherLayout, err := v.modules.reportOtherLayout(v.records)
	if err != nil {
		return nil, err
	}

	// The built-in contract cannot read another layout, so only the compiled one is asked.
	if hasOtherLayout {
		v.modules.reportLayoutAgain(layoutDifference)
		answer, err := code.Query(v.records, v.env(), msg)
		if err != nil || layoutDifference == nil {
			return answer, err
		}
		return answer, &DifferenceError{*layoutDifference}
	}

	// Ask both contracts, and compare the answers.
	reference := v.modules.compareWithBuiltIn(code, v.Config).reference
	builtInAnswer, builtInErr := reference.Query(v.records, v.env(), msg)
	answer, err := code.Query(v.records, v.env(), msg)
	if isInternalError(err) {
		return nil, err
	}
	difference := compareOutcomes(answer, err, builtInAnswer, builtInErr, nil)
	if difference != nil {
		return answer, &DifferenceError{*difference}
	}
	return answer, err
}

// failedOutcome is the outcome of a message or a query that failed, as [outcomeJSON] writes it.
type failedOutcome struct {
	Error outcomeError `wire:"error"`
}

// outcomeError is the error of a message or a query, as [outcomeJSON] writes it.
type outcomeError struct {
	Kind cw721.Kind `wire:"kind"` // "" if the error is no refusal by a contract
	Text string     `wire:"text"`
}

// outcomeJSON returns the outcome of a message or a query as JSON. If err is nil, that is the
// answer itself. Otherwise it is an object such as {"error":{"kind":"parse","text":"…"}}.
func outcomeJSON(answer []byte, err error) wire.Raw {
	if err == nil {
		return answer
	}

	// An error that is no refusal has only a text.
	refusal := cmp.Or(cw721.AsError(err), &cw721.Error{Text: err.Error()})
	return wire.Encode(failedOutcome{outcomeError{Kind: refusal.Kind, Text: refusal.Text}})
}

// Refusals returns the texts with which the two contracts refuse. A text is "" if that
// contract does not refuse.
func (d Difference) Refusals() (compiled, builtIn string) {
	return refusalIn(d.Compiled), refusalIn(d.BuiltIn)
}

// refusalIn returns the text of the refusal in an outcome that [outcomeJSON] returned. It
// returns "" if the outcome is an answer.
func refusalIn(outcome wire.Raw) string {
	var decoded failedOutcome
	_ = wire.Decode(outcome, &decoded) // it fails for an answer
	return decoded.Error.Text
}

// compareOutcomes compares what the compiled contract and the built-in one did with a message
// or a query. An outcome is an answer or an error. records are the records that differ
// afterwards. compareOutcomes returns nil if there is no difference.
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
	kindsWithTypes := []cw721.Kind{cw721.KindParse, cw721.KindNotFound}
	bothRefuse := compiledRefusal != nil && builtInRefusal != nil
	haveSameKind := bothRefuse && compiledRefusal.Kind == builtInRefusal.Kind
	if haveSameKind && slices.Contains(kindsWithTypes, compiledRefusal.Kind) {
		return nil
	}
	if string(difference.Compiled) == string(difference.BuiltIn) {
		return nil
	}
	return difference
}

// maxRecordDifferences is how many of the records that differ are reported.
const maxRecordDifferences = 10

// recordsThatDiffer returns the records that differ after the two contracts have written to
// overlays over the same store. They are in key order, and at most [maxRecordDifferences].
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
// the record contract_info. Such a difference is not reported, because a renamed copy of a
// contract has another contract_info although it does the same.
func differsInVersionAlone(difference kv.Change) bool {
	if string(difference.Key) != "contract_info" {
		return false
	}

	// If only one of the contracts has the record, the other value is nil, which does not
	// decode.
	isCompiledVersion := wire.Decode(difference.OldValue, new(cw721.Version)) == nil
	isBuiltInVersion := wire.Decode(difference.NewValue, new(cw721.Version)) == nil
	return isCompiledVersion && isBuiltInVersion
}

// optionalText returns a value of a record as a text, or nil if the record does not exist.
func optionalText(value []byte) *string {
	if value == nil {
		return nil
	}
	return new(string(value))
}
