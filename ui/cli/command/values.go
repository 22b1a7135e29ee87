package command

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/explain"
	"ephemera/core/human"
	"ephemera/core/wire"
)

// ParseClockSettings parses the flags --height and --time as a step that sets the clock. An
// empty text means that the flag was not given, so that the height or the time stays as it
// is. It fails if both are empty.
func ParseClockSettings(heightText, timeText string) (step chain.ClockStep, err error) {
	if heightText == "" && timeText == "" {
		return step, UsageErrorf("clock set: expected a moment such as +10 or h1110, or --height, --time or both")
	}
	if heightText != "" {
		height, err := chain.ParseHeight(heightText)
		if err != nil {
			return step, UsageErrorf("--%v", err)
		}
		step.Height = &height
	}
	if timeText != "" {
		blockTime, err := ParseTime("--time", timeText)
		if err != nil {
			return step, err
		}
		step.Time = &blockTime
	}
	return step, nil
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

// SuggestInstead returns the end of a sentence about an unknown command, flag or topic. If
// earlier versions had it, the text says what to use instead. Otherwise the text asks
// whether nearest, a known name, was meant. The text is empty if nearest is empty too.
func SuggestInstead(word, nearest string) string {
	if replacement, isRemoved := replacements[word]; isRemoved {
		return ": " + replacement
	}
	if nearest == "" {
		return ""
	}
	return fmt.Sprintf(", did you mean %s?", nearest)
}

// NoLimit as the upper limit of [ArgCount] allows any number of arguments.
const NoLimit = math.MaxInt

// ArgCount returns a function that fails if a command has fewer arguments than minimum, or
// more than maximum. maximum can be [NoLimit]. expected describes the right arguments in the
// error, such as "one FILE".
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

// NoArgs checks that a command has no argument, or names one of its subcommands.
var NoArgs = ArgCount(0, 0, "no argument")

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

// ParseTime parses the block time in a flag, which is a number of nanoseconds since 1970 or
// a date and time.
func ParseTime(flag, text string) (cw721.Time, error) {
	nanoseconds, err := strconv.ParseUint(text, 10, 64)
	if err == nil {
		return cw721.Time(nanoseconds), nil
	}
	date, isDate := human.ParseDate(text)
	if !isDate {
		return 0, UsageErrorf(
			"%s: %q is no block time, expected nanoseconds since 1970 (up to %d) or a time such as 2026-11-21T12:00:05Z or \"2026-11-21 12:00\"",
			flag,
			text,
			uint64(math.MaxUint64),
		)
	}
	blockTime, isInRange := human.BlockTime(date)
	if !isInRange {
		return 0, UsageErrorf(
			"%s: %s cannot be a block time, expected one from 1970 to July 2554",
			flag,
			text,
		)
	}
	return blockTime, nil
}

// Now returns the time of day as a block time, to the second.
func Now() cw721.Time { return cw721.Time(time.Now().Truncate(time.Second).UnixNano()) }

// ParseMoment parses a moment that an argument or a flag names, such as "+10", "+90m",
// "h1110" or a date, counted from a block. It fails with a [*UsageError] that begins with
// the name of the argument.
func ParseMoment(name, text string, now cw721.Block) (cw721.Expiration, error) {
	parser := human.MomentParser{
		Field:         name,
		Noun:          "moment",
		Examples:      "+10, +90m, h1110, 2026-12-01T09:00:00Z",
		KeepsFraction: true,
	}
	moment, err := parser.Parse(text, now)
	if err != nil {
		return moment, &UsageError{Text: err.Error(), Err: err}
	}
	return moment, nil
}

// ParseNumber parses the text of an argument as a number, which must be 1 or more. units
// says what is counted, such as "nodes"; it and the name of the argument are for the error.
func ParseNumber(arg, text, units string) (int, error) {
	number, err := strconv.Atoi(text)
	if err != nil && number == math.MaxInt { // what Atoi returns if the number is too large
		return 0, UsageErrorf("%s: %q is too many %s, expected at most %d", arg, text, units, math.MaxInt)
	}
	if err != nil || number < 1 {
		return 0, UsageErrorf(
			"%s: %q is no number of %s, expected a whole number from 1",
			arg,
			text,
			units,
		)
	}
	return number, nil
}

// Resolve returns the address of an account. who is its name or its address, as WHO in the
// help. flag is the flag that has this value, for errors. Resolve fails with a [*UsageError]
// if who is empty or an unknown name.
func Resolve(view *chain.View, flag, who string) (cw721.Address, error) {
	if who == "" {
		return "", UsageErrorf("%s: expected WHO, the name of an account or an address", flag)
	}
	address, err := view.Resolve(who)
	if explain.IsNameError(err) {
		return "", UsageErrorf("%s: %v", flag, err)
	}
	return address, err
}
