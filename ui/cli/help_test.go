package cli

import (
	"iter"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"ephemera/ui/widget"
)

// What helps is read on any terminal, also where it takes no UTF-8.
func TestHelpIsPlainAsciiIn80ColumnsAndHasAnExample(t *testing.T) {
	root := (&app{}).root()
	root.PersistentFlags().Lookup("db").DefValue = "" // a directory of whoever runs this
	root.InitDefaultHelpCmd()
	read := 0
	for cmd := range every(root) {
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
	if read < 25 {
		t.Errorf("only %d commands were read", read)
	}
}

// every walks a command and all below it. The completion of shells is cobra's,
// and in its words.
func every(cmd *cobra.Command) iter.Seq[*cobra.Command] {
	return func(yield func(*cobra.Command) bool) {
		if cmd.Name() == "completion" || !yield(cmd) {
			return
		}
		for _, c := range cmd.Commands() {
			for below := range every(c) {
				if !yield(below) {
					return
				}
			}
		}
	}
}
