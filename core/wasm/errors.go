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

func (r *Refusal) Error() string { return r.Text }

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

// The limits of a compiled contract that end a call or a compilation.
var (
	errMemory = &LimitError{Text: fmt.Sprintf(
		"the contract was stopped: it asked for more than %d MiB of memory", maxMemory>>20)}
	errCompile = &LimitError{Text: fmt.Sprintf("compiling it takes longer than %s", compileLimit)}
	errStack   = &LimitError{Text: "the contract was stopped: its calls are nested too deeply"}
)

// stop is an error that [stopOnError] throws as a panic and catchStop recovers. A host
// function needs it because the contract calls it, and an error cannot be returned
// through the contract. The inspection of a module needs it to end from deeply nested
// functions.
type stop struct{ error }

func (s *stop) Unwrap() error { return s.error }

// stopOnError ends the call of a contract, or the inspection of a module, with an error. To
// this end it panics, and catchStop recovers. It does nothing if err is nil.
func stopOnError(err error) {
	if err != nil {
		panic(&stop{err})
	}
}

// refuse ends the call with a [*Refusal]; see [stopOnError].
func refuse(format string, args ...any) { stopOnError(refusal(format, args...)) }

// refuseMemory ends the call with a [*Refusal] because the contract has passed a pointer
// or a region that is not valid.
func refuseMemory(format string, args ...any) {
	refuse("Error in guest/host communication: "+format, args...)
}

// refuseModule ends the inspection with a [*ModuleError]; see [stopOnError].
func refuseModule(format string, args ...any) { stopOnError(moduleError(format, args...)) }

// catchStop calls action. If [stopOnError] ends it with an error, catchStop returns that
// error. It does not recover other panics.
func catchStop(action func()) (err error) {
	defer func() {
		panicked := recover()
		if panicked == nil {
			return
		}
		stopped, isStop := panicked.(*stop)
		if !isStop {
			panic(panicked)
		}
		err = stopped.error
	}()
	action()
	return nil
}

// callError returns the reason for which a call of the contract failed: a [*Refusal], a
// [*LimitError], or the error of a store. err is the error that catchStop has returned. The
// runtime often wraps the reason in it, together with a stack.
func (c *Contract) callError(inst *instance, err error) error {
	// The order matters. An error of the store comes before everything that it has caused.
	refusalErr, isRefusal := errors.AsType[*Refusal](err)
	stopErr, isStop := errors.AsType[*stop](err)
	switch {
	case errors.As(err, new(*sys.ExitError)): // perhaps in a call of a host function
		return &LimitError{Text: fmt.Sprintf("the contract was stopped: a call may take %s", c.TimeLimit)}
	case isStop && !isRefusal: // an error of the store
		return stopErr.error
	case errors.As(err, new(runtime.Error)): // a mistake of the host
		return err
	case inst.memory.isOverLimit: // the contract's own sentence says less
		return errMemory
	case isRefusal:
		return refusalErr
	case strings.HasPrefix(err.Error(), "stack overflow"):
		return errStack
	}
	return refusal("Error executing Wasm: %s", strings.TrimPrefix(firstLine(err), "wasm error: "))
}

// firstLine leaves out the details of the compiler and of the stack, in the lines after it.
func firstLine(err error) string {
	line, _, _ := strings.Cut(err.Error(), "\n")
	return line
}
