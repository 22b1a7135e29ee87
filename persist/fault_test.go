//go:build linux

package persist

import (
	"errors"
	"io/fs"
	"syscall"
	"testing"
)

func TestAnErrorOfTheSystemIsNoDamage(t *testing.T) {
	t.Parallel()
	for name, cause := range map[string]error{
		"a path error":                      &fs.PathError{Op: "open", Path: "/db/000001.sst", Err: syscall.EMFILE},
		"an error of the mapping of a file": errors.Join(syscall.ENOMEM, errors.New("while mmapping")),
	} {
		if err := brokenTableError("/db", 1, cause); !isError[*DirError](err) || isError[*DamagedError](err) {
			t.Errorf("%s: got %v", name, err)
		}
	}
	requireDamage(t, "a broken block", brokenTableError("/db", 1, errUnreadableBlock))
}
