// Package cw721test replays recorded messages of the public contracts on any store:
// the scenarios and the single messages in core/cw721/testdata. Every store must give
// the recorded answers, byte for byte, and end with the recorded records.
//
// The package must not depend on how the answers are computed or on the kind of store.
package cw721test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"io/fs"
	"path"
	"strings"
	"testing"

	"ephemera/core/cw721"
)

// Scenario is a recorded sequence of messages to one collection.
type Scenario struct {
	Name    string
	File    string
	Rules   cw721.Rules
	Flavour cw721.Flavour
	Prefix  string
	Self    cw721.Address
	Steps   []Step
}

// Step is one line of a scenario: a message with its answer, or the whole storage.
type Step struct {
	At struct {
		Height cw721.Height
		Time   string // in nanoseconds
	}
	As cw721.Address
	// Instantiate, Execute and Query are the message: at most one of them is set.
	Instantiate json.RawMessage
	Execute     json.RawMessage
	Query       json.RawMessage
	Expect      Answer
	// State is the storage: keys in hex with their values.
	State [][2]string
}

// Answer is what the public contract answered: OK or Error is set.
type Answer struct {
	OK    json.RawMessage
	Error *struct {
		Kind cw721.Kind
		Text string // the text of the refusal; "" matches any
	}
}

// Single holds messages that were each tried on the state after the same set-up.
type Single struct {
	Name    string
	Rules   cw721.Rules
	Flavour cw721.Flavour
	Self    cw721.Address
	Setup   []struct {
		Op     string
		As     cw721.Address
		Msg    json.RawMessage
		Height cw721.Height
		Time   string
		Result Answer
	}
	Cases []struct {
		As             cw721.Address
		Execute, Query *string
		Result         Answer
	}
}

// Scenarios reads all scenarios in a testdata folder.
func Scenarios(t testing.TB, testdata fs.FS) []Scenario {
	var all []Scenario
	for _, file := range glob(t, testdata, "*.jsonl.gz", 87) {
		lines := bytes.Split(bytes.TrimSpace(readGzip(t, testdata, file)), []byte("\n"))
		s := Scenario{File: file, Flavour: cw721.FlavourOnchain}
		unmarshal(t, lines[0], &s)

		s.Steps = make([]Step, len(lines)-1)
		for i, line := range lines[1:] {
			unmarshal(t, line, &s.Steps[i])
		}
		all = append(all, s)
	}
	return all
}

func readGzip(t testing.TB, testdata fs.FS, file string) []byte {
	f, err := testdata.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()

	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// Singles reads all single messages in a testdata folder.
func Singles(t testing.TB, testdata fs.FS) []Single {
	var all []Single
	for _, file := range glob(t, testdata, "raw-*.json", 3) {
		text, err := fs.ReadFile(testdata, file)
		if err != nil {
			t.Fatal(err)
		}
		s := Single{Name: strings.TrimSuffix(path.Base(file), ".json")}
		unmarshal(t, text, &s)
		all = append(all, s)
	}
	return all
}

// glob returns the conformance files that match a pattern. It ends the test unless
// their number is want.
func glob(t testing.TB, testdata fs.FS, pattern string, want int) []string {
	t.Helper()
	files, err := fs.Glob(testdata, "conformance*/"+pattern)
	if err != nil || len(files) != want {
		t.Fatalf("there are %d files %s, %v; want %d", len(files), pattern, err, want)
	}
	return files
}

func unmarshal(t testing.TB, text []byte, target any) {
	if err := json.Unmarshal(text, target); err != nil {
		t.Fatalf("%s: %v", text[:min(len(text), 200)], err)
	}
}
