package wasm_test

import (
	"bufio"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ephemera/core/kv"
	"ephemera/core/kv/kvtest"
	"ephemera/core/wasm"
)

// contractsDir returns the directory of compiled contracts by other authors, which are not
// part of this repository. It skips the test if EPHEMERA_CONTRACTS does not name one.
func contractsDir(t testing.TB) string {
	dir := os.Getenv("EPHEMERA_CONTRACTS")
	if dir == "" {
		t.Skip("EPHEMERA_CONTRACTS names no folder with compiled contracts")
	}
	return dir
}

// recorded is one line of a conformance file: a message that the CosmWasm VM passed to a
// compiled contract, and the contract's answer.
type recorded struct {
	At struct {
		Height uint64
		Time   string
	}
	As                          string
	Instantiate, Execute, Query json.RawMessage
	Expect                      struct {
		OK    json.RawMessage
		Error *struct{ Kind, Text string }
	}
	State [][2]string
}

func TestEveryRecordedAnswerOfTheVMIsRepeated(t *testing.T) {
	code := readFile(t, filepath.Join(contractsDir(t), "cw721_metadata_onchain_v0.19.0.wasm"))
	files, _ := filepath.Glob("../cw721/testdata/conformance/*.jsonl.gz")
	more, _ := filepath.Glob("../cw721/testdata/conformance-2/on19x-*.jsonl.gz")
	if len(files) < 30 {
		t.Fatalf("found %d conformance files", len(files))
	}
	byPrefix := map[string]*world{}
	for _, file := range append(files, more...) {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".jsonl.gz"), func(t *testing.T) {
			play(t, code, byPrefix, file)
		})
	}
	for _, w := range byPrefix {
		w.Close()
	}
}

func play(t *testing.T, code []byte, byPrefix map[string]*world, file string) {
	next := lines(t, file)
	var header struct{ Prefix, Self string }
	next(&header)
	w := byPrefix[header.Prefix]
	if w == nil {
		c := kvtest.Must(wasm.Load(context.Background(), code, wasm.Options{Prefix: header.Prefix}))(t)
		w = &world{Contract: c}
		byPrefix[header.Prefix] = w
	}
	w.TB, w.db, w.env = t, kv.NewMemory(), wasm.Env{ChainID: "cosmos-testnet-14002", Self: header.Self}
	steps := 0
	for ; ; steps++ {
		var s recorded
		if !next(&s) {
			break
		}
		if s.State != nil {
			if diff := cmp.Diff(s.State, w.dump()); diff != "" {
				t.Errorf("the storage differs after %d steps (-VM +host):\n%s", steps, diff)
			}
			continue
		}
		w.env.Height = s.At.Height
		w.env.Time, _ = strconv.ParseUint(s.At.Time, 10, 64)
		answer, err := w.step(s)
		if s.Instantiate != nil && err == nil {
			w.env.Creator = s.As
		}
		if complaint := s.compare(answer, err); complaint != "" {
			t.Errorf("step %d, as %s at %d: %s%s%s\n%s", steps+1, s.As, s.At.Height, s.Instantiate, s.Execute, s.Query, complaint)
		}
	}
	if steps < 2 {
		t.Error("the file has no steps")
	}
}

// lines returns a function that decodes the next line of a file of JSON Lines, and
// returns false after the last one.
func lines(t *testing.T, file string) func(into any) bool {
	f := kvtest.Must(os.Open(file))(t)
	t.Cleanup(func() { f.Close() })
	z := kvtest.Must(gzip.NewReader(f))(t)
	all := bufio.NewReader(z)
	return func(into any) bool {
		line, err := all.ReadBytes('\n')
		if err != nil && err != io.EOF {
			t.Fatal(err)
		}
		if len(line) == 0 {
			return false
		}
		if err := json.Unmarshal(line, into); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		return true
	}
}

func (w *world) step(s recorded) (answer string, err error) {
	if s.Query != nil {
		return w.query(string(s.Query))
	}
	err = w.db.Update(func(t kv.Txn) error {
		run, msg := w.Execute, s.Execute
		if s.Instantiate != nil {
			run, msg = w.Instantiate, s.Instantiate
		}
		r, err := run(t, w.env, s.As, msg)
		answer = responseJSON(r)
		return err
	})
	return answer, err
}

// responseJSON returns a response in the form of the conformance files: attributes and
// messages, these without their envelope.
func responseJSON(r wasm.Response) string {
	type attribute struct {
		Key   string `json:"key"`
		Value string `json:"value"`
	}
	all := struct {
		Attributes []attribute       `json:"attributes"`
		Messages   []json.RawMessage `json:"messages"`
	}{[]attribute{}, []json.RawMessage{}}
	for _, a := range r.Attributes {
		all.Attributes = append(all.Attributes, attribute(a))
	}
	for _, m := range r.Messages {
		all.Messages = append(all.Messages, json.RawMessage(m.Msg))
	}
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(all)
	return strings.TrimSpace(b.String())
}

// compare describes how an answer differs from the recorded one. It is empty if they are
// equal. A recorded refusal without a text is equal to any refusal.
func (s recorded) compare(answer string, err error) string {
	var refused *wasm.Refusal
	switch want := s.Expect.Error; {
	case err != nil && !errors.As(err, &refused):
		return "no answer: " + err.Error()
	case want == nil && err != nil:
		return "expected: " + string(s.Expect.OK) + "\n     got: " + err.Error()
	case want == nil && answer == "" && string(s.Expect.OK) == `""`:
		return "" // the files write an answer of no bytes so
	case want == nil && answer != string(s.Expect.OK):
		return "expected: " + string(s.Expect.OK) + "\n     got: " + answer
	case want != nil && err == nil:
		return "expected: " + want.Kind + " " + want.Text + "\n     got: " + answer
	case want != nil && want.Text != "" && refused.Text != want.Text:
		return "expected: " + want.Text + "\n     got: " + refused.Text
	}
	return ""
}
