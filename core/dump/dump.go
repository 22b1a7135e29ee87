// Package dump reads and writes a contract's storage in the form that a
// CosmWasm chain prints it:
//
//	{"models":[{"key":HEX,"value":BASE64},…]}
//
// That is what `wasmd query wasm contract-state all` and the REST path …/state
// give, so a collection can be carried between a chain and here. Both ways are
// streams: a million tokens pass through and are never held.
//
// The package must never know what a record means, nor where it comes from or
// goes to: chain checks records, and the caller opens files.
package dump

import (
	"encoding/base64"
	"encoding/hex"
	"errors"
	"io"
	"iter"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"ephemera/core/kv"
)

// Write writes records as one page: keys in upper-case hex, nothing between the
// tokens, one line end after all. It stops at the first error, of records or of
// w, and returns it; what was written by then is not a dump.
func Write(w io.Writer, records iter.Seq2[kv.Pair, error]) error {
	e := jsontext.NewEncoder(w)
	out := func(tokens ...jsontext.Token) (err error) {
		for _, t := range tokens {
			if err == nil {
				err = e.WriteToken(t)
			}
		}
		if failed := errors.Unwrap(err); failed != nil {
			return failed // as w put it, without what the encoder says before it
		}
		return err
	}
	if err := out(jsontext.BeginObject, jsontext.String("models"), jsontext.BeginArray); err != nil {
		return err
	}
	for p, err := range records {
		if err != nil {
			return err
		}
		key := strings.ToUpper(hex.EncodeToString(p.Key))
		value := base64.StdEncoding.EncodeToString(p.Value)
		err := out(
			jsontext.BeginObject,
			jsontext.String("key"), jsontext.String(key),
			jsontext.String("value"), jsontext.String(value),
			jsontext.EndObject,
		)
		if err != nil {
			return err
		}
	}
	return out(jsontext.EndArray, jsontext.EndObject)
}
