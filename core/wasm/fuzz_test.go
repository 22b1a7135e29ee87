package wasm_test

import (
	"context"
	"encoding/binary"
	"errors"
	"testing"
	"time"

	"ephemera/core/kv"
	"ephemera/core/kv/kvtest"
	"ephemera/core/wasm"
)

// steps writes what the hostile contract is to do.
func steps(numbers ...uint32) (msg []byte) {
	for _, n := range numbers {
		msg = binary.LittleEndian.AppendUint32(msg, n)
	}
	return msg
}

// Where the hostile contract gets a region from: the first four numbers write
// one at 1000 for so many bytes at an offset.
func regionAt(at, offset, length uint32) []uint32 {
	return []uint32{0, at, offset, 0, 0, at + 4, length, 0, 0, at + 8, length, 0}
}

func FuzzWhatAHostileContractHandsToTheHost(f *testing.F) {
	key, value := regionAt(1000, 2000, 5), regionAt(1100, 3000, 9)
	join := func(parts ...[]uint32) []byte {
		var all []uint32
		for _, p := range parts {
			all = append(all, p...)
		}
		return steps(all...)
	}
	f.Add(join(key, value, []uint32{2, 1000, 1100, 0, 1, 1000, 0, 0, 3, 1000, 0, 0}), false)
	f.Add(join(key, []uint32{4, 0, 1000, 1, 4, 0, 0, 2, 5, 1, 0, 0, 6, 2, 0, 0, 7, 1, 0, 0}), true)
	f.Add(join(key, value, []uint32{8, 1000, 0, 0, 9, 1000, 1100, 0, 10, 1000, 1100, 0, 11, 1000, 0, 0, 12, 1000, 0, 0}), true)
	f.Add(join(key, []uint32{13, 0, 1, 1, 13, 1, 1000, 0}), false)
	f.Add(join(key, []uint32{14, 0, 1000, 0, 1, 1000, 0, 0}), false)
	f.Add(join(key, []uint32{14, 0xffffffff, 0, 0, 1, 1000, 0, 0, 15, 600, 0, 0}), false)
	f.Add(join(regionAt(1000, 0xfffffff0, 0xff), []uint32{1, 1000, 0, 0}), false)
	f.Add(join(regionAt(0x1ffff0, 8, 8), []uint32{1, 0x1ffffc, 0, 0, 1, 0xffffffff, 0, 0}), true)

	c, err := wasm.Load(context.Background(), readFile(f, "testdata/hostile.wasm"), wasm.Options{Prefix: prefix, TimeLimit: 2 * time.Second})
	kvtest.OK(f, err)
	f.Fuzz(func(t *testing.T, msg []byte, query bool) {
		w := &world{TB: t, Contract: c, db: kv.NewMemory(), env: wasm.Env{Self: "self", Debug: func(string) {}}}
		_ = w.db.Update(func(t kv.Txn) error {
			for _, key := range []string{"a", "b", "c", "\x00\x00\x00\x00\x00"} {
				if err := t.Set([]byte(key), []byte("value of "+key)); err != nil {
					return err
				}
			}
			return nil
		})
		before := len(w.dump())
		if query {
			_, err = w.query(string(msg))
		} else {
			_, err = w.execute(string(msg))
		}
		var (
			refused *wasm.Refusal
			stopped *wasm.LimitError
			tooBig  *kv.LimitError
		)
		switch {
		case err == nil:
			return
		case !errors.As(err, &refused) && !errors.As(err, &stopped) && !errors.As(err, &tooBig):
			t.Fatalf("%T %v", err, err)
		case len(w.dump()) != before:
			t.Fatal("a refused message changed the storage")
		}
	})
}

func FuzzNoModuleBringsTheHostDown(f *testing.F) {
	f.Add(readFile(f, "testdata/contract.wasm"))
	f.Add(readFile(f, "testdata/hostile.wasm"))
	f.Add(module("\x04\x01\x70\x01\x01\x02", "\x05\x01\x00\x01"))
	f.Fuzz(func(t *testing.T, code []byte) {
		c, err := wasm.Load(context.Background(), code, wasm.Options{Prefix: prefix, TimeLimit: 2 * time.Second})
		if err == nil {
			defer c.Close()
			w := &world{TB: t, Contract: c, db: kv.NewMemory()}
			_, _ = w.query(`{"count":{}}`)
			return
		}
		if !errors.As(err, new(*wasm.ModuleError)) && !errors.As(err, new(*wasm.LimitError)) {
			t.Fatalf("%T %v", err, err)
		}
	})
}
