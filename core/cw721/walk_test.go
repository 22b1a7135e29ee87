package cw721_test

import (
	"fmt"
	"iter"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ephemera/core/cw721"
	"ephemera/core/kv"
	"ephemera/core/kv/kvtest"
)

// Where a walk begins and which way it goes is held by package kv.
func TestWalksOverTokensAndOperatorsGoAsTheyAreAsked(t *testing.T) {
	w := begin(t, "", "a", "aa", "b", "é")
	w.mints("bob", "ab")
	for _, name := range []string{"opa", "opb", "opc"} {
		w.does("alice", `{"approve_all":{"operator":"$`+name+`"}}`)
	}
	alice, place := cw721.Address(addr("alice")), "ab"
	w.read(func(r kv.Reader) error {
		for want, walk := range map[string]cw721.Walk{
			`["" "a" "aa" "ab" "b" "é"]`: {}, `["b" "é"]`: {Place: &place}, `["aa" "a" ""]`: {Place: &place, Reverse: true}, `["ab" "b" "é"]`: {Place: &place, Inclusive: true},
		} {
			ids := collect(t, cw721.TokenIDs(r, walk))
			var records []string
			for _, rec := range collect(t, cw721.Tokens(r, walk)) {
				records = append(records, rec.Key)
			}
			hers := slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return id == "ab" })
			if fmt.Sprintf("%q", ids) != want || !slices.Equal(ids, records) || !slices.Equal(hers, collect(t, cw721.TokenIDsOf(r, alice, walk))) {
				t.Errorf("%+v: keys %q, records %q, want %s", walk, ids, records, want)
			}
		}
		up, down := collect(t, cw721.OperatorsOf(r, alice, cw721.Walk{})), collect(t, cw721.OperatorsOf(r, alice, cw721.Walk{Reverse: true}))
		slices.Reverse(down)
		if diff := cmp.Diff(up, down); diff != "" || len(up) != 3 {
			t.Errorf("%d operators; up and down differ: %s", len(up), diff)
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
