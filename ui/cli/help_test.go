package cli

import (
	"iter"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"ephemera/themes"
	"ephemera/ui/cli/command"
	"ephemera/ui/widget"
)

func TestHelpIsASCIIFitsTheTerminalAndHasAnExample(t *testing.T) {
	root := rootCommand(&command.App{})
	count := 0
	for cmd := range allCommands(root) {
		count++
		if db := cmd.Flags().Lookup("db"); db != nil {
			db.DefValue = "" // the user's home can have any length
		}
		if cmd.Short == "" || strings.HasSuffix(cmd.Short, ".") || cmd.Example == "" {
			t.Errorf("%s: says %q, for example %q", cmd.CommandPath(), cmd.Short, cmd.Example)
		}
		for _, width := range []int{80, 60} {
			for line := range strings.Lines(formatHelp(cmd, width, true) + formatHelp(cmd, width, false)) {
				line = strings.TrimSuffix(line, "\n")
				isCommandLine := strings.HasPrefix(line, "  ephemera ") || strings.Contains(cmd.Example, line)
				if widget.Width(line) > width && !isCommandLine {
					t.Errorf("%s: a line is wider than %d columns: %s", cmd.CommandPath(), width, line)
				}
				if command.Escape(themes.Plain(line), true) != line {
					t.Errorf("%s: not ASCII: %s", cmd.CommandPath(), line)
				}
			}
		}
	}
	if count < 25 {
		t.Errorf("only %d commands were found", count)
	}
}

func TestEveryCommandStandsUnderAHeadingAndEveryFlagInTheHelpOfAll(t *testing.T) {
	root := rootCommand(&command.App{})
	if len(root.Groups()) != 5 || !root.AllChildCommandsHaveGroup() {
		t.Errorf("there are %d headings, and some commands may have none:\n%s", len(root.Groups()), formatHelp(root, 80, false))
	}
	isUsed := map[string]bool{}
	for cmd := range allCommands(root) {
		short, whole := formatHelp(cmd, 80, false), formatHelp(cmd, 80, true)
		cmd.Flags().VisitAll(func(flag *pflag.Flag) {
			isRare := slices.Contains(rareFlags, flag.Name)
			isUsed[flag.Name] = true
			isIn := func(help string) bool {
				return regexp.MustCompile(`(?m)^ +(-., )?--` + flag.Name + `\b`).MatchString(help)
			}
			if !flag.Hidden && (!isIn(whole) || isIn(short) == isRare) {
				t.Errorf("%s: --%s: listed %v, with --all %v", cmd.CommandPath(), flag.Name, isIn(short), isIn(whole))
			}
		})
	}
	for _, name := range rareFlags {
		if !isUsed[name] {
			t.Errorf("no command has the rare flag --%s", name)
		}
	}
}

// AllCommands returns all commands of the program, but not those that complete commands in
// a shell.
func AllCommands() iter.Seq[*cobra.Command] { return allCommands(rootCommand(&command.App{})) }

// allCommands returns a command and all commands below it, but not cobra's own command for
// the completion of shells.
func allCommands(cmd *cobra.Command) iter.Seq[*cobra.Command] {
	return func(yield func(*cobra.Command) bool) {
		if cmd.Name() == "completion" || !yield(cmd) {
			return
		}
		for _, child := range cmd.Commands() {
			for descendant := range allCommands(child) {
				if !yield(descendant) {
					return
				}
			}
		}
	}
}
