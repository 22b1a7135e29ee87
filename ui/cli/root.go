package cli

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/adrg/xdg"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"ephemera/core/wasm"
	"ephemera/core/wire"
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

The commands below use the same engine without a screen. They print plain lines,
for scripts and for screen readers. An answer is one JSON value on stdout, also
if the contract refuses. Any other failure is a sentence on stderr. A height is a
number, a time is a text of nanoseconds since 1970, expires is written as in the
contract's messages, and absent members are left out.

  MSG is JSON text, @FILE, or - for stdin. Inside it, "$alice" stands for
  alice's address wherever an address is meant.
  WHO is the name of an account, or an address.

Exit status: 0 done; 1 refused, or nothing to undo; 2 bad usage, an unknown name,
an unreadable file, no collection yet, or a question that cannot be answered; 3
trouble with the storage; 70 a bug in the program; 130 interrupted.`

// rootCommand makes the tree of all commands. Without a command the program starts the
// explorer.
func rootCommand(a *command.App) *cobra.Command {
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
		RunE: func(cmd *cobra.Command, _ []string) error { return startExplorer(a, cmd) },
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error {
			a.Global.OnDisk = cmd.Flags().Changed("db")
			return checkGlobalFlags(a)
		},
	}
	root.SetIn(a.Stdin)
	root.SetOut(a.Answers()) // before cobra makes the completion command, which keeps the writer
	root.SetErr(a.Stderr)
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return command.UsageErrorf("%s; `%s --help` lists the flags", describeFlagError(cmd, err), cmd.CommandPath())
	})
	root.SetHelpFunc(func(cmd *cobra.Command, _ []string) {
		width := int(a.Terminal().Columns)
		if width == 0 {
			width = maxHelpWidth
		}
		fmt.Fprint(a.Answers(), helpText(cmd, min(width, maxHelpWidth))) // a.OutputErr holds its error
	})
	addGlobalFlags(a, root)
	root.AddCommand(commands(a)...)
	root.SetHelpCommand(helpCommand(a, root))
	refuseUnknownShells(root)
	return root
}

// addGlobalFlags adds the flags of all commands, and those of the explorer.
func addGlobalFlags(a *command.App, root *cobra.Command) {
	defaultDB := cmp.Or(os.Getenv("EPHEMERA_DB"), filepath.Join(xdg.DataHome, "ephemera"))
	all := root.PersistentFlags()
	all.StringVar(&a.Global.DB, "db", defaultDB, "`DIR` of the database (or EPHEMERA_DB)")
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
	learn.AddFlags(root, &a.Global.Explorer)
	command.ContractFlag(root, "contract", &a.Global.Contract, "have a new collection run the compiled contract in `FILE`, .wasm")
	command.CompleteFlag(root, "theme", append([]string{themes.Auto}, themes.Names()...)...)
	_ = root.MarkFlagDirname("media")
	_ = root.MarkPersistentFlagDirname("db") // both fail only for an unknown flag
}

// commands makes the commands of all families. A lesson has those that act and ask.
func commands(a *command.App) []*cobra.Command {
	lessonCommands := func(a *command.App) []*cobra.Command {
		return append(act.Commands(a), ask.Commands(a)...)
	}
	return slices.Concat(lessonCommands(a), storage.Commands(a), scenarios.Commands(a), learn.Commands(a, lessonCommands))
}

// refuseUnknownShells makes cobra's completion command refuse the names of unknown
// shells, for which it would print its help.
func refuseUnknownShells(root *cobra.Command) {
	root.InitDefaultCompletionCmd()
	for _, child := range root.Commands() {
		if child.Name() == "completion" {
			child.Args = command.ArgCount(0, 0, "the name of a shell")
			child.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
		}
	}
}

// checkGlobalFlags fails if a flag of all commands has a wrong value, or if two of
// them contradict each other.
func checkGlobalFlags(a *command.App) error {
	g := a.Global
	theme := g.Explorer.ThemeName
	usesDefaultDB := !g.OnDisk && os.Getenv("EPHEMERA_DB") == ""
	hasDatabaseFlag := g.OnDisk || g.Memory || g.ReadOnly
	usesDisk := !g.Memory && !g.Explorer.Demo
	switch {
	case g.DB == "":
		return command.UsageErrorf("--db: expected a directory")
	case usesDefaultDB && usesDisk && !filepath.IsAbs(g.DB):
		return command.UsageErrorf("HOME: the database would be in %s, which depends on where the program is started; expected an absolute path, or --db", g.DB)
	case g.CallLimit <= 0:
		return command.UsageErrorf("--call-limit: expected a time above 0, such as 5s, got %v", g.CallLimit)
	case g.Memory && g.OnDisk:
		return command.UsageErrorf("--memory and --db: expected one of them, as each names another database")
	case g.Memory && g.ReadOnly:
		return command.UsageErrorf("--readonly: a new database in memory holds nothing to read")
	case g.Explorer.Demo && hasDatabaseFlag:
		return command.UsageErrorf("--demo: expected without --db, --memory and --readonly, as the demo has its own database in memory")
	case theme != themes.Auto && !slices.Contains(themes.Names(), theme):
		return command.UsageErrorf("--theme: %q is no theme, expected auto or one of %s", theme, strings.Join(themes.Names(), ", "))
	}
	return nil
}

// startExplorer runs the explorer with the flags, and the user's preferences for what
// no flag says.
func startExplorer(a *command.App, cmd *cobra.Command) error {
	a.Started = true
	if !command.IsTerminal(a.Stdin) || !command.IsTerminal(a.Stdout) {
		return command.UsageErrorf("the explorer needs a terminal; `ephemera --help` lists the commands that work without one")
	}
	if os.Getenv("TERM") == "dumb" {
		return command.UsageErrorf("the explorer needs a terminal that can move its cursor, and TERM is dumb; info, query, why, exec and clock work without one, and `ephemera --help` lists them all")
	}

	options := a.Global.Explorer
	err := learn.CheckLearner(options)
	if err != nil {
		return err
	}
	if options.Module, err = command.ReadModule(a.Global.Contract); err != nil {
		return err
	}
	isGiven := cmd.Flags().Changed
	if isGiven("media") {
		if err := preferences.CheckMediaDir(options.Media); err != nil {
			return command.UsageErrorf("--media: %v", err)
		}
	}
	preferred, err := preferences.Read()
	if err != nil {
		return err
	}
	options.Times = preferred.Times
	if !isGiven("theme") {
		options.ThemeName = preferred.Theme
	}
	if !isGiven("media") {
		options.Media = preferred.Media
	}
	if !isGiven("no-mouse") {
		options.NoMouse = !preferred.Mouse
	}
	if !isGiven("no-motion") {
		options.NoMotion = !preferred.Motion
	}
	if os.Getenv("NO_COLOR") != "" {
		options.NoColor = true
	}
	widget.ASCIIOnly(term.NotUTF8(os.Getenv))

	where := a.Where()
	where.Create = true
	return a.Explore(cmd.Context(), where, options)
}

// describeFlagError says what is wrong with a flag. The errors of Go and pflag are
// replaced where they name functions of Go.
func describeFlagError(cmd *cobra.Command, err error) string {
	if number, isNumber := errors.AsType[*strconv.NumError](err); isNumber {
		return describeNumberError(err, number)
	}
	if unknown, isUnknown := errors.AsType[*pflag.NotExistError](err); isUnknown {
		letters := unknown.GetSpecifiedShortnames()
		switch {
		case letters == "":
			return describeUnknownFlag(cmd, unknown.GetSpecifiedName())
		case letters[0] >= '0' && letters[0] <= '9':
			return fmt.Sprintf("-%s: numbers and distances are never negative here", letters)
		}
		return fmt.Sprintf("-%s is no flag of %s: flags have two dashes", letters, cmd.CommandPath())
	}
	if missing, isMissing := errors.AsType[*pflag.ValueRequiredError](err); isMissing {
		return fmt.Sprintf("--%s: expected a value after it", missing.GetSpecifiedName())
	}
	return err.Error()
}

// describeNumberError says which number a flag expects. err is pflag's, in the form
// `invalid argument "x" for "--limit" flag: …`, and caused by number.
func describeNumberError(err error, number *strconv.NumError) string {
	_, flagAndRest, _ := strings.Cut(err.Error(), ` for "`)
	flag, _, _ := strings.Cut(flagAndRest, `" flag`)

	expected := "a whole number"
	if number.Func == "ParseUint" {
		expected = "a whole number from 0"
	}
	isTooLarge := errors.Is(number.Err, strconv.ErrRange) && !strings.HasPrefix(number.Num, "-")
	if isTooLarge {
		expected = "a smaller number"
	}
	return fmt.Sprintf("%s: expected %s, got %q", flag, expected, number.Num)
}

// describeUnknownFlag says that a command has no such flag, and what to use instead.
func describeUnknownFlag(cmd *cobra.Command, name string) string {
	var known []string
	addName := func(flag *pflag.Flag) { known = append(known, flag.Name) }
	cmd.LocalFlags().VisitAll(addName)
	cmd.InheritedFlags().VisitAll(addName)

	nearest := wire.Nearest(strings.ToLower(name), known)
	if nearest != "" {
		nearest = "--" + nearest
	}
	return fmt.Sprintf("--%s is no flag of %s%s", name, cmd.CommandPath(), command.InsteadOf("--"+name, nearest))
}
