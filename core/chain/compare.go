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

// Difference is how a compiled contract and the built-in one differ in what they do with a
// message or a query.
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

// String returns a text with both answers, each in a line, and both values of each record.
func (d Difference) String() string {
	var b strings.Builder
	b.WriteString("the compiled contract and the built-in one differ")
	b.WriteString("\ncompiled: " + string(d.Compiled) + "\nbuilt in: " + string(d.BuiltIn))
	for _, r := range d.Records {
		compiled, builtIn := r.ValueTexts()
		b.WriteString("\nrecord " + r.Key + "\ncompiled: " + compiled + "\nbuilt in: " + builtIn)
	}
	return b.String()
}

// ValueTexts returns both values of the record as texts. The text is "nothing" if there is
// no such record.
func (r RecordDifference) ValueTexts() (compiled, builtIn string) {
	nothing := "nothing"
	return *cmp.Or(r.Compiled, &nothing), *cmp.Or(r.BuiltIn, &nothing)
}

// comparedContract is a compiled contract whose calls also run on the built-in contract, for
// comparison. The result of a call is always that of the compiled contract.
type comparedContract struct {
	compiled
	reference builtIn // what the compiled contract is compared with
	// difference is the first difference that was found in any call. One message can lead to
	// several calls, because the contract can send messages to itself. It is nil for none.
	difference *Difference
	modules    *modules // know whether another storage layout was reported before
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

// Instantiate runs an instantiate message on both contracts. If they write their records in
// different layouts, it reports only this difference and not those of single records.
func (c *comparedContract) Instantiate(
	txn kv.Txn,
	env cw721.Env,
	info cw721.Info,
	msg Message,
) (Answer, error) {
	instantiate := func(code Contract, store kv.Txn) (Answer, error) {
		return code.Instantiate(store, env, info, msg)
	}
	answer, err := c.runBoth(txn, instantiate)
	if err != nil {
		return answer, err
	}
	difference, hasOtherLayout, err := c.modules.findOtherLayout(txn)
	if err != nil {
		return answer, err
	}
	if hasOtherLayout {
		c.difference = difference
	}
	return answer, nil
}

// Execute runs an execute message on both contracts. If they have different storage layouts,
// it only runs the compiled one.
func (c *comparedContract) Execute(
	txn kv.Txn,
	env cw721.Env,
	info cw721.Info,
	msg Message,
) (Answer, error) {
	difference, hasOtherLayout, err := c.modules.findOtherLayout(txn)
	if err != nil {
		return Answer{}, err
	}
	if hasOtherLayout {
		c.difference = cmp.Or(difference, c.difference)
		return c.compiled.Execute(txn, env, info, msg)
	}
	execute := func(code Contract, store kv.Txn) (Answer, error) {
		return code.Execute(store, env, info, msg)
	}
	return c.runBoth(txn, execute)
}

// reply tells the compiled contract the outcome of a message that it sent, and compares its
// answer with an empty one, because the built-in contract gets no replies.
func (c *comparedContract) reply(txn kv.Txn, env cw721.Env, reply wasm.Reply) (Answer, error) {
	empty := cw721.Response{
		Attributes: []cw721.EventAttribute{},
		Messages:   []cw721.OutMsg{},
	}
	callReply := func(code Contract, store kv.Txn) (Answer, error) {
		if compiledCode, isCompiled := code.(compiled); isCompiled {
			return compiledCode.reply(store, env, reply)
		}
		return Answer{Response: empty}, nil
	}
	return c.runBoth(txn, callReply)
}

// findOtherLayout finds out whether the compiled contract stores its records in another
// layout than the built-in contract. Then hasOtherLayout is true, and the two cannot be
// compared. The first time, findOtherLayout also returns this as a difference to report.
// Later, difference is nil, so that not every message reports the same.
func (m *modules) findOtherLayout(
	contract kv.Reader,
) (difference *Difference, hasOtherLayout bool, err error) {
	layout, _, err := cw721.FindLayout(contract)
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

// reportLayoutAgain makes the next message report again that the compiled contract has
// another storage layout, if difference is this report. The report is made only once. A
// preview calls reportLayoutAgain with the difference that it found, because nobody may
// ever see it. difference can be nil.
func (m *modules) reportLayoutAgain(difference *Difference) {
	if difference != nil && string(difference.Compiled) == otherLayoutText {
		m.isLayoutReported.Store(false)
	}
}

// runBoth calls run with both contracts, each with an overlay of its own, and compares the
// results. It stores the difference unless there was an earlier one. It writes to txn what
// the compiled contract wrote, and returns the compiled contract's answer.
func (c *comparedContract) runBoth(
	txn kv.Txn,
	run func(Contract, kv.Txn) (Answer, error),
) (Answer, error) {
	// Run both calls on the same state. Neither sees the writes of the other.
	builtInWrites := kv.NewOverlay(txn)
	expected, expectedErr := run(c.reference, builtInWrites)
	compiledWrites := kv.NewOverlay(txn)
	answer, err := run(c.compiled, compiledWrites)
	if isInternalError(err) {
		return answer, err
	}

	// If neither refuses the message, compare also what they wrote.
	var records []RecordDifference
	if err == nil && expectedErr == nil {
		var storeErr error
		records, storeErr = recordsThatDiffer(compiledWrites, builtInWrites)
		if storeErr != nil {
			return answer, storeErr
		}
	}

	// Keep the first difference, and write only what the compiled contract wrote.
	compiledJSON := wire.Encode(answer.Response)
	expectedJSON := wire.Encode(expected.Response)
	difference := differenceOf(compiledJSON, err, expectedJSON, expectedErr, records)
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
// how they differ in what they do. It returns nil if they do the same, or if the chain runs
// the built-in contract. It discards everything that they write.
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
	discarded := kv.NewOverlay(v.contract)
	_, err = comparison.Execute(discarded, v.env(), cw721.Info{Sender: sender}, Message{JSON: msg})
	if isInternalError(err) {
		return nil, err
	}
	v.modules.reportLayoutAgain(comparison.difference)
	return comparison.difference, nil
}

// checkOnCompiled corrects a decision about a message by what the compiled contract does
// with the message, if the chain runs one. If the contract does the opposite of the
// decision, its answer replaces the decision. If both refuse, the refusal gets the
// contract's text. What the contract writes is discarded.
//
// The rules of a decision can permit a message that the built-in contract refuses for
// another reason, such as a bad address. Then the decision stays as it is, because the
// answer of the compiled contract shows nothing about permissions.
func (v *View) checkOnCompiled(decision *cw721.Decision, msg cw721.ExecuteMsg) error {
	difference, err := v.Compare(decision.Actor, cw721.Encode(msg))
	var limit *wasm.LimitError
	isStopped := errors.As(err, &limit)

	// A message that takes the contract too much time or memory is refused.
	if isStopped {
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
// contract answers differently, it also returns a [*DifferenceError]. If the contracts have
// different storage layouts, it does so only until a message has reported that.
func (v *View) compareQuery(code compiled, msg Message) ([]byte, error) {
	layoutDifference, hasOtherLayout, err := v.modules.findOtherLayout(v.contract)
	if err != nil {
		return nil, err
	}

	// The built-in contract cannot read another layout, so only the compiled one is asked.
	if hasOtherLayout {
		v.modules.reportLayoutAgain(layoutDifference)
		answer, err := code.Query(v.contract, v.env(), msg)
		if err != nil {
			return answer, err
		}
		if layoutDifference != nil {
			return answer, &DifferenceError{*layoutDifference}
		}
		return answer, nil
	}

	// Ask both contracts, and compare the answers.
	reference := builtIn{Contract: v.Contract(), code: v.Contract(), meta: v.meta}
	expected, expectedErr := reference.Query(v.contract, v.env(), msg)
	answer, err := code.Query(v.contract, v.env(), msg)
	if isInternalError(err) {
		return nil, err
	}
	difference := differenceOf(answer, err, expected, expectedErr, nil)
	if difference != nil {
		return answer, &DifferenceError{*difference}
	}
	return answer, err
}

// outcomeError is the JSON form of the error of a message or a query.
type outcomeError struct {
	Kind cw721.Kind `wire:"kind"` // "" if the error is no refusal by a contract
	Text string     `wire:"text"`
}

// outcomeJSON returns the outcome of a message or a query as JSON. That is answer, or
// {"error":{…}} if err is not nil.
func outcomeJSON(answer []byte, err error) wire.Raw {
	if err == nil {
		return answer
	}
	outcome := outcomeError{Text: err.Error()}
	if refusal := cw721.AsError(err); refusal != nil {
		outcome = outcomeError{Kind: refusal.Kind, Text: refusal.Text}
	}
	return wire.Encode(struct {
		Error outcomeError `wire:"error"`
	}{outcome})
}

// Refusals returns the texts with which the two contracts refuse. A text is "" if that
// contract does not refuse.
func (d Difference) Refusals() (compiled, builtIn string) {
	return refusalIn(d.Compiled), refusalIn(d.BuiltIn)
}

// refusalIn returns the text of the refusal in an outcome that [outcomeJSON] returned. It
// returns "" if the outcome is an answer.
func refusalIn(outcome wire.Raw) string {
	var decoded struct {
		Error outcomeError `wire:"error"`
	}
	_ = wire.Decode(outcome, &decoded) // it fails for an answer
	return decoded.Error.Text
}

// differenceOf compares what the compiled contract and the built-in one did with a message
// or a query. It returns nil if the outcomes, which are answers or errors, are the same and
// no records differ afterwards.
func differenceOf(
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

// recordsThatDiffer returns the first records that differ after the two contracts have
// written to overlays over the same store. They are in key order.
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
			Compiled: optionalText(difference.Old),
			BuiltIn:  optionalText(difference.New),
		})
	}
	return records, nil
}

// differsInVersionAlone reports whether a difference is one of contract_info, the record
// with the name and the version of the code. A renamed copy of a contract has another
// contract_info although it does the same.
func differsInVersionAlone(difference kv.Change) bool {
	if string(difference.Key) != "contract_info" {
		return false
	}

	// A record that one of them lacks is empty here, and no version.
	isCompiledVersion := wire.Decode(difference.Old, new(cw721.Version)) == nil
	isBuiltInVersion := wire.Decode(difference.New, new(cw721.Version)) == nil
	return isCompiledVersion && isBuiltInVersion
}

// optionalText returns a value as a text, and nil for nil.
func optionalText(value []byte) *string {
	if value == nil {
		return nil
	}
	return new(string(value))
}
