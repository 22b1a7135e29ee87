package storage

import (
	"errors"
	"fmt"

	"ephemera/core/check"
	"ephemera/ui/cli/command"
	"ephemera/ui/widget"
)

// rescued lets the database be made anew of what can be read, and takes that only
// if it is in step with itself, or can be brought in step. It tells what is missing.
func rescued(a *command.App, c *checkup) error {
	if a.Global.Memory || a.Global.ReadOnly {
		return command.UsageErrorf("--rescue: expected without --memory and --readonly, as it mends files")
	}
	var done command.Rescued
	err := command.RetryWhileLocked(a.Ctx, a.Where().Wait, func() (err error) {
		done, err = a.Disk.Rescue(a.Global.DB, func(db *command.Database) error { return salvage(db, c) })
		return err
	})
	if err != nil {
		return err
	}
	c.Rescued = &done
	for _, f := range c.Missing {
		a.Errorf("rescued without: %s", widget.Safe(f.Text))
	}
	if c.Begun {
		a.Errorf("rescued without the history, which begins anew; what stood there before is in %s", widget.Safe(done.Kept))
	}
	return nil
}

// salvage brings what was rescued in step with itself.
func salvage(db *command.Database, c *checkup) error {
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
