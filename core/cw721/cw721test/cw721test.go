// Package cw721test plays what the real contracts were told and answered on any
// store: the scenarios and the single messages in core/cw721/testdata. Every
// store must give the same answers, byte for byte, and end with the same records.
//
// It must never know how an answer comes about, nor which store it has.
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

// Scenario is a recorded scenario.
type Scenario struct {
	Name, File string
	Rules      cw721.Rules
	Flavour    cw721.Flavour
	Prefix     string
	Self       cw721.Address
	Steps      []Step
}

// Step is one line of a scenario: a message with its answer, or the whole storage.
type Step struct {
	At struct {
		Height cw721.Height
		Time   string
	}
	As                          cw721.Address
	Instantiate, Execute, Query json.RawMessage
	Expect                      Answer
	// State is the storage: keys in hex with their values.
	State [][2]string
}

// Answer is what the contract said: one of the two is set.
type Answer struct {
	OK    json.RawMessage
	Error *struct {
		Kind cw721.Kind
		Text string // "" for any
	}
}

// Single are messages that were each tried on the state after a set-up.
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
func Scenarios(t testing.TB, testdata fs.FS) (all []Scenario) {
	for _, file := range glob(t, testdata, "*.jsonl.gz", 87) {
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
		s := Scenario{File: file, Flavour: cw721.FlavourOnchain}
		for i, line := range bytes.Split(bytes.TrimSpace(text), []byte("\n")) {
			if i == 0 {
				unmarshal(t, line, &s)
				continue
			}
			s.Steps = append(s.Steps, Step{})
			unmarshal(t, line, &s.Steps[i-1])
		}
		all = append(all, s)
	}
	return all
}

// Singles reads all single messages in a testdata folder.
func Singles(t testing.TB, testdata fs.FS) (all []Single) {
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

func glob(t testing.TB, testdata fs.FS, name string, n int) []string {
	t.Helper()
	files, err := fs.Glob(testdata, "conformance*/"+name)
	if err != nil || len(files) != n {
		t.Fatalf("there are %d files %s, %v; expected %d", len(files), name, err, n)
	}
	return files
}

func unmarshal(t testing.TB, text []byte, into any) {
	if err := json.Unmarshal(text, into); err != nil {
		t.Fatalf("%s: %v", text[:min(len(text), 200)], err)
	}
}
