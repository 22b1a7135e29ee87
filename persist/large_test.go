package persist_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/kv"
	"ephemera/persist"
)

// A transaction holds at most 15 % of a memory table. Whatever a contract can
// store has to fit, together with what undoing it takes.
func TestATokenAsLargeAsAContractMayStoreItIsWorkedWithAndUndone(t *testing.T) {
	db, err := persist.Open(filepath.Join(t.TempDir(), "db"), persist.Options{})
	must(t, err)
	c, err := chain.Open(db)
	must(t, err)
	t.Cleanup(func() { must(t, c.Close()) })
	person := func(name string) cw721.Address {
		a, err := chain.AddressFor("cosmos", name, cw721.AccountBytes)
		must(t, err)
		return a
	}
	alice, bob := person("alice"), person("bob")
	_, err = c.Create(chain.Genesis{}, alice, []byte(`{"name":"Apes","symbol":"APE"}`))
	must(t, err)

	id := strings.Repeat("i", 16<<10)
	uri := "data:image/svg+xml," + strings.Repeat("u", kv.MaxValue-1000)
	messages := []string{
		fmt.Sprintf(`{"mint":{"token_id":%q,"owner":%q,"token_uri":%q}}`, id, alice, uri),
		fmt.Sprintf(`{"approve":{"token_id":%q,"spender":%q}}`, id, bob),
		fmt.Sprintf(`{"transfer_nft":{"token_id":%q,"recipient":%q}}`, id, bob),
		fmt.Sprintf(`{"update_nft_info":{"token_id":%q,"token_uri":%q}}`, id, uri[:len(uri)-1]+"v"),
	}
	for _, msg := range messages {
		r, err := c.Execute(alice, []byte(msg))
		if err != nil || r.Err() != nil {
			t.Fatalf("%.60s…: %v, %v", msg, err, r.Err())
		}
	}
	owner := fmt.Appendf(nil, `{"owner_of":{"token_id":%q}}`, id)
	for _, n := range []int{len(messages), 1} {
		_, err = c.Undo(n)
		must(t, err)
		_, err = c.Redo(n)
		must(t, err)
	}
	if got, err := c.Query(owner); err != nil || !strings.Contains(string(got), string(bob)) {
		t.Errorf("%.200s, %v", got, err)
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
