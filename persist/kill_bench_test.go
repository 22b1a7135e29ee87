//go:build unix

package persist_test

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/dgraph-io/badger/v4"

	"ephemera/core/chain"
	"ephemera/core/kv/kvtest"
	"ephemera/persist"
)

// BenchmarkOpenAfterAKill opens a million tokens whose process was killed when
// its log was nearly as full as it gets, with the check of the tables that is due
// then and without. Bare Badger opens the same.
func BenchmarkOpenAfterAKill(b *testing.B) {
	if dir := os.Getenv(victim); dir != "" {
		fmt.Println(victim, fillLog(b, dir))
		select {} // until it is killed
	}
	killed := copyOf(b, benchDatabase(b, 1_000_000))
	messages := killedAt(b, killed)
	const opens = 9
	for b.Loop() {
		var ours, checked, bare [opens]time.Duration
		for i := range opens {
			for open, took := range map[*func(string) (*persist.DB, error)]*time.Duration{&unchecked: &ours[i], &withCheck: &checked[i]} {
				dir := copyOf(b, killed)
				start := time.Now()
				db := kvtest.Must((*open)(dir))(b)
				c, err := chain.Open(db)
				*took = time.Since(start)
				check(b, err)
				check(b, c.Close())
				check(b, os.RemoveAll(dir))
			}

			dir := copyOf(b, killed)
			start := time.Now()
			raw, err := badger.Open(persist.BareOptions(dir))
			bare[i] = time.Since(start)
			check(b, err)
			check(b, raw.Close())
			check(b, os.RemoveAll(dir))
		}
		slices.Sort(ours[:])
		slices.Sort(bare[:])
		slices.Sort(checked[:])
		b.ReportMetric(checked[opens/2].Seconds()*1000, "ms/checked")
		b.ReportMetric(ours[opens/2].Seconds()/bare[opens/2].Seconds(), "x-bare")
		b.ReportMetric(ours[opens/2].Seconds()*1000, "ms/open")
		b.ReportMetric(bare[opens/2].Seconds()*1000, "ms/bare")
		b.ReportMetric(float64(messages), "messages")
	}
}

var (
	withCheck = func(dir string) (*persist.DB, error) { return persist.Open(dir, persist.Options{}) }
	unchecked = persist.OpenUnchecked
)

// victim names the database of the process that is to be killed.
const victim = "EPHEMERA_VICTIM"

// killedAt lets another process mint in a database, kills it, and tells how
// often it has minted.
func killedAt(b *testing.B, dir string) (messages int) {
	b.Helper()
	c := exec.Command(os.Args[0], "-test.run", "^$", "-test.benchtime", "1x", "-test.bench", "^"+b.Name()+"$")
	c.Env = append(os.Environ(), victim+"="+dir)
	says := kvtest.Must(c.StdoutPipe())(b)
	check(b, c.Start())
	for lines := bufio.NewScanner(says); lines.Scan(); {
		if _, err := fmt.Sscanf(lines.Text(), victim+" %d", &messages); err == nil {
			break
		}
	}
	check(b, c.Process.Kill())
	if _ = c.Wait(); messages == 0 {
		b.Fatal("it has minted nothing")
	}
	return messages
}

// fillLog mints until the log is nearly full. A log becomes a table when the
// memory for it is full, and that takes a tenth more than its bytes.
func fillLog(b *testing.B, dir string) (messages int) {
	db := open(b, dir)
	c := kvtest.Must(chain.Open(db))(b)
	minter := person(b, "minter")
	for ; ; messages++ {
		if messages%50 == 0 {
			info := kvtest.Must(db.Info())(b)
			if info.Log > persist.FullLog*8/10 {
				return messages
			}
		}
		r, err := c.Execute(minter, fmt.Appendf(nil, `{"mint":{"token_id":%q,"owner":%q,"token_uri":"ipfs://bafy/%d"}}`, tokenID(messages), minter, messages))
		check(b, err)
		check(b, r.Err())
	}
}

// copyOf copies a directory with the times of its files, without which each
// looks as if something else had been at it, and waits until the disk has it.
func copyOf(b *testing.B, dir string) string {
	b.Helper()
	to := filepath.Join(b.TempDir(), "copy")
	check(b, os.CopyFS(to, os.DirFS(dir)))
	files := kvtest.Must(os.ReadDir(dir))(b)
	for _, f := range files {
		info := kvtest.Must(f.Info())(b)
		check(b, os.Chtimes(filepath.Join(to, f.Name()), info.ModTime(), info.ModTime()))
	}
	syscall.Sync()
	return to
}
