package persist_test

import (
	"encoding/base64"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/kv"
	"ephemera/core/kv/kvtest"
	"ephemera/persist"
)

// A transaction holds at most 15 % of a memory table. What a contract can store
// has to fit, together with what undoing it takes.
func TestTheLargestThatAContractTakesIsDoneAndUndone(t *testing.T) {
	t.Parallel()
	alice, bob, hall := address(t, "alice", cw721.AccountBytes), address(t, "bob", cw721.AccountBytes), address(t, "hall", cw721.ContractBytes)
	text := func(n int) string { return base64.RawURLEncoding.EncodeToString(kvtest.Noise(n))[:n] }
	uri := func(n int) string { return "data:image/svg+xml," + text(n) }
	life := func(id, uri string) []string {
		return []string{
			fmt.Sprintf(`{"mint":{"token_id":%q,"owner":%q,"token_uri":%q}}`, id, alice, uri),
			fmt.Sprintf(`{"approve":{"token_id":%q,"spender":%q,"expires":{"at_height":1000}}}`, id, bob),
			fmt.Sprintf(`{"transfer_nft":{"token_id":%q,"recipient":%q}}`, id, bob),
			fmt.Sprintf(`{"update_nft_info":{"token_id":%q,"token_uri":%q}}`, id, uri+"v"),
		}
	}
	const refused = "the longest that is refused"
	for name, messages := range map[string][]string{
		"the longest metadata": life("1", uri(kv.MaxValue-1000)),
		"the longest id":       life(text(kv.MaxKey-200), uri(0)),
		"the longest payload": {
			fmt.Sprintf(`{"mint":{"token_id":"1","owner":%q}}`, alice),
			fmt.Sprintf(`{"send_nft":{"token_id":"1","contract":%q,"msg":%q}}`, hall,
				base64.StdEncoding.EncodeToString(kvtest.Noise(100<<10))),
		},
		refused: {`{"mint":{"token_id":"` + strings.Repeat("i", 159<<10) + `"}}`},
	} {
		t.Run(name, func(t *testing.T) {
			db := kvtest.Must(persist.Open(filepath.Join(t.TempDir(), "db"), persist.Options{}))(t)
			c := kvtest.Must(chain.Open(db))(t)
			t.Cleanup(func() { kvtest.OK(t, c.Close()) })
			kvtest.Must(c.Create(chain.Genesis{}, alice, []byte(`{"name":"Apes","symbol":"APE"}`)))(t)
			for _, msg := range messages {
				r, err := c.Execute(alice, []byte(msg))
				if err != nil || (r.Err() != nil) != (name == refused) {
					t.Fatalf("%.60s…: %v, %v", msg, err, r.Err())
				}
			}
			if name == refused {
				return
			}
			for _, n := range []int{len(messages), 1} {
				kvtest.Must(c.Undo(n))(t)
				kvtest.Must(c.Redo(n))(t)
			}
		})
	}
}

func address(t *testing.T, name string, size int) cw721.Address {
	t.Helper()
	return kvtest.Must(chain.AddressFor("cosmos", name, size))(t)
}
