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

// Words lists the words with which a shell can complete the beginning of a word that was
// typed. It reads them from a view of the collection.
type Words func(v *chain.View, typed string) ([]string, error)

// Complete completes with words from the database of the global flags. Errors are ignored,
// because a shell cannot show them.
func (a *App) Complete(words Words) cobra.CompletionFunc {
	return func(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
		where := a.Global.Where
		where.ReadOnly = true
		var found []string
		_ = a.UseDatabase(where, func(db *Database) error {
			return db.View(func(v *chain.View) error {
				found, _ = words(v, typed)
				return nil
			})
		})
		return found, cobra.ShellCompDirectiveNoFileComp
	}
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

// CompleteFlag makes a shell complete a flag of a command with words.
func CompleteFlag(cmd *cobra.Command, flag string, words cobra.CompletionFunc) {
	_ = cmd.RegisterFlagCompletionFunc(flag, words) // fails only for an unknown flag
}

// FixedWords completes with words that are always the same, such as the values of a flag.
func FixedWords(words ...string) cobra.CompletionFunc {
	return cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp)
}

// AccountNames lists the names of accounts.
func AccountNames(v *chain.View, _ string) (names []string, err error) {
	all, err := v.Accounts()
	for _, acc := range all {
		names = append(names, acc.Name)
	}
	return names, err
}

// SnapshotNames lists the names of snapshots.
func SnapshotNames(v *chain.View, _ string) (names []string, err error) {
	all, err := v.Snapshots()
	for _, s := range all {
		names = append(names, s.Name)
	}
	return names, err
}

// maxNodesOffered is how many points of the history are offered to a shell.
const maxNodesOffered = 50

// PointsOfHistory lists the names of snapshots, and the numbers of the newest nodes with
// what happened there.
func PointsOfHistory(v *chain.View, typed string) ([]string, error) {
	points, err := SnapshotNames(v, typed)
	if err != nil {
		return nil, err
	}
	for node, err := range v.History(0) {
		if err != nil || len(points) >= maxNodesOffered {
			return points, err
		}
		summary := explain.DescribeNode(v.Contract(), node, v.DisplayName)
		points = append(points, cobra.CompletionWithDesc(strconv.FormatUint(uint64(node.ID), 10), widget.Safe(summary)))
	}
	return points, nil
}

// maxTokensOffered is how many tokens are offered to a shell.
const maxTokensOffered = 200

// TokenIDs lists the ids of tokens that begin with the typed text. It seeks to them, so
// that a large collection answers as quickly as a small one.
func TokenIDs(v *chain.View, typed string) (ids []string, err error) {
	for t, err := range v.Tokens("", cw721.Walk{Place: &typed, Inclusive: true}) {
		if err != nil || !strings.HasPrefix(t.ID, typed) || len(ids) == maxTokensOffered {
			return ids, err
		}
		if !strings.ContainsFunc(t.ID, unicode.IsControl) { // it would break the shell's list
			ids = append(ids, t.ID)
		}
	}
	return ids, nil
}

// MomentNames lists the names of moments: blocks that a command looks at, such as now, the
// next expiry, the block before it, or a snapshot.
func MomentNames(v *chain.View, typed string) ([]string, error) {
	names, err := SnapshotNames(v, typed)
	return append([]string{"now", "next", "before-next"}, names...), err
}
