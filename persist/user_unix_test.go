//go:build unix

package persist

import "syscall"

func asUser(id uint32) *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: id, Gid: id}}
}
