package persist_test

import (
	"bytes"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
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

// recorder is a store that keeps copies of the records that a Load writes.
type recorder struct {
	kv.DB
	records []kv.Pair
}

func (r *recorder) Load(fn func(kv.Writer) error) error { return fn(r) }

func (r *recorder) Set(key, value []byte) error {
	r.records = append(r.records, kv.Pair{Key: bytes.Clone(key), Value: bytes.Clone(value)})
	return nil
}

func (r *recorder) Delete([]byte) error { return nil }

// all yields the records.
func (r *recorder) all(yield func(kv.Pair, error) bool) {
	for _, p := range r.records {
		if !yield(p, nil) {
			return
		}
	}
}

// BenchmarkImportAMillionTokens imports a collection, against a bare WriteBatch
// of the very keys and bytes that the import writes, indexes included.
func BenchmarkImportAMillionTokens(b *testing.B) {
	if os.Getenv("EPHEMERA_BENCH_DIR") == "" {
		b.Skip("takes a minute, for .ci/bench")
	}
	plan := generate.Plan{Tokens: 1_000_000, Grants: 100_000, Seed: 7}
	g := kvtest.Must(plan.Genesis())(b)
	var imported recorder
	for p, err := range plan.Records() {
		check(b, err)
		check(b, imported.Set(p.Key, p.Value))
	}
	written := &recorder{DB: kv.NewMemory()}
	c := kvtest.Must(chain.Open(written))(b)
	_ = c.Import(g, imported.all, nil) // it fails when it reads what it has written
	for b.Loop() {
		bare := kvtest.Must(badger.Open(persist.BareOptions(filepath.Join(b.TempDir(), "bare"))))(b)
		start := time.Now()
		batch := bare.NewWriteBatch()
		for _, p := range written.records {
			check(b, batch.Set(portKey(p.Key), p.Value))
		}
		check(b, batch.Flush())
		theirs := time.Since(start)
		check(b, bare.Close())

		db := kvtest.Must(persist.Open(filepath.Join(b.TempDir(), "ours"), persist.Options{}))(b)
		c := kvtest.Must(chain.Open(db))(b)
		start = time.Now()
		check(b, c.Import(g, imported.all, nil))
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
	type question struct {
		name string
		ask  func(c *chain.Chain, id string)
	}
	query := func(name, format string) question {
		return question{name, func(c *chain.Chain, id string) {
			msg := strings.NewReplacer("ID", id, "ALICE", string(alice)).Replace(format)
			kvtest.Must(c.Query([]byte(msg)))(b)
		}}
	}
	for _, q := range []question{
		query("owner_of", `{"owner_of":{"token_id":"ID"}}`),
		query("nft_info", `{"nft_info":{"token_id":"ID"}}`),
		query("all_nft_info", `{"all_nft_info":{"token_id":"ID"}}`),
		query("approvals", `{"approvals":{"token_id":"ID"}}`),
		query("num_tokens", `{"num_tokens":{}}`),
		query("minter", `{"get_minter_ownership":{}}`),
		query("all_tokens 10", `{"all_tokens":{"start_after":"ID","limit":10}}`),
		query("all_tokens 100", `{"all_tokens":{"start_after":"ID","limit":100}}`),
		query("tokens 10", `{"tokens":{"owner":"ALICE","limit":10}}`),
		query("operators 10", `{"all_operators":{"owner":"ALICE","limit":1,"include_expired":true}}`),
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
