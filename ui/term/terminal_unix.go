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

// Program is the part of a bubbletea program that a suspension needs.
type Program interface {
	ReleaseTerminal() error
	RestoreTerminal() error
}

// Jobs lets a shell stop a program and bring it back, by ctrl+z or by a signal. Bubbletea's
// own suspension ignores signals from outside, and forgets the mouse.
type Jobs struct {
	requests chan struct{}
}

// NewJobs returns Jobs that do nothing before Run.
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

// Run releases the terminal before the program stops. When the program continues, it
// restores the terminal and calls resumed. It returns when ctx is done.
func (j *Jobs) Run(ctx context.Context, p Program, resumed func()) {
	continued := make(chan os.Signal, 1)
	stopSignals := make(chan os.Signal, 1)
	signal.Notify(continued, syscall.SIGCONT)
	defer signal.Stop(continued)
	if !signal.Ignored(syscall.SIGTSTP) {
		signal.Notify(stopSignals, syscall.SIGTSTP)
		defer signal.Stop(stopSignals)
	}
	// stop stops this process until the shell continues it, and reports whether to go on.
	// It sends SIGSTOP, because SIGTSTP does not stop a Go program that handles it.
	stop := func() bool {
		_ = syscall.Kill(os.Getpid(), syscall.SIGSTOP)
		select {
		case <-ctx.Done():
			return false
		case <-continued:
		}
		select {
		case <-stopSignals: // this process sent it to its group
		default:
		}
		return true
	}
	for {
		select {
		case <-ctx.Done():
			return
		case <-j.requests:
			_ = p.ReleaseTerminal()              // the program ends elsewhere if the terminal is gone
			_ = syscall.Kill(0, syscall.SIGTSTP) // stops the other processes of the group
			if !stop() {
				return
			}
		case <-stopSignals:
			if hasNoShell() {
				continue // like the kernel
			}
			_ = p.ReleaseTerminal()
			if !stop() {
				return
			}
		case <-continued:
			// SIGSTOP from outside left no time to release the terminal, and the shell
			// may have changed its modes.
			_ = p.ReleaseTerminal()
		}
		if ctx.Err() != nil {
			return // the program has released the terminal for good
		}
		_ = p.RestoreTerminal()
		resumed()
	}
}

// hasNoShell reports whether no shell could continue this process group, because the group
// is the first of its terminal.
func hasNoShell() bool {
	session, sessionErr := unix.Getsid(0)
	group, groupErr := unix.Getpgid(0)
	return sessionErr != nil || groupErr != nil || session == group
}

// hasInput reports whether a terminal has something to read, and waits for it at most as
// long as timeLimit.
func hasInput(fd uintptr, timeLimit time.Duration) bool {
	fds := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}
	deadline := time.Now().Add(timeLimit)
	for {
		left := max(0, time.Until(deadline))
		n, err := unix.Poll(fds, int((left+time.Millisecond-1)/time.Millisecond))
		if errors.Is(err, unix.EINTR) {
			continue
		}
		return err == nil && n > 0 && fds[0].Revents&unix.POLLIN != 0
	}
}

func openTTY() (*os.File, error) { return os.OpenFile("/dev/tty", os.O_RDWR, 0) }
