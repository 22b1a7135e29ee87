package scenario

import (
	"fmt"
	"strings"
	"time"
)

// Doing says who does what in a step: "execute mint as alice".
func (s *Step) Doing() string {
	what := string(s.Kind)
	switch s.Kind {
	case None:
		what = "look at the storage"
		if s.State == nil {
			what = "move the clock"
		}
	case Execute, Preview, Query:
		if v, err := parse(s.Message); err == nil && len(v.names) > 0 {
			what += " " + clip(v.names[0])
		}
	}
	if s.As != "" {
		what += " as " + s.As
	}
	return what
}

// String says which block it is.
func (a At) String() string {
	var parts []string
	if a.Height != nil {
		parts = append(parts, fmt.Sprintf("height %d", *a.Height))
	}
	if a.Time != nil {
		parts = append(parts, fmt.Sprintf("time %d ns", *a.Time))
	}
	return strings.Join(parts, ", ")
}

// String says how far it goes.
func (a Advance) String() string {
	var parts []string
	if a.Blocks > 0 || a.Time == 0 {
		parts = append(parts, fmt.Sprintf("%d blocks", a.Blocks))
	}
	if a.Time > time.Duration(0) {
		parts = append(parts, a.Time.String())
	}
	return strings.Join(parts, " and ")
}
