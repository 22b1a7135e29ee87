package command

import (
	"fmt"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strconv"
	"time"

	"github.com/adrg/xdg"

	"ephemera/ui/crash"
)

// reportCrash writes a report about a mistake of the program, and says where it
// is and what to do with it.
func (a *App) reportCrash(p *crash.Panic) {
	fmt.Fprintf(a.Stderr, "ephemera: %v; the database was closed in order\n", p)
	t := a.Terminal()
	path, err := crash.Write(filepath.Join(xdg.StateHome, "ephemera"), time.Now(), p,
		crash.Fact{Name: "version", Value: Version()},
		crash.Fact{Name: "terminal", Value: fmt.Sprintf("%q", t.Name)},
		crash.Fact{Name: "size", Value: fmt.Sprintf("%d×%d", t.Columns, t.Rows)},
		crash.Fact{Name: "colours", Value: t.Colours},
		crash.Fact{Name: "stdout is a terminal", Value: strconv.FormatBool(t.Stdout)},
		crash.Fact{Name: "no colours", Value: strconv.FormatBool(t.NoColor)},
	)
	if err != nil {
		fmt.Fprintf(a.Stderr, "ephemera: no report could be written (%v); this is what it would say:\n%s", err, p.Stack)
		return
	}
	fmt.Fprintf(a.Stderr, "ephemera: a report is in %s; it tells the version, the place in the program and the terminal, and nothing of a collection; "+
		"please send that file to those who gave you the program, with what you did last\n", path)
}

// Version tells which build this is: the module's version, or the commit that
// it was built from.
func Version() string {
	name := "devel"
	if build, ok := debug.ReadBuildInfo(); ok {
		if v := build.Main.Version; v != "" && v != "(devel)" {
			name = v
		}
	}
	return fmt.Sprintf("%s (%s, %s/%s)", name, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}
