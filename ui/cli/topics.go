package cli

import (
	"bufio"
	"embed"
	"io/fs"
	"os"
	"path"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
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
func (a *app) helpCommand(root *cobra.Command) *cobra.Command {
	var man string
	cmd := &cobra.Command{
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
			if man != "" {
				if err := os.MkdirAll(man, 0o755); err != nil {
					return unwritable(man, err)
				}
				root.DisableAutoGenTag = true // a date would change the pages every day
				return doc.GenManTree(root, &doc.GenManHeader{Title: "EPHEMERA", Section: "1"}, man)
			}
			if len(args) == 1 {
				if page, err := pages.ReadFile("help/" + args[0] + ".md"); err == nil {
					return a.writeText(func(w *bufio.Writer) error {
						_, err := w.Write(page)
						return err
					})
				}
			}
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
	cmd.Flags().StringVar(&man, "man", "", "write man pages of all commands into `DIR`")
	return cmd
}

// forExplorer are flags that say something to the explorer alone; they are left
// out of the help of commands.
var forExplorer = []string{"theme", "no-mouse", "no-motion"}

// hideExplorerFlags keeps the help of commands to what concerns them.
func hideExplorerFlags(root *cobra.Command) {
	usage := root.UsageFunc()
	root.SetUsageFunc(func(cmd *cobra.Command) error {
		for _, name := range forExplorer {
			root.PersistentFlags().Lookup(name).Hidden = cmd != root
		}
		return usage(cmd)
	})
}
