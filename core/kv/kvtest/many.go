package kvtest

import (
	"os"
	"strconv"
	"testing"
)

// Times is how many times as many random cases as usual the tests check: the number in
// EPHEMERA_LONG, which is at least 1.
func Times() int {
	times, err := strconv.Atoi(os.Getenv("EPHEMERA_LONG"))
	if err != nil {
		return 1
	}
	return max(times, 1)
}

// Many returns how many random cases a test checks where usual is enough for every day:
// [Times] as many, or a quarter with -short, because the race detector makes everything ten
// times slower.
func Many(usual int) int {
	if testing.Short() {
		return (usual + 3) / 4
	}
	return usual * Times()
}
