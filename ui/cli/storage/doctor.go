package storage

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"ephemera/core/doctor"
	"ephemera/core/human"
	"ephemera/ui/cli/command"
)

func doctorCommand(app *command.App) *cobra.Command {
	var rebuild, repair, rescue bool
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Check the whole database for damage and contradictions",
		Long: `Reads every file and every record, changes nothing, and reports what is wrong and
how to repair it: unreadable records, the token count, the owner index, the index
by expiry, the holdings, the history, the clock, the accounts. The records of a
compiled contract that stores them in a way of its own are not checked: then stderr
says so, and the status is 2.

--rebuild recomputes what is derived from the contract's records. --repair also
recomputes the token count and the owner index, which the contract itself derives
from its tokens. --rescue replaces a database that is refused as damaged by what
can still be read of it, made consistent. It does so only if the result is clean:
stderr lists what is missing, and DIR/rescue keeps every earlier file. Otherwise
the directory stays as it is.`,
		Example: `  ephemera doctor`,
		Args:    command.NoArgs,
		RunE: app.Action(func([]string) error {
			var result checkupResult
			if rescue {
				if err := rescueDatabase(app, &result); err != nil {
					return err
				}
			}
			return app.WithCollection(func(db *command.Database) error {
				// Records in a broken file look like missing ones, so a check of the records
				// would be misleading.
				if err := db.Verify(); err != nil {
					result.FileDamage = new(err.Error())
					return printCheckup(app, result)
				}
				report, rebuiltCount, err := checkRecords(app, db, rebuild, repair)
				if err != nil {
					return err
				}
				result.RebuiltCount += rebuiltCount
				result.Report = &report
				result.IsClean = report.IsClean() && report.UncheckedReason == ""
				return printCheckup(app, result)
			})
		}),
	}

	flags := cmd.Flags()
	flags.BoolVar(&rebuild, "rebuild", false, "recompute what is derived from the contract's records")
	flags.BoolVar(&repair, "repair", false, "like --rebuild, and recompute the token count and the owner index from the tokens")
	flags.BoolVar(&rescue, "rescue", false, "repair a damaged database so that it can be opened")
	return cmd
}

// checkupResult is the answer of the doctor.
type checkupResult struct {
	IsClean      bool             `wire:"clean"`                       // everything was checked and nothing is wrong
	FileDamage   *string          `wire:"files"`                       // nil if the files are intact
	Rescued      *command.Rescued `wire:"rescued"`                     // nil without a rescue
	Missing      []doctor.Fault   `wire:"missing,optional"`            // in the rescued records
	HistoryLost  bool             `wire:"history_begun_anew,optional"` // in a rescue
	RebuiltCount uint64           `wire:"rebuilt"`                     // how many records were repaired
	Report       *doctor.Report   `wire:"report"`                      // nil if files are damaged
}

// checkRecords checks the records of a database and shows the progress. If rebuild or
// repair is set, it repairs the records that are derived from others, and checks again. If
// repair is set, it also repairs the token count and the owner index.
func checkRecords(
	app *command.App,
	db *command.Database,
	rebuild, repair bool,
) (report doctor.Report, rebuiltCount uint64, err error) {
	show, end := app.TerminalLine()
	defer end()
	showProgress := func(records int) { show("%s records read", human.Thousands(uint64(records))) }

	if repair {
		repairedTokenCount, err := doctor.RepairTokens(db.Chain)
		if err != nil {
			return report, 0, err
		}
		rebuiltCount += uint64(repairedTokenCount)
	}

	report, err = doctor.Run(db.Chain, showProgress)
	if err != nil {
		return report, rebuiltCount, err
	}
	if !rebuild && !repair || !report.IsRepairable() {
		return report, rebuiltCount, nil
	}
	report, repairedCount, err := repairAndCheck(db, showProgress)
	return report, rebuiltCount + repairedCount, err
}

// repairAndCheck repairs the records that are derived from others, and checks all records again.
func repairAndCheck(
	db *command.Database,
	showProgress func(records int),
) (report doctor.Report, repairedCount uint64, err error) {
	count, err := doctor.Repair(db.Chain, showProgress)
	if err != nil {
		return report, 0, err
	}
	report, err = doctor.Run(db.Chain, showProgress)
	return report, uint64(count), err
}

// printCheckup prints the result to stdout, and each fault to stderr. Unless the result is
// clean, its error has the exit status.
func printCheckup(app *command.App, result checkupResult) error {
	if err := app.Answer(result, nil); err != nil {
		return err
	}
	if result.IsClean {
		return nil
	}
	if result.FileDamage != nil {
		app.Errorf("%s", *result.FileDamage)
		return &command.SilentExit{Status: command.StatusTrouble}
	}

	// Print each fault and its remedy. If there are no faults, the result is not clean
	// because something could not be checked.
	report := result.Report
	for _, fault := range report.Faults {
		app.Errorf("%s: %s; %s", fault.Part, fault.Text, fault.Remedy)
	}
	if report.UnlistedFaults > 0 {
		app.Errorf("%s more of these are not listed", human.Thousands(report.UnlistedFaults))
	}
	if report.IsClean() {
		return command.UsageErrorf("not checked: %s", report.UncheckedReason)
	}
	return &command.SilentExit{Status: command.StatusTrouble}
}

// rescueDatabase replaces the database by a new one from the records that can still be
// read, and adds what it did to result. It fails and changes nothing if these records
// contradict one another and cannot be repaired.
func rescueDatabase(app *command.App, result *checkupResult) error {
	openOptions := app.Global.OpenOptions
	if openOptions.ReadOnly {
		return command.UsageErrorf("--rescue: expected without --readonly, as it repairs files")
	}
	rescued, err := command.RetryWhileLocked(app.Ctx, openOptions.Wait, func() (command.Rescued, error) {
		return app.Rescue(openOptions.Dir, func(db *command.Database) error {
			return repairRescued(db, result)
		})
	})
	if err != nil {
		return err
	}

	// Say what could not be rescued.
	result.Rescued = &rescued
	for _, fault := range result.Missing {
		app.Errorf("rescued without: %s", fault.Text)
	}
	if result.HistoryLost {
		app.Errorf("rescued without the history, which begins again; the old one is in %s", rescued.OldFilesDir)
	}
	return nil
}

// repairRescued makes the records of a rescued database agree with one another, and adds what
// it did to result. It fails if records contradict one another even then.
func repairRescued(db *command.Database, result *checkupResult) error {
	if _, ok := db.Config(); !ok {
		return errors.New("no collection can be read from the intact files")
	}
	report, err := doctor.Run(db.Chain, nil) // nil shows no progress
	if err != nil {
		return err
	}
	if report.IsClean() {
		return nil
	}

	// If the faults are not only in records that are derived from others, Salvage drops the
	// history. With the history, an undo could lead to a state that never existed.
	if !report.IsRepairable() {
		result.Missing = report.Faults
		result.HistoryLost = true
		if err := db.Salvage(); err != nil {
			return err
		}
	}

	// Recompute the derived records. After that nothing may be wrong.
	report, result.RebuiltCount, err = repairAndCheck(db, nil)
	if err != nil {
		return err
	}
	if report.IsClean() {
		return nil
	}
	fault := report.Faults[0]
	return fmt.Errorf("too much is lost: %s: %s", fault.Part, fault.Text)
}
