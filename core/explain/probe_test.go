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

// transferByBob is a message for [probe].
const transferByBob = `{"transfer_nft":{"token_id":"ape","recipient":"$carol"}}`

// probe tries a message around an expiry. A nil expiry probes the one that decides about
// the message, which is the returned one.
func probe(w *World, sender, msg string, expiry *cw721.Expiration) (rows []explain.ProbeRow, probed cw721.Expiration, err error) {
	err = w.C.View(func(v *chain.View) (err error) {
		rows, probed, err = explain.Probe(v, Address(sender), []byte(msg), expiry)
		return err
	})
	return rows, probed, err
}

// worldWithGrants returns a collection at height 100 in which alice owns the token ape. bob
// has an approval and an operator grant with the given expiries, and none for an empty text.
func worldWithGrants(t *testing.T, approvalExpiry, operatorExpiry string) *World {
	t.Helper()
	w := New(t)
	w.Mint("ape", "alice")
	if approvalExpiry != "" {
		w.Do("alice", `{"approve":{"token_id":"ape","spender":"$bob","expires":%s}}`, approvalExpiry)
	}
	if operatorExpiry != "" {
		w.Do("alice", `{"approve_all":{"operator":"$bob","expires":%s}}`, operatorExpiry)
	}
	return w
}

func TestAProbeFindsTheExpiryAtWhichTheOutcomeChanges(t *testing.T) {
	for _, c := range []struct {
		approval, operator string // expiries of bob's grants
		blocks             uint64 // how many blocks passed since
		want               uint64 // the height or time of the expiry
	}{
		{approval: `{"at_height":110}`, want: 110},
		{approval: `{"at_height":110}`, operator: `{"at_height":120}`, want: 120}, // the operator grant outlasts the approval
		{approval: `{"at_height":120}`, operator: `{"at_height":110}`, want: 120},
		{approval: `{"at_height":110}`, operator: `{"at_height":120}`, blocks: 15, want: 120},
		{approval: `{"at_height":110}`, operator: `{"at_height":120}`, blocks: 30, want: 120},             // both have expired
		{approval: `{"at_height":110}`, operator: `{"at_time":"1100000000000"}`, want: 1_100_000_000_000}, // at height 120
		{approval: `{"at_height":130}`, operator: `{"at_time":"1100000000000"}`, want: 130},
	} {
		w := worldWithGrants(t, c.approval, c.operator)
		if c.blocks > 0 {
			Must(w.C.Advance(chain.ClockStep{Blocks: c.blocks}))(t)
		}

		rows, probed, err := probe(w, "bob", transferByBob, nil)
		if err != nil || probed.Value != c.want || len(rows) != 3 {
			t.Errorf("%+v: probed %v: %v", c, probed, err)
			continue
		}
		for i, row := range rows {
			value, _, _ := probed.NowAndEnd(row.Block)
			Same(t, "the block of a row", c.want+uint64(i)-1, value)
		}
	}
}

func TestAProbeFailsIfNoExpiryChangesTheOutcome(t *testing.T) {
	checkNoExpiry := func(w *World, reason string) {
		t.Helper()
		_, _, err := probe(w, "bob", transferByBob, nil)
		if !errors.As(err, new(*explain.NoExpiryError)) || !strings.Contains(err.Error(), reason) {
			t.Errorf("got %v, want %q", err, reason)
		}
	}

	const endless = "no expiry changes the answer: bob is an operator of alice; it never expires"
	w := worldWithGrants(t, `{"at_height":110}`, `{"never":{}}`)
	checkNoExpiry(w, endless)
	Must(w.C.Advance(chain.ClockStep{Blocks: 30}))(t)
	checkNoExpiry(w, endless)

	checkNoExpiry(worldWithGrants(t, "", ""), "bob has no grant here that could expire")

	owned := New(t)
	owned.Mint("ape", "bob")
	checkNoExpiry(owned, "bob owns the token")
}

func TestAProbeShowsTheOtherGrantThatPermitsTheMessage(t *testing.T) {
	w := worldWithGrants(t, `{"at_height":110}`, `{"never":{}}`)
	end := cw721.UntilHeight(110)
	rows, _, err := probe(w, "bob", `{"burn":{"token_id":"ape"}}`, &end)
	OK(t, err)
	if !explain.SameOnBothSides(rows) || len(rows) != 3 {
		t.Fatalf("the outcome changes: %+v", rows)
	}
	Same(t, "before", "bob has an approval; height 109 < 110: live", rows[0].AllowedBy)
	Same(t, "at the end", "bob is an operator of alice; it never expires", rows[1].AllowedBy)
}
