// Package dump reads and writes a contract's storage in the form that a
// CosmWasm chain prints it:
//
//	{"models":[{"key":HEX,"value":BASE64},…]}
//
// That is what `wasmd query wasm contract-state all --output json` and the REST
// path …/state give, so a collection can be carried between a chain and here.
// It also reads what other tools print: wasmd's YAML, keys in base64 (grpcurl,
// cosmjs), the contract_state of an exported genesis, and all of these packed
// with gzip. Both ways are streams: a million tokens pass through and are never
// held.
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

// noteName is the member that chains ignore and [Pages.Note] gives.
const noteName = "ephemera"

// Write writes records as one page: keys in upper-case hex, nothing between the
// tokens, one line end after all. note is a JSON value for the member "ephemera"
// before the records; nil is none. It stops at the first error, of records or of
// w, and returns it; what was written by then is not a dump.
func Write(w io.Writer, note []byte, records iter.Seq2[kv.Pair, error]) error {
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
	err := out(jsontext.BeginObject)
	if err == nil && note != nil {
		err = errors.Join(out(jsontext.String(noteName)), e.WriteValue(note))
	}
	if err != nil {
		return err
	}
	if err := out(jsontext.String("models"), jsontext.BeginArray); err != nil {
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
