package command

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"ephemera/core/chain"
	"ephemera/core/chain/history"
	"ephemera/core/cw721"
	"ephemera/core/dump"
	"ephemera/core/explain"
	"ephemera/core/scenario"
	"ephemera/core/wasm"
	"ephemera/core/wire"
	"ephemera/ui/cli/answer"
	"ephemera/ui/crash"
	"ephemera/ui/widget"
)

// The exit statuses. If several errors occur, the highest status counts.
const (
	statusDone        = 0   // success
	StatusRefused     = 1   // a refused message, a failed scenario, or nothing to undo or to wait for
	statusUsage       = 2   // bad usage, unreadable file, unknown name, no collection yet
	StatusTrouble     = 3   // an error of the storage, or a write under --readonly
	statusCrashed     = 70  // a mistake in the program itself; the number is that of sysexits(3)
	StatusInterrupted = 130 // interrupted by a signal; the number is the one that shells use
)

// UsageError is a sentence about how the program was called: it names the flag, the
// argument or the file, and what was expected.
type UsageError struct {
	Text string
	Err  error // the cause, or nil
}

func (e *UsageError) Error() string { return e.Text }

func (e *UsageError) Unwrap() error { return e.Err }

// UsageErrorf returns a [*UsageError] with a formatted text.
func UsageErrorf(format string, args ...any) error {
	return &UsageError{Text: fmt.Sprintf(format, args...)}
}

// SilentExit is an exit status whose cause is printed already.
type SilentExit struct{ Status int }

func (e *SilentExit) Error() string { return "" }

// RefusedIf returns err. If isRefused is set, it joins an error to err that ends the
// program with the status of a refusal and prints nothing.
func RefusedIf(isRefused bool, err error) error {
	if isRefused {
		return errors.Join(err, &SilentExit{Status: StatusRefused})
	}
	return err
}

// statusOf returns the exit status for one error. An error of an unknown kind is one of the
// storage.
func statusOf(err error) int {
	var silent *SilentExit
	switch {
	case errors.As(err, &silent):
		return silent.Status
	case IsError[*crash.Panic](err):
		return statusCrashed
	case errors.Is(err, context.Canceled):
		return StatusInterrupted
	case isAny(err, usageErrors):
		return statusUsage
	case isAny(err, refusals):
		return StatusRefused
	}
	return StatusTrouble
}

// The kinds of errors by which [statusOf] decides. A new kind of error is added here.
var (
	// A refusal has the status 1: the command was valid, and the error is its answer, such as a
	// difference between two contracts, or nothing to undo.
	refusals = []func(error) bool{
		IsError[*cw721.Error],
		IsError[*chain.DifferenceError],
		IsError[*explain.NoExpiryError],
		wraps(history.ErrNothingToUndo),
		wraps(history.ErrNothingToRedo),
		wraps(chain.ErrNothingExpires),
		wraps(chain.ErrJustBefore),
	}
	// A usage error has the status 2: it is about the arguments, a file or an unknown name, or
	// there is no collection that could answer.
	usageErrors = []func(error) bool{
		IsError[*UsageError],
		IsError[*wasm.ModuleError],
		IsError[*wire.UnknownNameError],
		IsError[*chain.RangeError],
		IsError[*chain.UnknownAccountError],
		IsError[*chain.FieldError],
		IsError[*chain.ImportError],
		IsError[*chain.NoRulesError],
		IsError[*chain.UnreadableError],
		IsError[*explain.HistoryGapError],
		IsError[*history.UnknownNodeError],
		IsError[*history.NameError],
		IsError[*dump.Error],
		IsError[*scenario.Error],
		IsError[*scenario.RecordError],
		wraps(chain.ErrNoCollection),
		wraps(chain.ErrCollectionExists),
		wraps(chain.ErrImporting),
	}
)

// wraps returns a function that reports whether an error wraps target.
func wraps(target error) func(error) bool {
	return func(err error) bool { return errors.Is(err, target) }
}

// isAny reports whether an error is of one of some kinds.
func isAny(err error, kinds []func(error) bool) bool {
	return slices.ContainsFunc(kinds, func(isKind func(error) bool) bool { return isKind(err) })
}

// IsError reports whether err wraps an error of a type.
func IsError[E error](err error) bool { return errors.As(err, new(E)) }

// Report prints an error and returns the exit status. A refusal of the contract is an
// answer on stdout; every other error is a sentence on stderr. Of several joined errors
// each is printed, and the highest status counts. Of several errors of the storage only the
// first is printed, because the others follow from it.
func (a *App) Report(err error) int {
	status := statusDone
	for _, e := range joinedErrors(err) {
		if status == StatusTrouble && statusOf(e) == StatusTrouble {
			continue
		}
		status = max(status, statusOf(e))
		if printErr := a.printError(e); printErr != nil {
			a.Errorf("%v", printErr)
			status = max(status, StatusTrouble)
		}
	}
	return status
}

// printError prints one error. It fails if a refusal cannot be written to stdout.
func (a *App) printError(err error) error {
	var (
		usageError    *UsageError
		crashed       *crash.Panic
		difference    *chain.DifferenceError
		scenarioError *scenario.Error
	)
	refusal := cw721.AsError(err) // nil if the contract did not refuse
	switch {
	case IsError[*SilentExit](err):
		return nil // its cause was printed before
	case errors.As(err, &crashed):
		a.reportCrash(crashed)
	case errors.As(err, &scenarioError) && scenarioError.Line > 0:
		// Without a prefix, so that editors recognise the file and the line.
		fmt.Fprintln(a.Stderr, Safe(err))
	case errors.As(err, &usageError):
		// Without the words that a library has added around it.
		a.Errorf("%s", usageError.Text)
	case errors.As(err, &difference):
		for _, line := range widget.SafeLines(difference.Error(), LinesShown) {
			a.Errorf("%s", line)
		}
	case refusal != nil && !isAny(err, usageErrors):
		return a.Answer(struct {
			Error *answer.Refusal `wire:"error"`
		}{Error: answer.RefusalOf(refusal)}, nil)
	case errors.Is(err, context.Canceled):
		a.Errorf("interrupted; nothing was left half done")
	case errors.Is(err, chain.ErrNoCollection):
		a.Errorf("%v; `ephemera init` creates one, `ephemera import` reads one", err)
	case errors.Is(err, chain.ErrImporting):
		a.Errorf("%v; import it again", err)
	default:
		a.Errorf("%v", err)
	}
	return nil
}

// joinedErrors returns the errors that err joins, or err alone.
func joinedErrors(err error) []error {
	if err == nil {
		return nil
	}
	joined, isJoined := err.(interface{ Unwrap() []error })
	if !isJoined {
		return []error{err}
	}
	var errs []error
	for _, joinedErr := range joined.Unwrap() {
		errs = append(errs, joinedErrors(joinedErr)...)
	}
	return errs
}
