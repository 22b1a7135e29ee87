package expiry

import (
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"ephemera/core/cw721"
	"ephemera/core/kv"
)

func TestAnEntryIsReadFromEveryIndexAndACutOneIsCorrupt(t *testing.T) {
	for _, g := range []cw721.Grant{
		{Kind: cw721.GrantApproval, Token: "a\x00b", Owner: "alice", Spender: "bob", Expires: cw721.UntilHeight(9)},
		{Kind: cw721.GrantApproval, Token: strings.Repeat("long ", 100), Owner: "alice", Spender: "bob"},
		{Kind: cw721.GrantOperator, Owner: "alice", Spender: "bob", Expires: cw721.UntilTime(9)},
		{Kind: cw721.GrantMinterOffer, Spender: "bob"},
	} {
		written := Entry{Grant: g, GrantedAt: cw721.Block{Height: 7, Time: 8}}
		value := encodeValue(written)
		for _, key := range keysOf(g) {
			read, err := DecodeEntry(key, value)
			if diff := gocmp.Diff(written, read); diff != "" || err != nil {
				t.Errorf("under %q: %v, (-want +got):\n%s", key, err, diff)
			}
			for size := range key {
				if _, err := DecodeEntry(key[:size], value); !kv.IsCorrupt(err) {
					t.Errorf("the first %d bytes of %q gave %v", size, key, err)
				}
			}
			if _, err := DecodeEntry(key, value[:blockSize-1]); !kv.IsCorrupt(err) {
				t.Errorf("a value that is cut short gave %v", err)
			}
		}
	}
}

// storeOf returns a store with the entries of grants.
func storeOf(grants []cw721.Grant) kv.DB {
	db := kv.NewMemory()
	_ = db.Update(func(txn kv.Txn) error {
		for _, g := range grants {
			_ = PutEntry(txn.Set, Entry{Grant: g})
		}
		return nil
	})
	return db
}
