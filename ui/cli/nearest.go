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

// helpCommand is cobra's, with a sentence for a command that is none.
func helpCommand(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use:     "help [COMMAND]",
		Short:   "Say more about a command",
		Example: "  ephemera help clock set",
		ValidArgsFunction: func(_ *cobra.Command, args []string, begun string) (names []string, _ cobra.ShellCompDirective) {
			at, _, err := root.Find(args)
			if err != nil {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			for _, c := range at.Commands() {
				if c.IsAvailableCommand() && strings.HasPrefix(c.Name(), begun) {
					names = append(names, cobra.CompletionWithDesc(c.Name(), c.Short))
				}
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(_ *cobra.Command, args []string) error {
			at := root
			for _, word := range args {
				next, _, err := at.Find([]string{word})
				if err != nil || next == at {
					return unknownCommand(at, word)
				}
				at = next
			}
			at.InitDefaultHelpFlag()
			return at.Help()
		},
	}
}
