package command

import (
	"strconv"
	"strings"
	"unicode"

	"github.com/spf13/cobra"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/explain"
	"ephemera/ui/widget"
)

// CompleteNames completes the names of accounts for a shell.
func (a *App) CompleteNames(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return a.complete(func(v *chain.View) (names []string, err error) {
		all, err := v.Accounts()
		for _, acc := range all {
			names = append(names, acc.Name)
		}
		return names, err
	})
}

// CompleteSnapshots completes the names of snapshots.
func (a *App) CompleteSnapshots(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return a.complete(snapshotNames)
}

// maxNodesOffered is how many nodes of the history are offered to a shell.
const maxNodesOffered = 50

// CompletePoints completes points of the history: the names of snapshots, and the numbers
// of the newest nodes with what happened there. For diff it also completes "now" and the
// names of files.
func (a *App) CompletePoints(cmd *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
	points, _ := a.complete(func(v *chain.View) ([]string, error) {
		names, err := snapshotNames(v)
		if err != nil {
			return nil, err
		}
		for node, err := range v.History(0) {
			if err != nil || len(names) >= maxNodesOffered {
				return names, err
			}
			summary := explain.DescribeNode(v.Contract(), node, v.DisplayName)
			names = append(names, cobra.CompletionWithDesc(strconv.FormatUint(uint64(node.ID), 10), widget.Safe(summary)))
		}
		return names, nil
	})
	if cmd.Name() == "diff" {
		return append(points, "now"), cobra.ShellCompDirectiveDefault
	}
	return points, cobra.ShellCompDirectiveNoFileComp
}

// snapshotNames lists the names of all snapshots.
func snapshotNames(v *chain.View) (names []string, err error) {
	all, err := v.Snapshots()
	for _, s := range all {
		names = append(names, s.Name)
	}
	return names, err
}

// FirstArg completes the first argument with words, and no other argument.
func FirstArg(words cobra.CompletionFunc) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return words(cmd, args, typed)
	}
}

// complete returns the words that a shell offers, which words reads from the database of
// the global flags. Errors are ignored, because a shell cannot show them.
func (a *App) complete(words func(*chain.View) ([]string, error)) ([]string, cobra.ShellCompDirective) {
	where := a.Global.Where
	where.ReadOnly = true
	var found []string
	_ = a.UseDatabase(where, func(db *Database) error { // a shell could not show the error
		found, _ = chain.Read(db, words)
		return nil
	})
	return found, cobra.ShellCompDirectiveNoFileComp
}

// maxTokensOffered is how many tokens are offered to a shell.
const maxTokensOffered = 200

// CompleteTokens completes token ids. It seeks to those that begin with the typed text, so
// that a large collection answers as quickly as a small one.
func (a *App) CompleteTokens(_ *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return a.complete(func(v *chain.View) (ids []string, err error) {
		for t, err := range v.Tokens("", cw721.Walk{Place: &typed, Inclusive: true}) {
			if err != nil || !strings.HasPrefix(t.ID, typed) || len(ids) == maxTokensOffered {
				return ids, err
			}
			if !strings.ContainsFunc(t.ID, unicode.IsControl) { // it would break the shell's list
				ids = append(ids, t.ID)
			}
		}
		return ids, nil
	})
}

// CompleteMoments completes the names of moments: blocks that a command looks at, such as
// now, the next expiry, the block before it, or a snapshot.
func (a *App) CompleteMoments(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return a.complete(func(v *chain.View) ([]string, error) {
		names, err := snapshotNames(v)
		return append([]string{"now", "next", "before-next"}, names...), err
	})
}

// CompleteFlag makes a shell complete a flag of a command with words.
func CompleteFlag(cmd *cobra.Command, flag string, words cobra.CompletionFunc) {
	_ = cmd.RegisterFlagCompletionFunc(flag, words) // fails only for an unknown flag
}

// FixedWords completes with words that are always the same, such as the values of a flag.
func FixedWords(words ...string) cobra.CompletionFunc {
	return cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp)
}
