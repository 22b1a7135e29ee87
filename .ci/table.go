//go:build ignore

// Table makes the table of speed of what the benchmarks printed, and fails when
// a goal is missed. See .ci/bench.
package main

import (
	"bufio"
	"fmt"
	"os"
	"regexp"
	"runtime"
	"strconv"
	"strings"
)

// row is a row of the table: of the benchmarks that it names, the worst counts.
type row struct {
	what, against string
	goal          float64
	unit          string
	names         *regexp.Regexp
}

func named(pattern string) *regexp.Regexp { return regexp.MustCompile(pattern) }

var rows = []row{
	{"one durable execute", "a synced Badger commit of the same keys and bytes", 1.35, "x-bare", named(`DurableExecute/(approve|transfer|mint)`)},
	{"owner_of among 1,000 and 100,000 tokens", "a bare Badger get", 3, "x-bare", named(`OwnerOf/`)},
	{"a page of 10…1000 tokens in the middle of a million", "bare key iteration", 1.7, "x-bare", named(`PageInAMillion/`)},
	{"any query or page at 1,000,000 tokens", "the same at 1,000", 2, "ratio", named(`QueriesAtAMillion/`)},
	{"any screen or filter at 1,000,000 tokens", "the same at 1,000", 2, "ratio", named(`JourneyAtAMillion`)},
	{"import of a million tokens", "a bare WriteBatch of the same bytes", 2, "x-bare", named(`ImportAMillion`)},
	{"open a million-token database", "bare Badger open", 1.3, "x-bare", named(`OpenAMillion`)},
	{"open it after a kill, with the log at its fullest", "", 50, "ms/open", named(`OpenAfterAKill`)},
	{"process start to first frame with data", "a minimal Bubbletea program", 1.1, "ratio", named(`StartToFirstFrame`)},
	{"one key press to a new frame at 120×40", "the same with bubbles/table", 0.2, "ratio", named(`AgainstBubblesTable/drawn`)},
	{"key and frame at a million tokens", "at a hundred", 1.2, "ratio", named(`TheModelAtAMillionAgainstAHundred`)},
	{"who could, one token with three grants, to depth 4", "", 200, "ms/search", named(`WhoCan/Depth4`)},
	{"who could, to depth 6", "", 1500, "ms/search", named(`WhoCan/Depth6`)},
	{"one message of that on one thread", "", 12.5, "us/message", named(`WhoCan/`)},
	{"who could, until the first depth shows", "", 100, "ms/first", named(`WhoCanLeft`)},
	{"who could, until a search that is left has ended", "", 16, "ms/left", named(`WhoCanLeft`)},
	{"who could among a million tokens", "among a hundred", 1.2, "ratio", named(`WhoCanAmongAMillion`)},
	{"anonymous memory, just opened, a million tokens", "", 30, "MB", named(`MemoryOfAMillion`)},
}

// compiled are the rows that need a folder with compiled contracts.
var compiled = []row{
	{"one execute of a compiled contract", "the built-in one, both in memory", 10, "x-engine", named(`Compiled/execute`)},
	{"owner_of of a compiled contract", "the built-in one", 80, "x-engine", named(`Compiled/owner_of`)},
	{"a call of it on a fresh instance", "", 2, "ms/call", named(`FreshInstance`)},
	{"its first compilation", "", 800, "ms/load", named(`Load/compile`)},
	{"a start with it, in the cache, beyond one without", "", 60, "ms-more", named(`StartWithACompiledContract`)},
	{"loading it from the cache, which a later start adds", "", 60, "ms/load", named(`Load/cached`)},
}

// figure is one value of one benchmark.
type figure struct {
	name, unit string
	value      float64
}

func main() {
	var figures []figure
	cpu := ""
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		if rest, ok := strings.CutPrefix(lines.Text(), "cpu: "); ok {
			cpu = rest
		}
		fields := strings.Fields(lines.Text())
		if len(fields) < 4 || !strings.HasPrefix(fields[0], "Benchmark") {
			continue
		}
		for i := 2; i+1 < len(fields); i += 2 {
			if v, err := strconv.ParseFloat(fields[i], 64); err == nil {
				figures = append(figures, figure{fields[0], fields[i+1], v})
			}
		}
	}
	fmt.Printf("Measured on %s/%s, %d cores, %s, %s.\n\n", runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), cpu, runtime.Version())
	fmt.Println("| what | against | goal | figure | |\n|---|---|---|---|---|")
	missed := 0
	if os.Getenv("EPHEMERA_CONTRACTS") != "" {
		rows = append(rows, compiled...)
	}
	for _, r := range rows {
		if !r.print(figures) {
			missed++
		}
	}
	if missed > 0 {
		fmt.Fprintf(os.Stderr, "%d of %d goals are missed\n", missed, len(rows))
		os.Exit(1)
	}
}

func (r row) print(figures []figure) bool {
	least, most, n := 0.0, 0.0, 0
	for _, f := range figures {
		if f.unit != r.unit || !r.names.MatchString(f.name) {
			continue
		}
		if n == 0 {
			least, most = f.value, f.value
		}
		least, most, n = min(least, f.value), max(most, f.value), n+1
	}
	unit := "×"
	switch r.unit {
	case "MB":
		unit = " MB"
	case "ms/open", "ms/search", "ms/first", "ms/left", "ms/call", "ms/load", "ms-more":
		unit = " ms"
	case "us/message":
		unit = " µs"
	}
	shown, verdict := "not measured", "missed"
	if n > 0 {
		shown = fmt.Sprintf("%.2f%s", most, unit)
		if n > 1 {
			shown = fmt.Sprintf("%.2f–%.2f%s", least, most, unit)
		}
		if most <= r.goal {
			verdict = "met"
		}
	}
	fmt.Printf("| %s | %s | ≤ %v%s | %s | %s |\n", r.what, r.against, r.goal, unit, shown, verdict)
	return verdict == "met"
}
