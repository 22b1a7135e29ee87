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

// world is the test contract over a store in memory.
type world struct {
	testing.TB
	*wasm.Contract
	db  kv.DB
	env wasm.Env
}

func begin(t testing.TB) *world { return beginWith(t, wasm.Options{}) }

func beginWith(t testing.TB, o wasm.Options) *world {
	return beginModule(t, read(t, "testdata/contract.wasm"), o)
}

func beginModule(t testing.TB, code []byte, o wasm.Options) *world {
	t.Helper()
	o.Prefix = prefix
	c := kvtest.Must(wasm.Load(context.Background(), code, o))(t)
	t.Cleanup(func() { c.Close() })
	return &world{TB: t, Contract: c, db: kv.NewMemory(), env: wasm.Env{
		Height: 1000, Time: 1_700_000_000_000_000_001, ChainID: "test-1", Self: "self", Creator: "creator",
	}}
}

func read(t testing.TB, file string) []byte {
	t.Helper()
	return kvtest.Must(os.ReadFile(file))(t)
}

func (w *world) execute(msg string) (r wasm.Response, err error) {
	err = w.db.Update(func(t kv.Txn) error {
		r, err = w.Execute(t, w.env, alice, []byte(msg))
		return err
	})
	return r, err
}

func (w *world) does(msg string) (r wasm.Response) {
	w.Helper()
	r, err := w.execute(msg)
	if err != nil {
		w.Fatalf("%s: %v", msg, err)
	}
	return r
}

func (w *world) query(msg string) (answer string, err error) {
	_ = w.db.View(func(r kv.Reader) error {
		var b []byte
		b, err = w.Query(r, w.env, []byte(msg))
		answer = string(b)
		return nil
	})
	return answer, err
}

func (w *world) says(msg, want string) {
	w.Helper()
	if got, err := w.query(msg); err != nil || got != want {
		w.Errorf("%s: %s %v\nwant %s", msg, got, err, want)
	}
}

// refuses holds an error to being a refusal with a text.
func (w *world) refuses(err error, text string) {
	w.Helper()
	var r *wasm.Refusal
	if !errors.As(err, &r) || r.Text != text {
		w.Errorf("%T %v\nwant a refusal: %s", err, err, text)
	}
}

// limits holds an error to being trouble of the machinery.
func (w *world) limits(err error, text string) {
	w.Helper()
	var l *wasm.LimitError
	if !errors.As(err, &l) || l.Text != text {
		w.Errorf("%T %v\nwant a limit: %s", err, err, text)
	}
}

// dump gives every record: key in hex, value as text.
func (w *world) dump() [][2]string { return kvtest.Dump(w, w.db, nil) }

const short = 100 * time.Millisecond
