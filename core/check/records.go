package check

import (
	"github.com/go-json-experiment/json/jsontext"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/kv"
)

// checkRecords reads the contract's records in key order and checks each. Then it compares
// what is derived from them, such as the owner index, with what is stored. The records of a
// compiled contract with a layout of its own are only counted, and the report says so.
func (x *checker) checkRecords() error {
	var tally cw721.Tally
	for p, err := range x.parts.Contract.Scan(kv.Range{}) {
		if err != nil {
			return err
		}
		x.Records++
		x.countRecord()
		if !x.parts.Unreadable && x.checkRecord(p) {
			tally.Add(p.Key, p.Value)
		}
	}
	if x.parts.Unreadable {
		x.NotChecked = "the contract's records, since the compiled contract does not keep its storage as cw721 0.16 and later do"
		return nil
	}

	// The tally has added up what follows from the tokens. Compare it with what is stored.
	x.Tokens = tally.TokenCount
	isConsistent, _ := tally.IsConsistent(x.parts.Contract) // findInconsistencies returns the error
	if !isConsistent {
		if err := x.findInconsistencies(); err != nil {
			return err
		}
	}
	_, err := x.compareExpiry(nil, cw721.Block{})
	return err
}

// checkRecord reports whether a record is one of cw721 that can be read. It counts other
// records, and adds a fault for a broken one.
func (x *checker) checkRecord(p kv.Pair) bool {
	_, err := x.parts.Layout.DecodeRecord(p.Key, p.Value)
	if err == nil {
		return true
	}

	// The tokens of another contract can have members of their own.
	isOfOtherContract := x.parts.IsCompiled && jsontext.Value(p.Value).IsValid()
	if cw721.IsUnknownRecord(err) || isOfOtherContract {
		x.Others++
	} else {
		x.find(PartRecords, remedyBackup, "%v", err)
	}
	return false
}

// findInconsistencies compares the token count and the owner index with the tokens, one
// by one.
func (x *checker) findInconsistencies() error {
	for wrong, err := range cw721.Inconsistencies(x.parts.Contract) {
		if err != nil {
			return err
		}
		part := PartOwners
		if cw721.IsTokenCountKey(wrong.Key) {
			part = PartCount
		}
		x.find(part, remedyDerive, "%s", wrong.Text)
	}
	return nil
}

// RepairTokens derives the number of tokens and the owner index again from the stored
// tokens, and returns how many records it wrote. Use it only if missing tokens are lost
// for good: before the repair, the owner index still names them.
func RepairTokens(c *chain.Chain) (written int, err error) {
	err = c.Repair(func(p chain.Parts, w chain.Writers) (bool, error) {
		written, err = cw721.RepairInconsistencies(p.Contract, w.Contract)
		return written > 0, err
	})
	return written, err
}
