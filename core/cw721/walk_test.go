package cw721_test

import (
	"iter"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ephemera/core/cw721"
	"ephemera/core/kv"
	"ephemera/core/kv/kvtest"
)

func TestWalksGoBothWaysFromAnywhere(t *testing.T) {
	ids := []string{"", "a", "aa", "b", "é"}
	w := begin(t, ids...)
	w.mints("bob", "ab")
	for _, name := range []string{"opa", "opb", "opc", "opd", "ope"} {
		w.does("alice", `{"approve_all":{"operator":"$`+name+`"}}`)
	}
	text := func(s string) *string { return &s }
	for _, c := range []struct {
		walk cw721.Walk
		want []string
	}{
		{cw721.Walk{}, ids},
		{cw721.Walk{Reverse: true}, []string{"é", "b", "aa", "a", ""}},
		{cw721.Walk{Place: text("a")}, []string{"aa", "b", "é"}},
		{cw721.Walk{Place: text("a"), Inclusive: true}, []string{"a", "aa", "b", "é"}},
		{cw721.Walk{Place: text("a"), Reverse: true}, []string{""}},
		{cw721.Walk{Place: text("a"), Inclusive: true, Reverse: true}, []string{"a", ""}},
		{cw721.Walk{Place: text("")}, []string{"a", "aa", "b", "é"}},
		{cw721.Walk{Place: text(""), Inclusive: true}, ids},
		{cw721.Walk{Place: text(""), Reverse: true}, nil},
		{cw721.Walk{Place: text("az"), Inclusive: true}, []string{"b", "é"}},
		{cw721.Walk{Place: text("az"), Inclusive: true, Reverse: true}, []string{"aa", "a", ""}},
	} {
		w.read(func(r kv.Reader) error {
			if diff := cmp.Diff(c.want, collect(t, cw721.TokenIDsOf(r, cw721.Address(addr("alice")), c.walk))); diff != "" {
				t.Errorf("%+v: %s", c.walk, diff)
			}
			var records []string
			for _, rec := range collect(t, cw721.Tokens(r, c.walk)) {
				if rec.Key != "ab" {
					records = append(records, rec.Key)
				}
			}
			without := slices.DeleteFunc(collect(t, cw721.TokenIDs(r, c.walk)), func(id string) bool { return id == "ab" })
			if !slices.Equal(records, without) || !slices.Equal(records, c.want) {
				t.Errorf("%+v: records %q, keys %q, want %q", c.walk, records, without, c.want)
			}
			return nil
		})
	}
	w.read(func(r kv.Reader) error {
		up := collect(t, cw721.OperatorsOf(r, cw721.Address(addr("alice")), cw721.Walk{}))
		down := collect(t, cw721.OperatorsOf(r, cw721.Address(addr("alice")), cw721.Walk{Reverse: true}))
		slices.Reverse(down)
		if diff := cmp.Diff(up, down); diff != "" || len(up) != 5 {
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
