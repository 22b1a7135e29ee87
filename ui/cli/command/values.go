package command

import (
	"math"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/explain"
	"ephemera/core/human"
)

// AddAsFlag adds --as to a command that works on a collection.
func (a *App) AddAsFlag(cmd *cobra.Command, senderName *string) {
	cmd.Flags().StringVar(senderName, "as", "", "`WHO` acts: the name of an account, or an address")
	CompleteFlag(cmd, "as", a.Complete(AccountNames))
}

// ResolveWho is [Resolve] with the latest state of a database.
func ResolveWho(db *Database, flag, who string) (cw721.Address, error) {
	return chain.Read(db, func(view *chain.View) (cw721.Address, error) {
		return Resolve(view, flag, who)
	})
}

// Resolve returns the address of WHO, the name of an account or an address. It fails with a
// [*UsageError] that names the flag if who is empty or an unknown name.
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

// ParseClockSettings parses the flags --height and --time as a step that sets the clock. An
// empty text means that the flag was not given. It fails if both are empty.
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

// ParseNumber parses the text of an argument as a number from 1. units says what is counted, such
// as "nodes", for the error.
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
