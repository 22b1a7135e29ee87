package cli

import (
	"bufio"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/dump"
	"ephemera/core/wire"
)

// note is what an export adds of what is not the contract's own: where the clock
// stands, and who is who.
type note struct {
	Clock    chain.Clock     `wire:"clock"`
	Prefix   string          `wire:"prefix"`
	Contract cw721.Address   `wire:"contract"` // its own address
	Accounts []chain.Account `wire:"accounts"`
}

func noteOf(v *chain.View) ([]byte, error) {
	accounts, err := v.Accounts()
	return wire.Encode(note{v.Clock, v.Prefix, v.Self, accounts}), err
}

func (a *app) exportCommand() *cobra.Command {
	var withClock bool
	cmd := &cobra.Command{
		Use:   "export [FILE]",
		Short: "Write the contract's storage as a chain prints it",
		Long: `Writes the contract's storage, {"models":[{"key":HEX,"value":BASE64},...]}, to
stdout or to a file. The file is replaced as a whole once all of it is written,
and only its owner may read it. With --with-clock, a member "ephemera" that
chains ignore holds the clock and the names of accounts, and import takes both
from it.`,
		Example: `  ephemera export state.json
  ephemera export | head -c 300`,
		Args: wants(0, 1, "at most one FILE"),
		RunE: a.begins(func(cmd *cobra.Command, args []string) error {
			return a.onCollection(func(db *Database) error {
				return db.View(func(v *chain.View) (err error) {
					var note []byte
					if withClock {
						if note, err = noteOf(v); err != nil {
							return err
						}
					}
					all := func(w io.Writer) error {
						return dump.Write(w, note, untilStopped(cmd.Context(), v.Records()))
					}
					if len(args) == 0 {
						args = []string{"-"}
					}
					return a.fileOrStdout(args[0], forOwner, all)
				})
			})
		}),
	}
	cmd.Flags().BoolVar(&withClock, "with-clock", false, "add where the clock stands, and the names of accounts")
	return cmd
}

// fileOrStdout is toFile, and - is stdout.
func (a *app) fileOrStdout(name string, mode fs.FileMode, write func(io.Writer) error) error {
	if name == "-" {
		return a.write(func(w *bufio.Writer) error { return write(w) })
	}
	return toFile(name, mode, write)
}

// untilStopped walks what seq walks, and ends with the context's error once it
// is over.
func untilStopped[T any](ctx context.Context, seq iter.Seq2[T, error]) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for item, err := range seq {
			if err == nil {
				err = ctx.Err()
			}
			if !yield(item, err) || err != nil {
				return
			}
		}
	}
}

// Who may read a file that a command writes.
const (
	forOwner fs.FileMode = 0o600
	forAll   fs.FileMode = 0o644
)

// toFile lets write fill a file, and puts it in the place of the old one when
// it is whole. What is no common file, such as a device, is written to.
func toFile(path string, mode fs.FileMode, write func(io.Writer) error) error {
	if info, err := os.Stat(path); err == nil {
		switch {
		case info.IsDir():
			return misused("%s: is a directory, expected a file", path)
		case !info.Mode().IsRegular():
			return intoFile(path, write)
		}
		if path, err = filepath.EvalSymlinks(path); err != nil {
			return unwritable(path, err)
		}
	}
	pending := filepath.Join(filepath.Dir(path), "."+filepath.Base(path)+"-"+rand.Text())
	file, err := os.OpenFile(pending, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return unwritable(path, err)
	}
	defer os.Remove(pending) // fails once the file is in its place
	err = errors.Join(buffered(file, path, write), file.Sync(), file.Close())
	if err != nil {
		return err
	}
	if err := os.Rename(pending, path); err != nil {
		return unwritable(path, err)
	}
	return nil
}

func intoFile(path string, write func(io.Writer) error) error {
	file, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return unwritable(path, err)
	}
	defer file.Close()
	return buffered(file, path, write)
}

// buffered lets write fill a file. What fails in the file is told with its
// name; what write has to say is about something else.
func buffered(file io.Writer, path string, write func(io.Writer) error) error {
	out := bufio.NewWriterSize(named{file, path}, 1<<20)
	if err := write(out); err != nil {
		return err
	}
	return out.Flush()
}

type named struct {
	io.Writer
	path string
}

func (n named) Write(p []byte) (int, error) {
	written, err := n.Writer.Write(p)
	if err != nil {
		err = fmt.Errorf("%s: %w", n.path, err)
	}
	return written, err
}

func unwritable(path string, err error) error {
	return misused("%s: cannot be written: %v", path, reason(err))
}
