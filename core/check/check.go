// Package check checks a database for consistency: every record on its own, what is
// derived from the contract's records (the token count, the owner index, the expiry
// index), the links of the history, and the address book in both directions.
//
// [Repair] and [RepairTokens] write derived records anew. The package must never change
// any other record, and it must never judge what the contract did.
package check

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
	PartRecords  Part = "records"      // the contract's, each on its own
	PartCount    Part = "token count"  // num_tokens against the tokens
	PartOwners   Part = "owner index"  // against the tokens, both ways
	PartExpiry   Part = "agenda"       // the expiry index, by the name that programs read, against the grants
	PartHoldings Part = "holdings"     // against the owner index
	PartHistory  Part = "history"      // nodes, their changes, the ways between
	PartAccounts Part = "address book" // names and addresses, both ways
	PartModule   Part = "contract"     // the compiled one against its checksum
)

// Fault is one inconsistency of a database.
type Fault struct {
	Part   Part   `wire:"part"`
	Text   string `wire:"text"`
	Remedy string `wire:"remedy"` // what the user can do
}

// Report is the result of [Run]: the faults that it found, and how much it checked.
type Report struct {
	Records  uint64  `wire:"records"`                // of the contract
	Others   uint64  `wire:"other_records,optional"` // those of Records that no cw721 contract writes
	Tokens   uint64  `wire:"tokens"`
	Owners   uint64  `wire:"owners"`
	Grants   uint64  `wire:"grants"`
	Nodes    uint64  `wire:"history_records"`
	Accounts uint64  `wire:"accounts"`
	Faults   []Fault `wire:"faults"`
	// More is how many faults are not in Faults, which has the first few of each part.
	More uint64 `wire:"more_faults"`
	// NotChecked says what could not be checked; empty if everything was.
	NotChecked string `wire:"not_checked,optional"`
}

// IsClean reports whether there are no faults.
func (r Report) IsClean() bool { return len(r.Faults) == 0 }

// IsRepairable reports whether [Repair] would mend a fault and make nothing worse. It
// returns false if the contract's own records are broken, because then the index that
// is derived from them may hold more than they do.
func (r Report) IsRepairable() bool {
	hasIndexFault := false
	for _, f := range r.Faults {
		switch f.Part {
		case PartRecords, PartCount, PartOwners:
			return false
		case PartExpiry, PartHoldings:
			hasIndexFault = true
		}
	}
	return hasIndexFault
}

// The remedies of faults.
const (
	remedyRebuild = "rebuild the expiry index from the contract's records: ephemera doctor --rebuild"
	remedyDerive  = "restore a backup, or recompute it from the tokens: ephemera doctor --repair"
	remedyBackup  = "restore a backup"
	remedyUndo    = "restore a backup, or export the collection and import it into a new database, which loses its history"
	remedyAccount = "remove the account and add it again"
)

// maxListedFaults bounds the faults of one part in a report.
const maxListedFaults = 20

// Run checks the whole database and changes nothing. It calls progress, unless that is
// nil, with the number of records read so far. It fails if the store cannot be read, and
// with [chain.ErrNoCollection] if the database is empty.
//
// Run reads one snapshot in the order of the keys. It keeps no records in memory.
func Run(c *chain.Chain, progress func(done int)) (Report, error) {
	x := new(checker)
	err := c.Inspect(func(p chain.Parts) error {
		x = newChecker(p, progress)
		checks := []func() error{x.checkConfig, x.checkClock, x.checkAccounts, x.checkModule, x.checkRecords, x.checkHistory}
		for _, check := range checks {
			if err := check(); err != nil {
				return err
			}
		}
		return nil
	})
	return x.Report, err
}

// checker is the state of one [Run] or [Repair].
type checker struct {
	Report
	parts       chain.Parts
	progress    func(recordsRead int) // nil if nobody is shown the progress
	recordsRead int
	faultCounts map[Part]int // the faults so far, those not listed in the report included
}

// newChecker returns a checker of the parts of a database, with no faults so far.
func newChecker(parts chain.Parts, progress func(recordsRead int)) *checker {
	return &checker{
		Report:      Report{Faults: []Fault{}},
		parts:       parts,
		progress:    progress,
		faultCounts: map[Part]int{},
	}
}

// countRecord counts a record that was read, and reports the progress at every thousandth.
func (x *checker) countRecord() {
	x.recordsRead++
	if x.progress != nil && x.recordsRead%1000 == 0 {
		x.progress(x.recordsRead)
	}
}

// find adds a fault to the report. If the report already lists maxListedFaults faults of
// the part, find only counts the fault.
func (x *checker) find(part Part, remedy, format string, args ...any) {
	x.faultCounts[part]++
	if x.faultCounts[part] > maxListedFaults {
		x.More++
		return
	}
	x.Faults = append(x.Faults, Fault{Part: part, Text: fmt.Sprintf(format, args...), Remedy: remedy})
}

// checkConfig checks the record of the configuration: the rules that the contract follows,
// its flavour and its own address.
func (x *checker) checkConfig() error {
	cfg, ok, err := x.parts.StoredConfig()
	switch {
	case kv.IsCorrupt(err):
		x.find(PartConfig, remedyBackup, "the configuration cannot be read: %v", err)
	case err != nil:
		return err
	case !ok:
		x.find(PartConfig, remedyBackup, "there is no configuration")
	case cfg.Rules != "" && !cfg.Rules.IsKnown():
		x.find(PartConfig, remedyBackup, "the rules are %q, which is no rule set", cfg.Rules)
	case !cfg.Flavour.IsKnown():
		x.find(PartConfig, remedyBackup, "the flavour is %q, which is none", cfg.Flavour)
	default:
		if err := cw721.ValidateAddress(cfg.Prefix, cfg.Self); err != nil {
			x.find(PartConfig, remedyBackup, "the contract's own address is wrong: %v", err)
		}
	}
	return nil
}

// checkClock checks the record of the clock. The record also notes whether the database has
// a collection, which must be so if the contract's records have a version.
func (x *checker) checkClock() error {
	_, notesCollection, ok, err := x.parts.StoredClock()
	switch {
	case kv.IsCorrupt(err):
		x.find(PartClock, remedyBackup, "the clock cannot be read: %v", err)
		return nil
	case err != nil:
		return err
	case !ok:
		x.find(PartClock, remedyBackup, "there is no clock")
		return nil
	}

	// A collection has a version from its creation on.
	_, hasVersion, err := cw721.LoadVersion(x.parts.Contract)
	if err != nil && !kv.IsCorrupt(err) {
		return err
	}
	hasCollection := hasVersion || err != nil // checkRecords reports a broken version
	if hasCollection != notesCollection && !x.parts.Unreadable {
		x.find(PartClock, remedyBackup, "the configuration has a collection: %t, its records have one: %t", notesCollection, hasCollection)
	}
	return nil
}

// checkModule compares the compiled contract with its checksum.
func (x *checker) checkModule() error {
	err := x.parts.CheckModule()
	if kv.IsCorrupt(err) {
		x.find(PartModule, remedyBackup, "the compiled contract is damaged: %v", err)
		return nil
	}
	return err
}

// checkAccounts checks the address book. It has two records for every account, one under
// the name ("bob → cosmos1…") and one under the address ("cosmos1… → bob"), and each must
// have the other.
func (x *checker) checkAccounts() error {
	for p, err := range x.parts.Accounts.Scan(kv.Range{}) {
		if err != nil {
			return err
		}
		x.countRecord()
		if name, ok, _ := chain.AccountsByName.DecodeKey(p.Key); ok {
			x.Accounts++
			err = x.checkName(name, p.Value)
		} else if address, ok, _ := chain.NamesByAddress.DecodeKey(p.Key); ok {
			err = x.checkAddress(address, p.Value)
		} else {
			x.find(PartAccounts, remedyBackup, "the record under key %q belongs to no account", p.Key)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// checkName checks the record raw of the account with a name: it can be decoded, its
// address is valid, and the record under the address has the name.
func (x *checker) checkName(name string, raw []byte) error {
	a, err := chain.AccountsByName.Decode(raw)
	if err != nil {
		x.find(PartAccounts, remedyAccount, "the account %q cannot be read: %v", name, err)
		return nil
	}
	if a.Name != name {
		x.find(PartAccounts, remedyAccount, "the account %q has a record with the name %q", name, a.Name)
	}
	if err := cw721.ValidateAddress(x.parts.Config.Prefix, a.Address); err != nil {
		x.find(PartAccounts, remedyAccount, "the account %q has no good address: %v", name, err)
	}

	// The record under the address must lead back to this name.
	back, ok, err := chain.NamesByAddress.Load(x.parts.Accounts, a.Address)
	if kv.IsCorrupt(err) {
		return nil // checkAddress reports it
	}
	if err == nil && (!ok || back != name) {
		x.find(PartAccounts, remedyAccount, "the account %q has the address %s, which does not have this name", name, a.Address)
	}
	return err
}

// checkAddress checks the record raw of the address book under an address, a name: the
// account with this name must exist and have the address.
func (x *checker) checkAddress(address cw721.Address, raw []byte) error {
	name, err := chain.NamesByAddress.Decode(raw)
	if err != nil {
		x.find(PartAccounts, remedyAccount, "the name of the address %s cannot be read: %v", address, err)
		return nil
	}
	a, ok, err := chain.AccountsByName.Load(x.parts.Accounts, name)
	if kv.IsCorrupt(err) {
		return nil // checkName reports it
	}
	if err == nil && (!ok || a.Address != address) {
		x.find(PartAccounts, remedyAccount, "the address %s is named %q, which does not have it", address, name)
	}
	return err
}

// checkHistory checks the history, the tree of all messages and clock moves: its nodes,
// their changes and the links between them.
func (x *checker) checkHistory() error {
	countRecord := func() {
		x.Nodes++
		x.countRecord()
	}
	return history.Check(x.parts.History, countRecord, func(problem string) {
		x.find(PartHistory, remedyUndo, "%s", problem)
	})
}
