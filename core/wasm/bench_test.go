package wasm_test

import (
	"context"
	"path/filepath"
	"testing"

	"ephemera/core/kv"
	"ephemera/core/wasm"
)

const collection = `{"name":"Apes","symbol":"APE","minter":"` + alice + `","creator":"` + alice + `"}`

// newCollection instantiates a compiled collection and mints a token for alice.
func newCollection(b *testing.B) *world {
	w := newWorldOf(b, readFile(b, filepath.Join(contractsDir(b), "cw721_metadata_onchain_v0.19.0.wasm")), wasm.Options{})
	err := w.db.Update(func(t kv.Txn) error {
		_, err := w.Instantiate(t, w.env, alice, []byte(collection))
		return err
	})
	if err != nil {
		b.Fatal(err)
	}
	w.mustExecute(`{"mint":{"token_id":"50","owner":"` + alice + `"}}`)
	return w
}

// reportPerCall reports the duration of one call, in milliseconds.
func reportPerCall(b *testing.B, unit string) {
	b.ReportMetric(float64(b.Elapsed().Microseconds())/1000/float64(b.N), unit)
}

func BenchmarkFreshInstance(b *testing.B) {
	w := newCollection(b)
	b.ResetTimer()
	for range b.N {
		w.Forget()
		if _, err := w.query(`{"owner_of":{"token_id":"50"}}`); err != nil {
			b.Fatal(err)
		}
	}
	reportPerCall(b, "ms/call")
}

func BenchmarkLoad(b *testing.B) {
	code := readFile(b, filepath.Join(contractsDir(b), "cw721_metadata_onchain_v0.19.0.wasm"))
	for _, kind := range []string{"compile", "cached"} {
		b.Run(kind, func(b *testing.B) {
			o := wasm.Options{}
			if kind == "cached" {
				o.CacheDir = b.TempDir()
				newWorldOf(b, code, o)
				b.ResetTimer()
			}
			for range b.N {
				c, err := wasm.Load(context.Background(), code, o)
				if err != nil {
					b.Fatal(err)
				}
				c.Close()
			}
			reportPerCall(b, "ms/load")
		})
	}
}
