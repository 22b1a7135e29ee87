package persist_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/dgraph-io/badger/v4"

	"ephemera/core/chain"
	"ephemera/persist"
)

// BenchmarkOpenAfterAKill opens a database whose process was killed when its
// log was as full as it gets: one message more, and it would have become a
// table. Bare Badger opens the same.
func BenchmarkOpenAfterAKill(b *testing.B) {
	dir := filepath.Join(b.TempDir(), "full")
	n := mintUntil(b, filepath.Join(b.TempDir(), "probe"), func(at string, n int) bool {
		tables, err := filepath.Glob(filepath.Join(at, "*.sst"))
		check(b, err)
		return len(tables) > 0
	})
	n -= n / 10 // a table appears a while after its log was full
	mintUntil(b, dir, func(_ string, minted int) bool { return minted == n })
	const opens = 15
	for b.Loop() {
		var ours, bare [opens]time.Duration
		for i := range opens {
			killed := copyOf(b, dir)
			start := time.Now()
			db, err := persist.Open(killed, persist.Options{})
			check(b, err)
			c, err := chain.Open(db)
			ours[i] = time.Since(start)
			check(b, err)
			check(b, c.Close())

			killed = copyOf(b, dir)
			start = time.Now()
			raw, err := badger.Open(persist.BareOptions(killed))
			bare[i] = time.Since(start)
			check(b, err)
			check(b, raw.Close())
		}
		slices.Sort(ours[:])
		slices.Sort(bare[:])
		b.ReportMetric(ours[opens/2].Seconds()/bare[opens/2].Seconds(), "x-bare")
		b.ReportMetric(ours[opens/2].Seconds()*1000, "ms/open")
		b.ReportMetric(bare[opens/2].Seconds()*1000, "ms/bare")
		b.ReportMetric(float64(n), "messages")
	}
}

// mintUntil mints tokens in a new database until it was enough, and gives how
// many. The database stays open, so that its directory is what a kill leaves.
func mintUntil(b *testing.B, dir string, enough func(dir string, minted int) bool) int {
	c, err := chain.Open(open(b, dir))
	check(b, err)
	alice := person(b, "alice")
	_, err = c.Create(chain.Genesis{}, alice, []byte(`{"name":"Apes","symbol":"APE"}`))
	check(b, err)
	for n := 0; ; n++ {
		if enough(dir, n) {
			return n
		}
		_, err := c.Execute(alice, fmt.Appendf(nil, `{"mint":{"token_id":%q,"owner":%q,"token_uri":"ipfs://bafy/%d"}}`, tokenID(n), alice, n))
		check(b, err)
	}
}

// copyOf copies a directory.
func copyOf(b *testing.B, dir string) string {
	b.Helper()
	to := filepath.Join(b.TempDir(), "copy")
	check(b, os.CopyFS(to, os.DirFS(dir)))
	syscall.Sync()
	return to
}
