package command

import (
	"context"
	"errors"
	"math"
	"testing"
	"time"
)

type heldError struct{ error }

func (heldError) InUse() {}

func TestRetryWhileLockedTriesUntilTheDatabaseIsFreeOrTheTimeIsOver(t *testing.T) {
	inUse := heldError{errors.New("it is in use")}
	for name, c := range map[string]struct {
		wait      time.Duration
		busyTries int   // how often it is in use
		freeErr   error // of the opening after that
		tries     int
		want      error
	}{
		"without --wait":             {wait: 0, busyTries: 9, tries: 1, want: inUse},
		"it becomes free":            {wait: math.MaxInt64, busyTries: 2, tries: 3},
		"it becomes free, but fails": {wait: math.MaxInt64, busyTries: 1, freeErr: errors.ErrUnsupported, tries: 2, want: errors.ErrUnsupported},
		"the time is over":           {wait: time.Nanosecond, busyTries: 9, tries: 1, want: inUse},
		"it is interrupted":          {wait: math.MaxInt64, busyTries: 9, tries: 1, want: context.Canceled},
	} {
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		tries := 0
		lastTry, err := RetryWhileLocked(ctx, c.wait, func() (int, error) {
			if c.want == context.Canceled {
				cancel()
			}
			tries++
			if tries <= c.busyTries {
				return tries, inUse
			}
			return tries, c.freeErr
		})
		if !errors.Is(err, c.want) || tries != c.tries || lastTry != tries {
			t.Errorf("%s: %v after %d tries, want %v after %d", name, err, tries, c.want, c.tries)
		}
	}
}
