package cli

import (
	"context"
	"errors"
	"fmt"

	"ephemera/core/chain"
	"ephemera/core/chain/history"
	"ephemera/core/cw721"
	"ephemera/core/dump"
	"ephemera/core/explain"
	"ephemera/core/scenario"
	"ephemera/core/wasm"
	"ephemera/core/wire"
	"ephemera/ui/crash"
	"ephemera/ui/widget"
)

// The exit statuses. Of several, the highest counts.
const (
	done        = 0
	refused     = 1   // with a kind; a scenario that did not hold; nowhere to go
	usage       = 2   // bad usage, unreadable file, unknown name, no collection yet
	trouble     = 3   // with the storage, or a write under --readonly
	crashed     = 70  // a mistake of the program itself, as sysexits(3) counts it
	interrupted = 130 // as a shell counts an interruption
)

// usageError is a sentence about how the program was called: it names the flag,
// the argument or the file, and what was expected.
type usageError struct{ text string }

func (e *usageError) Error() string { return e.text }

func misused(format string, args ...any) error { return &usageError{fmt.Sprintf(format, args...)} }

// silent is an outcome that has been told already.
type silent struct{ exit int }

func (e *silent) Error() string { return "" }

// statusOf gives the exit status for an error, the highest of several.
func statusOf(err error) int {
	if many, ok := err.(interface{ Unwrap() []error }); ok {
		highest := done
		for _, e := range many.Unwrap() {
			highest = max(highest, statusOf(e))
		}
		return highest
	}
	var told *silent
	switch {
	case err == nil:
		return done
	case errors.As(err, &told):
		return told.exit
	case is[*crash.Panic](err):
		return crashed
	case errors.Is(err, context.Canceled):
		return interrupted
	case isUsage(err):
		return usage
	case cw721.AsError(err) != nil, is[*chain.DifferenceError](err), isNowhere(err):
		return refused
	}
	return trouble
}

// isNowhere tells that there was nowhere to go, in the history or in time.
func isNowhere(err error) bool {
	return isAny(err, history.ErrNothingToUndo, history.ErrNothingToRedo, chain.ErrNothingEnds, chain.ErrJustBefore, explain.ErrNoEnd)
}

// isUsage tells that other arguments, or another file, would have done.
func isUsage(err error) bool {
	return isAny(err, chain.ErrNoCollection, chain.ErrCollection, chain.ErrImporting) ||
		is[*usageError](err) || is[*wasm.ModuleError](err) || is[*wire.UnknownNameError](err) ||
		is[*chain.RangeError](err) || is[*chain.UnknownAccountError](err) ||
		is[*chain.AccountError](err) || is[*chain.ImportError](err) ||
		is[*history.UnknownNodeError](err) || is[*history.NameError](err) || is[*dump.Error](err) ||
		is[*scenario.Error](err) || is[*scenario.RecordError](err)
}

func isAny(err error, targets ...error) bool {
	for _, t := range targets {
		if errors.Is(err, t) {
			return true
		}
	}
	return false
}

func is[E error](err error) bool { return errors.As(err, new(E)) }

// refusal is how a refusal is written. Field names the member at fault where
// that is not the contract's own business to say.
type refusal struct {
	Kind  cw721.Kind `wire:"kind"`
	Text  string     `wire:"text"`
	Field string     `wire:"field,optional"`
}

func refusalOf(kind cw721.Kind, text, field string) refusal {
	if kind == cw721.KindContract {
		field = ""
	}
	return refusal{kind, text, field}
}

// report tells what went wrong, a refusal on stdout and all else on stderr, and
// gives the exit status.
func (a *app) report(err error) int {
	status := statusOf(err)
	for _, e := range parts(err) {
		var misuse *usageError
		var broken *crash.Panic
		var other *chain.DifferenceError
		var inFile *scenario.Error
		switch r := cw721.AsError(e); {
		case is[*silent](e):
		case errors.As(e, &broken):
			a.reportCrash(broken)
		case errors.As(e, &misuse): // without what a library has put around it
			a.complain("%s", widget.Safe(misuse.text))
		case errors.As(e, &other):
			for _, line := range widget.SafeLines(other.Error(), linesShown) {
				a.complain("%s", line)
			}
		case r != nil && !isUsage(e):
			answer := struct {
				Error refusal `wire:"error"`
			}{refusalOf(r.Kind, r.Text, r.Field)}
			if err := a.print(wire.Compact(answer)); err != nil {
				a.complain("%s", safe(err))
				status = trouble
			}
		case errors.Is(e, context.Canceled):
			fmt.Fprintln(a.Stderr, "ephemera: interrupted; nothing is left half done")
		case errors.Is(e, chain.ErrNoCollection):
			fmt.Fprintf(a.Stderr, "ephemera: %v; `ephemera init` creates one, `ephemera import` reads one\n", e)
		case errors.Is(e, chain.ErrImporting):
			fmt.Fprintf(a.Stderr, "ephemera: %v; import it again\n", e)
		case errors.As(e, &inFile) && inFile.Line > 0: // as editors read it
			fmt.Fprintln(a.Stderr, safe(e))
		default:
			a.complain("%s", safe(e))
		}
	}
	return status
}

// parts gives the errors that were joined.
func parts(err error) []error {
	if err == nil {
		return nil
	}
	many, ok := err.(interface{ Unwrap() []error })
	if !ok {
		return []error{err}
	}
	var all []error
	for _, e := range many.Unwrap() {
		all = append(all, parts(e)...)
	}
	return all
}
