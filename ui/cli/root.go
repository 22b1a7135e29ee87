package cli

import (
	"cmp"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

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

// about is the text of `ephemera --help` above the list of commands.
const about = `Ephemera holds one CW721 collection: act as anyone, move the block clock, and
watch approvals expire. Without a command it starts the explorer.

The commands below use the same engine without a screen, for scripts and screen
readers. On a terminal they answer in text. Elsewhere they answer in JSON, or in
words if they explain or list. --json and --text choose. exec and query answer in
the contract's JSON. A refusal is an answer; any other failure is a sentence on
stderr.

In JSON a height is a number, a time is a text of nanoseconds since 1970, expires
is written as in the contract's messages, and absent members are left out.

  MSG is JSON text, @FILE, or - for stdin. Inside it, "$alice" stands for
  alice's address wherever an address is meant.
  WHO is the name of an account, or an address.

Exit status: 0 done; 1 refused, or nothing to undo; 2 bad usage, an unknown name,
an unreadable file, no collection yet, or a question that cannot be answered; 3
trouble with the storage; 70 a bug in the program; 130 interrupted.`

// rootCommand makes the tree of all commands.
func rootCommand(app *command.App) *cobra.Command {
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
		Args: command.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return startExplorer(app, cmd) },
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error {
			app.Global.OnDisk = cmd.Flags().Changed("db")
			return checkSharedFlags(app, !cmd.HasParent())
		},
	}
	root.SetOut(app.Answers()) // before cobra makes the completion command, which keeps the writer

	// Replace cobra's texts about wrong flags, and wrap help to the width of the terminal.
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		// A word before the flag is no command, or cmd would be that command.
		if words := cmd.Flags().Args(); len(words) > 0 && cmd.HasSubCommands() {
			return command.UnknownCommandError(cmd, words[0])
		}
		return command.UsageErrorf(
			"%s; `%s --help` lists the flags",
			describeFlagError(cmd, err),
			cmd.CommandPath(),
		)
	})
	root.SetHelpFunc(func(cmd *cobra.Command, _ []string) {
		width := cmp.Or(int(app.DescribeTerminal().Columns), maxHelpWidth)
		text := formatHelp(cmd, min(width, maxHelpWidth), app.Global.AllFlags)
		fmt.Fprint(app.Answers(), text) // app.OutputErr holds its error
	})

	// Add the commands, each with the flags that it reads.
	addExplorerFlags(app, root)
	root.AddCommand(commands(app)...)
	root.SetHelpCommand(helpCommand(app, root))
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	for _, cmd := range root.Commands() {
		addSharedFlags(app, cmd)
	}
	adaptCompletion(root)

	// List the commands under their headings.
	for _, group := range commandGroups {
		root.AddGroup(&cobra.Group{ID: group.heading, Title: group.heading})
		for name := range strings.FieldsSeq(group.commandNames) {
			cmd, _, _ := root.Find([]string{name}) // a test finds commands without a heading
			cmd.GroupID = group.heading
		}
	}
	return root
}

// commandGroups are the headings of `ephemera --help`, with the commands below each.
var commandGroups = []struct{ heading, commandNames string }{
	{"Look:", "dangling diff info query who-can why"},
	{"Act:", "accounts exec init migrate"},
	{"Time and history:", "branch clock goto history redo snapshot undo"},
	{"Test and teach:", "class learn probe record run schema"},
	{"Storage and help:", "backup completion doctor export generate help import"},
}

// commands makes all commands but cobra's own. The commands of the packages act and ask can
// also be used in a lesson.
func commands(app *command.App) []*cobra.Command {
	lessonCommands := func(lessonApp *command.App) []*cobra.Command {
		return append(act.Commands(lessonApp), ask.Commands(lessonApp)...)
	}
	return slices.Concat(
		lessonCommands(app),
		storage.Commands(app),
		scenarios.Commands(app),
		learn.Commands(app, lessonCommands),
	)
}

// adaptCompletion gives cobra's completion command a shorter help, and makes it fail for an unknown
// shell.
func adaptCompletion(root *cobra.Command) {
	completion, _, _ := root.Find([]string{"completion"}) // cobra has added it
	completion.Short = "Print a script that completes commands in a shell"
	completion.Long = `Prints a script with which a shell completes commands, flags, accounts, tokens,
snapshots and nodes. The help of each shell tells how to install the script.`
	completion.Args = command.ArgCount(0, 0, "the name of a shell")
	completion.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
	for _, shell := range completion.Commands() {
		shell.Short = "Print the script for " + shell.Name()
	}
}

// checkTerminal fails if there is no terminal, or one that cannot move its cursor.
func checkTerminal(app *command.App) error {
	if !command.IsTerminal(app.Stdin) || !command.IsTerminal(app.Stdout) {
		return command.UsageErrorf("the explorer needs a terminal; `ephemera --help` lists the commands that work without one")
	}
	if os.Getenv("TERM") == "dumb" {
		return command.UsageErrorf("the explorer needs a terminal that can move its cursor, and TERM is dumb; info, query, why, exec and clock work without one, and `ephemera --help` lists them all")
	}
	return nil
}

// startExplorer runs the explorer. Its options are the flags, and the user's preferences for
// those flags that were not given.
func startExplorer(app *command.App, cmd *cobra.Command) error {
	app.Started = true
	if err := checkTerminal(app); err != nil {
		return err
	}

	options := app.Global.Explorer
	err := learn.CheckFlags(options)
	if err != nil {
		return err
	}
	if options.Module, err = command.ReadModule(app.Global.Contract); err != nil {
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
	widget.ASCIIOnly(term.LacksUTF8(os.Getenv))

	// The explorer creates a missing database, and then offers ways to fill it.
	openOptions := app.Global.OpenOptions
	openOptions.Create = true
	return app.Explore(app.Ctx, openOptions, options)
}
