package command

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/spf13/cobra"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/explain"
	"ephemera/ui/widget"
)

// WordLister lists the words with which a shell can complete what was typed.
type WordLister func(v *chain.View, typed string) ([]string, error)

// Complete returns a completion function that offers the words that listWords finds in the
// database of the global flags. It ignores errors, because a shell cannot show them.
func (a *App) Complete(listWords WordLister) cobra.CompletionFunc {
	return func(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
		openOptions := a.Global.OpenOptions
		openOptions.ReadOnly = true
		var words []string
		_ = a.UseDatabase(openOptions, func(db *Database) error {
			return db.View(func(view *chain.View) (err error) {
				words, err = listWords(view, typed)
				return err
			})
		})
		return words, cobra.ShellCompDirectiveNoFileComp
	}
}

// FirstArg returns complete for the first argument of a command, and nothing for the others.
func FirstArg(complete cobra.CompletionFunc) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return complete(cmd, args, typed)
	}
}

// CompleteFlag makes a shell complete a flag of a command with words.
func CompleteFlag(cmd *cobra.Command, flag string, words cobra.CompletionFunc) {
	_ = cmd.RegisterFlagCompletionFunc(flag, words) // fails only for an unknown flag
}

// FixedWords returns a completion function for words that are always the same.
func FixedWords(words ...string) cobra.CompletionFunc {
	return cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp)
}

// AccountNames lists the names of accounts.
func AccountNames(view *chain.View, _ string) (names []string, err error) {
	accounts, err := view.Accounts()
	for _, account := range accounts {
		names = append(names, account.Name)
	}
	return names, err
}

// SnapshotNames lists the names of snapshots.
func SnapshotNames(view *chain.View, _ string) (names []string, err error) {
	snapshots, err := view.Snapshots()
	for _, snapshot := range snapshots {
		names = append(names, snapshot.Name)
	}
	return names, err
}

// maxNodesOffered is how many points of the history are offered to a shell.
const maxNodesOffered = 50

// PointsOfHistory lists the names of snapshots, and then the numbers of the newest nodes of
// the history. Each number has a description of what happened at the node.
func PointsOfHistory(view *chain.View, typed string) ([]string, error) {
	points, err := SnapshotNames(view, typed)
	if err != nil {
		return nil, err
	}
	for node, err := range view.History(0) {
		if err != nil {
			return points, err
		}
		if len(points) >= maxNodesOffered {
			break
		}
		nodeNumber := fmt.Sprint(node.ID)
		summary := explain.DescribeNode(view.Contract(), node, view.DisplayName)
		points = append(points, cobra.CompletionWithDesc(nodeNumber, widget.Safe(summary)))
	}
	return points, nil
}

// maxTokensOffered is how many tokens are offered to a shell.
const maxTokensOffered = 200

// TokenIDs lists the ids of tokens that begin with the typed text, and reads only these. It
// leaves out ids with control characters, which would break the shell's list.
func TokenIDs(view *chain.View, typed string) (ids []string, err error) {
	walkFromTyped := cw721.Walk{Place: &typed, Inclusive: true}
	for token, err := range view.Tokens("", walkFromTyped) {
		if err != nil {
			return ids, err
		}
		if !strings.HasPrefix(token.ID, typed) || len(ids) == maxTokensOffered {
			break
		}
		if !strings.ContainsFunc(token.ID, unicode.IsControl) {
			ids = append(ids, token.ID)
		}
	}
	return ids, nil
}

// MomentNames lists the names of moments at which a command can look: "now", "next" for the
// next expiry, "before-next" for the block before that expiry, and the names of snapshots.
func MomentNames(view *chain.View, typed string) ([]string, error) {
	names, err := SnapshotNames(view, typed)
	return append([]string{"now", "next", "before-next"}, names...), err
}
