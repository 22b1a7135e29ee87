package persist_test

import (
	"bytes"
	"errors"
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"ephemera/core/kv"
	"ephemera/persist"
)

// TestAWriterReadsWhatReadersRead holds what a writer remembers of earlier
// transactions to what is in the database, whatever was done in between.
func TestAWriterReadsWhatReadersRead(t *testing.T) {
	db, err := persist.Open(t.TempDir(), persist.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	key := rapid.Custom(func(t *rapid.T) []byte { return fmt.Appendf(nil, "key-%d", rapid.IntRange(0, 400).Draw(t, "key")) })
	value := rapid.Custom(func(t *rapid.T) []byte {
		// Now and then one that is too long to be remembered.
		return bytes.Repeat([]byte{byte(rapid.IntRange(0, 255).Draw(t, "byte"))}, rapid.SampledFrom([]int{0, 1, 20, 5000}).Draw(t, "bytes"))
	})
	write := func(t *rapid.T, w kv.Writer) error {
		for range rapid.IntRange(0, 150).Draw(t, "writes") {
			var err error
			if k := key.Draw(t, "write"); rapid.IntRange(0, 3).Draw(t, "delete") == 0 {
				err = w.Delete(k)
			} else {
				err = w.Set(k, value.Draw(t, "value"))
			}
			if err != nil {
				return err
			}
		}
		return nil
	}
	thinkAgain := errors.New("think again")
	rapid.Check(t, func(t *rapid.T) {
		t.Repeat(map[string]func(*rapid.T){
			"commit": func(t *rapid.T) {
				if err := db.Update(func(txn kv.Txn) error { return write(t, txn) }); err != nil {
					t.Fatal(err)
				}
			},
			"give up": func(t *rapid.T) {
				err := db.Update(func(txn kv.Txn) error { return errors.Join(write(t, txn), thinkAgain) })
				if !errors.Is(err, thinkAgain) {
					t.Fatal(err)
				}
			},
			"load": func(t *rapid.T) {
				if err := db.Load(func(w kv.Writer) error { return write(t, w) }); err != nil {
					t.Fatal(err)
				}
			},
			"read": func(t *rapid.T) {
				keys := rapid.SliceOfN(key, 1, 300).Draw(t, "keys")
				err := db.Update(func(txn kv.Txn) error {
					return db.View(func(r kv.Reader) error {
						for _, k := range keys {
							got, ok, err := txn.Get(k)
							want, there, err2 := r.Get(k)
							if err != nil || err2 != nil || ok != there || !bytes.Equal(got, want) {
								t.Fatalf("%s: the writer reads %q, %v, %v; a reader %q, %v, %v", k, got, ok, err, want, there, err2)
							}
						}
						return nil
					})
				})
				if err != nil {
					t.Fatal(err)
				}
			},
		})
	})
}
