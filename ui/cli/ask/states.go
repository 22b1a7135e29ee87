package ask

import (
	"cmp"
	"errors"
	"io"
	"os"
	"strconv"
	"strings"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/dump"
	"ephemera/core/explain"
	"ephemera/core/human"
	"ephemera/ui/cli/command"
)

// compare opens the states that OLD and NEW name, notes what the comparison needs to know about
// them, and prints how they differ.
func (d *diff) compare(oldArg, newArg string) error {
	return d.withState(oldArg, func(before state) error {
		d.BeforeView = before.View
		d.oldModule = before.module
		return d.withState(newArg, func(after state) error {
			d.AfterView = after.View
			d.newModule = after.module
			d.IsOneHistory = before.dir != "" && before.dir == after.dir
			d.HasClock = !isDump(newArg) || after.Clock.Time != 0
			return d.answer(newArg)
		})
	})
}

// state is what one argument, OLD or NEW, names.
type state struct {
	*chain.View
	module chain.StoredModule // see diff.oldModule
	dir    string             // of the database; empty for a dump
}

// isDump reports whether an argument names a dump: stdin, a file that exists, or several files
// separated by commas.
func isDump(stateArg string) bool {
	info, err := os.Stat(stateArg)
	return err == nil && info.Mode().IsRegular() || stateArg == "-" || strings.Contains(stateArg, ",")
}

// withState calls fn with the state that an argument names: a dump, the database in a
// directory, or a point of the history of --db. It fails with a [*command.UsageError] if the
// argument names none of them.
func (d *diff) withState(stateArg string, fn func(state) error) error {
	if isDump(stateArg) {
		return d.withDump(stateArg, fn)
	}

	// A directory can have the name of a snapshot. Without a database in it, the snapshot
	// is meant.
	info, err := os.Stat(stateArg)
	if err == nil && info.IsDir() && d.SharedDatabase == nil {
		err := d.withPoint(stateArg, "now", fn)
		if !command.IsError[command.NoDatabase](err) {
			return err
		}
	}

	// Without a database, the argument was probably meant as a file.
	err = d.withPoint(d.Global.OpenOptions.Dir, stateArg, fn)
	if command.IsError[command.NoDatabase](err) || errors.Is(err, chain.ErrNoCollection) {
		return command.UsageErrorf("%s is no file, and %v", stateArg, chain.ErrNoCollection)
	}
	return err
}

func (d *diff) withPoint(dir, point string, fn func(state) error) error {
	openOptions := d.Global.OpenOptions
	openOptions.Dir = dir
	openOptions.ReadOnly = true // so that both states can be in one database
	return d.UseDatabase(openOptions, func(db *command.Database) error {
		callWithState := func(view *chain.View) error {
			module, _, err := view.Module()
			if err != nil {
				return err
			}
			return fn(state{view, module, dir})
		}
		if point == "now" {
			return db.View(callWithState)
		}
		id, err := db.FindNode(point)
		if err != nil {
			return command.UsageErrorf("%s is no file, and %v", point, err)
		}
		return db.ViewAt(id, callWithState)
	})
}

// withDump calls fn with the state in the files of a dump. Without a clock in the dump, the
// time of the view is 0.
func (d *diff) withDump(stateArg string, fn func(state) error) error {
	names := strings.Split(stateArg, ",")
	if _, err := os.Stat(stateArg); err == nil {
		names = []string{stateArg} // a file whose name may have a comma
	}
	var files []io.Reader
	for _, name := range names {
		file, err := d.Input(name)
		if err != nil {
			return err
		}
		defer file.Close()
		files = append(files, file)
	}

	// Import them into a database in memory.
	importedChain, err := d.OpenInMemory()
	if err != nil {
		return err
	}
	db := command.Database{Chain: importedChain}
	pages := dump.Read(files...)
	pages.Contract = d.contract
	if _, err := db.ImportFrom(pages, chain.Genesis{KeepsLayout: true}, chain.Clock{}, nil); err != nil {
		return err
	}
	note, err := command.ReadNote(pages.Note())
	if err != nil {
		return err
	}
	dumped := state{module: *cmp.Or(note.Module, &chain.StoredModule{})}
	return db.View(func(view *chain.View) error {
		dumped.View = view
		return fn(dumped)
	})
}

// chooseBlock sets the block from which both states are seen: that of --at, or else that of
// NEW. It fails with a [*command.UsageError] if NEW has no clock and --at is missing.
func (d *diff) chooseBlock(newArg string) error {
	if !d.HasClock && len(d.at) == 0 {
		return command.UsageErrorf(
			"%s does not say at which block it was taken, expected --at, like --at h1110, or an export --with-clock",
			newArg,
		)
	}
	if d.HasClock {
		d.Block = d.AfterView.Clock.Block()
	}

	// Each --at changes the height of the block, the time, or both.
	for _, text := range d.at {
		err := d.moveTo(text)
		if explain.IsNameError(err) {
			return command.UsageErrorf("--at: %v", err)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// moveTo moves the block of the comparison to a moment such as "h1110". Without a clock, which
// relates heights and times, it changes only one of the two.
func (d *diff) moveTo(text string) error {
	if d.HasClock {
		moment, err := explain.ParseMoment(d.AfterView, text)
		if err != nil {
			return err
		}
		d.Block = moment.Block
		return nil
	}

	// Without a clock, a bare number is a height.
	const largestHeight = 1e17 // a larger number is probably a time in nanoseconds
	if n, err := strconv.ParseUint(text, 10, 64); err == nil && n < largestHeight {
		text = "h" + text
	}
	parser := human.MomentParser{
		Noun:     "height and no time", // for an error: "… is no height and no time"
		Examples: "h1110, 2026-12-01T09:00:00Z",
	}
	moment, err := parser.Parse(text, cw721.Block{})
	if err != nil {
		return err
	}
	if strings.HasPrefix(text, "+") {
		return &human.MomentError{
			Text: "the dump has no clock to count from, expected a height or a time",
		}
	}
	if moment.Axis == cw721.AtHeight {
		d.Block.Height = cw721.Height(moment.Value)
	} else {
		d.Block.Time = cw721.Time(moment.Value)
	}
	return nil
}
