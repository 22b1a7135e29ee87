package storage

import (
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"time"

	"github.com/spf13/cobra"

	"ephemera/core/chain"
	"ephemera/core/generate"
	"ephemera/core/human"
	"ephemera/ui/cli/command"
)

func generateCommand(app *command.App) *cobra.Command {
	plan := generate.Plan{Tokens: 1000, Grants: 100, Seed: 1}
	cmd := &cobra.Command{
		Use:   "generate",
		Short: "Generate a collection of any size from a seed",
		Long: `Fills a database that holds no collection with made-up tokens and grants. One
seed always makes the same collection. Alice, bob, carol, dave, erin and frank
own more tokens than the other accounts; the accounts minter and creator hold
these roles.`,
		Example: `  ephemera --db large generate --tokens 10000 --grants 1000 --seed 7`,
		Args:    command.NoArgs,
		RunE: app.Action(func([]string) error {
			if err := plan.Check(); err != nil {
				return command.UsageErrorf("--%v", err)
			}
			genesis, err := plan.Genesis()
			if err != nil {
				return command.UsageErrorf("--%v", err)
			}
			return app.UseDatabase(app.OptionsToFill(), func(db *command.Database) error {
				if err := importRecords(app, db, genesis, plan.Records(), nil); err != nil {
					return err
				}
				return printImported(app, db)
			})
		}),
	}

	flags := cmd.Flags()
	flags.IntVar(&plan.Tokens, "tokens", plan.Tokens, "number of tokens")
	flags.IntVar(&plan.Grants, "grants", plan.Grants, "number of approvals and operator grants")
	flags.Uint64Var(&plan.Seed, "seed", plan.Seed, "seed of all random choices")
	flags.StringVar(&plan.Prefix, "prefix", plan.Prefix, "bech32 `PREFIX` of all addresses (cosmos)")
	return cmd
}

// importRecords fills an empty database with records, and stops with an error when app.Ctx is
// done. On a terminal it shows the progress, and how much of the files with the records was
// read, if they come from files.
func importRecords(
	app *command.App,
	db *command.Database,
	genesis chain.Genesis,
	records chain.Records,
	files []io.Reader,
) error {
	// The runtime then collects garbage earlier. Without the limit it takes twice the memory
	// that is needed, which is 250 MB for a million tokens or more.
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(200 << 20))

	startTime := time.Now()
	show, end := app.TerminalLine()
	defer end()
	return db.Import(genesis, stopOnCancel(app.Ctx, records), func(records int) {
		show("%s", progressText(records, time.Since(startTime), readFraction(files)))
	})
}

// progressText says how many records were stored, how many in a second, and how long the rest
// takes, such as "1,200 records, 600 a second, 10 %, 18s left". It leaves out what is not
// known yet. fraction is how much was read, from 0 to 1; 0 if that is unknown.
func progressText(records int, elapsed time.Duration, fraction float64) string {
	text := human.Thousands(uint64(records)) + " records"
	if elapsed < 2*time.Second { // a rate would be inaccurate
		return text
	}
	recordsPerSecond := float64(records) / elapsed.Seconds()
	text += fmt.Sprintf(", %s a second", human.Thousands(uint64(recordsPerSecond)))
	if fraction <= 0 || fraction > 1 {
		return text
	}
	remaining := time.Duration(float64(elapsed) * (1 - fraction) / fraction)
	return text + fmt.Sprintf(", %.0f %%, %v left", fraction*100, remaining.Round(time.Second))
}

// readFraction returns how much of all files together was read so far, from 0 to 1. It returns 0
// without a file, and if one of them is not a regular file.
func readFraction(files []io.Reader) float64 {
	var bytesRead, totalSize int64
	for _, input := range files {
		file, ok := input.(command.File).Reader.(*os.File)
		if !ok {
			return 0
		}
		info, err := file.Stat()
		if err != nil || !info.Mode().IsRegular() {
			return 0
		}
		totalSize += info.Size()
		if offset, err := file.Seek(0, io.SeekCurrent); err == nil {
			bytesRead += offset
		}
	}
	return float64(bytesRead) / float64(max(totalSize, 1))
}
