package cw721

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"ephemera/core/wire"
)

func TestTheFastPathDecodesTokensAsJSONDoes(t *testing.T) {
	for _, approvals := range [][]Approval{{}, {{"bob", UntilHeight(7)}}} {
		if _, ok := parsePlainToken(wire.Encode(Token{Owner: "alice", Approvals: approvals})); !ok {
			t.Errorf("the fast path does not decode a plain token with the approvals %v", approvals)
		}
	}

	text := rapid.OneOf(rapid.String(), rapid.StringMatching(`[ -~]{0,12}`), rapid.StringMatching(`[a-z0-9:/."\\,{}\[\]]{0,12}`))
	rapid.Check(t, func(t *rapid.T) {
		want := Token{Owner: Address(text.Draw(t, "owner")), Approvals: []Approval{}}
		if rapid.Bool().Draw(t, "has a link") {
			uri := text.Draw(t, "link")
			want.TokenURI = &uri
		}
		for range rapid.IntRange(0, 2).Draw(t, "approvals") {
			want.Approvals = append(want.Approvals, Approval{Address(text.Draw(t, "spender")), UntilHeight(7)})
		}
		if rapid.Bool().Draw(t, "has metadata") {
			want.Extension.Metadata = &Metadata{}
		}

		// In a third of the cases, one byte of the record is changed.
		record := wire.Encode(want)
		index := rapid.IntRange(0, 3*len(record)).Draw(t, "index of a changed byte")
		if index < len(record) {
			record[index] = rapid.SampledFrom([]byte(" \"\\n}]\x00\xff1")).Draw(t, "changed byte")
		}

		fast, ok := parsePlainToken(record)
		if !ok {
			return
		}
		asJSON, err := StoredJSON[Token]().Decode(record)
		if diff := cmp.Diff(asJSON, fast); err != nil || diff != "" {
			t.Errorf("%q: %v (-as JSON +fast):\n%s", record, err, diff)
		}
	})
}

func TestTheFastPathDecodesNumbersAsJSONDoes(t *testing.T) {
	for _, text := range []string{"0", "7", "18446744073709551615", "18446744073709551616", "", "-1", "+1", "01", "1.0", "1e3", " 1", "1_0", "\"1\"", "null"} {
		got, err := storedNumber.Decode([]byte(text))
		want, wantErr := StoredJSON[uint64]().Decode([]byte(text))
		if got != want || (err == nil) != (wantErr == nil) {
			t.Errorf("%q: %d, %v, and as JSON %d, %v", text, got, err, want, wantErr)
		}
	}
}
