package wasm

import (
	"errors"
	"fmt"
	"runtime"
	"strings"

	"github.com/tetratelabs/wazero/sys"
)

// Refusal is a message that fails as it would on a chain: the contract refused it,
// panicked, or broke a rule of the VM. The caller discards what was written.
type Refusal struct {
	Text string // the contract's own, or the VM's sentence
}

func (e *Refusal) Error() string { return e.Text }

// LimitError reports that a call, or compiling a module, takes more time or memory than
// this host allows. A chain might accept the same.
type LimitError struct{ Text string }

func (e *LimitError) Error() string { return e.Text }

// ModuleError reports why a file is not a contract that this host can run.
type ModuleError struct{ Text string }

func (e *ModuleError) Error() string { return e.Text }

func refusal(format string, args ...any) error {
	return &Refusal{Text: fmt.Sprintf(format, args...)}
}

func moduleError(format string, args ...any) error {
	return &ModuleError{Text: fmt.Sprintf(format, args...)}
}

var (
	errMemory  = &LimitError{Text: fmt.Sprintf("the contract was stopped: it asked for more than %d MiB of memory", maxMemory>>20)}
	errCompile = &LimitError{Text: fmt.Sprintf("compiling it takes longer than %s", compileLimit)}
	errStack   = &LimitError{Text: "the contract was stopped: its calls are nested too deeply"}
)

// stop carries an error through the contract, and through the walk over a module, as a
// panic. catchStop returns the error.
type stop struct{ error }

func (s *stop) Unwrap() error { return s.error }

// stopOn stops with an error, unless it is nil.
func stopOn(err error) {
	if err != nil {
		panic(&stop{err})
	}
}

// refuse stops with a [*Refusal].
func refuse(format string, args ...any) { stopOn(refusal(format, args...)) }

// refuseMemory stops with a [*Refusal] of a pointer or a region that the contract passed.
func refuseMemory(format string, args ...any) {
	refuse("Error in guest/host communication: "+format, args...)
}

// refuseModule stops with a [*ModuleError].
func refuseModule(format string, args ...any) { stopOn(moduleError(format, args...)) }

// catchStop calls do and returns the error that it stopped with.
func catchStop(do func()) (err error) {
	defer func() {
		switch panicked := recover().(type) {
		case nil:
		case *stop:
			err = panicked.error
		default:
			panic(panicked)
		}
	}()
	do()
	return nil
}

// callError returns why a call of the contract failed: a [*Refusal], a [*LimitError], or
// the error of a store.
func (c *Contract) callError(in *instance, err error) error {
	var refused *Refusal
	var stopped *stop
	isRefusal := errors.As(err, &refused)
	switch {
	case !isRefusal && errors.As(err, &stopped):
		return stopped.error
	case errors.As(err, new(runtime.Error)): // a mistake of the host
		return err
	case errors.As(err, new(*sys.ExitError)):
		return &LimitError{Text: fmt.Sprintf("the contract was stopped: a call may take %s", c.TimeLimit)}
	case in.memory.refused: // the contract's own sentence says less
		return errMemory
	case isRefusal:
		return refused
	case strings.HasPrefix(err.Error(), "stack overflow"):
		return errStack
	}
	return refusal("Error executing Wasm: %s", strings.TrimPrefix(firstLine(err), "wasm error: "))
}

// firstLine returns an error without the details of the compiler and of the stack.
func firstLine(err error) string {
	line, _, _ := strings.Cut(err.Error(), "\n")
	return line
}
