// Package early answers lipgloss's question about the terminal's background
// before anything asks the terminal.
//
// Bubbletea v1 asks in an init function: it writes a query to the terminal and
// waits for the answer. A terminal that does not answer costs 5.0 seconds at
// every start, even for --version (measured with v1.3.10; with this package the
// same start takes 5 ms).
//
// Go initialises packages in the order of their import paths, once what they
// import is initialised. This package imports lipgloss and nothing else, and
// ephemera/themes/early sorts before github.com/charmbracelet/bubbletea. So it
// runs first, and bubbletea finds an answer that is already there. Both
// properties are load-bearing: a second import here, or a module path that
// sorts after github.com, would bring the five seconds back.
//
// The real background is found later, by ephemera/ui/term, and only for the
// explorer. Import this package for its effect, in main.
package early

import "github.com/charmbracelet/lipgloss"

func init() { lipgloss.SetHasDarkBackground(true) }
