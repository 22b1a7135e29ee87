package command

import (
	"strings"
	"unicode"

	"github.com/spf13/cobra"

	"ephemera/core/chain"
	"ephemera/core/cw721"
)

// CompleteNames offers the names of accounts to a shell.
func (a *App) CompleteNames(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return a.complete(func(v *chain.View) (names []string, err error) {
		all, err := v.Accounts()
		for _, acc := range all {
			names = append(names, acc.Name)
		}
		return names, err
	})
}

// CompleteSnapshots offers the names of snapshots.
func (a *App) CompleteSnapshots(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return a.complete(snapshotNames)
}

func snapshotNames(v *chain.View) (names []string, err error) {
	all, err := v.Snapshots()
	for _, s := range all {
		names = append(names, s.Name)
	}
	return names, err
}

// FirstArg offers words for the first argument and for no other.
func FirstArg(words cobra.CompletionFunc) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return words(cmd, args, begun)
	}
}

// complete reads words from the database. It keeps quiet about one that cannot
// be opened: a shell that completes has nowhere to say so.
func (a *App) complete(words func(*chain.View) ([]string, error)) (found []string, _ cobra.ShellCompDirective) {
	if a.Global.Memory {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	where := a.Where()
	where.ReadOnly = true
	_ = a.UseDatabase(where, func(db *Database) error {
		found, _ = chain.Read(db, words)
		return nil
	})
	return found, cobra.ShellCompDirectiveNoFileComp
}

// tokensOffered bounds the tokens that are offered to a shell.
const tokensOffered = 200

// CompleteTokens offers token ids, those that begin with what is typed: a seek,
// so that a large collection answers as quickly as a small one.
func (a *App) CompleteTokens(_ *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return a.complete(func(v *chain.View) (ids []string, err error) {
		for t, err := range v.Tokens("", cw721.Walk{Place: &begun, Inclusive: true}) {
			if err != nil || !strings.HasPrefix(t.ID, begun) || len(ids) == tokensOffered {
				return ids, err
			}
			if !strings.ContainsFunc(t.ID, unicode.IsControl) { // it would break up the shell's list
				ids = append(ids, t.ID)
			}
		}
		return ids, nil
	})
}

// CompleteMoments offers the moments that have names.
func (a *App) CompleteMoments(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return a.complete(func(v *chain.View) ([]string, error) {
		names, err := snapshotNames(v)
		return append([]string{"now", "next", "before-next"}, names...), err
	})
}

// CompleteFlag lets a shell complete a flag with the values it can have.
func CompleteFlag(cmd *cobra.Command, flag string, values ...string) {
	// It fails only for a flag that is not there.
	_ = cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp))
}
