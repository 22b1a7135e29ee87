package cli

import (
	"cmp"
	"embed"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"ephemera/core/human"
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

// helpCommand makes the command that replaces cobra's help: it also shows topics, and fails for an
// unknown word.
func helpCommand(app *command.App, root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND|TOPIC]",
		Short: "Show the help of a command or a topic",
		Long:  "Says more about a command, or about one of these topics:\n" + command.JoinNames(topicNames()),
		Example: `  ephemera help clock set
  ephemera help scenarios`,
		ValidArgsFunction: completeHelp,
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return printCommandHelp(root, args)
			}

			// The only word is a topic or a command.
			page, err := topicPages.ReadFile("help/" + args[0] + ".md")
			if err != nil { // the word is no topic
				return printCommandHelp(root, args)
			}
			_, err = app.TextOut().Write(page)
			return err
		},
	}
}

// completeHelp lists the subcommands of the command that args name, and without args all topics too.
func completeHelp(
	help *cobra.Command,
	args []string,
	prefix string,
) (names []string, directive cobra.ShellCompDirective) {
	parent, _, err := help.Root().Find(args)
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	for _, child := range parent.Commands() {
		if child.IsAvailableCommand() && strings.HasPrefix(child.Name(), prefix) {
			names = append(names, cobra.CompletionWithDesc(child.Name(), child.Short))
		}
	}
	if len(args) == 0 {
		names = append(names, topicNames()...)
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}

// printCommandHelp prints the help of the command that words name, such as "clock" and "set".
func printCommandHelp(root *cobra.Command, words []string) error {
	cmd := root // the command that the words so far name
	for _, word := range words {
		child, _, err := cmd.Find([]string{word})
		if err != nil || child == cmd { // Find returns cmd for an unknown word
			return command.UnknownCommandError(cmd, word)
		}
		cmd = child
	}
	cmd.InitDefaultHelpFlag() // so that the help lists --help too
	return cmd.Help()
}

// maxHelpWidth bounds the width of help, in columns.
const maxHelpWidth = 80

// formatHelp returns the help of a command, wrapped to a width in columns. Without listsAll it
// leaves out the rare flags.
func formatHelp(cmd *cobra.Command, width int, listsAll bool) string {
	// Replace the part of cobra's template that lists the flags, because cobra does not wrap it.
	template := new(cobra.Command).UsageTemplate()
	flagsStart := strings.Index(template, "{{if .HasAvailableLocalFlags}}")
	flagsEnd := strings.Index(template, "{{if .HasHelpSubCommands}}")
	cmd.SetUsageTemplate(template[:flagsStart] + formatFlags(cmd, width, listsAll) + template[flagsEnd:])

	description := cmp.Or(cmd.Long, cmd.Short)
	return wrapHelp(description+"\n\n"+cmd.UsageString(), width)
}

// formatFlags describes the flags of a command. Without listsAll it only counts the rare ones.
func formatFlags(cmd *cobra.Command, width int, listsAll bool) string {
	var listedFlags pflag.FlagSet
	unlistedCount := 0
	cmd.InheritedFlags() // adds the flags of the root, such as --help, to cmd.Flags()
	cmd.Flags().VisitAll(func(flag *pflag.Flag) {
		if !listsAll && slices.Contains(rareFlags, flag.Name) {
			unlistedCount++
		} else {
			listedFlags.AddFlag(flag)
		}
	})

	text := "\n\nFlags:\n" + strings.TrimRight(listedFlags.FlagUsagesWrapped(width), "\n")
	if unlistedCount > 0 {
		text += "\n\n" + human.Plural(unlistedCount, "more flag") + ": " + cmd.CommandPath() + " --help --all"
	}
	return text
}

// hangingIndent matches the indent of a line, and also its first column if the line has two
// columns. When the line is wrapped, the lines below it have blanks in that place.
var hangingIndent = regexp.MustCompile(`^ *(\S.*? {2,})?`)

// wrapHelp wraps the lines of a text that are wider than width. Consecutive lines without an
// indent are one paragraph.
func wrapHelp(text string, width int) string {
	var wrappedLines []string
	lines := strings.Split(text, "\n")
	for len(lines) > 0 {
		paragraphLines, rest := cutParagraph(lines)
		if len(paragraphLines) == 0 {
			wrappedLines = append(wrappedLines, wrapIndented(lines[0], width))
			lines = lines[1:]
			continue
		}

		joinedText := strings.Join(paragraphLines, " ")
		wrappedLines = append(wrappedLines, widget.Wrap(joinedText, width)...)
		lines = rest
	}
	return strings.Join(wrappedLines, "\n")
}

// cutParagraph returns the lines of the paragraph with which lines begin, and the lines after
// it. An empty line, or one with an indent, belongs to no paragraph.
func cutParagraph(lines []string) (paragraphLines, rest []string) {
	for i, line := range lines {
		if line == "" || hangingIndent.FindString(line) != "" {
			return lines[:i], lines[i:]
		}
	}
	return lines, nil
}

// wrapIndented wraps a line that can begin with an indent; see [hangingIndent]. A command
// line stays whole, so that it can be copied.
func wrapIndented(line string, width int) string {
	if widget.Width(line) <= width || strings.Contains(line, " ephemera ") {
		return line
	}
	indent := hangingIndent.FindString(line)
	parts := widget.Wrap(line[len(indent):], width-len(indent))
	indentBelow := strings.Repeat(" ", len(indent))
	return indent + strings.Join(parts, "\n"+indentBelow)
}
