package cli

import (
	"fmt"
	"runtime"
	"runtime/debug"
)

// version tells which build this is: the module's version, or the commit that
// it was built from.
func version() string {
	name := "devel"
	if build, ok := debug.ReadBuildInfo(); ok {
		if v := build.Main.Version; v != "" && v != "(devel)" {
			name = v
		}
	}
	return fmt.Sprintf("%s (%s, %s/%s)", name, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}
