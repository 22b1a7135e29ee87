// Package dump reads and writes a contract's storage in the form that a
// CosmWasm chain prints it:
//
//	{"models":[{"key":HEX,"value":BASE64},…]}
//
// The command `wasmd query wasm contract-state all --output json` and the REST path
// …/state print this form. The package also reads what other tools print: wasmd's YAML,
// keys in base64 (grpcurl, cosmjs), the contract_state of an exported genesis, and all of
// these packed with gzip. It reads and writes one record at a time, so a dump of a million
// tokens takes little memory.
//
// The package must never know what a record means, nor where it comes from or goes to:
// package chain checks records, and the caller opens files.
package dump

import (
	"bufio"
	"encoding/base64"
	"fmt"
	"io"
	"iter"

	"ephemera/core/kv"
)

// noteName is the member of a page that holds the note of [Write]. Chains ignore it.
const noteName = "ephemera"

// Write writes records to w as a dump of one page, in one line:
//
//	{"ephemera":NOTE,"models":[{"key":"6E616D65","value":"Ym9i"},…]}
//
// note is a JSON value, or nil to leave out the member "ephemera". Write returns the first error
// of records or of w. What it has written by then is not a whole dump.
func Write(w io.Writer, note []byte, records iter.Seq2[kv.Pair, error]) error {
	buffered := bufio.NewWriter(w) // the last Flush returns the first error of any write
	buffered.WriteByte('{')
	if note != nil {
		fmt.Fprintf(buffered, "%q:%s,", noteName, note)
	}
	buffered.WriteString(`"models":[`)

	separator := "" // before the next record
	for pair, err := range records {
		if err != nil {
			return err
		}

		value := base64.StdEncoding.EncodeToString(pair.Value)
		_, err := fmt.Fprintf(buffered, `%s{"key":"%X","value":"%s"}`, separator, pair.Key, value)
		if err != nil {
			return err
		}
		separator = ","
	}

	buffered.WriteString("]}\n")
	return buffered.Flush()
}
