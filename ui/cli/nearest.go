package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"ephemera/core/wire"
)

// unknownCommand says that a command is none, and which was likely meant.
func unknownCommand(parent *cobra.Command, word string) error {
	var words []string
	names := map[string]string{} // by the words that people say for them
	for _, c := range parent.Commands() {
		if !c.IsAvailableCommand() {
			continue
		}
		for _, w := range append(c.SuggestFor, c.Name()) {
			words = append(words, w)
			names[w] = c.Name()
		}
	}
	near := names[wire.Nearest(strings.ToLower(word), words)]
	return misused("%q is no command of %s%s; `%s --help` lists them", word, parent.CommandPath(), meant(near), parent.CommandPath())
}

func meant(name string) string {
	if name == "" {
		return ""
	}
	return fmt.Sprintf(", did you mean %s?", name)
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
	return fmt.Sprintf("--%s is no flag of %s%s", name, cmd.CommandPath(), meant(near))
}
