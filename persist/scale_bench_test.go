package persist_test

import (
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/dgraph-io/badger/v4"

	"ephemera/core/chain"
	"ephemera/core/chain/expiry"
	"ephemera/core/cw721"
	"ephemera/core/generate"
	"ephemera/core/kv"
	"ephemera/core/kv/kvtest"
	"ephemera/persist"
)

// benchDatabase gives the directory of a database of so many generated tokens
// that .ci/bench has made.
func benchDatabase(b *testing.B, tokens int) string {
	b.Helper()
	dir := os.Getenv("EPHEMERA_BENCH_DIR")
	if dir == "" {
		b.Skip("needs databases that .ci/bench makes")
	}
	return filepath.Join(dir, fmt.Sprint(tokens))
}

// BenchmarkOpenAMillionTokens opens a database and the chain in it, and bare
// Badger on the same directory, in turns.
func BenchmarkOpenAMillionTokens(b *testing.B) {
	dir := benchDatabase(b, 1_000_000)
	const opens = 101
	for b.Loop() {
		var ours, bare [opens]time.Duration
		for i := range opens {
			start := time.Now()
			raw, err := badger.Open(persist.BareOptions(dir))
			bare[i] = time.Since(start)
			check(b, err)
			check(b, raw.Close())

			start = time.Now()
			db := kvtest.Must(persist.Open(dir, persist.Options{}))(b)
			c, err := chain.Open(db)
			ours[i] = time.Since(start)
			check(b, err)
			check(b, c.Close())
		}
		slices.Sort(ours[:])
		slices.Sort(bare[:])
		b.ReportMetric(ours[opens/2].Seconds()/bare[opens/2].Seconds(), "x-bare")
		b.ReportMetric(ours[opens/2].Seconds()*1000, "ms/open")
		b.ReportMetric(bare[opens/2].Seconds()*1000, "ms/bare")
	}
}

// arena holds many records without a pointer for each.
type arena struct {
	bytes []byte
	ends  []int // of a key, of its value, and so on
}

func (a *arena) add(key, value []byte) {
	a.bytes = append(a.bytes, key...)
	a.ends = append(a.ends, len(a.bytes))
	a.bytes = append(a.bytes, value...)
	a.ends = append(a.ends, len(a.bytes))
}

func (a *arena) all() iter.Seq2[kv.Pair, error] {
	return func(yield func(kv.Pair, error) bool) {
		from := 0
		for i := 0; i < len(a.ends); i += 2 {
			key, value := a.bytes[from:a.ends[i]:a.ends[i]], a.bytes[a.ends[i]:a.ends[i+1]:a.ends[i+1]]
			from = a.ends[i+1]
			if !yield(kv.Pair{Key: key, Value: value}, nil) {
				return
			}
		}
	}
}

// written is a store that keeps what an import writes into it.
type written struct {
	kv.DB
	arena
}

type arenaWriter struct{ *arena }

func (w arenaWriter) Set(key, value []byte) error { w.add(key, value); return nil }
func (w arenaWriter) Delete([]byte) error         { return nil }

func (w *written) Load(fn func(kv.Writer) error) error { return fn(arenaWriter{&w.arena}) }

// BenchmarkImportAMillionTokens imports a collection, against a bare WriteBatch
// of the very keys and bytes that the import writes, indexes included.
func BenchmarkImportAMillionTokens(b *testing.B) {
	if os.Getenv("EPHEMERA_BENCH_DIR") == "" {
		b.Skip("takes a minute, for .ci/bench")
	}
	plan := generate.Plan{Tokens: 1_000_000, Grants: 100_000, Seed: 7}
	g := kvtest.Must(plan.Genesis())(b)
	var records arena
	for p, err := range plan.Records() {
		check(b, err)
		records.add(p.Key, p.Value)
	}
	twin := &written{DB: kv.NewMemory()}
	c := kvtest.Must(chain.Open(twin))(b)
	_ = c.Import(g, records.all(), nil) // what it writes is kept, and cannot be read again
	for b.Loop() {
		bare := kvtest.Must(badger.Open(persist.BareOptions(filepath.Join(b.TempDir(), "bare"))))(b)
		start := time.Now()
		batch := bare.NewWriteBatch()
		for p := range twin.all() {
			check(b, batch.Set(portKey(p.Key), p.Value))
		}
		check(b, batch.Flush())
		theirs := time.Since(start)
		check(b, bare.Close())

		db := kvtest.Must(persist.Open(filepath.Join(b.TempDir(), "ours"), persist.Options{}))(b)
		c := kvtest.Must(chain.Open(db))(b)
		start = time.Now()
		check(b, c.Import(g, records.all(), nil))
		ours := time.Since(start)
		check(b, c.Close())
		b.ReportMetric(ours.Seconds()/theirs.Seconds(), "x-bare")
		b.ReportMetric(ours.Seconds(), "s/import")
		b.ReportMetric(theirs.Seconds(), "s/bare")
	}
}

// BenchmarkQueriesAtAMillion asks everything at a million tokens and at a
// thousand, in turns.
func BenchmarkQueriesAtAMillion(b *testing.B) {
	open := func(tokens int) *chain.Chain {
		db := kvtest.Must(persist.Open(benchDatabase(b, tokens), persist.Options{}))(b)
		c := kvtest.Must(chain.Open(db))(b)
		b.Cleanup(func() { check(b, c.Close()) })
		return c
	}
	many, few := open(1_000_000), open(1000)
	alice, bob := person(b, "alice"), person(b, "bob")
	query := func(msg func(id string) string) func(*chain.Chain, string) {
		return func(c *chain.Chain, id string) {
			kvtest.Must(c.Query([]byte(msg(id))))(b)
		}
	}
	text := func(format string, args ...any) func(string) string {
		return func(string) string { return fmt.Sprintf(format, args...) }
	}
	of := func(format string) func(string) string {
		return func(id string) string { return fmt.Sprintf(format, id) }
	}
	for _, q := range []struct {
		name string
		ask  func(*chain.Chain, string)
	}{
		{"owner_of", query(of(`{"owner_of":{"token_id":%q}}`))},
		{"nft_info", query(of(`{"nft_info":{"token_id":%q}}`))},
		{"all_nft_info", query(of(`{"all_nft_info":{"token_id":%q}}`))},
		{"approvals", query(of(`{"approvals":{"token_id":%q}}`))},
		{"num_tokens", query(text(`{"num_tokens":{}}`))},
		{"minter", query(text(`{"get_minter_ownership":{}}`))},
		{"all_tokens 10", query(of(`{"all_tokens":{"start_after":%q,"limit":10}}`))},
		{"all_tokens 100", query(of(`{"all_tokens":{"start_after":%q,"limit":100}}`))},
		{"tokens 10", query(text(`{"tokens":{"owner":%q,"limit":10}}`, alice))},
		{"operators 10", query(text(`{"all_operators":{"owner":%q,"limit":1,"include_expired":true}}`, alice))},
		{"next ends", func(c *chain.Chain, _ string) {
			check(b, c.View(func(v *chain.View) error { return page(v.Grants(expiry.Index{}), 10) }))
		}},
		{"grants to bob", func(c *chain.Chain, _ string) {
			check(b, c.View(func(v *chain.View) error { return page(v.Grants(expiry.Index{Spender: bob}), 1) }))
		}},
		{"a window of tokens", func(c *chain.Chain, id string) {
			check(b, c.View(func(v *chain.View) error { return page(v.Tokens("", cw721.Walk{Place: &id}), 40) }))
		}},
	} {
		b.Run(q.name, func(b *testing.B) {
			for b.Loop() {
				var took [2]time.Duration
				const times = 300
				for i := range times {
					// Neighbours, as a person looks at them and as a test asks them.
					start := time.Now()
					q.ask(many, fmt.Sprintf("gen-%07d", 500_000+i))
					mid := time.Now()
					q.ask(few, fmt.Sprintf("gen-%07d", 500+i))
					took[0] += mid.Sub(start)
					took[1] += time.Since(mid)
				}
				b.ReportMetric(took[0].Seconds()/took[1].Seconds(), "ratio")
				b.ReportMetric(float64(took[0].Nanoseconds())/times, "ns/million")
				b.ReportMetric(float64(took[1].Nanoseconds())/times, "ns/thousand")
			}
		})
	}
}

// page reads so many and leaves the rest.
func page[T any](all iter.Seq2[T, error], n int) error {
	for _, err := range all {
		if err != nil {
			return err
		}
		if n--; n == 0 {
			break
		}
	}
	return nil
}

// BenchmarkPageInAMillion reads pages in the middle of a million tokens,
// against iteration over the bare keys of a copy.
func BenchmarkPageInAMillion(b *testing.B) {
	dir, copied := benchDatabase(b, 1_000_000), filepath.Join(b.TempDir(), "copy")
	check(b, os.CopyFS(copied, os.DirFS(dir)))
	db := kvtest.Must(persist.Open(dir, persist.Options{}))(b)
	ours := kvtest.Must(chain.Open(db))(b)
	b.Cleanup(func() { check(b, ours.Close()) })
	bare := kvtest.Must(badger.Open(persist.BareOptions(copied)))(b)
	b.Cleanup(func() { check(b, bare.Close()) })
	for _, size := range []int{10, 100, 1000} {
		id := func(i int) string { return fmt.Sprintf("gen-%07d", 250_000+i*7919%500_000) }
		b.Run(fmt.Sprint(size), func(b *testing.B) {
			compare(b, func(i int) {
				_, err := ours.Query(fmt.Appendf(nil, `{"all_tokens":{"start_after":%q,"limit":%d}}`, id(i), size))
				check(b, err)
			}, func(i int) {
				txn := bare.NewTransaction(false)
				defer txn.Discard()
				all := portKey([]byte("c\x00\x06tokens"))
				it := txn.NewIterator(badger.IteratorOptions{Prefix: all})
				defer it.Close()
				n := 0
				for it.Seek(append(all, id(i)...)); it.Valid() && n < size; it.Next() {
					n++
				}
				if n < size {
					b.Fatalf("%d keys, want %d", n, size)
				}
			})
		})
	}
}
