package cli

import "time"

// WaitForCommandsToStop makes [Run] wait without a limit for a command that was told to
// stop, so that a busy machine does not end the command before it is done.
func WaitForCommandsToStop() { stopTimeout = time.Hour }
