package cli

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"ephemera/core/wire"
	"ephemera/ui/cli/command"
)

// flagFault says what is wrong with a flag, without the words of the Go
// functions that found it.
func flagFault(cmd *cobra.Command, err error) string {
	if number, ok := errors.AsType[*strconv.NumError](err); ok {
		_, name, _ := strings.Cut(err.Error(), ` for "`)
		name, _, _ = strings.Cut(name, `" flag`)
		expected := "a whole number"
		if number.Func == "ParseUint" {
			expected = "a whole number from 0"
		}
		if errors.Is(number.Err, strconv.ErrRange) && !strings.HasPrefix(number.Num, "-") {
			expected = "a smaller number"
		}
		return fmt.Sprintf("%s: expected %s, got %q", name, expected, number.Num)
	}
	if unknown, ok := errors.AsType[*pflag.NotExistError](err); ok {
		names := unknown.GetSpecifiedShortnames()
		switch {
		case names == "":
			return unknownFlag(cmd, unknown.GetSpecifiedName())
		case names[0] >= '0' && names[0] <= '9':
			return fmt.Sprintf("-%s: numbers and distances are never negative here", names)
		}
		return fmt.Sprintf("-%s is no flag of %s: flags have two dashes", names, cmd.CommandPath())
	}
	if bare, ok := errors.AsType[*pflag.ValueRequiredError](err); ok {
		return fmt.Sprintf("--%s: expected a value after it", bare.GetSpecifiedName())
	}
	return err.Error()
}

// unknownFlag says that a flag is none of a command's, and which was likely
// meant.
func unknownFlag(cmd *cobra.Command, name string) string {
	var names []string
	add := func(f *pflag.Flag) { names = append(names, f.Name) }
	cmd.LocalFlags().VisitAll(add)
	cmd.InheritedFlags().VisitAll(add)
	near := wire.Nearest(strings.ToLower(name), names)
	if near != "" {
		near = "--" + near
	}
	return fmt.Sprintf("--%s is no flag of %s%s", name, cmd.CommandPath(), command.InsteadOf("--"+name, near))
}
