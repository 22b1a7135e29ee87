package cli

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/adrg/xdg"
	"github.com/spf13/cobra"

	"ephemera/core/wasm"
	"ephemera/themes"
	"ephemera/ui/cli/act"
	"ephemera/ui/cli/ask"
	"ephemera/ui/cli/command"
	"ephemera/ui/cli/learn"
	"ephemera/ui/cli/preferences"
	"ephemera/ui/cli/scenarios"
	"ephemera/ui/cli/storage"
	"ephemera/ui/term"
	"ephemera/ui/widget"
)

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
func root(a *command.App) *cobra.Command {
	root := &cobra.Command{
		Use:           "ephemera",
		Short:         "Explore a CW721 collection and watch its approvals expire",
		Long:          about,
		Version:       command.Version(),
		SilenceErrors: true,
		SilenceUsage:  true,
		Example: `  ephemera --demo
  ephemera init --as creator '{"name":"Apes","symbol":"APE"}'
  ephemera exec --as creator '{"mint":{"token_id":"1","owner":"$creator"}}'`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return command.UnknownCommand(cmd, args[0])
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return explore(a, cmd) },
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error {
			a.Global.OnDisk = cmd.Flags().Changed("db")
			return checkGlobals(a)
		},
	}
	root.SetIn(a.Stdin)
	root.SetOut(a.Answers()) // before the completion command is made, which keeps it
	root.SetErr(a.Stderr)
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return command.UsageErrorf("%s; `%s --help` lists the flags", flagFault(cmd, err), cmd.CommandPath())
	})
	all := root.PersistentFlags()
	all.StringVar(&a.Global.DB, "db", cmp.Or(os.Getenv("EPHEMERA_DB"), filepath.Join(xdg.DataHome, "ephemera")), "`DIR` of the database (or EPHEMERA_DB)")
	all.BoolVar(&a.Global.JSON, "json", false, "answer in JSON, compact on a terminal too")
	all.BoolVar(&a.Global.Memory, "memory", false, "use a new, empty database in memory")
	all.BoolVar(&a.Global.ReadOnly, "readonly", false, "refuse every write; the explorer tries changes and keeps none")
	all.BoolVar(&a.Global.Compare, "compare", false, "have the built-in contract answer all that a compiled one does, and tell what it does otherwise")
	all.DurationVar(&a.Global.CallLimit, "call-limit", wasm.DefaultTimeLimit, "stop a call of a compiled contract after a `TIME`")
	all.Var(&a.Global.Wait, "wait", "wait for a database that another process has open, for a `TIME` such as 5s or as long as it takes")
	all.Lookup("wait").NoOptDefVal = "true"
	all.StringVar(&a.Global.Explorer.ThemeName, "theme", themes.Auto, "colours of the explorer, a `NAME`: auto, "+strings.Join(themes.Names(), ", "))
	all.BoolVar(&a.Global.Explorer.NoColor, "no-color", false, "use no colours (as NO_COLOR does)")
	all.BoolVar(&a.Global.Explorer.NoMouse, "no-mouse", false, "leave the mouse to the terminal")
	all.BoolVar(&a.Global.Explorer.NoMotion, "no-motion", false, "show nothing that moves by itself")
	root.Flags().StringVar(&a.Global.Explorer.Media, "media", "", "show pictures of tokens from a folder `DIR`, by the last part of their image URIs")
	root.Flags().BoolVar(&a.Global.Explorer.Demo, "demo", false, "explore a rich made-up collection in memory")
	command.ContractFlag(root, "contract", &a.Global.Contract, "have a new collection run the compiled contract in `FILE`, .wasm")
	command.Offer(root, "theme", append([]string{themes.Auto}, themes.Names()...)...)
	_ = root.MarkFlagDirname("media")
	_ = root.MarkPersistentFlagDirname("db") // fails only for a flag that is not there

	root.SetHelpFunc(func(cmd *cobra.Command, _ []string) {
		fmt.Fprint(a.Answers(), helpText(cmd, min(cmp.Or(int(a.Terminal().Columns), widest), widest))) // the run fails with its error
	})
	root.AddCommand(commands(a)...)
	root.SetHelpCommand(helpCommand(a, root))
	holdCompletion(root)
	return root
}

func commands(a *command.App) []*cobra.Command {
	sayable := func(a *command.App) []*cobra.Command { return append(act.Commands(a), ask.Commands(a)...) }
	return slices.Concat(sayable(a), storage.Commands(a), scenarios.Commands(a), learn.Commands(a, sayable))
}

// holdCompletion lets cobra's completion command take no shell that it does not
// know.
func holdCompletion(root *cobra.Command) {
	root.InitDefaultCompletionCmd()
	for _, c := range root.Commands() {
		if c.Name() == "completion" {
			c.Args = command.ArgCount(0, 0, "the name of a shell")
			c.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
		}
	}
}

func checkGlobals(a *command.App) error {
	g := a.Global
	theme := g.Explorer.ThemeName
	switch {
	case g.DB == "":
		return command.UsageErrorf("--db: expected a directory")
	case !g.OnDisk && os.Getenv("EPHEMERA_DB") == "" && !g.Memory && !g.Explorer.Demo && !filepath.IsAbs(g.DB):
		return command.UsageErrorf("HOME: the database would be in %s, which depends on where the program is started; expected an absolute path, or --db", g.DB)
	case g.CallLimit <= 0:
		return command.UsageErrorf("--call-limit: expected a time above 0, such as 5s, got %v", g.CallLimit)
	case g.Memory && g.OnDisk:
		return command.UsageErrorf("--memory and --db: expected one of them, as each names another database")
	case g.Memory && g.ReadOnly:
		return command.UsageErrorf("--readonly: a new database in memory holds nothing to read")
	case g.Explorer.Demo && (g.OnDisk || g.Memory || g.ReadOnly):
		return command.UsageErrorf("--demo: expected without --db, --memory and --readonly, as the demo has its own database in memory")
	case theme != themes.Auto && !slices.Contains(themes.Names(), theme):
		return command.UsageErrorf("--theme: %q is no theme, expected auto or one of %s", theme, strings.Join(themes.Names(), ", "))
	}
	return nil
}

// explore is what the program does without a command.
func explore(a *command.App, cmd *cobra.Command) error {
	a.Started = true
	if !command.IsTerminal(a.Stdin) || !command.IsTerminal(a.Stdout) {
		return command.UsageErrorf("the explorer needs a terminal; `ephemera --help` lists the commands that work without one")
	}
	if os.Getenv("TERM") == "dumb" {
		return command.UsageErrorf("the explorer needs a terminal that can move its cursor, and TERM is dumb; info, query, why, exec and clock work without one, and `ephemera --help` lists them all")
	}
	module, err := command.ModuleIn(a.Global.Contract)
	if err != nil {
		return err
	}
	asked, given := a.Global.Explorer, cmd.Flags().Changed
	if given("media") {
		if err := preferences.Folder(asked.Media); err != nil {
			return command.UsageErrorf("--media: %v", err)
		}
	}
	likes, err := preferences.Read()
	if err != nil {
		return err
	}
	asked.Times = likes.Times
	if !given("theme") {
		asked.ThemeName = likes.Theme
	}
	if !given("media") {
		asked.Media = likes.Media
	}
	asked.NoMouse = asked.NoMouse || !given("no-mouse") && !likes.Mouse
	asked.NoMotion = asked.NoMotion || !given("no-motion") && !likes.Motion
	asked.Module = module
	where := a.Where()
	where.Create = true
	widget.ASCIIOnly(term.NotUTF8(os.Getenv))
	asked.NoColor = asked.NoColor || os.Getenv("NO_COLOR") != ""
	return a.Explore(cmd.Context(), where, asked)
}
