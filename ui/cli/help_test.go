package cli

import (
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"ephemera/ui/widget"
)

// What helps is read on any terminal, also where it takes no UTF-8.
func TestHelpIsPlainAsciiIn80ColumnsAndHasAnExample(t *testing.T) {
	root := (&app{}).root()
	root.PersistentFlags().Lookup("db").DefValue = "" // a directory of whoever runs this
	read := 0
	var each func(*cobra.Command)
	each = func(cmd *cobra.Command) {
		for _, c := range cmd.Commands() {
			each(c)
		}
		if cmd.Name() == "completion" || cmd.Parent() != nil && cmd.Parent().Name() == "completion" {
			return // cobra's own words
		}
		read++
		if cmd.Short == "" || strings.HasSuffix(cmd.Short, ".") || cmd.Example == "" {
			t.Errorf("%s: says %q, for example %q", cmd.CommandPath(), cmd.Short, cmd.Example)
		}
		for line := range strings.Lines(cmd.Long + "\n" + cmd.Short + "\n" + cmd.UsageString()) {
			line = strings.TrimSuffix(line, "\n")
			if w := widget.Width(line); w > 80 && !strings.Contains(cmd.Example, line) {
				t.Errorf("%s: a line takes %d columns: %s", cmd.CommandPath(), w, line)
			}
			if ascii(line) != line {
				t.Errorf("%s: not ASCII: %s", cmd.CommandPath(), line)
			}
		}
	}
	each(root)
	if read < 25 {
		t.Errorf("only %d commands were read", read)
	}
}
