package scenario

import (
	"errors"
	"fmt"
	"strings"

	"ephemera/core/cw721"
	"ephemera/core/wire"
)

// Error says what is wrong with a file, and where: "apes.yaml:12: as: …", the form
// that editors and problem matchers read.
type Error struct {
	File string
	Line int // from 1; 0 where the whole file is meant
	Step int // from 1; 0 outside of the steps
	// Field is the dotted path of the member, within the header or the step.
	Field string
	Text  string
	Err   error // what it comes from; can be nil
}

func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(e.File)
	if e.Line > 0 {
		fmt.Fprintf(&b, ":%d", e.Line)
	}
	if e.Field != "" {
		fmt.Fprintf(&b, ": %s", e.Field)
	}
	fmt.Fprintf(&b, ": %s", e.Text)
	return b.String()
}

func (e *Error) Unwrap() error { return e.Err }

// explain gives the field and the sentence of what a decoder found.
func explain(err error) (field, text string) {
	var w *wire.Error
	if refusal := cw721.AsError(err); refusal != nil {
		w = refusal.Parse
	} else if !errors.As(err, &w) {
		return "", err.Error()
	}
	switch {
	case w.Syntax:
		return w.Field, fmt.Sprintf("it is not JSON at byte %d: %s", w.Offset, w.Hint)
	case w.Hint != "":
		return w.Field, w.Hint
	}
	return w.Field, w.Cause
}
