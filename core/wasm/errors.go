package wasm

import (
	"errors"
	"fmt"
	"runtime"
	"strings"

	"github.com/tetratelabs/wazero/sys"
)

// Refusal is a message that failed as it would on a chain: the contract said
// no, panicked, or broke a rule of the VM. What it wrote until then is the
// caller's to discard.
type Refusal struct {
	// Text is the contract's own, or the VM's sentence.
	Text string
}

func (e *Refusal) Error() string { return e.Text }

// LimitError says that a call, or compiling a module, takes more time or memory
// than this host gives it. That tells nothing about what a chain would have done.
type LimitError struct{ Text string }

func (e *LimitError) Error() string { return e.Text }

// ModuleError says why a file is not a contract that this host can run.
type ModuleError struct{ Text string }

func (e *ModuleError) Error() string { return e.Text }

func moduleError(format string, args ...any) error { return &ModuleError{fmt.Sprintf(format, args...)} }

func refusal(format string, args ...any) error { return &Refusal{fmt.Sprintf(format, args...)} }

var (
	errMemory  = &LimitError{fmt.Sprintf("the contract was stopped: it asked for more than %d MiB of memory", maxMemory>>20)}
	errCompile = &LimitError{fmt.Sprintf("compiling it takes longer than %s", compileLimit)}
	errStack   = &LimitError{"the contract was stopped: its calls are nested too deeply"}
)

// stop is what a host function panics with, and whatever runs beside it; the
// error in it is what stopped the contract.
type stop struct{ error }

func (s *stop) Unwrap() error { return s.error }

func fail(err error) { panic(&stop{err}) }

func failf(format string, args ...any) { fail(refusal(format, args...)) }

func badModule(format string, args ...any) { fail(moduleError(format, args...)) }

// broken refuses a pointer or a region that the contract handed over.
func broken(format string, args ...any) {
	failf("Error in guest/host communication: "+format, args...)
}

// guard gives the error that do was stopped by.
func guard(do func()) (err error) {
	defer func() {
		switch s := recover().(type) {
		case nil:
		case *stop:
			err = s.error
		default:
			panic(s)
		}
	}()
	do()
	return nil
}

// outcome tells the caller of a contract what stopped it: a [*Refusal], a
// [*LimitError], or the trouble that a store had.
func (c *Contract) outcome(in *instance, err error) error {
	var (
		refused *Refusal
		passed  *trouble
	)
	switch {
	case errors.As(err, &passed):
		return passed.error
	case errors.As(err, new(runtime.Error)):
		return err // a fault of the host's own
	case errors.As(err, new(*sys.ExitError)):
		return &LimitError{fmt.Sprintf("the contract was stopped: a call may take %s", c.TimeLimit)}
	case in.memory.refused:
		return errMemory // how it then gave up says less
	case errors.As(err, &refused):
		return refused
	case strings.HasPrefix(err.Error(), "stack overflow"):
		return errStack
	}
	return refusal("Error executing Wasm: %s", strings.TrimPrefix(firstLine(err), "wasm error: "))
}

// firstLine leaves out the details of the compiler and of the stack.
func firstLine(err error) string {
	line, _, _ := strings.Cut(err.Error(), "\n")
	return line
}

// trouble carries what the contract has no part in, such as an error of the
// store, through the contract that met it.
type trouble struct{ error }

func mustWork(err error) {
	if err != nil {
		fail(&trouble{err})
	}
}
