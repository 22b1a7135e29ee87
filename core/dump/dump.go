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
	"bufio"
	"encoding/base64"
	"fmt"
	"io"
	"iter"

	"ephemera/core/kv"
)

// noteName is the member that chains ignore and [Pages.Note] gives.
const noteName = "ephemera"

// Write writes records as one page: keys in upper-case hex, nothing between the
// tokens, one line end after all. note is a JSON value for the member "ephemera"
// before the records; nil is none. It stops at the first error, of records or of
// w, and returns it; what was written by then is not a dump.
func Write(w io.Writer, note []byte, records iter.Seq2[kv.Pair, error]) error {
	out := bufio.NewWriter(w) // which keeps its first error
	out.WriteByte('{')
	if note != nil {
		fmt.Fprintf(out, "%q:%s,", noteName, note)
	}
	out.WriteString(`"models":[`)
	comma := ""
	for p, err := range records {
		if err != nil {
			return err
		}
		if _, err := fmt.Fprintf(out, `%s{"key":"%X","value":"%s"}`, comma, p.Key, base64.StdEncoding.EncodeToString(p.Value)); err != nil {
			return err
		}
		comma = ","
	}
	out.WriteString("]}\n")
	return out.Flush()
}
