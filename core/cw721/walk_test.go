package cw721_test

import (
	"iter"
	"slices"
	"testing"

	"ephemera/core/cw721"
	"ephemera/core/kv"
	"ephemera/core/kv/kvtest"
)

// Package kv tests where walks start and in which direction they go.
func TestAWalkReachesTheTokensAndOperatorsOfItsOwner(t *testing.T) {
	w := newCollection(t, "", "a", "b", "é")
	w.mustMint("bob", "ab")
	w.mustExecute("alice", `{"approve_all":{"operator":"$carol"}}`)
	w.mustExecute("bob", `{"approve_all":{"operator":"$dave"}}`)
	alice := cw721.Address(addr("alice"))
	place := "a"
	behindA := cw721.Walk{Place: &place}

	w.read(func(r kv.Reader) error {
		allIDs := collect(t, cw721.TokenIDs(r, behindA))
		ownIDs := collect(t, cw721.TokenIDsOf(r, alice, behindA))
		var recordIDs []string
		for _, record := range collect(t, cw721.Tokens(r, behindA)) {
			recordIDs = append(recordIDs, record.Key)
		}
		operators := collect(t, cw721.OperatorsOf(r, alice, cw721.Walk{}))

		if want := []string{"ab", "b", "é"}; !slices.Equal(allIDs, want) || !slices.Equal(recordIDs, want) {
			t.Errorf("the tokens behind a are %q, their records %q", allIDs, recordIDs)
		}
		if !slices.Equal(ownIDs, []string{"b", "é"}) {
			t.Errorf("alice's tokens behind a are %q", ownIDs)
		}
		if len(operators) != 1 || operators[0].Spender != cw721.Address(addr("carol")) {
			t.Errorf("alice's operators are %v", operators)
		}
		return nil
	})
}

func collect[T any](t *testing.T, seq iter.Seq2[T, error]) (all []T) {
	t.Helper()
	for v, err := range seq {
		kvtest.OK(t, err)
		all = append(all, v)
	}
	return all
}
