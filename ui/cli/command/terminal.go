package command

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/adrg/xdg"
	"github.com/charmbracelet/x/term"
	"github.com/muesli/termenv"

	"ephemera/ui/crash"
)

// Terminal describes the terminal as far as the program knows it without asking.
type Terminal struct {
	Name     string `wire:"name"`               // TERM, such as "xterm-256color"
	IsStdout bool   `wire:"stdout_is_terminal"` // stdout is a terminal
	Columns  uint64 `wire:"columns"`            // 0 if stdout is no terminal
	Rows     uint64 `wire:"rows"`               // 0 if stdout is no terminal
	Colours  string `wire:"colours"`            // which colours it has, by the environment
	NoColor  bool   `wire:"no_color"`           // NO_COLOR or --no-color is set
}

// IsTerminal reports whether a stream is a terminal.
func IsTerminal(stream any) bool {
	file, ok := stream.(*os.File)
	return ok && term.IsTerminal(file.Fd())
}

// DescribeTerminal describes the terminal, without asking it.
func (a *App) DescribeTerminal() Terminal {
	terminal := Terminal{
		Name:     os.Getenv("TERM"),
		IsStdout: IsTerminal(a.Stdout),
		NoColor:  a.Global.Explorer.NoColor || os.Getenv("NO_COLOR") != "",
		Colours:  termenv.NewOutput(a.Stdout).EnvColorProfile().Name(),
	}
	if !terminal.IsStdout {
		return terminal
	}
	width, height, err := term.GetSize(a.Stdout.(*os.File).Fd())
	if err != nil {
		return terminal
	}
	terminal.Columns = uint64(width)
	terminal.Rows = uint64(height)
	return terminal
}

// Colour returns a text in a colour if stream is a terminal that shows colours. The colour is the
// parameter of an ANSI escape sequence, such as "31" for red.
func (a *App) Colour(stream any, colour, text string) string {
	if !IsTerminal(stream) || a.DescribeTerminal().NoColor {
		return text
	}
	return "\x1b[" + colour + "m" + text + "\x1b[m"
}

// TerminalLine returns two functions for a line that shows progress if stderr is a terminal: show
// writes a text over the current line, and end clears that line.
func (a *App) TerminalLine() (show func(format string, args ...any), end func()) {
	if !IsTerminal(a.Stderr) {
		return func(string, ...any) {}, func() {}
	}
	const (
		toLineStart = "\r"
		clearRest   = "\x1b[K" // clears the line from the cursor on
	)
	show = func(format string, args ...any) {
		fmt.Fprintf(a.Stderr, toLineStart+format+clearRest, args...)
	}
	end = func() { fmt.Fprint(a.Stderr, toLineStart+clearRest) }
	return show, end
}

// reportCrash writes a report about a panic to a file, and prints where the file is and what
// to do with it. If the file cannot be written, it prints the stack of the panic.
func (a *App) reportCrash(caught *crash.Panic) {
	fmt.Fprintf(a.Stderr, "ephemera: %v; the database was closed in order\n", caught)
	terminal := a.DescribeTerminal()
	dir := filepath.Join(xdg.StateHome, "ephemera")
	path, err := crash.Write(dir, time.Now(), caught,
		"version: "+Version(),
		fmt.Sprintf("terminal: %q", terminal.Name),
		fmt.Sprintf("size: %d×%d", terminal.Columns, terminal.Rows),
		"colours: "+terminal.Colours,
		fmt.Sprintf("stdout is a terminal: %t", terminal.IsStdout),
		fmt.Sprintf("no colours: %t", terminal.NoColor),
	)

	if err != nil {
		fmt.Fprintf(
			a.Stderr,
			"ephemera: no report could be written (%v); this is what it would say:\n%s",
			err,
			caught.Stack,
		)
		return
	}
	fmt.Fprintf(
		a.Stderr,
		"ephemera: a report is in %s; it contains the version, the place in the program and the terminal, and nothing of a collection; "+
			"please send that file to the maintainers, and describe what you did last\n",
		path,
	)
}

// ConfigPath returns the path of the user's preferences, such as
// "/home/alice/.config/ephemera/config.yaml". The file may be missing.
func ConfigPath() string { return filepath.Join(xdg.ConfigHome, "ephemera", "config.yaml") }

// release is the version of a released program, such as "v1.2.0". The script .ci/release
// sets it when it builds the program. It is empty in other builds.
var release string

// Version returns the version, the commit, the Go version and the system, such as "v1.2.0
// (commit 0123456789ab, go1.26.8, linux/amd64)". It leaves the commit out if the build
// does not name it.
func Version() string {
	build, ok := debug.ReadBuildInfo()
	if !ok {
		build = &debug.BuildInfo{}
	}

	// A module without a version has "(devel)" there.
	version := cmp.Or(release, strings.Trim(build.Main.Version, "()"), "devel")

	details := []string{runtime.Version(), runtime.GOOS + "/" + runtime.GOARCH}
	for _, setting := range build.Settings {
		if setting.Key == "vcs.revision" && len(setting.Value) >= 12 {
			details = slices.Insert(details, 0, "commit "+setting.Value[:12])
		}
	}
	return fmt.Sprintf("%s (%s)", version, strings.Join(details, ", "))
}
