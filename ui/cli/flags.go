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
	"ephemera/themes"
	"ephemera/ui/cli/command"
	"ephemera/ui/cli/learn"
)

// rareFlags are the flags that most people never need. Only `--help --all` lists them.
var rareFlags = strings.Fields(`active after call-limit compare creator depth learner lessons
media minter no-color no-motion no-mouse passive readonly tried unmoved update-kinds wait yes`)

// These lists decide which commands have which shared flags. A command is named without
// "ephemera". A name of one word also means the subcommands of that command.
var (
	// They have neither --db nor another flag about the database.
	commandsWithoutDatabase = []string{"class", "completion", "help", "learn", "schema"}
	// They have --memory, because they fill an empty database.
	commandsThatFillDatabase = []string{"generate", "import", "init"}
	// They have the flags for calls of a compiled contract.
	commandsThatCallContract = []string{
		"exec", "import", "init", "migrate", "probe", "query", "run", "who-can", "why",
	}
	// They have neither --json nor --text, because their output is a file.
	commandsThatPrintFile = []string{"completion", "export", "help", "learn new", "record", "schema"}
	// They answer in words unless --json is given.
	commandsThatAnswerInWords = []string{"history", "learn", "probe", "run", "who-can", "why"}
	// They have no --no-color.
	commandsWithoutColours = []string{
		"class", "completion", "export", "help", "learn", "record", "schema",
	}
)

// addExplorerFlags adds the flags of the explorer to the root.
func addExplorerFlags(app *command.App, root *cobra.Command) {
	root.PersistentFlags().BoolP("help", "h", false, "show this help")
	root.PersistentFlags().BoolVar(&app.Global.AllFlags, "all", false, "with --help: list all flags")
	_ = root.PersistentFlags().MarkHidden("all") // every help names it; fails only for an unknown flag
	flags := root.Flags()
	flags.BoolP("version", "v", false, "show the version")

	// Add the flags that say what the explorer shows, and how.
	explorer := &app.Global.Explorer
	themeNames := append([]string{themes.Auto}, themes.Names()...)
	themeUsage := "colours, a `NAME`: " + command.JoinNames(themeNames)
	flags.StringVar(&explorer.ThemeName, "theme", themes.Auto, themeUsage)
	flags.BoolVar(&explorer.NoColor, "no-color", false, "use no colours (as NO_COLOR does)")
	flags.BoolVar(&explorer.NoMouse, "no-mouse", false, "leave the mouse to the terminal")
	flags.BoolVar(&explorer.NoMotion, "no-motion", false, "show nothing that moves by itself")
	flags.StringVar(&explorer.Media, "media", "", "show pictures of tokens from a folder `DIR`, by the last part of their image URIs")
	flags.BoolVar(&explorer.Demo, "demo", false, "explore a rich made-up collection in memory")
	learn.AddFlags(root, explorer)

	command.AddContractFlag(root, "contract", &app.Global.Contract, "have a new collection run the compiled contract in `FILE`, .wasm")
	command.CompleteFlag(root, "theme", command.FixedWords(themeNames...))
	_ = root.MarkFlagDirname("media") // fails only for an unknown flag

	// Add the flags that the explorer shares with commands.
	addDatabaseFlags(app, root)
	addMemoryFlag(app, root)
	addContractFlags(app, root)
	addAnswerFlags(app, root, "commands answer in JSON")
}

// addSharedFlags adds the flags that several commands share to a command and to its
// subcommands. A command gets only flags that it uses, so that a useless flag is an error.
func addSharedFlags(app *command.App, cmd *cobra.Command) {
	for _, child := range cmd.Commands() {
		addSharedFlags(app, child)
	}

	name := strings.TrimPrefix(cmd.CommandPath(), "ephemera ")
	firstWord, _, _ := strings.Cut(name, " ")

	isIn := func(names []string) bool {
		return slices.Contains(names, name) || slices.Contains(names, firstWord)
	}
	if !isIn(commandsWithoutDatabase) {
		addDatabaseFlags(app, cmd)
	}
	if isIn(commandsThatFillDatabase) {
		addMemoryFlag(app, cmd)
	}
	if isIn(commandsThatCallContract) {
		addContractFlags(app, cmd)
	}
	if !isIn(commandsWithoutColours) {
		cmd.Flags().BoolVar(&app.Global.Explorer.NoColor, "no-color", false, "use no colours (as NO_COLOR does)")
	}
	if isIn(commandsThatPrintFile) {
		return
	}

	// The help of --json says whether it is the default. Unlike history, history prune does not
	// answer in words.
	jsonUsage := "answer in JSON (the default where stdout is no terminal)"
	switch {
	case name == "exec" || name == "query":
		jsonUsage = "answer in JSON (the default), compact on a terminal too"
	case name != "history prune" && isIn(commandsThatAnswerInWords):
		jsonUsage = "answer in JSON, not in words"
	}
	addAnswerFlags(app, cmd, jsonUsage)
}

func addAnswerFlags(app *command.App, cmd *cobra.Command, jsonUsage string) {
	flags := cmd.Flags()
	flags.BoolVar(&app.Global.JSON, "json", false, jsonUsage)
	flags.BoolVar(&app.Global.Text, "text", false, "answer in words, or in plain lines")
}

func addDatabaseFlags(app *command.App, cmd *cobra.Command) {
	defaultDB := cmp.Or(os.Getenv("EPHEMERA_DB"), filepath.Join(xdg.DataHome, "ephemera"))
	openOptions := &app.Global.OpenOptions
	flags := cmd.Flags()
	flags.StringVar(&openOptions.Dir, "db", defaultDB, "`DIR` of the database (or EPHEMERA_DB)")

	readonlyUsage := "refuse every write"
	if !cmd.HasParent() { // the explorer
		readonlyUsage = "change nothing in the database; changes can be tried, and are not kept"
	}
	flags.BoolVar(&openOptions.ReadOnly, "readonly", false, readonlyUsage)

	flags.Var((*command.WaitFlag)(&openOptions.Wait), "wait", "wait until another process closes the database, at most for a `TIME` such as 5s if one is given")
	flags.Lookup("wait").NoOptDefVal = "true" // if it stands alone
	_ = cmd.MarkFlagDirname("db")             // fails only for an unknown flag
}

func addMemoryFlag(app *command.App, cmd *cobra.Command) {
	cmd.Flags().BoolVar(&app.Global.OpenOptions.Memory, "memory", false, "use a new, empty database in memory, which ends with the program")
}

func addContractFlags(app *command.App, cmd *cobra.Command) {
	flags := cmd.Flags()
	openOptions := &app.Global.OpenOptions
	flags.BoolVar(&openOptions.Compare, "compare", false, "also ask the built-in contract whatever a compiled one is asked, and report where the answers differ")
	flags.DurationVar(&openOptions.CallLimit, "call-limit", wasm.DefaultTimeLimit, "stop a call of a compiled contract after a `TIME`")
}

// checkSharedFlags fails if a flag that several commands have is wrong, or if two of them
// contradict each other.
func checkSharedFlags(app *command.App, isExplorer bool) error {
	global := app.Global
	openOptions := global.OpenOptions
	theme := global.Explorer.ThemeName

	// The default directory is relative, or at the root of the file system, if the home
	// directory is not known.
	_, homeErr := os.UserHomeDir()
	isHomeMissing := homeErr != nil && os.Getenv("XDG_DATA_HOME") == ""
	usesDefaultDB := !global.OnDisk && os.Getenv("EPHEMERA_DB") == ""
	usesDisk := !openOptions.Memory && !global.Explorer.Demo
	isDefaultUnknown := isHomeMissing || !filepath.IsAbs(openOptions.Dir)
	hasDatabaseFlag := global.OnDisk || openOptions.Memory || openOptions.ReadOnly
	switch {
	case global.AllFlags:
		return command.UsageErrorf("--all: expected with --help, which then lists all flags")
	case (global.JSON || global.Text) && isExplorer:
		return command.UsageErrorf("--json and --text: expected with a command, such as `ephemera info --text`")
	case global.JSON && global.Text:
		return command.UsageErrorf("--json and --text: expected one of them")
	case openOptions.Dir == "":
		return command.UsageErrorf("--db: expected a directory")
	case usesDefaultDB && usesDisk && isDefaultUnknown:
		return command.UsageErrorf(
			"HOME: the database would be in %s, where nobody looks for it; expected an absolute path, or --db",
			openOptions.Dir,
		)
	case openOptions.CallLimit <= 0:
		return command.UsageErrorf("--call-limit: expected a time above 0, such as 5s, got %v", openOptions.CallLimit)
	case openOptions.Memory && global.OnDisk:
		return command.UsageErrorf("--memory and --db: expected one of them, as each names another database")
	case openOptions.Memory && openOptions.ReadOnly:
		return command.UsageErrorf("--readonly: a new database in memory holds nothing to read")
	case global.Explorer.Demo && hasDatabaseFlag:
		return command.UsageErrorf("--demo: expected without --db, --memory and --readonly, as the demo has its own database in memory")
	case theme != themes.Auto && !slices.Contains(themes.Names(), theme):
		return command.UsageErrorf(
			"--theme: %q is no theme, expected auto or one of %s",
			theme,
			command.JoinNames(themes.Names()),
		)
	}
	return nil
}

// describeFlagError says what is wrong with a flag that pflag has refused with err, because the
// texts of pflag name functions of Go.
func describeFlagError(cmd *cobra.Command, err error) string {
	invalidValue, isInvalid := errors.AsType[*pflag.InvalidValueError](err)
	numberError, isNoNumber := errors.AsType[*strconv.NumError](err)
	if isInvalid && isNoNumber {
		return fmt.Sprintf(
			"--%s: expected %s, got %q",
			invalidValue.GetFlag().Name,
			expectedNumber(numberError),
			numberError.Num,
		)
	}

	unknownFlag, isUnknown := errors.AsType[*pflag.NotExistError](err)
	if !isUnknown {
		return err.Error()
	}

	// The flag is unknown. What looks like a flag of one letter can be a negative number.
	letters := unknownFlag.GetSpecifiedShortnames()
	switch {
	case letters == "":
		name := "--" + unknownFlag.GetSpecifiedName()
		return name + " is no flag of " + cmd.CommandPath() + command.SuggestInstead(name, "")
	case letters[0] >= '0' && letters[0] <= '9':
		return "-" + letters + ": numbers and distances are never negative here"
	}
	return "-" + letters + " is no flag of " + cmd.CommandPath() + ": flags have two dashes"
}

// expectedNumber says which number a flag expects, by the error about the one that was given.
func expectedNumber(numberError *strconv.NumError) string {
	switch {
	case errors.Is(numberError.Err, strconv.ErrRange) && !strings.HasPrefix(numberError.Num, "-"):
		return "a smaller number"
	case numberError.Func == "ParseUint":
		return "a whole number from 0"
	}
	return "a whole number"
}

// removeBackquotes removes the backquotes around names of values, as in `DIR`, from the
// descriptions of all flags. Cobra's help interprets them, but its completions would show them.
func removeBackquotes(cmd *cobra.Command) {
	cmd.Flags().VisitAll(func(flag *pflag.Flag) { flag.Usage = strings.ReplaceAll(flag.Usage, "`", "") })
	for _, child := range cmd.Commands() {
		removeBackquotes(child)
	}
}
