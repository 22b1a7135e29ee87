//go:build !unix

package persist

import "syscall"

func asUser(uint32) *syscall.SysProcAttr { return nil }
