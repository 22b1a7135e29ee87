package cw721_test

import (
	"testing"

	"ephemera/core/cw721"
)

func TestEveryRecordHasAName(t *testing.T) {
	w := newWorld(t, cw721.RulesStandard, cw721.FlavourOnchain)
	w.mustInstantiate(fullInstantiate)
	w.mustMint("alice", "1")
	w.mustExecute("alice", `{"approve_all":{"operator":"$bob"}}`)
	names := map[string]int{}
	for _, p := range w.records() {
		names[cw721.CurrentLayout.RecordName(p.Key)]++
	}
	for _, want := range []string{"collection info", "number of tokens", "withdraw address", "contract version", "minter", "creator", "royalty info", "token 1",
		"owner index of " + addr("alice"), "operator " + addr("bob") + " of " + addr("alice")} {
		if names[want] != 1 {
			t.Errorf("%q names %d records", want, names[want])
		}
	}
	if names["record"] > 0 || cw721.CurrentLayout.RecordName([]byte("else")) != "record" {
		t.Errorf("a record has no name: %v", names)
	}
}
