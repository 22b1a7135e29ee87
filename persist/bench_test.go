package persist

import (
	"encoding/binary"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/dgraph-io/badger/v4"

	"ephemera/core/kv"
	"ephemera/core/kv/kvtest"
)

// Each benchmark runs the port and bare Badger in turns on one database, and
// reports how many times as long the port takes ("x-bare").

const records = 100_000

// contract is a prefix as the chain puts it before a contract's records.
var contract = []byte{'c'}

func tokenKey(i int) []byte { return fmt.Appendf(nil, "\x00\x06tokensape-%08d", i) }

// bareKey is where the record lies in Badger.
func bareKey(i int) []byte { return portKey(append([]byte{'c'}, tokenKey(i)...)) }

// filled gives a database with many tokens in its tables.
func filled(b *testing.B) *DB {
	b.Helper()
	dir := filepath.Join(b.TempDir(), "db")
	db := open(b, dir, Options{})
	err := db.Load(func(w kv.Writer) error {
		for i := range records {
			value := fmt.Appendf(nil, `{"owner":"cosmos1%038d","approvals":[],"token_uri":"ipfs://%d"}`, i, i)
			if err := w.Set(append([]byte{'c'}, tokenKey(i)...), value); err != nil {
				return err
			}
		}
		return nil
	})
	kvtest.OK(b, err)
	// Reopened, all of it lies in tables and nothing in memory.
	kvtest.OK(b, db.Close())
	return open(b, dir, Options{})
}

// compare runs both in short turns, so that whatever else the machine does
// falls on both alike.
func compare(b *testing.B, port, bare func(i int)) {
	const turn = 16
	var took [2]time.Duration
	for _, fn := range []func(int){port, bare} {
		for i := range turn {
			fn(i)
		}
	}
	n := 0
	for b.Loop() {
		for side, fn := range []func(int){port, bare} {
			start := time.Now()
			for i := range turn {
				fn(n + i)
			}
			took[side] += time.Since(start)
		}
		n += turn
	}
	b.ReportMetric(float64(took[0])/float64(took[1]), "x-bare")
	b.ReportMetric(float64(took[0].Nanoseconds())/float64(n), "port-ns")
	b.ReportMetric(float64(took[1].Nanoseconds())/float64(n), "bare-ns")
	b.ReportMetric(0, "ns/op") // a pair of turns says nothing
}

func BenchmarkGet(b *testing.B) {
	db := filled(b)
	pick := func(i int) int { return i * 7919 % records }
	compare(b, func(i int) {
		err := db.View(func(r kv.Reader) error {
			_, ok, err := kv.PrefixedReader(r, contract).Get(tokenKey(pick(i)))
			if !ok {
				b.Fatal("not found")
			}
			return err
		})
		kvtest.OK(b, err)
	}, func(i int) {
		err := db.badger.View(func(txn *badger.Txn) error {
			item, err := txn.Get(bareKey(pick(i)))
			if err != nil {
				return err
			}
			_, err = item.ValueCopy(nil)
			return err
		})
		kvtest.OK(b, err)
	})
}

func BenchmarkScanKeys(b *testing.B) { benchmarkScan(b, true) }

func BenchmarkScanValues(b *testing.B) { benchmarkScan(b, false) }

func benchmarkScan(b *testing.B, keysOnly bool) {
	db := filled(b)
	all := []byte("\x00\x06tokens")
	opt := badger.IteratorOptions{Prefix: portKey(append([]byte{'c'}, all...)), PrefetchValues: !keysOnly}
	for _, page := range []int{10, 100, 1000} {
		pick := func(i int) int { return i * 7919 % (records - page) }
		opt.PrefetchSize = page
		b.Run(fmt.Sprint(page), func(b *testing.B) {
			compare(b, func(i int) {
				err := db.View(func(r kv.Reader) error {
					n := 0
					rng := kv.Range{Start: tokenKey(pick(i)), End: kv.PrefixEnd(all), KeysOnly: keysOnly}
					for p, err := range kv.PrefixedReader(r, contract).Scan(rng) {
						if err != nil || len(p.Key) == 0 || keysOnly == (len(p.Value) > 0) {
							b.Fatal("not a record")
						}
						if n++; n == page {
							break
						}
					}
					return nil
				})
				kvtest.OK(b, err)
			}, func(i int) {
				txn := db.badger.NewTransaction(false)
				defer txn.Discard()
				it := txn.NewIterator(opt)
				defer it.Close()
				n := 0
				for it.Seek(bareKey(pick(i))); it.Valid() && n < page; it.Next() {
					item := it.Item()
					if len(item.Key()) == 0 {
						b.Fatal("not a record")
					}
					if !keysOnly {
						kvtest.OK(b, item.Value(func([]byte) error { return nil }))
					}
					n++
				}
			})
		})
	}
}

// BenchmarkUpdate writes four records, as a message of the contract does.
func BenchmarkUpdate(b *testing.B) {
	b.Run("plain", func(b *testing.B) {
		benchmarkUpdate(b, func(tx kv.Txn, keys [][]byte, value []byte) error {
			for _, k := range keys {
				if err := tx.Set(k, value); err != nil {
					return err
				}
			}
			return nil
		})
	})
	b.Run("read and recorded", func(b *testing.B) {
		benchmarkUpdate(b, func(tx kv.Txn, keys [][]byte, value []byte) error {
			r := kv.NewOverlay(tx)
			for _, k := range keys {
				if _, _, err := r.Get(k); err != nil {
					return err
				}
				if err := r.Set(k, value); err != nil {
					return err
				}
			}
			if changes := kvtest.Must(r.Changes())(b); len(changes) != len(keys) {
				b.Fatal("a change is missing")
			}
			return r.Flush(tx)
		})
	})
}

func benchmarkUpdate(b *testing.B, write func(tx kv.Txn, keys [][]byte, value []byte) error) {
	db := filled(b)
	keys := func(i int) (all [][]byte) {
		for n := range 4 {
			all = append(all, tokenKey((i*4+n)*7919%records))
		}
		return all
	}
	value := func(i uint64) []byte { return binary.BigEndian.AppendUint64(make([]byte, 120), i) }
	compare(b, func(i int) {
		err := db.Update(func(tx kv.Txn) error {
			return write(kv.Prefixed(tx, contract), keys(i), value(uint64(i)))
		})
		kvtest.OK(b, err)
	}, func(i int) {
		err := db.badger.Update(func(txn *badger.Txn) error {
			for _, k := range keys(i) {
				if err := txn.Set(portKey(append([]byte{'c'}, k...)), value(uint64(i)+1<<40)); err != nil {
					return err
				}
			}
			return nil
		})
		kvtest.OK(b, err)
	})
}

func BenchmarkLoad(b *testing.B) {
	db := open(b, filepath.Join(b.TempDir(), "db"), Options{})
	value := make([]byte, 120)
	const batch = 10_000
	compare(b, func(i int) {
		err := db.Load(func(w kv.Writer) error {
			for n := range batch {
				if err := w.Set(tokenKey(i*batch+n), value); err != nil {
					return err
				}
			}
			return nil
		})
		kvtest.OK(b, err)
	}, func(i int) {
		w := db.badger.NewWriteBatch()
		for n := range batch {
			kvtest.OK(b, w.Set(bareKey(i*batch+n), value))
		}
		kvtest.OK(b, w.Flush())
	})
}
