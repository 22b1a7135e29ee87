package explain_test

import (
	"errors"
	"strings"
	"testing"

	"ephemera/core/chain"
	. "ephemera/core/chain/chaintest"
	"ephemera/core/cw721"
	"ephemera/core/explain"
)

// probed runs the probe of a transfer by bob, with no end named.
func probed(w *World) ([]explain.ProbeRow, cw721.Expiration, error) {
	return probe(w, "bob", `{"transfer_nft":{"token_id":"ape","recipient":"$carol"}}`, nil)
}

func probe(w *World, who, msg string, at *cw721.Expiration) (rows []explain.ProbeRow, end cw721.Expiration, err error) {
	err = w.C.View(func(v *chain.View) (err error) {
		rows, end, err = explain.Probe(v, Address(who), []byte(msg), at)
		return err
	})
	return rows, end, err
}

func TestAProbeTakesTheEndAtWhichTheAnswerChanges(t *testing.T) {
	for _, x := range []struct {
		approval, operator string // what bob was given at height 100; "" for nothing
		blocks             uint64 // that passed since
		end                uint64 // 0 for none
		says               string // why there is none
	}{
		{`{"at_height":110}`, "", 0, 110, ""},
		{`{"at_height":110}`, `{"at_height":120}`, 0, 120, ""}, // the operator grant carries on
		{`{"at_height":120}`, `{"at_height":110}`, 0, 120, ""},
		{`{"at_height":110}`, `{"at_height":120}`, 15, 120, ""},
		{`{"at_height":110}`, `{"at_height":120}`, 30, 120, ""}, // what was over last
		{`{"at_height":110}`, `{"never":{}}`, 0, 0, "no expiry changes the answer: bob is an operator of alice; it never expires"},
		{`{"at_height":110}`, `{"never":{}}`, 30, 0, "no expiry changes the answer: bob is an operator of alice; it never expires"},
		{`{"at_height":110}`, `{"at_time":"1100000000000"}`, 0, 1_100_000_000_000, ""}, // 20 blocks away
		{`{"at_height":130}`, `{"at_time":"1100000000000"}`, 0, 130, ""},
		{"", "", 0, 0, "bob has no grant here that could expire"},
	} {
		w := New(t)
		w.Mint("ape", "alice")
		if x.approval != "" {
			w.Do("alice", `{"approve":{"token_id":"ape","spender":"$bob","expires":%s}}`, x.approval)
		}
		if x.operator != "" {
			w.Do("alice", `{"approve_all":{"operator":"$bob","expires":%s}}`, x.operator)
		}
		if x.blocks > 0 {
			Must(w.C.Advance(chain.ClockStep{Blocks: x.blocks}))(t)
		}
		rows, end, err := probed(w)
		if x.end == 0 {
			if !errors.Is(err, explain.ErrNoExpiry) || !strings.Contains(err.Error(), x.says) {
				t.Errorf("%+v: %v", x, err)
			}
			continue
		}
		if err != nil || end.Value != x.end || len(rows) != 3 {
			t.Errorf("%+v: probed %v: %v", x, end, err)
		}
	}
}

func TestTheOwnerNeedsNoGrantThatExpires(t *testing.T) {
	w := New(t)
	w.Mint("ape", "bob")
	if _, _, err := probed(w); !errors.Is(err, explain.ErrNoExpiry) || !strings.Contains(err.Error(), "bob owns the token") {
		t.Errorf("the owner: %v", err)
	}
}

func TestAProbeBesideAnotherRightSaysWhatCarriesOn(t *testing.T) {
	w := New(t)
	w.Mint("ape", "alice")
	w.Do("alice", `{"approve":{"token_id":"ape","spender":"$bob","expires":{"at_height":110}}}`)
	w.Do("alice", `{"approve_all":{"operator":"$bob"}}`)
	end := cw721.UntilHeight(110)
	rows, _, err := probe(w, "bob", `{"burn":{"token_id":"ape"}}`, &end)
	OK(t, err)
	if !explain.SameOnBothSides(rows) || len(rows) != 3 {
		t.Fatalf("the answer changes: %+v", rows)
	}
	Same(t, "before", "bob has an approval; height 109 < 110: live", rows[0].By)
	Same(t, "at the end", "bob is an operator of alice; it never expires", rows[1].By)
}
