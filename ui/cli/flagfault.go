package cli

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// flagFault says what is wrong with a flag, without the words of the Go
// functions that found it.
func flagFault(cmd *cobra.Command, err error) string {
	var number *strconv.NumError
	if errors.As(err, &number) {
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
	var unknown *pflag.NotExistError
	if errors.As(err, &unknown) {
		names := unknown.GetSpecifiedShortnames()
		switch {
		case names == "":
			return unknownFlag(cmd, unknown.GetSpecifiedName())
		case names[0] >= '0' && names[0] <= '9':
			return fmt.Sprintf("-%s: numbers and distances are never negative here", names)
		}
		return fmt.Sprintf("-%s is no flag of %s: flags have two dashes", names, cmd.CommandPath())
	}
	var bare *pflag.ValueRequiredError
	if errors.As(err, &bare) {
		return fmt.Sprintf("--%s: expected a value after it", bare.GetSpecifiedName())
	}
	return err.Error()
}
