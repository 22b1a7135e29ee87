//go:build ignore

// Table reads the output of benchmarks from stdin and prints a table of figures and
// goals. It exits with status 1 if a goal is missed. See .ci/bench.
package main

import (
	"bufio"
	"fmt"
	"os"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
)

// row is one goal, which is one row of the table. Every benchmark whose name matches must
// reach the goal.
type row struct {
	what    string // what is measured
	against string // what the figure is compared with; "" for an absolute figure
	// least is the smallest figure that meets the goal. A smaller one would mean that the
	// benchmark leaves work out.
	least float64
	goal  float64 // the largest figure that meets the goal
	// unit is that of the benchmark's metric, such as "ms/open", or "x-bare" for how many times
	// as long something takes as the bare operation that it is compared with.
	unit  string
	names *regexp.Regexp // matches the names of the benchmarks
}

// named returns the regular expression for the field names of a row.
func named(pattern string) *regexp.Regexp { return regexp.MustCompile(pattern) }

// rows are the goals, in the order of the table.
var rows = []row{
	{what: "one durable execute", against: "a synced Badger commit of the same keys and bytes", least: 0.9, goal: 1.35, unit: "x-bare", names: named(`DurableExecute/(approve|transfer|mint)`)},
	{what: "owner_of among 1,000 and 100,000 tokens", against: "a bare Badger get", goal: 3, unit: "x-bare", names: named(`OwnerOf/`)},
	{what: "a page of 10…1000 tokens in the middle of a million", against: "bare key iteration", goal: 1.7, unit: "x-bare", names: named(`PageInAMillion/`)},
	{what: "any query or page at 1,000,000 tokens", against: "the same at 1,000", goal: 2, unit: "ratio", names: named(`QueriesAtAMillion/`)},
	{what: "any screen or filter at 1,000,000 tokens", against: "the same at 1,000", goal: 2, unit: "ratio", names: named(`JourneyAtAMillion`)},
	{what: "import of a million tokens", against: "a bare WriteBatch of the same bytes", goal: 2, unit: "x-bare", names: named(`ImportAMillion`)},
	{what: "open a million-token database", against: "bare Badger open", goal: 1.3, unit: "x-bare", names: named(`OpenAMillion`)},
	{what: "open it after a kill, with the log at its fullest", against: "", goal: 50, unit: "ms/open", names: named(`OpenAfterAKill`)},
	{what: "process start to first frame with data", against: "a minimal Bubbletea program", goal: 1.5, unit: "ratio", names: named(`StartToFirstFrame`)},
	{what: "one key press to a new frame at 120×40", against: "the same with bubbles/table", goal: 0.2, unit: "ratio", names: named(`AgainstBubblesTable/drawn`)},
	{what: "key and frame at a million tokens", against: "at a hundred", goal: 1.2, unit: "ratio", names: named(`TheModelAtAMillionAgainstAHundred`)},
	{what: "the lanes of the clock, counted at a million grants", against: "", goal: 10, unit: "ms/million", names: named(`LanesOfAMillion`)},
	{what: "who can, one token with three grants, to depth 4", against: "", goal: 50, unit: "ms/search", names: named(`WhoCan/Depth4`)},
	{what: "who can, to depth 6", against: "", goal: 200, unit: "ms/search", names: named(`WhoCan/Depth6`)},
	{what: "one message of that on one thread", against: "", goal: 12.5, unit: "us/message", names: named(`WhoCan/`)},
	{what: "who can, until the first depth shows", against: "", goal: 10, unit: "ms/first", names: named(`WhoCanLeft`)},
	{what: "who can, until a search that is left has ended", against: "", goal: 16, unit: "ms/left", names: named(`WhoCanLeft`)},
	{what: "who can among a million tokens", against: "among a hundred", goal: 1.2, unit: "ratio", names: named(`WhoCanAmongAMillion`)},
	{what: "28 mutants and a hundred scenarios that kill none", against: "one run of them", goal: 20, unit: "runs", names: named(`TryAHundredStories`)},
	{what: "anonymous memory, just opened, a million tokens", against: "", goal: 30, unit: "MB", names: named(`MemoryOfAMillion`)},
}

// compiledRows are the goals that need a folder with compiled contracts.
var compiledRows = []row{
	{what: "one execute of a compiled contract", against: "the built-in one, both in memory", goal: 6, unit: "x-engine", names: named(`Compiled/execute`)},
	{what: "owner_of of a compiled contract", against: "the built-in one", goal: 80, unit: "x-engine", names: named(`Compiled/owner_of`)},
	{what: "a call of it on a fresh instance", against: "", goal: 2, unit: "ms/call", names: named(`FreshInstance`)},
	{what: "its first compilation", against: "", goal: 800, unit: "ms/load", names: named(`Load/compile`)},
	{what: "a start with it, in the cache, beyond one without", against: "", goal: 60, unit: "ms-more", names: named(`StartWithACompiledContract`)},
	{what: "loading it from the cache, which a later start adds", against: "", goal: 60, unit: "ms/load", names: named(`Load/cached`)},
}

// figure is one metric of one benchmark.
type figure struct {
	benchmark string
	unit      string
	value     float64
}

// main reads the output of the benchmarks from stdin, and prints the table of the goals. Its
// exit status is 1 if a goal is missed.
func main() {
	figures, cpu := readFigures()
	if os.Getenv("EPHEMERA_CONTRACTS") != "" {
		rows = append(rows, compiledRows...)
	}

	fmt.Printf("Measured on %s/%s, %d cores, %s, %s.\n\n", runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), cpu, runtime.Version())
	fmt.Println("| what | against | goal | figure | |\n|---|---|---|---|---|")
	missed := 0
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

// readFigures reads the output of go test -bench from stdin. It returns the metrics and
// the name of the processor.
func readFigures() (figures []figure, cpu string) {
	input := bufio.NewScanner(os.Stdin)
	for input.Scan() {
		if name, isCPU := strings.CutPrefix(input.Text(), "cpu: "); isCPU {
			cpu = name
		}
		figures = append(figures, figuresIn(input.Text())...)
	}
	return figures, cpu
}

// figuresIn returns the metrics of one line, such as
// "BenchmarkOpen-2  100  1234 ns/op  1.2 x-bare".
func figuresIn(line string) (figures []figure) {
	fields := strings.Fields(line)
	if len(fields) < 4 || !strings.HasPrefix(fields[0], "Benchmark") {
		return nil
	}
	for i := 2; i+1 < len(fields); i += 2 {
		value, err := strconv.ParseFloat(fields[i], 64)
		if err == nil {
			figures = append(figures, figure{benchmark: fields[0], unit: fields[i+1], value: value})
		}
	}
	return figures
}

// print prints the row and reports whether its goal is met by all its figures. The goal is
// not met if there is no figure.
func (r row) print(figures []figure) (met bool) {
	// Find the figures of the row.
	var values []float64
	for _, f := range figures {
		if f.unit == r.unit && r.names.MatchString(f.benchmark) {
			values = append(values, f.value)
		}
	}

	// Describe the figures: one number, or a range for several benchmarks.
	unit := r.shownUnit()
	shown := "not measured"
	if len(values) > 0 {
		least := slices.Min(values)
		most := slices.Max(values)
		met = r.least <= least && most <= r.goal
		shown = fmt.Sprintf("%.2f%s", most, unit)
		if len(values) > 1 {
			shown = fmt.Sprintf("%.2f–%.2f%s", least, most, unit)
		}
	}

	// Describe the goal, and whether it is met.
	goal := fmt.Sprintf("≤ %v%s", r.goal, unit)
	if r.least > 0 {
		goal = fmt.Sprintf("%v–%v%s", r.least, r.goal, unit)
	}
	verdict := "missed"
	if met {
		verdict = "met"
	}
	fmt.Printf("| %s | %s | %s | %s | %s |\n", r.what, r.against, goal, shown, verdict)
	return met
}

// shownUnit returns the unit as it stands after a number in the table, such as " ms", or "×"
// for a ratio.
func (r row) shownUnit() string {
	before, _, _ := strings.Cut(r.unit, "/")
	switch before {
	case "MB":
		return " MB"
	case "ms", "ms-more":
		return " ms"
	case "us":
		return " µs"
	}
	return "×"
}
