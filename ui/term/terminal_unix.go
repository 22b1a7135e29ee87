//go:build unix

package term

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// Jobs lets a shell stop the program and continue it later (job control): by ctrl+z, or
// by a signal such as that of "kill -TSTP". Bubbletea's own suspension ignores signals
// from outside, and does not switch the mouse on again.
type Jobs struct {
	requests chan struct{} // one for each ctrl+z that Run has not handled
}

// NewJobs returns Jobs that do nothing until Run is called.
func NewJobs() *Jobs { return &Jobs{requests: make(chan struct{}, 1)} }

// Suspend asks Run to stop the program, and reports true. If no shell could bring the
// program back, it does nothing and reports false.
func (j *Jobs) Suspend() bool {
	if hasNoShell() {
		return false
	}
	select {
	case j.requests <- struct{}{}:
	default: // there is a request already
	}
	return true
}

// Run handles the requests of [Jobs.Suspend] and the signals by which a shell stops and
// continues the program. Before the program stops, Run releases the terminal. When the
// program continues, Run restores the terminal and calls afterResume. It returns when ctx
// is done.
func (j *Jobs) Run(ctx context.Context, program Program, afterResume func()) {
	continueSignals := make(chan os.Signal, 1)
	stopSignals := make(chan os.Signal, 1)
	signal.Notify(continueSignals, syscall.SIGCONT)
	defer signal.Stop(continueSignals)
	if !signal.Ignored(syscall.SIGTSTP) {
		signal.Notify(stopSignals, syscall.SIGTSTP)
		defer signal.Stop(stopSignals)
	}

	// Each round of the loop is one stop of the program, from its request to its continuation.
	for {
		select {
		case <-ctx.Done():
			return
		case <-j.requests:
			// Stop this process and all others of its process group, as a shell expects. If
			// the terminal is gone, reading from it ends the program, so errors are ignored.
			_ = program.ReleaseTerminal()
			_ = syscall.Kill(0, syscall.SIGTSTP)
			stopUntilContinued(ctx, continueSignals, stopSignals)
		case <-stopSignals:
			if hasNoShell() {
				continue // the kernel ignores SIGTSTP in such a group too
			}
			_ = program.ReleaseTerminal()
			stopUntilContinued(ctx, continueSignals, stopSignals)
		case <-continueSignals:
			// The program was stopped by SIGSTOP, which no program can handle, so the terminal
			// was not released. The shell may have changed its modes since. Release it now,
			// so that it can be restored below.
			_ = program.ReleaseTerminal()
		}

		// The program goes on.
		if ctx.Err() != nil {
			return // the program has released the terminal for good
		}
		_ = program.RestoreTerminal()
		afterResume()
	}
}

// stopUntilContinued stops this process until the shell continues it, or until ctx is done.
// It sends SIGSTOP, because SIGTSTP does not stop a Go program that handles it.
func stopUntilContinued(ctx context.Context, continueSignals, stopSignals <-chan os.Signal) {
	_ = syscall.Kill(os.Getpid(), syscall.SIGSTOP)
	select {
	case <-ctx.Done():
		return
	case <-continueSignals:
	}

	// Drop the SIGTSTP that Run has sent to the process group, which includes this process.
	select {
	case <-stopSignals:
	default:
	}
}

// hasNoShell reports whether no shell could continue this program after it has stopped. This
// is so if the terminal was started with this program instead of a shell: then the process
// group of the program is the first one of its session.
func hasNoShell() bool {
	session, sessionErr := unix.Getsid(0)
	group, groupErr := unix.Getpgid(0)
	return sessionErr != nil || groupErr != nil || session == group
}

// hasInput reports whether the terminal with a file descriptor has something to read,
// and waits for it at most as long as timeLimit.
func hasInput(fd uintptr, timeLimit time.Duration) bool {
	fds := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}
	deadline := time.Now().Add(timeLimit)
	for {
		timeLeft := max(0, time.Until(deadline))
		milliseconds := int((timeLeft + time.Millisecond - 1) / time.Millisecond) // rounded up
		_, err := unix.Poll(fds, milliseconds)
		if errors.Is(err, unix.EINTR) {
			continue
		}
		return err == nil && fds[0].Revents&unix.POLLIN != 0
	}
}

// openTTY opens the controlling terminal of this process.
func openTTY() (*os.File, error) { return os.OpenFile("/dev/tty", os.O_RDWR, 0) }
