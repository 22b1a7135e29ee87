package cli

import (
	"context"
	"errors"
	"io"
	"os"
	"runtime/debug"
	"time"

	"github.com/spf13/cobra"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/dump"
	"ephemera/core/wire"
)

func (a *app) importCommand() *cobra.Command {
	var g genesis
	cmd := &cobra.Command{
		Use:   "import FILE...",
		Short: "Read a contract's storage, as a chain prints it",
		Long: `Reads the storage of a cw721 contract of version 0.19 or later into a database
that holds no collection. FILE is what wasmd prints for "contract-state all" or
its REST path .../state; several pages are several files. The flags say what the
storage does not: the rules, the block, and the prefix where no address shows
it.`,
		Example: `  ephemera import page-1.json page-2.json --height 1204000`,
		Args:    wants(1, -1, "one or more files"),
		RunE: a.begins(func(cmd *cobra.Command, args []string) error {
			return a.importFiles(cmd.Context(), g, args)
		}),
	}
	g.flags(cmd, "")
	return cmd
}

func (a *app) importFiles(ctx context.Context, g genesis, names []string) error {
	files, closeAll, err := openAll(names)
	if err != nil {
		return err
	}
	defer closeAll()
	found, err := firstAddress(g, files)
	if err != nil {
		return err
	}
	start, _, err := g.start(found)
	if err != nil {
		return err
	}
	where := a.where()
	where.Discard = !where.ReadOnly
	return a.open(where, func(db *Database) error {
		pages := dump.Read(files...)
		if err := a.load(ctx, db, start, pages.Records(), read(files)); err != nil {
			return errors.Join(err, db.Discard())
		}
		if pages.Missing() {
			a.complain("warning: a next_key says that more pages follow, which are not here; what they hold is missing")
		}
		return a.printImported(db)
	})
}

// importMemory is what the Go runtime is told to get along with while a database
// is filled: it collects earlier then, and else takes twice what is needed. A
// million tokens need about 250 MB at their peak, and no more tokens need more.
const importMemory = 200 << 20

// load fills an empty database. On a terminal it shows how far it is; done
// tells which part of the whole that is, 0 to 1, and can be nil.
func (a *app) load(ctx context.Context, db *Database, start chain.Genesis, records chain.Records, done func() float64) error {
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(importMemory))
	var progress func(int)
	if isTerminal(a.Stderr) {
		p := progressLine{start: time.Now(), done: done}
		show, end := a.onTerminal()
		progress = func(n int) { show("%s", p.text(n, time.Now())) }
		defer end()
	}
	return db.Import(start, untilStopped(ctx, records), progress)
}

func (a *app) printImported(db *Database) error {
	return db.View(func(v *chain.View) error {
		c, err := collectionOf(v)
		if err != nil {
			return err
		}
		return a.print(wire.Compact(c))
	})
}

// page is a file of a dump. What goes wrong in reading it is about the file.
type page struct{ *os.File }

func (p page) Read(b []byte) (int, error) {
	n, err := p.File.Read(b)
	if err != nil && err != io.EOF {
		err = unreadable(p.Name(), err)
	}
	return n, err
}

func openAll(names []string) (files []io.Reader, closeAll func(), err error) {
	closeAll = func() {
		for _, f := range files {
			f.(page).Close()
		}
	}
	for _, name := range names {
		file, err := os.Open(name)
		if err != nil {
			closeAll()
			return nil, nil, unreadable(name, err)
		}
		files = append(files, page{file})
	}
	return files, closeAll, nil
}

// firstAddress looks into a dump for an address, which shows the prefix of all
// of them, and winds the files back.
func firstAddress(g genesis, files []io.Reader) (found cw721.Address, err error) {
	if g.prefix != "" {
		return "", nil
	}
	for record, err := range dump.Read(files...).Records() {
		if err != nil {
			return "", err
		}
		if found = addressIn(record.Value); found != "" {
			break
		}
	}
	for _, f := range files {
		if _, err := f.(page).Seek(0, io.SeekStart); err != nil {
			return "", misused("%s: cannot be read twice, expected a file, or --prefix", f.(page).Name())
		}
	}
	return found, nil
}
