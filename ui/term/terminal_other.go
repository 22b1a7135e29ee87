//go:build !unix

package term

import (
	"context"
	"os"
	"time"
)

// Program is what a suspension needs of a bubbletea program.
type Program interface {
	ReleaseTerminal() error
	RestoreTerminal() error
}

// Jobs does nothing here: no shell stops programs.
type Jobs struct{}

// NewJobs makes one.
func NewJobs() *Jobs { return &Jobs{} }

// Suspend tells that the program cannot be suspended.
func (*Jobs) Suspend() bool { return false }

// Run returns when ctx is over.
func (*Jobs) Run(ctx context.Context, _ Program, _ func()) { <-ctx.Done() }

// ready cannot look ahead here: what has come is all there is.
func ready(uintptr, time.Duration) bool { return false }

func openTTY() (*os.File, error) { return os.OpenFile("CONIN$", os.O_RDWR, 0) }
