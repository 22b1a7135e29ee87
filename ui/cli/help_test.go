package cli

import (
	"iter"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"ephemera/themes"
	"ephemera/ui/cli/command"
	"ephemera/ui/widget"
)

// What helps is read on any terminal, also where it takes no UTF-8 or is narrow.
func TestHelpIsPlainASCIIOfTheTerminalsWidthAndHasAnExample(t *testing.T) {
	root := rootCommand(&command.App{})
	root.PersistentFlags().Lookup("db").DefValue = "" // a directory of whoever runs this
	root.InitDefaultHelpCmd()
	read := 0
	for cmd := range every(root) {
		read++
		if cmd.Short == "" || strings.HasSuffix(cmd.Short, ".") || cmd.Example == "" {
			t.Errorf("%s: says %q, for example %q", cmd.CommandPath(), cmd.Short, cmd.Example)
		}
		for _, width := range []int{80, 60} {
			for line := range strings.Lines(helpText(cmd, width)) {
				line = strings.TrimSuffix(line, "\n")
				if w := widget.Width(line); w > width && !strings.HasPrefix(line, "  ephemera ") && !strings.Contains(cmd.Example, line) {
					t.Errorf("%s: a line takes %d columns: %s", cmd.CommandPath(), w, line)
				}
				if command.Escape(themes.Plain(line), true) != line {
					t.Errorf("%s: not ASCII: %s", cmd.CommandPath(), line)
				}
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
