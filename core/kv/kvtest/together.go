package kvtest

import (
	"encoding/binary"
	"sync"
	"testing"

	"ephemera/core/kv"
)

func writersTakeTurns(t *testing.T, db kv.DB) {
	const writers, turns = 4, 25
	var all sync.WaitGroup
	for range writers {
		all.Go(func() {
			for range turns {
				err := db.Update(func(tx kv.Txn) error {
					n, err := count(tx, "counter")
					if err != nil {
						return err
					}
					return tx.Set([]byte("counter"), binary.BigEndian.AppendUint64(nil, n+1))
				})
				if err != nil {
					t.Errorf("an update failed: %v", err)
				}
			}
		})
	}
	all.Wait()
	read(t, db, func(r kv.Reader) {
		n, err := count(r, "counter")
		OK(t, err)
		if n != writers*turns {
			t.Errorf("the counter is at %d, want %d: updates were lost", n, writers*turns)
		}
	})
}

// concurrentReaders has a writer that keeps some keys equal while readers
// look. It is the test that the race detector wants.
func concurrentReaders(t *testing.T, db kv.DB) {
	const readers, rounds = 4, 200
	keys := []string{"a", "b", "c"}
	done := make(chan struct{})
	var all sync.WaitGroup
	for range readers {
		all.Go(func() {
			for {
				if err := db.View(func(r kv.Reader) error { return equalCounts(t, r, keys) }); err != nil {
					t.Errorf("a view failed: %v", err)
				}
				select {
				case <-done:
					return
				default:
				}
			}
		})
	}
	for i := range uint64(rounds) {
		write(t, db, func(tx kv.Txn) {
			for _, k := range keys {
				OK(t, tx.Set([]byte(k), binary.BigEndian.AppendUint64(nil, i)))
			}
		})
	}
	close(done)
	all.Wait()
}

func equalCounts(t *testing.T, r kv.Reader, keys []string) error {
	first, err := count(r, keys[0])
	if err != nil {
		return err
	}
	for p, err := range r.Scan(kv.Range{Reverse: true}) {
		if err != nil {
			return err
		}
		if n := binary.BigEndian.Uint64(p.Value); n != first {
			t.Errorf("%q is %d where %q is %d: half a transaction is seen", p.Key, n, keys[0], first)
		}
	}
	return nil
}

// count reads a counter, which is 0 where it is absent.
func count(r kv.Reader, key string) (uint64, error) {
	value, ok, err := r.Get([]byte(key))
	if err != nil || !ok {
		return 0, err
	}
	return binary.BigEndian.Uint64(value), nil
}
