package cli

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/adrg/xdg"
	"github.com/mattn/go-isatty"
	"github.com/spf13/cobra"

	"ephemera/core/wasm"
	"ephemera/themes"
	"ephemera/ui/term"
	"ephemera/ui/widget"
)

// globals are the flags that every command takes.
type globals struct {
	db               string
	onDisk           bool // --db was given, and not its default taken
	memory, readOnly bool
	compare          bool
	callLimit        time.Duration
	contract         string // for a collection that the explorer creates
	wait             bool   // for a database that another process has
	json             bool   // answers are compact, on a terminal too
	explorer         Explorer
}

const about = `Ephemera holds one CW721 collection: act as anyone, move the block clock, and
watch approvals expire. Without a command it starts the explorer.

The commands below do the same without a screen, in plain lines: no colours, no
frames, nothing redrawn. That is the mode for scripts and for screen readers.
An answer is one JSON value on stdout, also when the contract refuses; anything
else that goes wrong is a sentence on stderr. In all of them a height is a
number, a time is a text of nanoseconds since 1970, and expires is as the
contract writes it; what is absent is left out.

  MSG is JSON text, @FILE, or - for stdin. Inside it, "$alice" stands for
  alice's address wherever an address is meant.
  WHO is the name of an account, or an address.

Exit status: 0 done; 1 refused, or nowhere to go; 2 bad usage, an unknown name,
an unreadable file, no collection yet; 3 trouble with the storage; 70 a mistake
of the program itself; 130 interrupted.`

// root is the command line.
func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use:           "ephemera",
		Short:         "Explore a CW721 collection and watch its approvals expire",
		Long:          about,
		Version:       version(),
		SilenceErrors: true,
		SilenceUsage:  true,
		Example: `  ephemera --demo
  ephemera init --as creator '{"name":"Apes","symbol":"APE"}'
  ephemera exec --as creator '{"mint":{"token_id":"1","owner":"$creator"}}'`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return unknownCommand(cmd, args[0])
			}
			return nil
		},
		RunE: a.explore,
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error {
			a.global.onDisk = cmd.Flags().Changed("db")
			return a.checkGlobals()
		},
	}
	root.SetIn(a.Stdin)
	root.SetOut(answers{a}) // before the completion command is made, which keeps it
	root.SetErr(a.Stderr)
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return misused("%s; `%s --help` lists the flags", flagFault(cmd, err), cmd.CommandPath())
	})
	all := root.PersistentFlags()
	all.StringVar(&a.global.db, "db", cmp.Or(os.Getenv("EPHEMERA_DB"), filepath.Join(xdg.DataHome, "ephemera")), "`DIR` of the database (or EPHEMERA_DB)")
	all.BoolVar(&a.global.json, "json", false, "answer in JSON, compact on a terminal too")
	all.BoolVar(&a.global.memory, "memory", false, "use a new, empty database in memory")
	all.BoolVar(&a.global.readOnly, "readonly", false, "refuse every write")
	all.BoolVar(&a.global.compare, "compare", false, "have the built-in contract answer all that a compiled one does, and tell what it does otherwise")
	all.DurationVar(&a.global.callLimit, "call-limit", wasm.DefaultTimeLimit, "stop a call of a compiled contract after a `TIME`")
	all.BoolVar(&a.global.wait, "wait", false, "wait for a database that another process has open")
	all.StringVar(&a.global.explorer.Theme, "theme", themes.Auto, "colours of the explorer, a `NAME`: auto, "+strings.Join(themes.Names(), ", "))
	all.BoolVar(&a.global.explorer.NoColor, "no-color", false, "use no colours (as NO_COLOR does)")
	all.BoolVar(&a.global.explorer.NoMouse, "no-mouse", false, "leave the mouse to the terminal")
	all.BoolVar(&a.global.explorer.NoMotion, "no-motion", false, "show nothing that moves by itself")
	root.Flags().BoolVar(&a.global.explorer.Demo, "demo", false, "explore a rich made-up collection in memory")
	contractFlag(root, "contract", &a.global.contract, "have a new collection run the compiled contract in `FILE`, .wasm")
	offer(root, "theme", append([]string{themes.Auto}, themes.Names()...)...)
	_ = root.MarkPersistentFlagDirname("db") // fails only for a flag that is not there

	// Usages are folded, as some name a dozen values.
	root.SetUsageTemplate(strings.ReplaceAll(root.UsageTemplate(), ".FlagUsages", ".FlagUsagesWrapped 80"))

	root.AddCommand(a.commands()...)
	root.SetHelpCommand(a.helpCommand(root))
	hideExplorerFlags(root)
	holdCompletion(root)
	return root
}

func (a *app) commands() []*cobra.Command {
	return []*cobra.Command{
		a.initCommand(), a.execCommand(), a.queryCommand(), a.clockCommand(), a.accountsCommand(),
		a.historyCommand(), a.undoCommand(), a.redoCommand(), a.snapshotCommand(), a.gotoCommand(), a.branchCommand(),
		a.runCommand(), a.recordCommand(), a.migrateCommand(), a.whyCommand(), a.probeCommand(), a.matrixCommand(), a.danglingCommand(), a.whoCanCommand(), a.diffCommand(), a.schemaCommand(),
		a.importCommand(), a.generateCommand(), a.learnCommand(), a.classCommand(), a.exportCommand(), a.infoCommand(),
		a.backupCommand(), a.doctorCommand(),
	}
}

// holdCompletion lets cobra's completion command take no shell that it does not
// know.
func holdCompletion(root *cobra.Command) {
	root.InitDefaultCompletionCmd()
	for _, c := range root.Commands() {
		if c.Name() == "completion" {
			c.Args = wants(0, 0, "the name of a shell")
			c.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
		}
	}
}

// offer lets a shell complete a flag with the values it can have.
func offer(cmd *cobra.Command, flag string, values ...string) {
	// It fails only for a flag that is not there.
	_ = cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp))
}

func (a *app) checkGlobals() error {
	g := a.global
	theme := g.explorer.Theme
	switch {
	case g.db == "":
		return misused("--db: expected a directory")
	case !g.onDisk && !g.memory && !g.explorer.Demo && !filepath.IsAbs(g.db):
		return misused("HOME: the database would be in %s, which depends on where the program is started; expected an absolute path, or --db", g.db)
	case g.memory && g.onDisk:
		return misused("--memory and --db: expected one of them, as each names another database")
	case g.memory && g.readOnly:
		return misused("--readonly: a new database in memory holds nothing to read")
	case g.explorer.Demo && (g.onDisk || g.memory || g.readOnly):
		return misused("--demo: expected without --db, --memory and --readonly, as the demo has its own database in memory")
	case theme != themes.Auto && !slices.Contains(themes.Names(), theme):
		return misused("--theme: %q is no theme, expected auto or one of %s", theme, strings.Join(themes.Names(), ", "))
	}
	return nil
}

// explore is what the program does without a command.
func (a *app) explore(cmd *cobra.Command, _ []string) error {
	a.started = true
	if !isTerminal(a.Stdin) || !isTerminal(a.Stdout) {
		return misused("the explorer needs a terminal; `ephemera --help` lists the commands that work without one")
	}
	module, err := moduleIn(a.global.contract)
	if err != nil {
		return err
	}
	asked := a.global.explorer
	asked.Module = module
	asked.Where = a.where()
	widget.ASCIIOnly(term.NotUTF8(os.Getenv))
	asked.NoColor = asked.NoColor || os.Getenv("NO_COLOR") != ""
	return a.Explore(cmd.Context(), asked)
}

func isTerminal(stream any) bool {
	file, ok := stream.(*os.File)
	return ok && isatty.IsTerminal(file.Fd())
}
