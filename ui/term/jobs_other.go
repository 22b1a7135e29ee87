//go:build !unix

package term

import "context"

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
