package cli

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// flagFault says what is wrong with a flag, without the words of the Go
// functions that found it.
func flagFault(err error) string {
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
	var unknown interface{ GetSpecifiedShortnames() string }
	if errors.As(err, &unknown) {
		if names := unknown.GetSpecifiedShortnames(); names != "" && names[0] >= '0' && names[0] <= '9' {
			return fmt.Sprintf("-%s: numbers and distances are never negative here", names)
		}
	}
	return err.Error()
}
