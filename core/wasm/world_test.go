package wasm_test

import (
	"context"
	"errors"
	"os"
	"testing"
	"time"

	"ephemera/core/kv"
	"ephemera/core/kv/kvtest"
	"ephemera/core/wasm"
)

const (
	prefix = "cosmos"
	alice  = "cosmos1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqnrql8a"
	market = "cosmos1jyylvh2ut5pudan64uz3p5xm4zsdju3jk7drmutdhtv0320lrleq03xqxa" // whom the test contract sends to
)

// world is a contract with a store in memory.
type world struct {
	testing.TB
	*wasm.Contract
	db  kv.DB
	env wasm.Env
}

// newWorld loads the test contract of testdata/contract.wat, whose messages and queries
// are named after what they try.
func newWorld(t testing.TB) *world { return newWorldWith(t, wasm.Options{}) }

func newWorldWith(t testing.TB, o wasm.Options) *world {
	return newWorldOf(t, readFile(t, "testdata/contract.wasm"), o)
}

// newWorldOf loads another contract.
func newWorldOf(t testing.TB, code []byte, o wasm.Options) *world {
	t.Helper()
	o.Prefix = prefix
	c := kvtest.Must(wasm.Load(context.Background(), code, o))(t)
	t.Cleanup(func() { c.Close() })
	env := wasm.Env{
		Height:  1000,
		Time:    1_700_000_000_000_000_001,
		ChainID: "test-1",
		Self:    "self",
		Creator: "creator",
	}
	return &world{TB: t, Contract: c, db: kv.NewMemory(), env: env}
}

// contractsDir returns the directory of compiled contracts by other authors, which are not
// part of this repository. It skips the test if EPHEMERA_CONTRACTS does not name one.
func contractsDir(t testing.TB) string {
	dir := os.Getenv("EPHEMERA_CONTRACTS")
	if dir == "" {
		t.Skip("EPHEMERA_CONTRACTS names no folder with compiled contracts")
	}
	return dir
}

func readFile(t testing.TB, file string) []byte {
	t.Helper()
	return kvtest.Must(os.ReadFile(file))(t)
}

// execute sends a message as alice.
func (w *world) execute(msg string) (r wasm.Response, err error) {
	err = w.db.Update(func(t kv.Txn) error {
		r, err = w.Execute(t, w.env, alice, []byte(msg))
		return err
	})
	return r, err
}

func (w *world) mustExecute(msg string) wasm.Response {
	w.Helper()
	r, err := w.execute(msg)
	if err != nil {
		w.Fatalf("%s: %v", msg, err)
	}
	return r
}

func (w *world) query(msg string) (answer string, err error) {
	err = w.db.View(func(r kv.Reader) error {
		text, err := w.Query(r, w.env, []byte(msg))
		answer = string(text)
		return err
	})
	return answer, err
}

func (w *world) requireAnswer(query, want string) {
	w.Helper()
	if got, err := w.query(query); err != nil || got != want {
		w.Errorf("%s: got %s, %v\nwant %s", query, got, err, want)
	}
}

func (w *world) requireRefusal(err error, text string) {
	w.Helper()
	var refusal *wasm.Refusal
	if !errors.As(err, &refusal) || refusal.Text != text {
		w.Errorf("got %T %v\nwant a refusal: %s", err, err, text)
	}
}

func (w *world) requireLimit(err error, text string) {
	w.Helper()
	var limit *wasm.LimitError
	if !errors.As(err, &limit) || limit.Text != text {
		w.Errorf("got %T %v\nwant a limit: %s", err, err, text)
	}
}

// dump returns every record: its key in hex and its value as text.
func (w *world) dump() [][2]string { return kvtest.Dump(w, w.db, nil) }

const shortLimit = 100 * time.Millisecond
