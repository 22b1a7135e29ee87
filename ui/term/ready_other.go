//go:build !unix

package term

import (
	"os"
	"time"
)

// ready cannot look ahead here: what has come is all there is.
func ready(uintptr, time.Duration) bool { return false }

func openTTY() (*os.File, error) { return os.OpenFile("CONIN$", os.O_RDWR, 0) }
