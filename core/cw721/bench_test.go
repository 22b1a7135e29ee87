package cw721_test

import (
	"fmt"
	"testing"

	"ephemera/core/cw721"
	"ephemera/core/kv"
	"ephemera/core/kv/kvtest"
)

func BenchmarkOwnerOf(b *testing.B) {
	w := granted(b)
	w.asks(b, `{"owner_of":{"token_id":"1"}}`)
}

// asks asks the same thing over and over.
func (w *world) asks(b *testing.B, msg string) {
	w.read(func(r kv.Reader) error {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := w.Query(r, w.env, []byte(msg)); err != nil {
				return err
			}
		}
		return nil
	})
}

func BenchmarkAPageOfTokens(b *testing.B) {
	w := begin(b)
	for i := range 2000 {
		w.mints("alice", fmt.Sprintf("%04d", i))
	}
	for _, limit := range []int{10, 100, 1000} {
		b.Run(fmt.Sprint(limit), func(b *testing.B) {
			w.asks(b, fmt.Sprintf(`{"all_tokens":{"start_after":"0500","limit":%d}}`, limit))
		})
	}
}

func BenchmarkDecode(b *testing.B) {
	for name, text := range map[string]string{
		"approve": `{"approve":{"spender":"$bob","token_id":"1","expires":{"at_height":1000000}}}`,
		"mint":    `{"mint":{"token_id":"1","owner":"$bob","token_uri":"ipfs://u","extension":` + fullMetadata + `}}`,
	} {
		b.Run(name, func(b *testing.B) {
			msg := []byte(fill(text))
			b.ReportAllocs()
			for b.Loop() {
				if _, _, err := onchain.DecodeExecute(msg, nil); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkApprove(b *testing.B) {
	w := granted(b)
	msg := []byte(fill(`{"approve":{"spender":"$bob","token_id":"1","expires":{"at_height":1000000}}}`))
	info := cw721.Info{Sender: cw721.Address(addr("alice"))}
	b.ReportAllocs()
	for b.Loop() {
		err := w.db.Update(func(t kv.Txn) error {
			_, err := w.Execute(t, w.env, info, msg)
			return err
		})
		kvtest.OK(b, err)
	}
}
