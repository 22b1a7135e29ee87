// Ephemera is a terminal explorer for one CW721 collection. See README.md.
//
// This file connects the parts: it gives the commands the functions to open a database and
// to start the explorer. No other file imports all parts.
package main

import (
	"context"
	"errors"
	"io"
	"os"

	"ephemera/core/chain"
	"ephemera/core/kv"
	"ephemera/core/lesson"
	"ephemera/persist"
	_ "ephemera/themes/early" // before bubbletea asks the terminal
	"ephemera/ui"
	"ephemera/ui/app"
	"ephemera/ui/cli"
	"ephemera/ui/cli/command"
	"ephemera/ui/cli/learn"
	"ephemera/ui/cli/preferences"
	"ephemera/ui/cli/storage"
	"ephemera/ui/demo"
)

// main runs the command in the arguments, and exits with its status. It passes the functions
// that open databases and start the explorer, so that package cli need not import them.
func main() {
	program := command.Program{
		Open:     openDatabase,
		Restore:  persist.Restore,
		Rescue:   rescueDatabase,
		Explore:  explore,
		Progress: learn.ProgressStorage,
		Stdin:    os.Stdin,
		Stdout:   os.Stdout,
		Stderr:   os.Stderr,
	}
	os.Exit(cli.Run(program, os.Args[1:]))
}

// openDatabase opens the database that a command asks for, in memory or on the disk, and
// the chain that is stored in it. It fails with the errors of [persist.Open] and
// [chain.OpenWith].
func openDatabase(request command.OpenOptions) (*command.Database, error) {
	if request.Memory {
		openedChain, err := chain.OpenWith(kv.NewMemory(), request.ChainOptions())
		if err != nil {
			return nil, err
		}
		return &command.Database{Chain: openedChain}, nil
	}

	// Otherwise open the files in the directory.
	disk, err := persist.Open(request.Dir, persist.Options{
		ReadOnly:  request.ReadOnly,
		MustExist: !request.Create,
	})
	if err != nil {
		return nil, err
	}

	// To only try writes, keep them in a layer in memory, so that the disk does not change.
	var db kv.DB = disk
	if request.TryWrites {
		db = kv.NewScratch(disk)
	}
	openedChain, err := chain.OpenWith(db, request.ChainOptions())
	if err != nil {
		return nil, errors.Join(err, disk.Close())
	}

	// Only a database on the disk has a size, can be backed up and can be verified.
	return &command.Database{
		Chain: openedChain,
		Store: func() (command.Store, error) {
			info, err := disk.Info()
			return command.Store(info), err
		},
		Backup:       disk.Backup,
		VerifyTables: disk.Verify,
	}, nil
}

// rescueDatabase is the Rescue of [command.Program].
func rescueDatabase(dir string, check func(*command.Database) error) (command.Rescued, error) {
	rescued, err := persist.Rescue(dir, func(disk *persist.DB) error {
		rescuedChain, err := chain.OpenWith(disk, command.OpenOptions{}.ChainOptions())
		if err != nil {
			return err
		}
		return check(&command.Database{Chain: rescuedChain})
	})
	return command.Rescued(rescued), err
}

// explore runs the explorer on a database or on the demo, until the user leaves it. It
// adds to options the functions for databases, files and preferences.
func explore(ctx context.Context, where command.OpenOptions, options app.Options) error {
	db := new(command.Database) // options.Open replaces it, before any import or backup
	options.MemoryOnly = options.Demo || where.Memory
	options.ReadOnly = where.ReadOnly

	// Open the database, or another chain in memory.
	where.TryWrites = where.ReadOnly
	options.Open = func() (app.Engine, error) {
		var err error
		db, err = command.RetryWhileLocked(ctx, where.Wait, func() (*command.Database, error) {
			return openDatabase(where)
		})
		if err != nil {
			return nil, err
		}
		return db.Chain, nil
	}
	options.OpenDemo = openDemo
	options.Scratch = scratch

	// Read the lessons and the preferences.
	options.Lessons = func() ([]lesson.Lesson, error) { return learn.LoadLessons(options.LessonDir) }
	options.Progress = learn.ProgressStorage
	options.HiddenColumns = preferences.HiddenColumns()
	options.KeepColumns = preferences.SaveColumns

	// Read and write files.
	options.Save = command.SaveFile
	options.ReadModule = command.ReadModule
	options.Export = func(view *chain.View, w io.Writer, withClock bool) error {
		return storage.Export(ctx, db, view, w, withClock)
	}
	options.Import = func(path string, start chain.Genesis, progress func(int)) ([]string, error) {
		return db.ImportFile(path, start, progress)
	}

	if options.Demo {
		options.Open = openDemo
		options.FirstActor = demo.Actor
	}

	// Only a database on the disk can be backed up and remembers the account that acts.
	if !options.MemoryOnly {
		options.FirstActor = preferences.LastAccount(where.Dir)
		options.KeepActor = func(account string) error {
			return preferences.SaveAccount(where.Dir, account)
		}
		options.Backup = func(path string, replace bool) error {
			return command.SaveBytes(path, replace, func(w io.Writer) error {
				return db.Backup(w, nil)
			})
		}
	}
	return ui.Run(ctx, options)
}

// openDemo opens a new demo in memory.
func openDemo() (app.Engine, error) {
	return demo.Open(scratch)
}

// scratch opens an empty chain in memory.
func scratch() (*chain.Chain, error) { return chain.Open(kv.NewMemory()) }
