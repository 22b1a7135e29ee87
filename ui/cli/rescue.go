package cli

import (
	"errors"
	"fmt"

	"ephemera/core/check"
	"ephemera/ui/widget"
)

// Rescued tells what a rescue did.
type Rescued struct {
	// Kept is the directory that has every file as it was.
	Kept string `wire:"kept"`
	// Broken are the files of which not everything could be read.
	Broken []string `wire:"broken"`
	// Relisted is how many tables are in use again.
	Relisted uint64 `wire:"relisted_tables"`
	// Blocks is how many blocks of some 4 kB could not be read.
	Blocks uint64 `wire:"unreadable_blocks,optional"`
}

// rescue lets the database be made anew of what can be read, and takes that only
// if it is in step with itself, or can be brought in step. It tells what is missing.
func (a *app) rescue(c *checkup) error {
	if a.global.memory || a.global.readOnly {
		return misused("--rescue: expected without --memory and --readonly, as it mends files")
	}
	var done Rescued
	err := WhenFree(a.ctx, a.global.wait, func() (err error) {
		done, err = a.Disk.Rescue(a.global.db, func(db *Database) error { return salvage(db, c) })
		return err
	})
	if err != nil {
		return err
	}
	c.Rescued = &done
	for _, f := range c.Missing {
		a.complain("rescued without: %s", widget.Safe(f.Text))
	}
	if c.Begun {
		a.complain("rescued without the history, which begins anew; what stood there before is in %s", widget.Safe(done.Kept))
	}
	return nil
}

// salvage brings what was rescued in step with itself.
func salvage(db *Database, c *checkup) error {
	if _, ok := db.Config(); !ok {
		return errors.New("nothing of a collection is left outside of what is broken")
	}
	report, err := check.Run(db.Chain, nil)
	if err != nil {
		return err
	}
	if report.Clean() {
		return nil
	}
	if !report.Repairable() {
		c.Missing, c.Begun = report.Faults, true
		if err := db.Salvage(); err != nil {
			return err
		}
	}
	n, err := check.Repair(db.Chain, nil)
	if err != nil {
		return err
	}
	c.Rebuilt = uint64(n)
	if report, err = check.Run(db.Chain, nil); err == nil && !report.Clean() {
		err = fmt.Errorf("too much is lost: %s: %s", report.Faults[0].Part, report.Faults[0].Text)
	}
	return err
}
