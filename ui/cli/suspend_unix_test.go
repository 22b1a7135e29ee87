//go:build unix

package cli_test

import "syscall"

// suspend stops a process; one that is not asked cannot say no.
func suspend(pid int, unasked bool) error {
	if unasked {
		return syscall.Kill(pid, syscall.SIGSTOP)
	}
	return syscall.Kill(pid, syscall.SIGTSTP)
}
