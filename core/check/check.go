// Package check holds a database against itself: every record on its own, what
// is derived from the contract's records against those (the token count, the
// owner index, the expiry index), the ways through the history against its
// nodes, and the address book from both ends.
//
// The package must never change anything but what is derived, which [Repair] and
// [RepairTokens] write anew, and never judge what the contract did.
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
	PartExpiry   Part = "agenda"       // against the grants in the records
	PartHoldings Part = "holdings"     // against the owner index
	PartHistory  Part = "history"      // nodes, their changes, the ways between
	PartAccounts Part = "address book" // names and addresses, both ways
	PartModule   Part = "contract"     // the compiled one against its checksum
)

// Fault is one thing that is wrong: what, and what can be done about it.
type Fault struct {
	Part   Part   `wire:"part"`
	Text   string `wire:"text"`
	Remedy string `wire:"remedy"`
}

// Report is what [Run] found, and how much it looked at.
type Report struct {
	Records  uint64  `wire:"records"`                // of the contract
	Others   uint64  `wire:"other_records,optional"` // of those, none that a cw721 writes
	Tokens   uint64  `wire:"tokens"`
	Owners   uint64  `wire:"owners"`
	Grants   uint64  `wire:"grants"`
	Nodes    uint64  `wire:"history_records"`
	Accounts uint64  `wire:"accounts"`
	Faults   []Fault `wire:"faults"`
	// More is how many faults were left out: of each part the first few are
	// listed.
	More uint64 `wire:"more_faults"`
}

// IsClean tells that nothing is wrong.
func (r Report) IsClean() bool { return len(r.Faults) == 0 }

// IsRepairable tells whether [Repair] would mend something. It would not
// where the contract's own records are broken: what is derived can be better
// than they are then.
func (r Report) IsRepairable() bool {
	repairable := false
	for _, f := range r.Faults {
		switch f.Part {
		case PartRecords, PartCount, PartOwners:
			return false
		case PartExpiry, PartHoldings:
			repairable = true
		}
	}
	return repairable
}

// What can be done.
const (
	remedyRebuild = "rebuild the expiry index from the contract's records: ephemera doctor --rebuild"
	remedyDerive  = "restore a backup, or derive it again from the tokens that are there: ephemera doctor --repair"
	remedyBackup  = "restore a backup"
	remedyUndo    = "restore a backup, or export the collection and import it into a new database; its history is lost by that"
	remedyAccount = "remove the account and add it again"
)

// listedFaults is how many faults of one part are listed.
const listedFaults = 20

// Run checks the whole database against itself and changes nothing.
// progress, which can be nil, is told how many records were read. All is read
// in one snapshot and in the order in which it lies, and nothing is held: two
// indexes of the same things are compared by the sum of their hashes, and only
// where those differ a second walk looks up what. An error is trouble with the
// store, or [chain.ErrNoCollection] where there is no chain.
func Run(c *chain.Chain, progress func(done int)) (Report, error) {
	x := new(checker)
	err := c.Inspect(func(p chain.Parts) error {
		x = newChecker(p, progress)
		for _, check := range []func() error{x.checkConfig, x.checkClock, x.checkAccounts, x.checkModule, x.checkRecords, x.checkHistory} {
			if err := check(); err != nil {
				return err
			}
		}
		return nil
	})
	return x.Report, err
}

// checker is one run of the doctor.
type checker struct {
	Report
	parts chain.Parts

	progress func(int)
	done     int
	listed   map[Part]int
}

func newChecker(p chain.Parts, progress func(int)) *checker {
	return &checker{Report: Report{Faults: []Fault{}}, parts: p, progress: progress, listed: map[Part]int{}}
}

func (x *checker) step() {
	if x.done++; x.progress != nil && x.done%1000 == 0 {
		x.progress(x.done)
	}
}

func (x *checker) find(part Part, remedy, format string, args ...any) {
	if x.listed[part]++; x.listed[part] > listedFaults {
		x.More++
		return
	}
	x.Faults = append(x.Faults, Fault{part, fmt.Sprintf(format, args...), remedy})
}

func (x *checker) checkConfig() error {
	cfg, ok, err := x.parts.StoredConfig()
	switch {
	case kv.IsCorrupt(err):
		x.find(PartConfig, remedyBackup, "the configuration cannot be read: %v", err)
	case err != nil:
		return err
	case !ok:
		x.find(PartConfig, remedyBackup, "there is no configuration")
	case !cfg.Rules.IsKnown():
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

func (x *checker) checkClock() error {
	_, collection, ok, err := x.parts.StoredClock()
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
	_, found, err := cw721.LoadVersion(x.parts.Contract)
	if kv.IsCorrupt(err) {
		found, err = true, nil // told with the record
	}
	if err != nil {
		return err
	}
	if found != collection && !x.parts.Unreadable {
		x.find(PartClock, remedyBackup, "whether there is a collection is noted as %t, and its records say %t", collection, found)
	}
	return nil
}

func (x *checker) checkModule() error {
	err := x.parts.CheckModule()
	if kv.IsCorrupt(err) {
		x.find(PartModule, remedyBackup, "the compiled contract is damaged: %v", err)
		err = nil
	}
	return err
}

// checkAccounts reads the address book from both ends.
func (x *checker) checkAccounts() error {
	for p, err := range x.parts.Accounts.Scan(kv.Range{}) {
		if err != nil {
			return err
		}
		x.step()
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

func (x *checker) checkName(name string, raw []byte) error {
	a, err := chain.AccountsByName.Decode(raw)
	if err != nil {
		x.find(PartAccounts, remedyAccount, "the account %q cannot be read: %v", name, err)
		return nil
	}
	if a.Name != name {
		x.find(PartAccounts, remedyAccount, "the account %q calls itself %q", name, a.Name)
	}
	if err := cw721.ValidateAddress(x.parts.Config.Prefix, a.Address); err != nil {
		x.find(PartAccounts, remedyAccount, "the account %q has no good address: %v", name, err)
	}
	back, ok, err := chain.NamesByAddress.Load(x.parts.Accounts, a.Address)
	if kv.IsCorrupt(err) {
		return nil // told where the address is met
	}
	if err == nil && (!ok || back != name) {
		x.find(PartAccounts, remedyAccount, "the account %q has the address %s, which does not lead back to it", name, a.Address)
	}
	return err
}

func (x *checker) checkAddress(address cw721.Address, raw []byte) error {
	name, err := chain.NamesByAddress.Decode(raw)
	if err != nil {
		x.find(PartAccounts, remedyAccount, "the name of the address %s cannot be read: %v", address, err)
		return nil
	}
	a, ok, err := chain.AccountsByName.Load(x.parts.Accounts, name)
	if kv.IsCorrupt(err) {
		return nil // told where the name is met
	}
	if err == nil && (!ok || a.Address != address) {
		x.find(PartAccounts, remedyAccount, "the address %s is named %q, which does not have it", address, name)
	}
	return err
}

func (x *checker) checkHistory() error {
	count := func() { x.Nodes++; x.step() }
	for p, err := range history.Check(x.parts.History, count) {
		if err != nil {
			return err
		}
		x.find(PartHistory, remedyUndo, "%s", p.Text)
	}
	return nil
}
