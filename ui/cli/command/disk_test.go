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

func TestOneWaitsForADatabaseInUseAsLongAsOneWants(t *testing.T) {
	inUse := heldError{errors.New("it is in use")}
	for name, c := range map[string]struct {
		wait  time.Duration
		busy  int // how often it is in use
		then  error
		tries int
		want  error
	}{
		"it is not to wait":       {0, 9, nil, 1, inUse},
		"it becomes free":         {math.MaxInt64, 2, nil, 3, nil},
		"it becomes free, broken": {math.MaxInt64, 1, errors.ErrUnsupported, 2, errors.ErrUnsupported},
		"the time is over":        {time.Nanosecond, 9, nil, 1, inUse},
		"it is interrupted":       {math.MaxInt64, 9, nil, 1, context.Canceled},
	} {
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		tries := 0
		err := RetryWhileLocked(ctx, c.wait, func() error {
			if c.want == context.Canceled {
				cancel()
			}
			if tries++; tries <= c.busy {
				return inUse
			}
			return c.then
		})
		if !errors.Is(err, c.want) || tries != c.tries {
			t.Errorf("%s: %v after %d tries, want %v after %d", name, err, tries, c.want, c.tries)
		}
	}
}
