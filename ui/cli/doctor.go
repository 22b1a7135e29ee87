package cli

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"ephemera/core/chain"
	"ephemera/core/check"
	"ephemera/core/wire"
	"ephemera/ui/widget"
)

func (a *app) doctorCommand() *cobra.Command {
	var rebuild, rescue bool
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Check the whole database against itself",
		Long: `Reads every file and every record, changes nothing, and tells what is wrong and
what can be done: records that cannot be read, the token count, the owner index,
the agenda of what ends, the holdings, the history, the clock, the accounts.

With --rebuild, what is derived from the contract's records is brought in step
with them. With --rescue, a database that is refused as damaged is made fit to
be opened with what is left of it; every file is kept in DIR/rescue first, and
what had been deleted may be back, which the check that follows tells.`,
		Example: `  ephemera doctor`,
		Args:    wants(0, 0, "no argument"),
		RunE: a.begins(func(*cobra.Command, []string) error {
			var c checkup
			if rescue {
				if a.global.memory || a.global.readOnly {
					return misused("--rescue: expected without --memory and --readonly, as it mends files")
				}
				done, err := a.Disk.Rescue(a.global.db)
				if err != nil {
					return err
				}
				c.Rescued = &done
			}
			err := a.onCollection(func(db *Database) error {
				return a.examine(db, c, rebuild)
			})
			if c.Rescued != nil && errors.Is(err, chain.ErrNoCollection) {
				return a.leftNothing(c)
			}
			return err
		}),
	}
	cmd.Flags().BoolVar(&rebuild, "rebuild", false, "mend what is derived from the contract's records")
	cmd.Flags().BoolVar(&rescue, "rescue", false, "make a damaged database fit to be opened")
	return cmd
}

// checkup is what the doctor has to say.
type checkup struct {
	Clean bool `wire:"clean"`
	// Files is what is wrong with the files; nil where nothing is. Where
	// something is, the records are not looked at.
	Files *string `wire:"files"`
	// Rescued and Rebuilt tell what was mended; a rebuild in records written.
	Rescued *Rescued `wire:"rescued"`
	Rebuilt uint64   `wire:"rebuilt"`
	// Report is nil where the records were not looked at.
	Report *check.Report `wire:"report"`
}

func (a *app) examine(db *Database, c checkup, rebuild bool) error {
	show, end := a.onTerminal()
	defer end()
	progress := func(n int) { show("%s records read", chain.Thousands(uint64(n))) }
	if db.Maintenance.Verify != nil {
		if err := db.Maintenance.Verify(); err != nil {
			text := err.Error()
			c.Files = &text
		}
	}
	if c.Files != nil {
		// Records in a broken file cannot be told from records that are missing.
		end()
		if err := a.print(wire.Compact(c)); err != nil {
			return err
		}
		return a.told(c)
	}
	report, err := check.Run(db.Chain, progress)
	if err != nil {
		return err
	}
	if rebuild && report.Repairable() {
		n, err := check.Repair(db.Chain, progress)
		if err != nil {
			return err
		}
		c.Rebuilt = uint64(n)
		if report, err = check.Run(db.Chain, progress); err != nil {
			return err
		}
	}
	end()
	c.Report, c.Clean = &report, report.Clean()
	if err := a.print(wire.Compact(c)); err != nil || c.Clean {
		return err
	}
	return a.told(c)
}

// leftNothing tells that what could be rescued holds no collection.
func (a *app) leftNothing(c checkup) error {
	text := fmt.Sprintf("nothing of a collection is left in %s outside of what is broken; every file is kept in %s; restore a backup into another directory",
		a.global.db, c.Rescued.Kept)
	c.Files = &text
	if err := a.print(wire.Compact(c)); err != nil {
		return err
	}
	return a.told(c)
}

// told says on stderr what is wrong, a line each, and gives the exit status.
func (a *app) told(c checkup) error {
	say := func(text string) { a.complain("%s", widget.Safe(text)) }
	if c.Files != nil {
		say(*c.Files)
	}
	if c.Report == nil {
		return &silent{trouble}
	}
	for _, f := range c.Report.Faults {
		say(fmt.Sprintf("%s: %s; %s", f.Part, f.Text, f.Remedy))
	}
	if c.Report.More > 0 {
		say(fmt.Sprintf("%s more of these are not listed", chain.Thousands(c.Report.More)))
	}
	return &silent{trouble}
}
