// Package doctor checks a database for consistency: every record on its own, what is
// derived from the contract's records (the token count, the owner index, the expiry
// index), the links of the history, and the address book in both directions.
//
// [Repair] and [RepairTokens] write derived records anew. The package must never change
// any other record, and it must never judge what the contract did.
package doctor

import (
	"fmt"

	"ephemera/core/chain"
	"ephemera/core/chain/history"
	"ephemera/core/cw721"
	"ephemera/core/kv"
)

// Part names a part of the database in a [Fault].
type Part string

// The parts that [Run] checks.
const (
	PartConfig   Part = "configuration"
	PartClock    Part = "clock"
	PartRecords  Part = "records"      // the contract's records, each on its own
	PartCount    Part = "token count"  // the stored number must be that of the stored tokens
	PartOwners   Part = "owner index"  // it must list exactly the owners of the stored tokens
	PartExpiry   Part = "agenda"       // the expiry index must list exactly the stored grants
	PartHoldings Part = "holdings"     // the numbers must be those of the owner index
	PartHistory  Part = "history"      // its nodes, their changes and the links between them
	PartAccounts Part = "address book" // names must lead to addresses, and addresses back
	PartModule   Part = "contract"     // the compiled contract must have its checksum
)

// Fault is one inconsistency of a database.
type Fault struct {
	Part   Part   `wire:"part"`   // where it is
	Text   string `wire:"text"`   // what is wrong
	Remedy string `wire:"remedy"` // what the user can do
}

// Report is the result of [Run]: the faults that it found, and how much it checked.
type Report struct {
	Records        uint64  `wire:"records"`                // how many records the contract has
	UnknownRecords uint64  `wire:"other_records,optional"` // how many of them cw721 does not know
	Tokens         uint64  `wire:"tokens"`
	KeptTokens     uint64  `wire:"tokens_with_other_members,optional"` // that have members cw721 does not know
	Owners         uint64  `wire:"owners"`                             // how many accounts own a token
	Grants         uint64  `wire:"grants"`                             // how many approvals, operator grants and role offers
	Nodes          uint64  `wire:"history_records"`                    // how many records the history has
	Accounts       uint64  `wire:"accounts"`                           // how many names the address book has
	Faults         []Fault `wire:"faults"`
	// UnlistedFaults is how many faults are not in Faults, which has only the first few of
	// each part.
	UnlistedFaults  uint64 `wire:"more_faults"`
	UncheckedReason string `wire:"not_checked,optional"` // what could not be checked, or ""
}

// IsClean reports whether there are no faults.
func (r Report) IsClean() bool { return len(r.Faults) == 0 }

// IsRepairable reports whether [Repair] would correct a fault without any loss. Repair
// computes the expiry index again from the contract's records. If these are broken
// themselves, the stored index may have grants that the records have lost, so IsRepairable
// returns false.
func (r Report) IsRepairable() bool {
	hasIndexFault := false
	for _, fault := range r.Faults {
		switch fault.Part {
		case PartRecords, PartCount, PartOwners:
			return false
		case PartExpiry, PartHoldings:
			hasIndexFault = true
		}
	}
	return hasIndexFault
}

// The remedies of faults, as a report shows them to the user.
const (
	remedyRebuild = "rebuild the expiry index from the contract's records: ephemera doctor --rebuild"
	remedyDerive  = "restore a backup, or recompute it from the tokens: ephemera doctor --repair"
	remedyBackup  = "restore a backup"
	remedyUndo    = "restore a backup, or export the collection and import it into a new database, which loses its history"
	remedyAccount = "remove the account and add it again"
)

// maxListedFaults is how many faults of one part a report lists. Further faults are counted.
const maxListedFaults = 20

// Run checks the database as it is at one moment and changes nothing. It calls progress, which can
// be nil, with the number of records read so far. It fails with [chain.ErrNoCollection] if the
// database is empty. A fault in the database is part of the report and no error.
func Run(c *chain.Chain, progress func(recordsRead int)) (Report, error) {
	checker := new(checker)
	err := c.Inspect(func(parts chain.Parts) error {
		checker = newChecker(parts, progress)
		for _, check := range []func() error{
			checker.checkConfig,
			checker.checkClock,
			checker.checkAccounts,
			checker.checkModule,
			checker.checkRecords,
			checker.checkHistory,
		} {
			if err := check(); err != nil {
				return err
			}
		}
		return nil
	})
	return checker.Report, err
}

// checker is the state of one [Run] or [Repair].
type checker struct {
	Report                            // the result so far
	parts       chain.Parts           // the parts of the database, which are checked
	progress    func(recordsRead int) // is called after every thousandth record; can be nil
	recordsRead int                   // how many records were read so far
	faultCounts map[Part]int          // how many faults each part has, also those not listed
}

func newChecker(parts chain.Parts, progress func(recordsRead int)) *checker {
	return &checker{
		Report:      Report{Faults: []Fault{}},
		parts:       parts,
		progress:    progress,
		faultCounts: map[Part]int{},
	}
}

func (c *checker) countRecord() {
	c.recordsRead++
	if c.progress != nil && c.recordsRead%1000 == 0 {
		c.progress(c.recordsRead)
	}
}

// addFault adds a fault with a formatted text to the report, or only counts it if the report lists
// [maxListedFaults] of the part.
func (c *checker) addFault(part Part, remedy, format string, args ...any) {
	c.faultCounts[part]++
	if c.faultCounts[part] > maxListedFaults {
		c.UnlistedFaults++
		return
	}
	c.Faults = append(c.Faults, Fault{Part: part, Text: fmt.Sprintf(format, args...), Remedy: remedy})
}

// checkConfig adds a fault for the first thing that is wrong with the configuration.
func (c *checker) checkConfig() error {
	config, exists, err := c.parts.StoredConfig()
	switch {
	case kv.IsCorrupt(err):
		c.addFault(PartConfig, remedyBackup, "the configuration cannot be read: %v", err)
	case err != nil:
		return err
	case !exists:
		c.addFault(PartConfig, remedyBackup, "there is no configuration")

	// Empty rules are those of an unknown release.
	case config.Rules != "" && !config.Rules.IsKnown():
		c.addFault(PartConfig, remedyBackup, "the rules are %q, which is no rule set", config.Rules)
	case !config.Flavour.IsKnown():
		c.addFault(PartConfig, remedyBackup, "the flavour is %q, which is none", config.Flavour)
	default:
		if err := cw721.ValidateAddress(config.Prefix, config.Self); err != nil {
			c.addFault(PartConfig, remedyBackup, "the contract's own address is wrong: %v", err)
		}
	}
	return nil
}

// checkClock checks the record of the clock, which also says whether there is a collection, and so
// whether the contract's records have a version.
func (c *checker) checkClock() error {
	_, isCollectionRecorded, exists, err := c.parts.StoredClock()
	switch {
	case kv.IsCorrupt(err):
		c.addFault(PartClock, remedyBackup, "the clock cannot be read: %v", err)
		return nil
	case err != nil:
		return err
	case !exists:
		c.addFault(PartClock, remedyBackup, "there is no clock")
		return nil
	}

	// A collection has the record of a version from its creation on. If that record is
	// broken, checkRecords reports it, and there is a collection all the same.
	_, hasVersion, err := cw721.LoadVersion(c.parts.Contract)
	isVersionBroken := kv.IsCorrupt(err)
	if err != nil && !isVersionBroken {
		return err
	}
	hasCollection := hasVersion || isVersionBroken
	if hasCollection != isCollectionRecorded && !c.parts.IsUnreadable {
		c.addFault(PartClock, remedyBackup,
			"the configuration has a collection: %t, its records have one: %t",
			isCollectionRecorded, hasCollection)
	}
	return nil
}

func (c *checker) checkModule() error {
	err := c.parts.CheckModule()
	if kv.IsCorrupt(err) {
		c.addFault(PartModule, remedyBackup, "the compiled contract is damaged: %v", err)
		return nil
	}
	return err
}

// checkAccounts checks the address book, which has two records for every account: one under the
// name and one under the address. Neither may exist without the other.
func (c *checker) checkAccounts() error {
	for pair, err := range c.parts.Accounts.Scan(kv.Range{}) {
		if err != nil {
			return err
		}
		c.countRecord()
		if name, ok, _ := chain.AccountsByName.DecodeKey(pair.Key); ok {
			c.Accounts++
			err = c.checkName(name, pair.Value)
		} else if address, ok, _ := chain.NamesByAddress.DecodeKey(pair.Key); ok {
			err = c.checkAddress(address, pair.Value)
		} else {
			c.addFault(PartAccounts, remedyBackup, "the record under key %q belongs to no account", pair.Key)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// checkName checks the record under a name.
func (c *checker) checkName(name string, record []byte) error {
	account, err := chain.AccountsByName.Decode(record)
	if err != nil {
		c.addFault(PartAccounts, remedyAccount, "the account %q cannot be read: %v", name, err)
		return nil
	}
	if account.Name != name {
		c.addFault(PartAccounts, remedyAccount,
			"the account %q has a record with the name %q",
			name, account.Name)
	}
	if err := cw721.ValidateAddress(c.parts.Config.Prefix, account.Address); err != nil {
		c.addFault(PartAccounts, remedyAccount, "the account %q has no good address: %v", name, err)
	}

	// The record under the address must lead back to this name.
	storedName, hasName, err := chain.NamesByAddress.Load(c.parts.Accounts, account.Address)
	if kv.IsCorrupt(err) {
		return nil // checkAddress reports it
	}
	if err != nil {
		return err
	}
	if !hasName || storedName != name {
		c.addFault(PartAccounts, remedyAccount,
			"the account %q has the address %s, which does not have this name",
			name, account.Address)
	}
	return nil
}

// checkAddress checks the record under an address.
func (c *checker) checkAddress(address cw721.Address, record []byte) error {
	name, err := chain.NamesByAddress.Decode(record)
	if err != nil {
		c.addFault(PartAccounts, remedyAccount,
			"the name of the address %s cannot be read: %v",
			address, err)
		return nil
	}
	account, exists, err := chain.AccountsByName.Load(c.parts.Accounts, name)
	if kv.IsCorrupt(err) {
		return nil // checkName reports it
	}
	if err != nil {
		return err
	}
	if !exists || account.Address != address {
		c.addFault(PartAccounts, remedyAccount,
			"the address %s is named %q, which does not have it",
			address, name)
	}
	return nil
}

func (c *checker) checkHistory() error {
	return history.Check(
		c.parts.History,
		func() {
			c.Nodes++
			c.countRecord()
		},
		func(problem string) { c.addFault(PartHistory, remedyUndo, "%s", problem) },
	)
}
