package cli

import (
	"fmt"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// nearest gives the name that a word was likely meant to be; "" where none is
// near enough.
func nearest(word string, names []string) string {
	judge := &cobra.Command{}
	for _, name := range names {
		judge.AddCommand(&cobra.Command{Use: name, Run: func(*cobra.Command, []string) {}})
	}
	if len(word) < 2 {
		return ""
	}
	for far := 1; far <= 1+len(word)/4; far++ {
		judge.SuggestionsMinimumDistance = far
		if near := judge.SuggestionsFor(word); len(near) > 0 {
			return near[0]
		}
	}
	return ""
}

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
	near := names[nearest(word, words)]
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
	near := nearest(name, names)
	if near != "" {
		near = "--" + near
	}
	return fmt.Sprintf("--%s is no flag of %s%s", name, cmd.CommandPath(), meant(near))
}
