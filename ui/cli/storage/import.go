package storage

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"time"

	"github.com/spf13/cobra"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/dump"
	"ephemera/core/dump/older"
	"ephemera/core/human"
	"ephemera/ui/cli/command"
	"ephemera/ui/widget"
)

// importCommand makes the command that fills an empty database from a dump of a
// contract's storage.
func importCommand(a *command.App) *cobra.Command {
	var im importFlags
	cmd := &cobra.Command{
		Use:   "import FILE...",
		Short: "Import a contract's storage from a chain's dump",
		Long: `Reads the storage of a cw721 contract into a database that holds no collection.
FILE, or - for stdin, is what wasmd prints for "contract-state all" in YAML or
JSON, its REST path .../state, a genesis that contains the contract, or what
grpcurl and cosmjs print; plain or gzipped. A dump of several pages is several
files.

The rules and the flavour are those that export --with-clock noted, else those of
the release that contract_info names; --rules standard chooses the interface as
it is documented. cw721 0.16 to 0.18 and sg721 are converted as a migration to
0.19 does it, and get the standard rules. The flags give what the storage lacks:
the block, the prefix if no address shows it, other roles. A dump is refused if
its token count or owner index contradicts its tokens, or if its next page is
missing; --repair recomputes both and imports what is there. With --wasm the
storage belongs to a compiled contract, and is imported unchanged.`,
		Example: `  ephemera import page-1.json page-2.json --height 1204000
  cat page-1.json page-2.json | ephemera --db copy import - --height 1204000`,
		Args: command.ArgCount(1, -1, "one or more files, or -"),
		RunE: a.Action(func(args []string) error {
			return importFiles(a, im, args)
		}),
	}
	im.addFlags(cmd)
	return cmd
}

// importFlags are the flags of an import.
type importFlags struct {
	genesisFlags
	minter, creator, contract string
	repair                    bool
}

// addFlags adds the flags of an import to a command.
func (im *importFlags) addFlags(cmd *cobra.Command) {
	im.genesisFlags.addFlags(cmd, genesisDefaults{
		rules:   "as exported --with-clock, else as contract_info says",
		flavour: "as exported --with-clock, else as contract_info and the tokens say",
	})
	f := cmd.Flags()
	f.StringVar(&im.minter, "minter", "", "make `WHO` the minter, not the one in the dump; an address or a new name")
	f.StringVar(&im.creator, "creator", "", "make `WHO` the creator, not the one in the dump; an address or a new name")
	f.StringVar(&im.contract, "contract", "", "`ADDRESS` of the contract; in a genesis, of the contract to import")
	command.ContractFlag(cmd, "wasm", &im.module, command.ContractUsage)
	f.BoolVar(&im.repair, "repair", false, "recompute the token count and the owner index if they contradict the tokens")
}

// importFiles fills an empty database with the storage in files, and prints the collection.
func importFiles(a *command.App, flags importFlags, names []string) error {
	var files []io.Reader
	for _, name := range names {
		file, err := a.Input(name)
		if err != nil {
			return err
		}
		defer file.Close()
		files = append(files, file)
	}

	// Look at the first records, for an address that shows the prefix.
	pages := dump.Read(files...)
	pages.Contract = flags.contract
	pages.Partial = flags.repair
	records, foundAddress, stop, err := command.PeekDump(pages)
	if err != nil {
		return err
	}
	defer stop()

	// Settle the genesis of the chain from flags, note and records.
	isHeightUnknown := flags.height == "" && pages.Note() == nil // before importGenesis sets it
	start, options, err := flags.importGenesis(pages.Note(), foundAddress)
	if err != nil {
		return err
	}
	if flags.repair {
		start.Repair = func(done string) { a.Errorf("warning: %s", done) }
	}

	// The built-in contract needs the records in the layout of 0.19.
	conversion := &older.Conversion{}
	if start.Module == nil {
		records, conversion = older.Convert(options, records)
		start.Converted = conversion.IsConverted
	}
	return a.UseDatabase(a.WhereToFill(), func(db *command.Database) error {
		err := importRecords(a, db, start, records, func() float64 { return readFraction(files) })
		if err != nil {
			return err
		}

		// Say what is remarkable about the import.
		if pages.HasMissingPage() {
			a.Errorf("warning: a next_key says that more pages follow, which are missing here")
		}
		for _, text := range conversion.Notes {
			a.Errorf("note: %s", text)
		}
		imported, err := chain.Read(db, collectionOf)
		if err != nil {
			return err
		}
		imported.ConvertedFrom = conversion.From
		if start.Rules == "" {
			reportRules(a, imported)
		}
		if isHeightUnknown {
			err = db.View(func(v *chain.View) error { return warnAboutHeight(a, v) })
		}
		return a.Answer(imported, err)
	})
}

// importGenesis returns the genesis of the imported chain, and the options for converting
// records of older contracts. Flags come before rawNote, the note that an export with its
// clock has. Without either, foundAddress, any address in the dump, shows the prefix.
func (f *importFlags) importGenesis(rawNote []byte, foundAddress cw721.Address) (start chain.Genesis, o older.Options, err error) {
	note, err := command.ReadNote(rawNote)
	if err != nil {
		return start, o, err
	}

	// Rules that the user names must be those of a compiled contract.
	requiredRules := f.rules
	f.fillFrom(note, rawNote != nil)
	start, _, err = f.start(foundAddress, note.Accounts)
	if err != nil {
		return start, o, err
	}

	// Add what no flag can say, and the holders of the roles.
	start.RulesMustFit = requiredRules != ""
	start.Clock.SecondsPerBlock = note.Clock.SecondsPerBlock
	start.Self = cmp.Or(cw721.Address(f.contract), note.Contract)
	o.Code = start.Contract()
	o.Time = start.Clock.Time
	o.Minter, err = resolveOrAdd(&start, "--minter", f.minter)
	if err != nil {
		return start, o, err
	}
	o.Creator, err = resolveOrAdd(&start, "--creator", f.creator)
	return start, o, err
}

// fillFrom fills the flags that were not given with what the note of a dump has.
func (f *importFlags) fillFrom(note command.Note, hasNote bool) {
	f.rules = cmp.Or(f.rules, string(note.Rules))
	f.flavour = cmp.Or(f.flavour, string(note.Flavour))
	f.prefix = cmp.Or(f.prefix, note.Prefix)
	if f.time == "" && hasNote {
		f.time = fmt.Sprint(uint64(note.Clock.Time))
	}
	f.height = cmp.Or(f.height, fmt.Sprint(max(note.Clock.Height, 1)))
}

// reportRules prints where the rules of an import come from, if no flag gave them.
func reportRules(a *command.App, c *collectionInfo) {
	switch {
	case c.ConvertedFrom != "":
		a.Errorf("note: the rules are %s, as there is no rule set of %s", c.Rules, c.ConvertedFrom)
	case c.Rules == "" && c.Module == nil:
		a.Errorf("warning: %s; so no message is executed and no permission is judged, unless --rules chooses a rule set", widget.Safe(c.RulesDiffer))
	case c.Rules == "":
		a.Errorf("warning: %s; so no permission is judged, unless --rules chooses a rule set", widget.Safe(c.RulesDiffer))
	case c.RulesDiffer != "":
		a.Errorf("warning: %s; it is taken with %s rules as %s", widget.Safe(c.RulesDiffer), c.Rules, c.Flavour)
	case c.Module == nil:
		a.Errorf("note: the rules are %s, as contract_info names %s %s; --rules standard chooses the interface as it is documented", c.Rules, widget.Safe(c.Contract), widget.Safe(c.Version))
	}
}

// warnAboutHeight warns that the collection begins at the first block, because nothing
// says at which height it is. Expired approvals are in force again then.
func warnAboutHeight(a *command.App, v *chain.View) error {
	last, ok, err := v.LastExpiry(cw721.AtHeight)
	if ok && last.Expires.Value > 1 {
		a.Errorf("warning: the collection begins at height 1, where approvals that have expired by height are in force again; the latest expires at height %s: --height?", human.Thousands(last.Expires.Value))
	}
	return err
}

// printImported prints the collection of a database that was just filled.
func printImported(a *command.App, db *command.Database) error {
	return db.View(func(v *chain.View) error { return a.Answer(collectionOf(v)) })
}

// importMemory is the memory limit of the Go runtime while a database is filled, in bytes.
// With it the runtime collects garbage earlier; otherwise it takes twice what is needed.
// A million tokens need about 250 MB at their peak, and more tokens need no more.
const importMemory = 200 << 20

// importRecords fills an empty database until a.Ctx is done. On a terminal it shows the
// progress; fraction returns which part of the records was read, 0 to 1, and can be nil.
func importRecords(a *command.App, db *command.Database, start chain.Genesis, records chain.Records, fraction func() float64) error {
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(importMemory))
	line := progressLine{start: time.Now(), fraction: fraction}
	show, end := a.OnTerminal()
	defer end()
	progress := func(n int) { show("%s", line.text(n, time.Now())) }
	return db.Import(start, untilStopped(a.Ctx, records), progress)
}

// progressLine describes how far the filling of a database is.
type progressLine struct {
	start    time.Time
	fraction func() float64 // the part that is done so far, 0 to 1; nil if unknown
}

// minRateTime is how long records must have come in before their rate is shown.
const minRateTime = 2 * time.Second

// text says how many records are in, how fast they come, and how long the rest takes.
func (p progressLine) text(records int, now time.Time) string {
	elapsed := now.Sub(p.start)
	text := human.Thousands(uint64(records)) + " records"
	if elapsed < minRateTime {
		return text
	}
	text += fmt.Sprintf(", %s a second", human.Thousands(uint64(float64(records)/elapsed.Seconds())))
	if p.fraction == nil {
		return text
	}
	fraction := p.fraction()
	if fraction <= 0 || fraction > 1 {
		return text
	}
	left := time.Duration(float64(elapsed) * (1 - fraction) / fraction)
	return text + fmt.Sprintf(", %.0f %%, %v left", fraction*100, left.Round(time.Second))
}

// readFraction returns which part of some files was read, 0 to 1. It is 0 if one of them is
// not a regular file.
func readFraction(files []io.Reader) float64 {
	var bytesRead, size int64
	for _, input := range files {
		file, ok := input.(command.File).Reader.(*os.File)
		if !ok {
			return 0
		}
		info, err := file.Stat()
		if err != nil || !info.Mode().IsRegular() {
			return 0
		}

		// Add up how much of each file was read.
		size += info.Size()
		if offset, err := file.Seek(0, io.SeekCurrent); err == nil {
			bytesRead += offset
		}
	}
	return float64(bytesRead) / float64(max(size, 1))
}
