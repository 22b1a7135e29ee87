package chain_test

import (
	"errors"
	"strings"
	"testing"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/explain"
)

// probed runs the probe of a transfer by bob, with no end named.
func (w *world) probed() ([]explain.Probed, cw721.Expiration, error) {
	return w.probe("bob", `{"transfer_nft":{"token_id":"ape","recipient":"$carol"}}`, nil)
}

func (w *world) probe(who, msg string, at *cw721.Expiration) (rows []explain.Probed, end cw721.Expiration, err error) {
	err = w.c.View(func(v *chain.View) (err error) {
		rows, end, err = explain.Probe(v, address(who), []byte(msg), at)
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
		{`{"at_height":110}`, `{"never":{}}`, 0, 0, "no end changes the answer: bob is an operator of alice; it never ends"},
		{`{"at_height":110}`, `{"never":{}}`, 30, 0, "no end changes the answer: bob is an operator of alice; it never ends"},
		{`{"at_height":110}`, `{"at_time":"1100000000000"}`, 0, 1_100_000_000_000, ""}, // 20 blocks away
		{`{"at_height":130}`, `{"at_time":"1100000000000"}`, 0, 130, ""},
		{"", "", 0, 0, "bob has no right here that could end"},
	} {
		w := newWorld(t)
		w.mint("ape", "alice")
		if x.approval != "" {
			w.do("alice", `{"approve":{"token_id":"ape","spender":"$bob","expires":%s}}`, x.approval)
		}
		if x.operator != "" {
			w.do("alice", `{"approve_all":{"operator":"$bob","expires":%s}}`, x.operator)
		}
		if x.blocks > 0 {
			must(w.c.Advance(chain.Step{Blocks: x.blocks}))(t)
		}
		rows, end, err := w.probed()
		if x.end == 0 {
			if !errors.Is(err, explain.ErrNoEnd) || !strings.Contains(err.Error(), x.says) {
				t.Errorf("%+v: %v", x, err)
			}
			continue
		}
		if err != nil || end.Value != x.end || len(rows) != 3 {
			t.Errorf("%+v: probed %v: %v", x, end, err)
		}
	}
}

func TestTheOwnerNeedsNoRightThatEnds(t *testing.T) {
	w := newWorld(t)
	w.mint("ape", "bob")
	if _, _, err := w.probed(); !errors.Is(err, explain.ErrNoEnd) || !strings.Contains(err.Error(), "bob owns the token") {
		t.Errorf("the owner: %v", err)
	}
}

func TestAProbeBesideAnotherRightSaysWhatCarriesOn(t *testing.T) {
	w := newWorld(t)
	w.mint("ape", "alice")
	w.do("alice", `{"approve":{"token_id":"ape","spender":"$bob","expires":{"at_height":110}}}`)
	w.do("alice", `{"approve_all":{"operator":"$bob"}}`)
	end := cw721.UntilHeight(110)
	rows, _, err := w.probe("bob", `{"burn":{"token_id":"ape"}}`, &end)
	ok(t, err)
	if !explain.Steady(rows) || len(rows) != 3 {
		t.Fatalf("the answer changes: %+v", rows)
	}
	same(t, "before", "bob has an approval; height 109 < 110: live", rows[0].By)
	same(t, "at the end", "bob is an operator of alice; it never ends", rows[1].By)
}
