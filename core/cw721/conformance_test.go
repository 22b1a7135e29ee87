package cw721_test

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ephemera/core/cw721"
	"ephemera/core/kv"
	"ephemera/core/wire"
)

// recorded is one line of a conformance file: what the compiled contract was
// told, and what it said.
type recorded struct {
	At struct {
		Height cw721.Height
		Time   string
	}
	As                          cw721.Address
	Instantiate, Execute, Query json.RawMessage
	Expect                      struct {
		OK    json.RawMessage
		Error *struct {
			Kind cw721.Kind
			Text string
		}
	}
	State [][2]string
}

type recording struct {
	Rules  cw721.Rules
	Prefix string
	Self   cw721.Address
	steps  []recorded
}

func recordings(t testing.TB) []string {
	files, err := filepath.Glob("testdata/conformance/*.jsonl.gz")
	if err != nil || len(files) < 30 {
		t.Fatalf("found %d conformance files, %v", len(files), err)
	}
	return files
}

func readRecording(t testing.TB, file string) (r recording) {
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewReader(z)
	next := func(into any) bool {
		line, err := lines.ReadBytes('\n')
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
	next(&r)
	for {
		var s recorded
		if !next(&s) {
			return r
		}
		r.steps = append(r.steps, s)
	}
}

func TestTheContractAnswersAsTheCompiledOneDid(t *testing.T) {
	for _, file := range recordings(t) {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".jsonl.gz"), func(t *testing.T) {
			t.Parallel()
			play(t, readRecording(t, file))
		})
	}
}

// play holds the contract to every step of a recording and, at its end, to the
// whole storage.
func play(t *testing.T, r recording) {
	c := cw721.Contract{Rules: r.Rules, Flavour: cw721.FlavourOnchain, Prefix: r.Prefix}
	db := kv.NewMemory()
	env := cw721.Env{Self: r.Self}
	compared := false
	for n, s := range r.steps {
		if s.State != nil {
			compared = true
			if diff := cmp.Diff(s.State, dump(t, db)); diff != "" {
				t.Errorf("the storage differs after %d steps (-contract +engine):\n%s", n, diff)
			}
			continue
		}
		at, err := strconv.ParseUint(s.At.Time, 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		env.Block = cw721.Block{Height: s.At.Height, Time: cw721.Time(at)}
		answer, err := playStep(c, db, env, s)
		if s.Instantiate != nil && err == nil {
			env.Instantiator = s.As
		}
		if complaint := compare(s, answer, err); complaint != "" {
			t.Errorf("step %d, as %s at %d: %s%s%s\n%s", n+1, s.As, s.At.Height, s.Instantiate, s.Execute, s.Query, complaint)
		}
	}
	if !compared {
		t.Error("the file ends without a storage to compare with")
	}
}

func playStep(c cw721.Contract, db kv.DB, env cw721.Env, s recorded) (answer []byte, err error) {
	if s.Query != nil {
		_ = db.View(func(r kv.Reader) error {
			answer, err = c.Query(r, env, s.Query)
			return nil
		})
		return answer, err
	}
	err = db.Update(func(txn kv.Txn) error {
		run, msg := c.Execute, s.Execute
		if s.Instantiate != nil {
			run, msg = c.Instantiate, s.Instantiate
		}
		response, err := run(txn, env, cw721.Info{Sender: s.As}, msg)
		answer = wire.Encode(response)
		return err
	})
	return answer, err
}

// compare says how an answer differs from the recorded one; "" when it does
// not.
func compare(s recorded, answer []byte, err error) string {
	want := s.Expect.Error
	if want == nil {
		if err != nil {
			return "expected: " + string(s.Expect.OK) + "\n     got: " + err.Error()
		}
		if string(answer) != string(s.Expect.OK) {
			return "expected: " + string(s.Expect.OK) + "\n     got: " + string(answer)
		}
		return ""
	}
	got := cw721.AsError(err)
	switch {
	case err == nil:
		return "expected: " + string(want.Kind) + " " + want.Text + "\n     got: " + string(answer)
	case got == nil || got.Kind != want.Kind || want.Text != "" && got.Text != want.Text:
		return "expected: " + string(want.Kind) + " " + want.Text + "\n     got: " + err.Error()
	}
	return ""
}
