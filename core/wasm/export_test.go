package wasm

import (
	"testing"
	"time"
)

// Forget drops the instances that are kept for later calls.
func (c *Contract) Forget() {
	for range len(c.idleInstances) {
		c.dropInstance(<-c.idleInstances)
	}
}

// ReadInstruction reads one instruction. It returns how many blocks and branches the
// instruction makes, and the code after it.
func ReadInstruction(code string) (branches uint64, next string, err error) {
	r := reader{unread: []byte(code)}
	err = catchStop(func() { branches = r.readInstruction() })
	return branches, string(r.unread), err
}

// LimitCompiling sets the time limit of the compiler for a test.
func LimitCompiling(t *testing.T, limit time.Duration) {
	before := compileLimit
	compileLimit = limit
	t.Cleanup(func() { compileLimit = before })
}
