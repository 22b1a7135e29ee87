//go:build unix

package cli_test

import "syscall"

// suspend stops a process with SIGTSTP, which it can handle, or by force with SIGSTOP.
func suspend(pid int, byForce bool) error {
	if byForce {
		return syscall.Kill(pid, syscall.SIGSTOP)
	}
	return syscall.Kill(pid, syscall.SIGTSTP)
}
