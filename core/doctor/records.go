package doctor

import (
	"github.com/go-json-experiment/json/jsontext"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/kv"
)

// checkRecords checks each of the contract's records, and then what is derived from them. If a
// compiled contract has a storage layout of its own, it only counts them.
func (c *checker) checkRecords() error {
	var tally cw721.Tally
	for pair, err := range c.parts.Contract.Scan(kv.Range{}) {
		if err != nil {
			return err
		}
		c.Records++
		c.countRecord()
		if !c.parts.IsUnreadable && c.checkRecord(pair) {
			tally.Add(pair.Key, pair.Value)
		}
	}
	if c.parts.IsUnreadable {
		c.UncheckedReason = "the contract's records, since the compiled contract does not keep its storage as cw721 0.16 and later do"
		return nil
	}

	// The tally has added up the tokens and their owners. If the stored token count and
	// owner index do not fit, look for the differences one by one. If IsConsistent fails,
	// its result is false, and reportInconsistencies comes to the same error.
	c.Tokens = tally.TokenCount
	if isConsistent, _ := tally.IsConsistent(c.parts.Contract); !isConsistent {
		if err := c.reportInconsistencies(); err != nil {
			return err
		}
	}

	_, err := c.compareExpiry(nil) // without a writer it only looks for faults
	return err
}

// checkRecord returns true if a record can be read as one that cw721 writes. Otherwise it
// counts the record as one that cw721 does not know, or adds a fault if the record is broken.
func (c *checker) checkRecord(pair kv.Pair) bool {
	content, err := c.parts.Layout.DecodeRecord(pair.Key, pair.Value)
	if token, isToken := content.(cw721.Token); isToken && len(token.KeptMembers) > 0 {
		c.KeptTokens++
	}
	if err == nil {
		return true
	}

	// The tokens of another contract can have members of their own.
	isOfOtherContract := c.parts.IsCompiled && jsontext.Value(pair.Value).IsValid()
	if cw721.IsUnknownRecord(err) || isOfOtherContract {
		c.UnknownRecords++
		return false
	}
	c.addFault(PartRecords, remedyBackup, "%v", err)
	return false
}

func (c *checker) reportInconsistencies() error {
	for inconsistency, err := range cw721.Inconsistencies(c.parts.Contract) {
		if err != nil {
			return err
		}
		part := PartOwners
		if cw721.IsTokenCountKey(inconsistency.Key) {
			part = PartCount
		}
		c.addFault(part, remedyDerive, "%s", inconsistency.Text)
	}
	return nil
}

// RepairTokens computes the number of tokens and the owner index again from the stored
// tokens, and returns how many records it wrote. If tokens are missing, only the owner
// index still names them. So use RepairTokens only if they are lost for good.
func RepairTokens(c *chain.Chain) (writtenCount int, err error) {
	err = c.Repair(func(parts chain.Parts, writers chain.Writers) (bool, error) {
		writtenCount, err = cw721.RepairInconsistencies(parts.Contract, writers.Contract)
		return writtenCount > 0, err
	})
	return writtenCount, err
}
