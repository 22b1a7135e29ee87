package expiry

import (
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"ephemera/core/cw721"
	"ephemera/core/kv"
)

func TestAnEntryIsReadFromEveryIndexAndACutOneIsNotedAsBroken(t *testing.T) {
	given := cw721.Block{Height: 7, Time: 8}
	for _, g := range []cw721.Grant{
		{Kind: cw721.GrantApproval, Token: "a\x00b", Owner: "alice", Spender: "bob", Expires: cw721.UntilHeight(9)},
		{Kind: cw721.GrantApproval, Token: strings.Repeat("long ", 100), Owner: "alice", Spender: "bob"},
		{Kind: cw721.GrantOperator, Owner: "alice", Spender: "bob", Expires: cw721.UntilTime(9)},
		{Kind: cw721.GrantMinterOffer, Spender: "bob"},
	} {
		want := Entry{g, given}
		for _, k := range keys(g) {
			got, err := DecodeEntry(k, value(want))
			if diff := gocmp.Diff(want, got); diff != "" || err != nil {
				t.Errorf("under %q: %v, (-want +got):\n%s", k, err, diff)
			}
			for n := range k {
				if _, err := DecodeEntry(k[:n], value(want)); !kv.IsCorrupt(err) {
					t.Errorf("the first %d bytes of %q gave %v", n, k, err)
				}
			}
			if _, err := DecodeEntry(k, value(want)[:valueSize-1]); !kv.IsCorrupt(err) {
				t.Errorf("a value that is cut short gave %v", err)
			}
		}
	}
}

func TestWhatHasExpiredComesLatestFirst(t *testing.T) {
	db := kv.NewMemory()
	end := func(e cw721.Expiration) cw721.Grant {
		return cw721.Grant{Kind: cw721.GrantOperator, Owner: "alice", Spender: "bob", Expires: e}
	}
	_ = db.Update(func(txn kv.Txn) error {
		for _, e := range []cw721.Expiration{cw721.UntilHeight(3), cw721.UntilHeight(5), cw721.UntilHeight(6), cw721.UntilTime(1), cw721.UntilTime(5), {}} {
			for _, k := range keys(end(e)) {
				_ = txn.Set(k, value(Entry{Grant: end(e)}))
			}
		}
		return nil
	})
	var got []cw721.Expiration
	_ = db.View(func(r kv.Reader) error {
		for e, err := range NewReader(r, cw721.Block{Height: 5, Time: 4}, func(h cw721.Height) cw721.Time { return cw721.Time(h) }).Past(Index{Owner: "alice"}) {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, e.Expires)
		}
		return nil
	})
	if diff := gocmp.Diff([]cw721.Expiration{cw721.UntilHeight(5), cw721.UntilHeight(3), cw721.UntilTime(1)}, got); diff != "" {
		t.Error(diff)
	}
}
