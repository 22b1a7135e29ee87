//go:build !unix

package ptytest

import (
	"errors"
	"os"
)

// There are no such terminals here: [Start] fails before any of these is called.

func closable(tty *os.File) (*os.File, error) { return tty, nil }

func setSize(*os.File, int, int) error { return errors.ErrUnsupported }

// Foreground fails: there are no groups of processes here.
func (t *Term) Foreground() (group int, err error) { return 0, errors.ErrUnsupported }
