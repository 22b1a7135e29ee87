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

	"ephemera/ui/term/ptytest"
)

// benchDatabase gives the database of so many generated tokens that .ci/bench
// has made.
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
	ephemera, err := exec.LookPath("ephemera")
	if err != nil {
		b.Fatal(err)
	}
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

// firstFrame gives the time from the start of a process until it has written a
// text to its terminal.
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

// BenchmarkMemoryOfAMillionTokens gives the anonymous memory of the explorer,
// just opened on a million tokens.
func BenchmarkMemoryOfAMillionTokens(b *testing.B) {
	db := benchDatabase(b, 1_000_000)
	ephemera, err := exec.LookPath("ephemera")
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		screen := ptytest.Start(b, ptytest.Options{W: 120, H: 36}, exec.Command(ephemera, "--db", db))
		screen.WaitFor("gen-0000001", "1,000,000 tokens")
		pid, err := screen.Foreground()
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(anonymous(b, pid))/1e6, "MB")
		screen.Type("q")
		screen.WaitExit()
	}
}

// anonymous gives the bytes of memory that a process has for itself.
func anonymous(b *testing.B, pid int) (bytes int64) {
	b.Helper()
	f, err := os.Open(fmt.Sprintf("/proc/%d/smaps_rollup", pid))
	if err != nil {
		b.Skip("the system does not tell of memory: ", err)
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if rest, ok := strings.CutPrefix(lines.Text(), "Anonymous:"); ok {
			if _, err := fmt.Sscan(rest, &bytes); err != nil {
				b.Fatal(err)
			}
			return bytes << 10
		}
	}
	b.Fatal("smaps_rollup has no line about anonymous memory")
	return 0
}
