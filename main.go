// Ephemera is a terminal explorer for one CW721 collection. See README.md.
package main

import (
	"os"

	"ephemera/program"
	_ "ephemera/themes/early" // before bubbletea asks the terminal
)

func main() { os.Exit(program.New().Run(os.Args[1:])) }
