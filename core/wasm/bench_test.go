package wasm_test

import (
	"context"
	"path/filepath"
	"testing"

	"ephemera/core/kv"
	"ephemera/core/wasm"
)

const collection = `{"name":"Apes","symbol":"APE","minter":"` + alice + `","creator":"` + alice + `"}`

// collectionOf is a compiled collection with a token of alice.
func collectionOf(b *testing.B) *world {
	w := beginModule(b, read(b, filepath.Join(contracts(b), "cw721_metadata_onchain_v0.19.0.wasm")), wasm.Options{})
	err := w.db.Update(func(t kv.Txn) error {
		_, err := w.Instantiate(t, w.env, alice, []byte(collection))
		return err
	})
	if err != nil {
		b.Fatal(err)
	}
	w.does(`{"mint":{"token_id":"50","owner":"` + alice + `"}}`)
	return w
}

// perCall reports how long one took, in the unit of the table.
func perCall(b *testing.B, unit string) {
	b.ReportMetric(float64(b.Elapsed().Microseconds())/1000/float64(b.N), unit)
}

func BenchmarkFreshInstance(b *testing.B) {
	w := collectionOf(b)
	b.ResetTimer()
	for range b.N {
		w.Forget()
		if _, err := w.query(`{"owner_of":{"token_id":"50"}}`); err != nil {
			b.Fatal(err)
		}
	}
	perCall(b, "ms/call")
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
				c, err := wasm.Load(context.Background(), code, o)
				if err != nil {
					b.Fatal(err)
				}
				c.Close()
			}
			perCall(b, "ms/load")
		})
	}
}
