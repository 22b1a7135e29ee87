package cli

import (
	"bufio"
	"cmp"
	"embed"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"ephemera/ui/cli/command"
	"ephemera/ui/widget"
)

// topicPages are the pages of `help TOPIC`. The README links them.
//
//go:embed help/*.md
var topicPages embed.FS

// topicNames lists the topics in alphabetical order.
func topicNames() []string {
	files, _ := fs.Glob(topicPages, "help/*.md") // fails only for a wrong pattern
	var names []string
	for _, file := range files {
		names = append(names, strings.TrimSuffix(path.Base(file), ".md"))
	}
	return names
}

// helpCommand makes the command that replaces cobra's help. Unlike cobra's, it also shows
// topics, and it fails for an unknown word.
func helpCommand(app *command.App, root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND|TOPIC]",
		Short: "Show the help of a command or a topic",
		Long:  "Says more about a command, or about one of these topics:\n" + strings.Join(topicNames(), ", "),
		Example: `  ephemera help clock set
  ephemera help scenarios`,
		ValidArgsFunction: func(_ *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
			return completeHelp(root, args, begun), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return commandHelp(root, args)
			}
			page, err := topicPages.ReadFile("help/" + args[0] + ".md")
			if err != nil { // the word is no topic
				return commandHelp(root, args)
			}
			return app.WriteText(func(w *bufio.Writer) error {
				_, err := w.Write(page)
				return err
			})
		},
	}
}

// completeHelp lists the words that can follow args and begin with begun: the subcommands of
// the command that args name. If args is empty, it also lists all topics.
func completeHelp(root *cobra.Command, args []string, begun string) []string {
	parent, _, err := root.Find(args)
	if err != nil {
		return nil
	}
	var names []string
	for _, child := range parent.Commands() {
		if child.IsAvailableCommand() && strings.HasPrefix(child.Name(), begun) {
			names = append(names, cobra.CompletionWithDesc(child.Name(), child.Short))
		}
	}
	if len(args) == 0 {
		names = append(names, topicNames()...)
	}
	return names
}

// commandHelp prints the help of the command that words name, such as "clock" and "set". It
// fails for an unknown command.
func commandHelp(root *cobra.Command, words []string) error {
	found := root
	for _, word := range words {
		child, _, err := found.Find([]string{word})
		if err != nil || child == found {
			return command.UnknownCommand(found, word)
		}
		found = child
	}
	found.InitDefaultHelpFlag()
	return found.Help()
}

// maxHelpWidth bounds the width of help, in columns.
const maxHelpWidth = 80

// helpText returns the help of a command, wrapped to a width in columns.
func helpText(cmd *cobra.Command, width int) string {
	// Replace the part of cobra's template that lists the flags.
	template := new(cobra.Command).UsageTemplate()
	start := strings.Index(template, "{{if .HasAvailableLocalFlags}}")
	end := strings.Index(template, "{{if .HasHelpSubCommands}}")
	cmd.SetUsageTemplate(template[:start] + flagsHelp(cmd, width) + template[end:])

	description := cmp.Or(cmd.Long, cmd.Short)
	return wrapHelp(description+"\n\n"+cmd.UsageString(), width)
}

// flagsHelp describes the flags of a command, first its own and then the global ones.
func flagsHelp(cmd *cobra.Command, width int) string {
	var own, global pflag.FlagSet
	cmd.InheritedFlags() // adds those of the root, such as --help, to the command's
	cmd.Flags().VisitAll(func(flag *pflag.Flag) {
		if slices.Contains(globalFlags, flag.Name) {
			global.AddFlag(flag)
		} else {
			own.AddFlag(flag)
		}
	})
	text := "\n\nFlags:\n" + strings.TrimRight(own.FlagUsagesWrapped(width), "\n")
	if global.HasFlags() {
		text += "\n\nGlobal Flags:\n" + strings.TrimRight(global.FlagUsagesWrapped(width), "\n")
	}
	return text
}

// hangingIndent matches the beginning of a line in place of which the lines below have blanks
// when the line is wrapped. This is the indent of the line, and also its first column if the
// line has two columns.
var hangingIndent = regexp.MustCompile(`^ *(\S.*? {2,})?`)

// wrapHelp wraps the lines of a text that are wider than width. Consecutive lines
// without an indent are one paragraph and are wrapped together. Lines with an indent are
// wrapped one by one, except for command lines, which must stay whole so that they can be
// copied.
func wrapHelp(text string, width int) string {
	var wrapped []string
	var paragraph []string // the lines of the paragraph that has begun; nil for none

	// endParagraph wraps the paragraph that has begun, if there is one.
	endParagraph := func() {
		if len(paragraph) > 0 {
			wrapped = append(wrapped, widget.Wrap(strings.Join(paragraph, " "), width)...)
			paragraph = nil
		}
	}
	for line := range strings.SplitSeq(text, "\n") {
		indent := hangingIndent.FindString(line)
		isInParagraph := line != "" && line[0] != ' ' && indent == ""
		if isInParagraph {
			paragraph = append(paragraph, line)
			continue
		}

		// The line is not part of a paragraph, so it keeps its indent.
		endParagraph()
		isCommandLine := strings.Contains(line, " ephemera ")
		if widget.Width(line) <= width || isCommandLine {
			wrapped = append(wrapped, line)
			continue
		}
		for _, part := range widget.Wrap(line[len(indent):], width-len(indent)) {
			wrapped = append(wrapped, indent+part)
			indent = strings.Repeat(" ", len(indent))
		}
	}
	endParagraph()
	return strings.Join(wrapped, "\n")
}
