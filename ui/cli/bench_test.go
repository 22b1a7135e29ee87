package cli_test

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"ephemera/core/chain/chaintest"
	"ephemera/ui/term/ptytest"
)

// benchDatabase returns the directory of a database with a number of generated tokens,
// which .ci/bench has made.
func benchDatabase(b *testing.B, tokens int) string {
	b.Helper()
	dir := os.Getenv("EPHEMERA_BENCH_DIR")
	if dir == "" {
		b.Skip("needs databases that .ci/bench makes")
	}
	return filepath.Join(dir, fmt.Sprint(tokens))
}

// BenchmarkStartToFirstFrameWithData starts the explorer on a database, and a
// minimal Bubbletea program, in turns, both in a terminal of their own.
func BenchmarkStartToFirstFrameWithData(b *testing.B) {
	db := benchDatabase(b, 1000)
	ephemera := chaintest.Must(exec.LookPath("ephemera"))(b)
	minimal := filepath.Join(b.TempDir(), "minimal")
	if out, err := exec.Command("go", "build", "-o", minimal, "./testdata/minimal").CombinedOutput(); err != nil {
		b.Fatalf("%v: %s", err, out)
	}
	const starts = 21
	var ours, theirs [starts]time.Duration
	for b.Loop() {
		for i := range starts {
			theirs[i] = firstFrame(b, "the first frame", minimal)
			ours[i] = firstFrame(b, "gen-0000001", ephemera, "--db", db)
		}
		b.ReportMetric(median(ours[:]).Seconds()/median(theirs[:]).Seconds(), "ratio")
		b.ReportMetric(median(ours[:]).Seconds()*1000, "ms/explorer")
		b.ReportMetric(median(theirs[:]).Seconds()*1000, "ms/minimal")
	}
}

// BenchmarkStartWithACompiledContract measures how much longer the explorer, and a command
// that calls the contract, take to start if a compiled contract runs the collection. An
// earlier start has compiled the contract.
func BenchmarkStartWithACompiledContract(b *testing.B) {
	contracts := os.Getenv("EPHEMERA_CONTRACTS")
	if contracts == "" {
		b.Skip("EPHEMERA_CONTRACTS names no folder with compiled contracts")
	}
	ephemera, err := exec.LookPath("ephemera")
	if err != nil {
		b.Fatal(err)
	}
	b.Setenv("XDG_CACHE_HOME", b.TempDir())
	with, without := filepath.Join(b.TempDir(), "with"), filepath.Join(b.TempDir(), "without")
	run := func(args ...string) time.Duration {
		b.Helper()
		start := time.Now()
		if out, err := exec.Command(ephemera, args...).CombinedOutput(); err != nil {
			b.Fatalf("%v: %s", err, out)
		}
		return time.Since(start)
	}
	const minter = "cosmos1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqnrql8a"
	const collection = `{"name":"Apes","symbol":"APE","minter":"` + minter + `","creator":"` + minter + `"}`
	run("--db", without, "init", collection)
	run("--db", with, "init", "--contract", filepath.Join(contracts, "cw721_metadata_onchain_v0.19.0.wasm"), collection)
	for _, db := range []string{with, without} {
		run("--db", db, "exec", "--as", minter, `{"mint":{"token_id":"ape-0001","owner":"`+minter+`"}}`)
	}
	for _, c := range []struct {
		name  string
		start func(db string) time.Duration
	}{
		{"explorer", func(db string) time.Duration { return firstFrame(b, "ape-0001", ephemera, "--db", db) }},
		{"query", func(db string) time.Duration { return run("--db", db, "query", `{"owner_of":{"token_id":"ape-0001"}}`) }},
	} {
		b.Run(c.name, func(b *testing.B) {
			const starts = 21
			var compiled, builtIn [starts]time.Duration
			for b.Loop() {
				for i := range starts {
					compiled[i], builtIn[i] = c.start(with), c.start(without)
				}
				b.ReportMetric((median(compiled[:])-median(builtIn[:])).Seconds()*1000, "ms-more")
				b.ReportMetric(median(builtIn[:]).Seconds()*1000, "ms/without")
			}
		})
	}
}

// firstFrame returns the time from the start of a process until it has written a text to
// its terminal.
func firstFrame(b *testing.B, text, program string, args ...string) time.Duration {
	b.Helper()
	cmd := exec.Command(program, args...)
	start := time.Now()
	screen := ptytest.Start(b, ptytest.Options{W: 120, H: 36, Background: "#1e1e2e"}, cmd)
	screen.WaitFor(text)
	took := screen.Came(text).Sub(start)
	screen.Type("q")
	screen.WaitExit()
	return took
}

func median(all []time.Duration) time.Duration {
	slices.Sort(all)
	return all[len(all)/2]
}

// BenchmarkMemoryOfAMillionTokens measures the anonymous memory of the explorer,
// just opened on a million tokens.
func BenchmarkMemoryOfAMillionTokens(b *testing.B) {
	db := benchDatabase(b, 1_000_000)
	ephemera := chaintest.Must(exec.LookPath("ephemera"))(b)
	for b.Loop() {
		screen := ptytest.Start(b, ptytest.Options{W: 120, H: 36}, exec.Command(ephemera, "--db", db))
		screen.WaitFor("gen-0000001", "1,000,000 tokens")
		pid := chaintest.Must(screen.Foreground())(b)
		b.ReportMetric(float64(anonymous(b, pid))/1e6, "MB")
		screen.Type("q")
		screen.WaitExit()
	}
}

// anonymous returns the bytes of memory that a process shares with no file.
func anonymous(b *testing.B, pid int) (bytes int64) {
	b.Helper()
	f, err := os.Open(fmt.Sprintf("/proc/%d/smaps_rollup", pid))
	if err != nil {
		b.Skip("the system does not tell of memory: ", err)
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if rest, ok := strings.CutPrefix(lines.Text(), "Anonymous:"); ok {
			chaintest.Must(fmt.Sscan(rest, &bytes))(b)
			return bytes << 10
		}
	}
	b.Fatal("smaps_rollup has no line about anonymous memory")
	return 0
}
