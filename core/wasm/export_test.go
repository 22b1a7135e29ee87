package wasm

import (
	"testing"
	"time"
)

// Forget gives up the instances that are kept for the next calls.
func (c *Contract) Forget() {
	for range len(c.idle) {
		c.dropInstance(<-c.idle)
	}
}

// BranchesIn counts the blocks and branches of one instruction, and gives what of
// code is left behind it.
func BranchesIn(code string) (branches uint64, left string, err error) {
	r := reader{[]byte(code)}
	err = catchStop(func() { branches = r.instruction() })
	return branches, string(r.rest), err
}

// LimitCompiling sets the time limit of the compiler for a test.
func LimitCompiling(t *testing.T, limit time.Duration) {
	before := compileLimit
	compileLimit = limit
	t.Cleanup(func() { compileLimit = before })
}
