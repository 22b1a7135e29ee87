package wire_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"testing"

	"ephemera/core/wire"
)

// FuzzDecode holds the reader to three promises: it never panics, it leaves
// the text alone, and what it read can be written and read to the same again.
func FuzzDecode(f *testing.F) {
	for _, s := range []string{
		`{"stop":{}}`, `{"sole":{"sole":"\u0000é🎨"}}`, `{"stick":{"motif":"m","cents":18446744073709551615}}`,
		`{"send":{"to":"a","urgent":true,"pages":1,"weight":2,"stamp":{"motif":"","cents":0},"copies":[],"remarks":["x"],"extra":{"y":[{}]},"nothing":{}}}`,
		`{"three":{"a":null}}`, `{"stop":{}}x`, `{"stop":{},"stop":{}}`, `[`, `{"send":{"to":`, ``,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		before := bytes.Clone(text)
		var first, second call
		err := wire.Decode(text, &first)
		if !bytes.Equal(text, before) {
			t.Fatalf("the text was changed from %q to %q", before, text)
		}
		if err != nil {
			var refusal *wire.Error
			if !errors.As(err, &refusal) || refusal.Cause == "" {
				t.Fatalf("%q gives %v, which is no refusal", text, err)
			}
			if refusal.Offset < 0 || refusal.Offset > int64(len(text)) {
				t.Fatalf("%q: offset %d", text, refusal.Offset)
			}
			return
		}
		if !json.Valid(text) {
			t.Fatalf("%q was read and is no JSON", text)
		}
		for _, write := range []func(any) []byte{wire.Encode, wire.Compact} {
			out := write(first)
			if err := wire.Decode(out, &second); err != nil {
				t.Fatalf("%q was read, written as %q, and then refused: %v", text, out, err)
			}
			if again := write(second); !bytes.Equal(again, out) {
				t.Fatalf("%q was written as %q and then as %q", text, out, again)
			}
		}
	})
}
