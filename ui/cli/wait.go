package cli

import (
	"context"
	"time"
)

// InUseError says that another process has the database.
type InUseError struct{ Err error }

func (e *InUseError) Error() string { return e.Err.Error() }

func (e *InUseError) Unwrap() error { return e.Err }

// tryAgainEvery is how long --wait lets the other process go on.
const tryAgainEvery = 100 * time.Millisecond

// WhenFree calls try, and if it is to wait, again until it does not fail with an
// [*InUseError] or the context is over.
func WhenFree(ctx context.Context, wait bool, try func() error) error {
	for {
		err := try()
		if !wait || !is[*InUseError](err) {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(tryAgainEvery):
		}
	}
}
