package cli_test

import (
	"os"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"ephemera/program"
	_ "ephemera/themes/early"
)

// open opens a database as the program does.
var open = program.Open

// TestMain lets the test binary stand for the program: scripts run it as
// "ephemera", in a process of its own.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"ephemera": func() { os.Exit(program.New().Run(os.Args[1:])) },
		"panicking-ephemera": func() {
			p := program.New()
			p.Explore = exploreToPanic
			os.Exit(p.Run(os.Args[1:]))
		},
	})
}
