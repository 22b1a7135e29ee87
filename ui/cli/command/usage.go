package command

import (
	"fmt"
	"math"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"ephemera/core/wire"
)

// NoArgs checks that a command has no argument, or names one of its subcommands.
var NoArgs = ArgCount(0, 0, "no argument")

// NoLimit as the upper limit of [ArgCount] allows any number of arguments.
const NoLimit = math.MaxInt

// ArgCount returns a function that fails if a command has fewer arguments than minimum, or
// more than maximum. expected describes the right arguments, such as "one FILE".
func ArgCount(minimum, maximum int, expected string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) >= minimum && len(args) <= maximum {
			return nil
		}
		if maximum == 0 && cmd.HasAvailableSubCommands() {
			return UnknownCommandError(cmd, args[0])
		}

		got := fmt.Sprintf("%d arguments", len(args))
		switch len(args) {
		case 0:
			got = "nothing"
		case 1:
			got = "one argument"
		}
		path := cmd.CommandPath()
		return UsageErrorf(
			"%s: expected %s, got %s; `%s --help` says more",
			strings.TrimPrefix(path, "ephemera "),
			expected,
			got,
			path,
		)
	}
}

// UnknownCommandError returns the error for a word that is no subcommand of parent. The error
// names the most similar subcommand, if there is one.
func UnknownCommandError(parent *cobra.Command, word string) error {
	// A command can be meant by its name and by other words, such as "restore" for backup.
	var allWords []string
	nameByWord := map[string]string{}
	for _, child := range parent.Commands() {
		if !child.IsAvailableCommand() {
			continue
		}
		for _, childWord := range append(child.SuggestFor, child.Name()) {
			allWords = append(allWords, childWord)
			nameByWord[childWord] = child.Name()
		}
	}
	nearestWord := wire.NearestName(strings.ToLower(word), allWords)
	path := parent.CommandPath()
	return UsageErrorf(
		"%q is no command of %s%s; `%s --help` lists them",
		word,
		path,
		SuggestInstead(word, nameByWord[nearestWord]),
		path,
	)
}

// replacements says what to use instead of the commands, flags and help topics of
// earlier versions.
var replacements = map[string]string{
	"matrix": "`why TOKEN` says who may do what with a token",
	"--csv":  "`class report` answers in JSON, and with --html as a page",
	"--man":  "`help COMMAND` prints the help of the man pages",
	"speed":  "the measured figures are in .github/CONTRIBUTING.md",
}

// SuggestInstead returns the end of a sentence about an unknown command, flag or topic: what to
// use instead if earlier versions had it, or else whether nearest, a known name, was meant. It
// is empty if nearest is empty too.
func SuggestInstead(word, nearest string) string {
	if replacement, isRemoved := replacements[word]; isRemoved {
		return ": " + replacement
	}
	if nearest == "" {
		return ""
	}
	return fmt.Sprintf(", did you mean %s?", nearest)
}

// requireTextInFlags refuses a flag that was given with an empty text, as a script does when
// its variable is empty. Otherwise the command would run as if the flag were missing.
func requireTextInFlags(cmd *cobra.Command) error {
	var givenFlags []*pflag.Flag
	cmd.Flags().Visit(func(flag *pflag.Flag) { givenFlags = append(givenFlags, flag) })
	for _, flag := range givenFlags {
		if flag.Value.Type() == "string" && flag.Value.String() == "" {
			expected, _ := pflag.UnquoteUsage(flag)
			return UsageErrorf("--%s: expected %s, got an empty text", flag.Name, expected)
		}
	}
	return nil
}
