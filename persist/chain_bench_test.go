package persist_test

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"iter"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/dgraph-io/badger/v4"

	"ephemera/core/chain"
	"ephemera/core/chain/chaintest"
	"ephemera/core/cw721"
	"ephemera/core/kv"
	"ephemera/core/kv/kvtest"
	"ephemera/persist"
)

// The benchmarks run the chain and bare Badger in turns, and report how many
// times as long the chain takes ("x-bare"): the median turn of one against the
// median turn of the other, so that whatever else the machine does in between
// counts for neither.

// compare runs both in short turns of many calls.
func compare(b *testing.B, ours, bare func(i int)) {
	const turn = 64
	var took [2][]time.Duration
	for n := 0; b.Loop(); n += turn {
		for side, fn := range []func(int){ours, bare} {
			start := time.Now()
			for i := range turn {
				fn(n + i)
			}
			took[side] = append(took[side], time.Since(start)/turn)
		}
	}
	report(b, took)
}

// alternate is compare for calls of which each is prepared for, off the clock,
// where its garbage is collected too. Each side has the first turn every other
// time: whoever begins finds the caches as the preparation has left them.
func alternate[T any](b *testing.B, prepare func(i int) T, ours func(i int), bare func(T)) {
	const turn = 64
	var took [2][]time.Duration
	for n := 0; b.Loop(); n += turn {
		ready := make([]T, turn)
		for i := range turn {
			ready[i] = prepare(n + i)
		}
		runtime.GC()
		sides := [2]func(i int){func(i int) { ours(n + i) }, func(i int) { bare(ready[i]) }}
		for k := range sides {
			side := (k + n/turn) % 2
			for i := range turn {
				start := time.Now()
				sides[side](i)
				took[side] = append(took[side], time.Since(start))
			}
		}
	}
	report(b, took)
}

func report(b *testing.B, took [2][]time.Duration) {
	var median [2]float64
	for side, all := range took {
		slices.Sort(all)
		median[side] = float64(all[len(all)/2].Nanoseconds())
	}
	b.ReportMetric(median[0]/median[1], "x-bare")
	b.ReportMetric(median[0], "chain-ns")
	b.ReportMetric(median[1], "bare-ns")
	b.ReportMetric(0, "ns/op") // a pair of turns says nothing
}

func check(b *testing.B, err error) {
	b.Helper()
	kvtest.OK(b, err)
}

func tokenID(i int) string { return fmt.Sprintf("ape-%08d", i) }

// person gives an address for a name.
func person(b *testing.B, name string) cw721.Address {
	a := chaintest.Address(name)
	return a
}

// collection gives the records of a collection of n tokens, all of alice.
func collection(b *testing.B, n int) iter.Seq2[kv.Pair, error] {
	b.Helper()
	c := kvtest.Must(chain.Open(kv.NewMemory()))(b)
	alice := person(b, "alice")
	kvtest.Must(c.Create(chain.Genesis{}, alice, []byte(`{"name":"Apes","symbol":"APE"}`)))(b)
	kvtest.Must(c.Execute(person(b, "bob"), fmt.Appendf(nil, `{"approve_all":{"operator":%q}}`, alice)))(b)
	for i := range n {
		msg := fmt.Appendf(nil, `{"mint":{"token_id":%q,"owner":%q,"token_uri":"ipfs://bafy/%d"}}`, tokenID(i), alice, i)
		r := kvtest.Must(c.Execute(alice, msg))(b)
		check(b, r.Err())
	}
	return func(yield func(kv.Pair, error) bool) {
		check(b, c.View(func(v *chain.View) error {
			for p, err := range v.Records() {
				if !yield(p, err) {
					break
				}
			}
			return nil
		}))
	}
}

// spy passes a store on and keeps what its transactions change.
type spy struct {
	kv.DB
	commits [][]kv.Change
}

func (s *spy) Update(fn func(kv.Txn) error) error {
	return s.DB.Update(func(t kv.Txn) error {
		o := kv.NewOverlay(t)
		if err := fn(o); err != nil {
			return err
		}
		changes, err := o.Changes()
		s.commits = append(s.commits, changes)
		return cmp.Or(err, kv.Apply(t, changes))
	})
}

// imported gives a chain over db that holds the collection.
func imported(b *testing.B, db kv.DB, records iter.Seq2[kv.Pair, error]) *chain.Chain {
	b.Helper()
	c := kvtest.Must(chain.Open(db))(b)
	check(b, c.Import(chain.Genesis{Clock: chain.Clock{Height: 100}}, records, nil))
	return c
}

func open(b *testing.B, dir string) *persist.DB {
	b.Helper()
	db := kvtest.Must(persist.Open(dir, persist.Options{}))(b)
	b.Cleanup(func() { check(b, db.Close()) })
	return db
}

// stored gives a chain on disk that holds the collection, closed and opened
// again so that all of it lies in tables.
func stored(b *testing.B, dir string, records iter.Seq2[kv.Pair, error]) *chain.Chain {
	b.Helper()
	db := kvtest.Must(persist.Open(dir, persist.Options{}))(b)
	imported(b, db, records)
	check(b, db.Close())
	c := kvtest.Must(chain.Open(open(b, dir)))(b)
	return c
}

// bareCopy gives Badger itself over a database with the same records.
func bareCopy(b *testing.B, dir string, records iter.Seq2[kv.Pair, error]) *badger.DB {
	b.Helper()
	db := kvtest.Must(persist.Open(dir, persist.Options{}))(b)
	imported(b, db, records)
	check(b, db.Close())
	bare := kvtest.Must(badger.Open(persist.BareOptions(dir)))(b)
	b.Cleanup(func() { check(b, bare.Close()) })
	return bare
}

// portKey is where a key of the port lies in Badger.
func portKey(key []byte) []byte { return append([]byte{1}, key...) }

// BenchmarkDurableExecute runs messages on a chain on disk, against synced
// commits of the keys and bytes that these very messages write: those of the
// contract, of the history and of the agenda, and the count of commits.
func BenchmarkDurableExecute(b *testing.B) {
	const tokens = 10_000
	alice, bob := person(b, "alice"), person(b, "bob")
	for name, message := range map[string]func(i int) []byte{
		"approve": func(i int) []byte {
			return fmt.Appendf(nil, `{"approve":{"spender":%q,"token_id":%q,"expires":{"at_height":%d}}}`, bob, tokenID(i*7919%tokens), 1000+i)
		},
		"transfer": func(i int) []byte {
			// Alice is operator of bob, so that tokens go to and fro.
			to := []cw721.Address{bob, alice}[i/tokens%2]
			return fmt.Appendf(nil, `{"transfer_nft":{"recipient":%q,"token_id":%q}}`, to, tokenID(i*7919%tokens))
		},
		"mint": func(i int) []byte {
			return fmt.Appendf(nil, `{"mint":{"token_id":"new-%d","owner":%q,"token_uri":"ipfs://bafy/%d"}}`, i, alice, i)
		},
		"refused": func(i int) []byte {
			return fmt.Appendf(nil, `{"burn":{"token_id":"none-%d"}}`, i)
		},
	} {
		b.Run(name, func(b *testing.B) {
			records := collection(b, tokens)
			ours := stored(b, filepath.Join(b.TempDir(), "ours"), records)
			bare := bareCopy(b, filepath.Join(b.TempDir(), "bare"), records)
			watch := &spy{DB: kv.NewMemory()}
			twin := imported(b, watch, records)
			var prepared [][]kv.Change
			prepare := func(i int) []kv.Change {
				for len(prepared) <= i {
					count := binary.BigEndian.AppendUint64(nil, uint64(len(prepared)))
					kvtest.Must(twin.Execute(alice, message(len(prepared))))(b)
					changes := watch.commits[len(watch.commits)-1]
					watch.commits = nil
					prepared = append(prepared, append(changes, kv.Change{Key: []byte("commits"), NewValue: count}))
				}
				return prepared[i]
			}
			alternate(b, prepare, func(i int) {
				kvtest.Must(ours.Execute(alice, message(i)))(b)
			}, func(changes []kv.Change) {
				check(b, bare.Update(func(txn *badger.Txn) error {
					return kv.Apply(kv.PrefixedWriter(txn, []byte{1}), changes)
				}))
			})
		})
	}
}

// BenchmarkOwnerOf asks for an owner through the chain, against a bare get.
func BenchmarkOwnerOf(b *testing.B) {
	for _, tokens := range []int{1_000, 100_000} {
		b.Run(fmt.Sprint(tokens), func(b *testing.B) {
			records := collection(b, tokens)
			ours := stored(b, filepath.Join(b.TempDir(), "ours"), records)
			bare := bareCopy(b, filepath.Join(b.TempDir(), "bare"), records)
			pick := func(i int) string { return tokenID(i * 7919 % tokens) }
			compare(b, func(i int) {
				kvtest.Must(ours.Query(fmt.Appendf(nil, `{"owner_of":{"token_id":%q}}`, pick(i))))(b)
			}, func(i int) {
				check(b, bare.View(func(txn *badger.Txn) error {
					item, err := txn.Get(portKey(append([]byte("c\x00\x06tokens"), pick(i)...)))
					if err == nil {
						_, err = item.ValueCopy(nil)
					}
					return err
				}))
			})
		})
	}
}
