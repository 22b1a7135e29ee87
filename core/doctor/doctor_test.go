package doctor_test

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"ephemera/core/chain"
	. "ephemera/core/chain/chaintest"
	"ephemera/core/doctor"
	"ephemera/core/kv"
)

// busyWorld gives a chain on which everything has happened that leaves
// records: grants of every kind, ended ones, branches, snapshots, undone and
// refused messages, moves of the clock.
func busyWorld(t Tester) *World {
	w := New(t)
	for i := range 30 {
		w.Mint(fmt.Sprintf("ape-%02d", i), People[i%len(People)])
	}
	w.Mint(strings.Repeat("long ", 200), "alice")
	w.Do("creator", `{"mint":{"token_id":"ape\u0000null","owner":"$alice"}}`)
	w.Do("alice", `{"approve":{"spender":"$bob","token_id":%q,"expires":{"at_height":105}}}`, strings.Repeat("long ", 200))
	w.Do("alice", `{"approve":{"spender":"$bob","token_id":"ape\u0000null"}}`)
	w.Do("alice", `{"approve":{"spender":"$bob","token_id":"ape-01","expires":{"at_height":110}}}`)
	w.Do("alice", `{"approve":{"spender":"$carol","token_id":"ape-01","expires":{"at_time":"2000000000000"}}}`)
	w.Do("bob", `{"approve_all":{"operator":"$carol"}}`)
	w.Do("bob", `{"approve_all":{"operator":"$alice","expires":{"at_height":200}}}`)
	w.Do("creator", `{"update_minter_ownership":{"transfer_ownership":{"new_owner":"$alice","expiry":{"at_height":150}}}}`)
	w.Refused("carol", `{"burn":{"token_id":"ape-00"}}`)
	Must(w.C.Advance(chain.ClockStep{Blocks: 20}))(t)
	Must(w.C.Snapshot("before", 0))(t)
	w.Do("bob", `{"transfer_nft":{"recipient":"$carol","token_id":"ape-02"}}`)
	Must(w.C.Undo(1))(t)
	w.Do("bob", `{"transfer_nft":{"recipient":"$alice","token_id":"ape-02"}}`)
	w.Do("carol", `{"burn":{"token_id":"ape-03"}}`)
	Must(w.C.Goto("before"))(t)
	w.Do("bob", `{"burn":{"token_id":"ape-02"}}`)
	Must(w.C.Undo(1))(t)
	return w
}

func examined(t Tester, w *World) doctor.Report {
	t.Helper()
	return Must(doctor.Run(w.C, nil))(t)
}

func TestADoctorFindsNothingWrongWithAHealthyChain(t *testing.T) {
	for name, w := range map[string]*World{
		"New": New(t), "Busy": busyWorld(t),
		"Pruned": func() *World { w := busyWorld(t); Must(w.C.Prune(5))(t); return w }(),
	} {
		t.Run(name, func(t *testing.T) {
			before := w.Everything()
			r := examined(t, w)
			for _, f := range r.Faults {
				t.Errorf("%s: %s", f.Part, f.Text)
			}
			if !r.IsClean() || name == "Busy" && (r.Tokens != 32 || r.Grants != 7 || r.Owners != 4 || r.Accounts != 4 || r.Nodes < 50) {
				t.Errorf("got %+v", r)
			}
			Same(t, "a doctor changes nothing", before, w.Everything())
			if n := Must(doctor.Repair(w.C, nil))(t); n != 0 {
				t.Errorf("a rebuild wrote %d records", n)
			}
			Same(t, "a rebuild of what is right changes nothing", before, w.Everything())
		})
	}
}

// A damage changes one record of a kind: the n-th whose key begins so.
func alter(prefix string, n int, with func(key, value []byte, t kv.Txn) error) func(kv.Txn) error {
	return func(t kv.Txn) error {
		for p, err := range t.Scan(kv.PrefixRange([]byte(prefix))) {
			if err != nil {
				return err
			}
			if n--; n < 0 {
				return with(bytes.Clone(p.Key), bytes.Clone(p.Value), t)
			}
		}
		return fmt.Errorf("there is no such record under %q", prefix)
	}
}

func remove(key, _ []byte, t kv.Txn) error { return t.Delete(key) }

func halve(key, value []byte, t kv.Txn) error { return t.Set(key, value[:len(value)/2]) }

func become(text string) func(key, _ []byte, t kv.Txn) error {
	return func(key, _ []byte, t kv.Txn) error { return t.Set(key, []byte(text)) }
}

func put(old, new string) func(key, value []byte, t kv.Txn) error {
	return func(key, value []byte, t kv.Txn) error {
		return t.Set(key, bytes.Replace(value, []byte(old), []byte(new), 1))
	}
}

func beside(text string) func(key, value []byte, t kv.Txn) error {
	return func(key, value []byte, t kv.Txn) error { return t.Set(append(key, text...), value) }
}

func TestADoctorNamesEveryDamage(t *testing.T) {
	const tokens, owners, operators = "c\x00\x06tokens", "c\x00\x0dtokens__owner", "c\x00\x09operators"
	number := func(id byte) string { return string([]byte{0, 0, 0, 0, 0, 0, 0, id}) }
	for _, c := range []struct {
		name   string
		damage func(kv.Txn) error
		part   doctor.Part
		says   string
		mends  bool
	}{
		{"ATokenIsCutShort", alter(tokens, 3, halve), doctor.PartRecords, "cannot be read", false},
		{"ATokenIsGone", alter(tokens, 3, remove), doctor.PartOwners, "which is not there", false},
		{"ATokenIsGoneAndCounted", alter(tokens, 3, remove), doctor.PartCount, "num_tokens says 32, and there are 31 tokens", false},
		{"ATokenHasAnotherOwner", alter(tokens, 8, func(k, v []byte, t kv.Txn) error {
			return t.Set(k, bytes.Replace(v, []byte(Address("carol")), []byte(Address("bob")), 1))
		}), doctor.PartOwners, "is missing in the owner index", false},
		{"TheCountIsWrong", alter("cnum_tokens", 0, become("7")), doctor.PartCount, "num_tokens says 7, and there are 32 tokens", false},
		{"TheOwnerIndexLacksAToken", alter(owners, 4, remove), doctor.PartOwners, "is missing in the owner index", false},
		{"TheOwnerIndexHasOneMore", alter(owners, 4, beside("x")), doctor.PartOwners, "which is not there", false},
		{"AnOperatorIsCutShort", alter(operators, 0, halve), doctor.PartRecords, "cannot be read", false},
		{"AHoldingIsWrong", alter("ac", 1, become("99")), doctor.PartHoldings, "is listed with 99", true},
		{"AHoldingIsNoNumber", alter("ac", 1, become("many")), doctor.PartHoldings, "is listed with many", true},
		{"AHoldingIsGone", alter("ac", 1, remove), doctor.PartHoldings, "is listed with nothing", true},
		{"AHoldingIsNothing", alter("ac", 1, func(k, _ []byte, t kv.Txn) error { return t.Set(append(k, 'x'), []byte("0")) }), doctor.PartHoldings, "owns no token", true},
		{"AnEntryStandsUnderSomeoneElse", alter("ao", 1, func(k, v []byte, t kv.Txn) error {
			k[20] ^= 1
			return t.Set(k, v)
		}), doctor.PartExpiry, "cannot be read", true},
		{"AHoldingIsOfNobody", alter("ac", 1, beside("x")), doctor.PartHoldings, "owns no token", true},
		{"AnEntryIsGoneByEnd", alter("ae", 0, remove), doctor.PartExpiry, "is missing in the index by expiry", true},
		{"AnEntryIsGoneBySpender", alter("as", 2, remove), doctor.PartExpiry, "is missing in the index by spender", true},
		{"AnEntryIsGoneByOwner", alter("ao", 2, remove), doctor.PartExpiry, "is missing in the index by owner", true},
		{"AnEntryIsGoneByToken", alter("at", 1, remove), doctor.PartExpiry, "approval of token", true},
		{"AnEntryIsGoneAmongOperators", alter("aE", 1, remove), doctor.PartExpiry, "operator of", true},
		{"AnEntryIsCutShort", alter("as", 1, halve), doctor.PartExpiry, "cannot be read", true},
		{"AnEntryIsOfAnotherGrant", alter("ae", 0, func(k, v []byte, t kv.Txn) error {
			k[10] ^= 1
			return t.Set(k, v)
		}), doctor.PartExpiry, "which does not exist", true},
		{"AnEntryHasAnotherBlock", alter("ao", 1, func(k, v []byte, t kv.Txn) error {
			v[7] ^= 1
			return t.Set(k, v)
		}), doctor.PartExpiry, "has another entry in the index by owner", true},
		{"TheHistoryIsCutShort", alter("hh", 0, halve), doctor.PartHistory, "cannot be read", false},
		{"TheHeadIsGone", func(t kv.Txn) error {
			return alter("hh", 0, func(k, v []byte, t kv.Txn) error { v[6] = 9; return t.Set(k, v) })(t)
		}, doctor.PartHistory, "the head is node", false},
		{"TheForgottenAreMiscounted", alter("hh", 0, func(k, v []byte, t kv.Txn) error { return t.Set(k, append(v, number(9)...)) }),
			doctor.PartHistory, "the history counts 9 pruned nodes, and 0 are missing", false},
		{"ANodeIsGone", alter("hn", 5, remove), doctor.PartHistory, "which is not there", false},
		{"ANodeIsCutShort", alter("hn", 5, halve), doctor.PartHistory, "node 6 cannot be read", false},
		{"ChangesAreGone", alter("hd", 5, remove), doctor.PartHistory, "records, and 0 are kept", false},
		{"ChangesAreCutShort", alter("hd", 5, halve), doctor.PartHistory, "changed cannot be read", false},
		{"ChangesAreOfNoNode", alter("hd", 0, func(_, v []byte, t kv.Txn) error { return t.Set([]byte("hd"+number(99)), v) }), doctor.PartHistory, "node 99, which is not there", false},
		{"ABranchIsGone", alter("hk", 0, remove), doctor.PartHistory, "is not among what follows its parent", false},
		{"ABranchLeadsNowhere", func(t kv.Txn) error { return t.Set([]byte("hk"+number(3)+number(99)), []byte{}) }, doctor.PartHistory, "to node 99, which is not there", false},
		{"AWayForwardLeadsElsewhere", func(t kv.Txn) error { return t.Set([]byte("hr"+number(3)), []byte(number(9))) }, doctor.PartHistory, "which follows node 8", false},
		{"ASnapshotIsOfNoNode", alter("hs", 0, become(number(99))), doctor.PartHistory, `the snapshot "before" is node 99`, false},
		{"TheClockIsCutShort", alter("mnow", 0, halve), doctor.PartClock, "cannot be read", false},
		{"TheClockHasNoPace", alter("mnow", 0, func(k, v []byte, t kv.Txn) error { clear(v[16:24]); return t.Set(k, v) }), doctor.PartClock, "seconds per block: expected 1 to 86400, got 0", false},
		{"TheClockIsGone", alter("mnow", 0, remove), doctor.PartClock, "there is no clock", false},
		{"TheConfigurationIsGone", alter("mconfig", 0, remove), doctor.PartConfig, "there is no configuration", false},
		{"TheConfigurationIsCutShort", alter("mconfig", 0, halve), doctor.PartConfig, "cannot be read", false},
		{"TheRulesAreNone", alter("mconfig", 0, put(`"standard"`, `"lenient"`)), doctor.PartConfig, `the rules are "lenient", which is no rule set`, false},
		{"TheFlavourIsNone", alter("mconfig", 0, put(`"metadata-onchain"`, `"sweet"`)), doctor.PartConfig, `the flavour is "sweet", which is none`, false},
		{"TheAddressOfTheContractIsWrong", alter("mconfig", 0, put(`"self":"cosmos1`, `"self":"cosmos2`)), doctor.PartConfig, "the contract's own address is wrong", false},
		{"ThereShouldBeNoCollection", alter("mnow", 0, func(k, v []byte, t kv.Txn) error { v[24] = 0; return t.Set(k, v) }), doctor.PartClock, "a collection: false, its records have one: true", false},
		{"AnAccountCallsItselfOtherwise", alter("b\x00\x01n", 1, put(`"name":"bob"`, `"name":"rob"`)), doctor.PartAccounts, `the account "bob" has a record with the name "rob"`, false},
		{"AnAccountHasNoGoodAddress", alter("b\x00\x01n", 1, put(`"address":"cosmos1`, `"address":"cosmos2`)), doctor.PartAccounts, `the account "bob" has no good address`, false},
		{"AnAddressIsCutShort", alter("b\x00\x01a", 1, halve), doctor.PartAccounts, "cannot be read", false},
		{"ARecordIsOfNoAccount", func(t kv.Txn) error { return t.Set([]byte("bx"), nil) }, doctor.PartAccounts, `the record under key "x" belongs to no account`, false},
		{"TheNumberOfTokensIsCutShort", alter("cnum_tokens", 0, become("3x")), doctor.PartRecords, "cannot be read", false},
		{"AnAccountIsGone", alter("b\x00\x01n", 1, remove), doctor.PartAccounts, "which does not have it", false},
		{"AnAccountIsCutShort", alter("b\x00\x01n", 1, halve), doctor.PartAccounts, "cannot be read", false},
		{"AnAddressIsGone", alter("b\x00\x01a", 1, remove), doctor.PartAccounts, "does not have this name", false},
		{"AnAddressHasAnotherName", alter("b\x00\x01a", 1, become(`"nobody"`)), doctor.PartAccounts, "which does not have it", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := busyWorld(t)
			healthy := w.Everything()
			OK(t, w.DB.Update(c.damage))
			r := examined(t, w)
			found := false
			for _, f := range r.Faults {
				found = found || f.Part == c.part && strings.Contains(f.Text, c.says)
				if f.Remedy == "" || strings.Contains(f.Text, "\n") {
					t.Errorf("got %+v", f)
				}
			}
			if !found {
				t.Errorf("%q is not found, but %+v", c.says, r.Faults)
			}
			if r.IsRepairable() != c.mends {
				t.Errorf("that it can be mended is %v, want %v: %+v", r.IsRepairable(), c.mends, r.Faults)
			}
			if !c.mends {
				return
			}
			Must(doctor.Repair(w.C, nil))(t)
			if r := examined(t, w); !r.IsClean() {
				t.Errorf("after a rebuild: %+v", r.Faults)
			}
			mended := w.Everything()
			delete(mended, "hh") // a rebuild is a revision of its own
			delete(healthy, "hh")
			Same(t, "mended", healthy, mended)
		})
	}
}

func TestManyFaultsAreCountedAndTheFirstListed(t *testing.T) {
	w := busyWorld(t)
	OK(t, w.DB.Update(func(t kv.Txn) error {
		for range 30 {
			if err := alter("c\x00\x0dtokens__owner", 0, remove)(t); err != nil {
				return err
			}
		}
		return nil
	}))
	r := examined(t, w)
	if len(r.Faults) < 20 || r.UnlistedFaults < 10 {
		t.Errorf("%d faults are listed, and %d more", len(r.Faults), r.UnlistedFaults)
	}
}

// A dump from elsewhere can hold one approval twice. That is odd, and no fault
// that a rebuild could mend.
func TestAnApprovalThatStandsTwiceIsOne(t *testing.T) {
	w := busyWorld(t)
	twice := alter("c\x00\x06tokens", 2, func(k, v []byte, t kv.Txn) error {
		from, to := bytes.IndexByte(v, '[')+1, bytes.IndexByte(v, ']')
		if from == to {
			return fmt.Errorf("%s has no approval", v)
		}
		return t.Set(k, bytes.Join([][]byte{v[:to], v[from:]}, []byte(",")))
	})
	OK(t, w.DB.Update(twice))
	if r := examined(t, w); !r.IsClean() {
		t.Errorf("%+v", r.Faults)
	}
}

// Before there is a collection the clock can go back to the empty chain, and a
// way leads from there to a node that a prune forgets.
func TestAWayFromBeforeTheOldestNodeIsNoFault(t *testing.T) {
	w := Blank(t, kv.NewMemory())
	OK(t, w.C.Begin(Genesis()))
	for range 2 {
		Must(w.C.Advance(chain.ClockStep{Blocks: 1}))(t)
		Must(w.C.Undo(1))(t)
	}
	Must(w.C.Instantiate(Address("creator"), []byte(Founding)))(t)
	for range 3 {
		Must(w.C.Advance(chain.ClockStep{Blocks: 1}))(t)
	}
	Must(w.C.Prune(1))(t)
	if r := examined(t, w); !r.IsClean() {
		t.Errorf("%+v", r.Faults)
	}
}

func TestAnOwnerWithoutTokensIsForgotten(t *testing.T) {
	w := New(t)
	w.Mint("ape", "alice")
	w.Do("alice", `{"transfer_nft":{"token_id":"ape","recipient":"$bob"}}`)
	if _, noted := w.Everything()["ac"+string(Address("alice"))]; noted {
		t.Error("alice is noted as an owner still")
	}
	w.Do("bob", `{"burn":{"token_id":"ape"}}`)
	if r := examined(t, w); !r.IsClean() || r.Owners != 0 {
		t.Errorf("%+v", r)
	}
}

func TestTheCountAndTheOwnerIndexCanBeDerivedFromTheTokensAgain(t *testing.T) {
	w := busyWorld(t)
	healthy := w.Everything()
	OK(t, w.DB.Update(func(tx kv.Txn) error {
		for _, damage := range []func(kv.Txn) error{alter("cnum_tokens", 0, remove), alter("c\x00\x0dtokens__owner", 4, remove), alter("c\x00\x0dtokens__owner", 5, beside("x"))} {
			if err := damage(tx); err != nil {
				return err
			}
		}
		return nil
	}))
	if r := examined(t, w); r.IsRepairable() || len(r.Faults) != 3 {
		t.Errorf("found %+v", r.Faults)
	}
	Same(t, "records written", 3, Must(doctor.RepairTokens(w.C))(t))
	if r := examined(t, w); !r.IsClean() {
		t.Errorf("after a repair: %+v", r.Faults)
	}
	mended := w.Everything()
	delete(mended, "hh") // a repair is a revision of its own
	delete(healthy, "hh")
	Same(t, "mended", healthy, mended)

	OK(t, w.DB.Update(alter("cnum_tokens", 0, remove)))
	revision := w.Everything()["hh"]
	Same(t, "records written", 1, Must(doctor.RepairTokens(w.C))(t))
	if w.Everything()["hh"] == revision {
		t.Error("the repair of one record is no revision of its own")
	}
}

func TestTroubleWithTheStoreIsNoFaultWhereverItComes(t *testing.T) {
	w := busyWorld(t)
	d := &Trouble{DB: w.DB, After: 1 << 30}
	c := Must(chain.Open(d))(t)
	for d.After = 0; ; d.After++ {
		r, err := doctor.Run(c, nil)
		if err == nil {
			if d.After < 300 {
				t.Fatalf("after %d reads everything was read", d.After)
			}
			return
		}
		if !errors.Is(err, ErrDisk) || !r.IsClean() {
			t.Fatalf("with trouble after %d reads: %v, %+v", d.After, err, r.Faults)
		}
	}
}
