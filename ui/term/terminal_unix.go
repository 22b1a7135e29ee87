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

// Program is what a suspension needs of a bubbletea program.
type Program interface {
	ReleaseTerminal() error
	RestoreTerminal() error
}

// Jobs lets a shell stop a program and bring it back: what ctrl+z does, and
// signals from outside. Bubbletea's own suspension knows nothing of the
// latter, and forgets the mouse.
type Jobs struct {
	ask chan struct{}
}

// NewJobs makes one; nothing happens before Run.
func NewJobs() *Jobs { return &Jobs{ask: make(chan struct{}, 1)} }

// Suspend asks for the program to be stopped. It tells whether there is a shell
// that can bring it back; else it does nothing.
func (j *Jobs) Suspend() bool {
	if orphan() {
		return false
	}
	select {
	case j.ask <- struct{}{}:
	default: // asked already
	}
	return true
}

// Run gives the terminal back before the program stops, and takes it again,
// whole, when the program goes on. resumed is called then. It returns when ctx
// is over.
func (j *Jobs) Run(ctx context.Context, p Program, resumed func()) {
	goesOn, told := make(chan os.Signal, 1), make(chan os.Signal, 1)
	signal.Notify(goesOn, syscall.SIGCONT)
	defer signal.Stop(goesOn)
	if !signal.Ignored(syscall.SIGTSTP) {
		signal.Notify(told, syscall.SIGTSTP)
		defer signal.Stop(told)
	}
	// stop stops this process and waits for the shell. A signal that was asked
	// for once never stops a Go program again, so it is one that cannot be.
	stop := func() bool {
		_ = syscall.Kill(os.Getpid(), syscall.SIGSTOP)
		select {
		case <-ctx.Done():
			return false
		case <-goesOn:
		}
		select {
		case <-told: // it was for what has just been done
		default:
		}
		return true
	}
	for {
		select {
		case <-ctx.Done():
			return
		case <-j.ask:
			_ = p.ReleaseTerminal()              // a terminal that is gone ends the program elsewhere
			_ = syscall.Kill(0, syscall.SIGTSTP) // whoever runs beside it
			if !stop() {
				return
			}
		case <-told:
			if orphan() {
				continue // as the kernel has it
			}
			_ = p.ReleaseTerminal()
			if !stop() {
				return
			}
		case <-goesOn:
			// Stopped from outside, with no time to give the terminal back: what
			// the shell has made of it is known only to the terminal.
			_ = p.ReleaseTerminal()
		}
		if ctx.Err() != nil {
			return // the program has given the terminal back for good
		}
		_ = p.RestoreTerminal()
		resumed()
	}
}

// orphan tells that no shell watches over this process group, because it is the
// first of its terminal: a stop would be for good.
func orphan() bool {
	session, err := unix.Getsid(0)
	group, err2 := unix.Getpgid(0)
	return err != nil || err2 != nil || session == group
}

// ready says whether a terminal has something to read, and waits for it at most
// as long as given.
func ready(fd uintptr, wait time.Duration) bool {
	fds := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}
	until := time.Now().Add(wait)
	for {
		left := max(0, time.Until(until))
		n, err := unix.Poll(fds, int((left+time.Millisecond-1)/time.Millisecond))
		if errors.Is(err, unix.EINTR) {
			continue
		}
		return err == nil && n > 0 && fds[0].Revents&unix.POLLIN != 0
	}
}

func openTTY() (*os.File, error) { return os.OpenFile("/dev/tty", os.O_RDWR, 0) }
