//go:build !unix

package term

import (
	"context"
	"os"
	"time"
)

// Jobs does nothing here: no shell stops programs.
type Jobs struct{}

// NewJobs returns Jobs that do nothing.
func NewJobs() *Jobs { return &Jobs{} }

// Suspend reports false: the program cannot be suspended.
func (*Jobs) Suspend() bool { return false }

// Run returns when ctx is done.
func (*Jobs) Run(ctx context.Context, _ Program, _ func()) { <-ctx.Done() }

// hasInput reports false: it cannot look ahead here.
func hasInput(uintptr, time.Duration) bool { return false }

// openTTY opens the console of Windows for reading keys.
func openTTY() (*os.File, error) { return os.OpenFile("CONIN$", os.O_RDWR, 0) }
