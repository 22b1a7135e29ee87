//go:build unix

package ptytest

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// closable gives a terminal whose Close ends a read that waits, so that the
// terminal is gone then.
func closable(tty *os.File) (*os.File, error) {
	defer tty.Close()
	fd, err := unix.Dup(int(tty.Fd()))
	if err != nil {
		return nil, err
	}
	unix.CloseOnExec(fd)
	if err := unix.SetNonblock(fd, true); err != nil {
		return nil, err
	}
	return os.NewFile(uintptr(fd), tty.Name()), nil
}

func setSize(tty *os.File, w, h int) error {
	conn, err := tty.SyscallConn() // Fd would make reads block again
	if err == nil {
		size := &unix.Winsize{Row: uint16(h), Col: uint16(w)}
		err = errors.Join(conn.Control(func(fd uintptr) { err = unix.IoctlSetWinsize(int(fd), unix.TIOCSWINSZ, size) }), err)
	}
	return err
}

// Foreground gives the process group that the terminal belongs to now.
func (t *Term) Foreground() (group int, err error) {
	conn, err := t.tty.SyscallConn()
	if err == nil {
		err = errors.Join(conn.Control(func(fd uintptr) { group, err = unix.IoctlGetInt(int(fd), unix.TIOCGPGRP) }), err)
	}
	return group, err
}
