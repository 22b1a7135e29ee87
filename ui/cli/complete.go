package cli

import (
	"github.com/spf13/cobra"

	"ephemera/core/chain"
)

// completeNames offers the names of accounts to a shell.
func (a *app) completeNames(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return a.complete(func(v *chain.View) (names []string, err error) {
		all, err := v.Accounts()
		for _, acc := range all {
			names = append(names, acc.Name)
		}
		return names, err
	})
}

// completeSnapshots offers the names of snapshots.
func (a *app) completeSnapshots(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return a.complete(func(v *chain.View) (names []string, err error) {
		all, err := v.Snapshots()
		for _, s := range all {
			names = append(names, s.Name)
		}
		return names, err
	})
}

// complete reads words from the database. It keeps quiet about one that cannot
// be opened: a shell that completes has nowhere to say so.
func (a *app) complete(words func(*chain.View) ([]string, error)) (found []string, _ cobra.ShellCompDirective) {
	if a.global.memory || a.empty() {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	where := a.where()
	where.ReadOnly = true
	_ = a.open(where, func(db *Database) error {
		return db.View(func(v *chain.View) (err error) {
			found, err = words(v)
			return err
		})
	})
	return found, cobra.ShellCompDirectiveNoFileComp
}
