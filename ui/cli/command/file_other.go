//go:build !unix || aix || solaris

package command

import "os"

// lockTempFile does nothing: an open file cannot be removed here.
func lockTempFile(*os.File) error { return nil }

// removeIfUnlocked removes a file, unless a process has it open.
func removeIfUnlocked(path string) { _ = os.Remove(path) }
