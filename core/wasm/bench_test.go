package wasm_test

import (
	"fmt"
	"path/filepath"
	"testing"

	"ephemera/core/kv"
	"ephemera/core/wasm"
)

const collection = `{"name":"Apes","symbol":"APE","minter":"` + alice + `","creator":"` + alice + `"}`

// collectionOf is a compiled collection with a hundred tokens of alice.
func collectionOf(b *testing.B) *world {
	w := beginModule(b, read(b, filepath.Join(contracts(b), "cw721_metadata_onchain_v0.19.0.wasm")), wasm.Options{})
	err := w.db.Update(func(t kv.Txn) error {
		_, err := w.Instantiate(t, w.env, alice, []byte(collection))
		return err
	})
	if err != nil {
		b.Fatal(err)
	}
	for i := range 100 {
		w.does(mint(i))
	}
	return w
}

func mint(i int) string {
	return fmt.Sprintf(`{"mint":{"token_id":"%d","owner":"%s"}}`, i, alice)
}

func BenchmarkExecute(b *testing.B) {
	w := collectionOf(b)
	b.ResetTimer()
	for i := range b.N {
		w.does(mint(1000 + i))
	}
}

func BenchmarkOwnerOf(b *testing.B) {
	w := collectionOf(b)
	b.ResetTimer()
	for range b.N {
		if _, err := w.query(`{"owner_of":{"token_id":"50"}}`); err != nil {
			b.Fatal(err)
		}
	}
}

// A call that fails in the contract's memory gives up its instance: this one
// names an entry point that there is not.
func BenchmarkFreshInstance(b *testing.B) {
	w := collectionOf(b)
	b.ResetTimer()
	for range b.N {
		_ = w.db.Update(func(t kv.Txn) error {
			_, err := w.Reply(t, w.env, wasm.Reply{})
			return err
		})
		if _, err := w.query(`{"owner_of":{"token_id":"50"}}`); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkLoad(b *testing.B) {
	code := read(b, filepath.Join(contracts(b), "cw721_metadata_onchain_v0.19.0.wasm"))
	for _, kind := range []string{"compile", "cached"} {
		b.Run(kind, func(b *testing.B) {
			o := wasm.Options{}
			if kind == "cached" {
				o.CacheDir = b.TempDir()
				beginModule(b, code, o)
				b.ResetTimer()
			}
			for range b.N {
				c, err := wasm.Load(code, o)
				if err != nil {
					b.Fatal(err)
				}
				c.Close()
			}
		})
	}
}
