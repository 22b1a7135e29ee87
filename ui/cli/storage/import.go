package storage

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/dump"
	"ephemera/core/dump/older"
	"ephemera/ui/cli/command"
	"ephemera/ui/widget"
)

func importCommand(a *command.App) *cobra.Command {
	var im importFlags
	cmd := &cobra.Command{
		Use:   "import FILE...",
		Short: "Read a contract's storage, as a chain prints it",
		Long: `Reads the storage of a cw721 contract into a database that holds no collection.
FILE, or - for stdin, is what wasmd prints for "contract-state all" in YAML or
JSON, its REST path .../state, a genesis with the contract in it, or what
grpcurl and cosmjs print; packed with gzip or not. Several pages are several
files.

Rules and flavour are those that an export --with-clock noted, else those of the
release that contract_info names: --rules standard takes the interface as it is
documented. cw721 0.16 to 0.18 and sg721 are converted as a migration to 0.19
does it, and have the standard rules. The flags say what the
storage does not: the block, the prefix where no address shows it, other roles.
A dump whose token count or owner index is not what its tokens say, or whose
next page is missing, is refused; --repair derives both again and takes what
there is. With --wasm the storage is that of a compiled contract, and is taken
as it is.`,
		Example: `  ephemera import page-1.json page-2.json --height 1204000
  cat page-1.json page-2.json | ephemera --db copy import - --height 1204000`,
		Args: command.ArgCount(1, -1, "one or more files, or -"),
		RunE: a.Action(func(cmd *cobra.Command, args []string) error {
			return importFiles(a, cmd.Context(), im, args)
		}),
	}
	im.flags(cmd)
	return cmd
}

// importFlags is what the flags of an import say.
type importFlags struct {
	genesisFlags
	minter, creator, contract string
	repair                    bool
}

func (im *importFlags) flags(cmd *cobra.Command) {
	im.genesisFlags.flags(cmd, "")
	f := cmd.Flags()
	for name, otherwise := range map[string]string{"rules": "as exported --with-clock, else as contract_info says", "flavour": "as exported --with-clock, else as contract_info and the tokens say", "height": "1"} {
		flag := f.Lookup(name)
		usage, _, _ := strings.Cut(flag.Usage, " (default: ")
		flag.Usage = usage + " (default: " + otherwise + ")"
		flag.DefValue = ""
		_ = flag.Value.Set("") // a text takes any
	}
	f.StringVar(&im.minter, "minter", "", "`WHO` is minter instead of whom the dump names, an address or a new name")
	f.StringVar(&im.creator, "creator", "", "`WHO` is creator instead of whom the dump names, an address or a new name")
	f.StringVar(&im.contract, "contract", "", "`ADDRESS` of the contract, which also names one of those in a genesis")
	command.ContractFlag(cmd, "wasm", &im.module, command.ContractUsage)
	f.BoolVar(&im.repair, "repair", false, "derive the token count and the owner index again where they are not what the tokens say")
}

func importFiles(a *command.App, ctx context.Context, im importFlags, names []string) error {
	var files []io.Reader
	for _, name := range names {
		file, err := a.Input(name)
		if err != nil {
			return err
		}
		defer file.Close()
		files = append(files, file)
	}
	pages := dump.Read(files...)
	pages.Contract, pages.Partial = im.contract, im.repair
	records, found, stop, err := command.PeekDump(pages)
	if err != nil {
		return err
	}
	defer stop()
	noHeight := im.height == "" && pages.Note() == nil
	start, options, err := im.begin(pages.Note(), found)
	if err != nil {
		return err
	}
	if im.repair {
		start.Repair = func(done string) { a.Errorf("warning: %s", done) }
	}
	return a.UseDatabase(a.WhereToFill(), func(db *command.Database) error {
		records, conversion := records, &older.Conversion{}
		if start.Module == nil {
			records, conversion = older.Convert(options, records)
			start.Converted = conversion.Happened
		}
		if err := importRecords(a, ctx, db, start, records, func() float64 { return partRead(files) }); err != nil {
			return err
		}
		if pages.Missing() {
			a.Errorf("warning: a next_key says that more pages follow, which are not here; what they hold is missing")
		}
		return db.View(func(v *chain.View) error {
			c, err := collectionOf(v)
			if err != nil {
				return err
			}
			c.ConvertedFrom = conversion.From
			for _, text := range conversion.Notes {
				a.Errorf("note: %s", text)
			}
			if start.Rules == "" {
				reportRules(a, c)
			}
			return a.Answer(c, warnAboutHeight(a, v, noHeight))
		})
	})
}

// begin makes a genesis of the flags and of the note in the dump, and what older
// records do not say; found is an address in the dump.
func (im *importFlags) begin(raw []byte, found cw721.Address) (start chain.Genesis, o older.Options, err error) {
	n, err := command.ReadNote(raw)
	if err != nil {
		return start, o, err
	}
	asked := im.rules
	im.rules = cmp.Or(im.rules, string(n.Rules))
	im.flavour = cmp.Or(im.flavour, string(n.Flavour))
	im.prefix = cmp.Or(im.prefix, n.Prefix)
	for _, known := range n.Accounts {
		if known.Name == im.as {
			im.as = string(known.Address)
		}
	}
	if im.time == "" && raw != nil {
		im.time = fmt.Sprint(uint64(n.Clock.Time))
	}
	im.height = cmp.Or(im.height, fmt.Sprint(max(n.Clock.Height, 1)))
	if start, _, err = im.start(found); err != nil {
		return start, o, err
	}
	start.RulesMustFit = asked != ""
	start.Clock.SecondsPerBlock, start.Self = n.Clock.SecondsPerBlock, n.Contract
	start.Accounts = append(start.Accounts, n.Accounts...)
	if im.contract != "" {
		start.Self = cw721.Address(im.contract)
	}
	o.Code, o.Time = start.Contract(), start.Clock.Time
	if o.Minter, err = im.who("--minter", im.minter, &start); err == nil {
		o.Creator, err = im.who("--creator", im.creator, &start)
	}
	return start, o, err
}

// reportRules says where the rules of an import come from that nobody asked for.
func reportRules(a *command.App, c *collectionInfo) {
	switch {
	case c.ConvertedFrom != "":
		a.Errorf("note: the rules are %s, as there is no rule set of %s", c.Rules, c.ConvertedFrom)
	case c.RulesDiffer != "":
		a.Errorf("warning: %s; it is taken with %s rules as %s", widget.Safe(c.RulesDiffer), c.Rules, c.Flavour)
	case c.Module == nil:
		a.Errorf("note: the rules are %s, as contract_info names %s %s; --rules standard takes the interface as it is documented", c.Rules, widget.Safe(c.Contract), widget.Safe(c.Version))
	}
}

// warnAboutHeight warns where nobody said at which height the collection is.
func warnAboutHeight(a *command.App, v *chain.View, noHeight bool) error {
	e, ok, err := v.LastExpiry(cw721.AtHeight)
	if ok && noHeight && e.Expires.Value > 1 {
		a.Errorf("warning: the collection begins at height 1, where every approval by height that has expired is alive again; the youngest expires at height %s: --height?", chain.Thousands(e.Expires.Value))
	}
	return err
}

func printImported(a *command.App, db *command.Database) error {
	return db.View(func(v *chain.View) error { return a.Answer(collectionOf(v)) })
}

// importMemory is what the Go runtime is told to get along with while a database
// is filled: it collects earlier then, and else takes twice what is needed. A
// million tokens need about 250 MB at their peak, and no more tokens need more.
const importMemory = 200 << 20

// importRecords fills an empty database. On a terminal it shows how far it is; done
// tells which part of the whole that is, 0 to 1, and can be nil.
func importRecords(a *command.App, ctx context.Context, db *command.Database, start chain.Genesis, records chain.Records, done func() float64) error {
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(importMemory))
	var progress func(int)
	if command.IsTerminal(a.Stderr) {
		p := progressLine{start: time.Now(), done: done}
		show, end := a.OnTerminal()
		progress = func(n int) { show("%s", p.text(n, time.Now())) }
		defer end()
	}
	return db.Import(start, untilStopped(ctx, records), progress)
}

// progressLine says how far the filling of a database is.
type progressLine struct {
	start time.Time
	// done tells which part of the whole is in, 0 to 1; nil where nobody knows.
	done func() float64
}

// minRateTime is how long a rate must have been watched to tell the rest by it.
const minRateTime = 2 * time.Second

// text says how many records are in, how fast they come, and when the last one
// will be there.
func (p progressLine) text(n int, now time.Time) string {
	took := now.Sub(p.start)
	line := chain.Thousands(uint64(n)) + " records"
	if took < minRateTime {
		return line
	}
	line += fmt.Sprintf(", %s a second", chain.Thousands(uint64(float64(n)/took.Seconds())))
	if p.done == nil {
		return line
	}
	part := p.done()
	if part <= 0 || part > 1 {
		return line
	}
	left := time.Duration(float64(took) * (1 - part) / part)
	return line + fmt.Sprintf(", %.0f %%, %v left", part*100, left.Round(time.Second))
}

// partRead tells which part of some files has been read, by where they stand; 0
// where one of them is no file with an end.
func partRead(files []io.Reader) float64 {
	var at, whole int64
	for _, f := range files {
		file, ok := f.(command.File).Reader.(*os.File)
		if !ok {
			return 0
		}
		info, err := file.Stat()
		if err != nil || !info.Mode().IsRegular() {
			return 0
		}
		whole += info.Size()
		if n, err := file.Seek(0, io.SeekCurrent); err == nil {
			at += n
		}
	}
	return float64(at) / float64(max(whole, 1))
}
