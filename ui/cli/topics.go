package cli

import (
	"bufio"
	"cmp"
	"embed"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"strings"

	"github.com/spf13/cobra"

	"ephemera/ui/cli/command"
	"ephemera/ui/widget"
)

// pages are what help says of topics that are no command, as the README links
// them.
//
//go:embed help/*.md
var pages embed.FS

// topics are the names of the pages.
func topics() (names []string) {
	files, _ := fs.Glob(pages, "help/*.md") // the pattern is good
	for _, file := range files {
		names = append(names, strings.TrimSuffix(path.Base(file), ".md"))
	}
	return names
}

// helpCommand makes help a command like the others: one that answers, and that
// takes a word it does not know for a mistake.
func helpCommand(a *command.App, root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND|TOPIC]",
		Short: "Say more about a command or a topic",
		Long:  "Says more about a command, or about one of these topics:\n" + strings.Join(topics(), ", "),
		Example: `  ephemera help clock set
  ephemera help scenarios`,
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
			if len(args) == 0 {
				names = append(names, topics()...)
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 1 {
				if page, err := pages.ReadFile("help/" + args[0] + ".md"); err == nil {
					return a.WriteText(func(w *bufio.Writer) error {
						_, err := w.Write(page)
						return err
					})
				}
			}
			at := root
			for _, word := range args {
				next, _, err := at.Find([]string{word})
				if err != nil || next == at {
					return command.UnknownCommand(at, word)
				}
				at = next
			}
			at.InitDefaultHelpFlag()
			return at.Help()
		},
	}
}

// widest is how wide help is at most, in columns.
const widest = 80

// helpText is the help of a command, folded to a width.
func helpText(cmd *cobra.Command, width int) string {
	root := cmd.Root()
	for _, name := range forExplorer {
		root.PersistentFlags().Lookup(name).Hidden = cmd != root
	}
	cmd.SetUsageTemplate(strings.ReplaceAll(new(cobra.Command).UsageTemplate(), ".FlagUsages", fmt.Sprintf(".FlagUsagesWrapped %d", width)))
	return folded(cmp.Or(cmd.Long, cmd.Short)+"\n\n"+cmd.UsageString(), width)
}

// forExplorer are flags that say something to the explorer alone; they are left
// out of the help of commands.
var forExplorer = []string{"theme", "no-mouse", "no-motion"}

// hanging is what stands in front of the text of a line: blanks, and the first
// column where there are two.
var hanging = regexp.MustCompile(`^ *(\S.*? {2,})?`)

// folded breaks lines that are wider than width. Lines that begin at the margin are
// one paragraph up to the next that does not; a command line is left whole.
func folded(text string, width int) string {
	var out []string
	var paragraph []string
	flush := func() {
		if len(paragraph) > 0 {
			out = append(out, widget.Wrap(strings.Join(paragraph, " "), width)...)
			paragraph = nil
		}
	}
	for line := range strings.SplitSeq(text, "\n") {
		before := hanging.FindString(line)
		switch {
		case line != "" && line[0] != ' ' && before == "":
			paragraph = append(paragraph, line)
			continue
		case widget.Width(line) <= width || strings.Contains(line, " ephemera "):
			flush()
			out = append(out, line)
			continue
		}
		flush()
		for i, part := range widget.Wrap(line[len(before):], width-len(before)) {
			if i > 0 {
				before = strings.Repeat(" ", len(before))
			}
			out = append(out, before+part)
		}
	}
	flush()
	return strings.Join(out, "\n")
}
