package ask

import (
	"os"

	"github.com/spf13/cobra"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/explain"
	"ephemera/ui/cli/command"
)

// permission is what somebody may do, as diff tells it.
type permission struct {
	Who     cw721.Address     `wire:"who"`
	Name    string            `wire:"who_name,optional"`
	Kind    string            `wire:"kind"`
	Owner   cw721.Address     `wire:"owner,optional"`
	TokenID *string           `wire:"token_id"`
	Expires *cw721.Expiration `wire:"expires"`
}

// accessChange is what OLD and NEW do not have in common.
type accessChange struct {
	Gained []permission `wire:"gained"`
	Lost   []permission `wire:"lost"`
}

func diffCommand(a *command.App) *cobra.Command {
	var noNew bool
	cmd := &cobra.Command{
		Use:   "diff OLD NEW",
		Short: "Tell who gained and who lost which permission",
		Long: `Compares two states of a collection: who owns what, who holds which grant that
has not expired, and who has which role. OLD and NEW are dumps, as import reads
them, - for stdin, or points of the history: the name of a snapshot, the number
of a node, or now. With --no-new-access the exit status is 1 where anybody
gained anything, which makes it a gate for CI.`,
		Example: `  ephemera diff before-the-sale now
  ephemera diff --no-new-access page-1.json page-1.json`,
		Args: command.Wants(2, 2, "OLD and NEW"),
		RunE: a.Begins(func(_ *cobra.Command, args []string) error {
			old, err := permissions(a, args[0])
			if err != nil {
				return err
			}
			latest, err := permissions(a, args[1])
			if err != nil {
				return err
			}
			out := accessChange{permissionsOf(latest, explain.Gained(old.all, latest.all)), permissionsOf(old, explain.Gained(latest.all, old.all))}
			return command.RefusedIf(noNew && len(out.Gained) > 0, a.Answer(out, nil))
		}),
	}
	cmd.Flags().BoolVar(&noNew, "no-new-access", false, "exit with status 1 where anybody gained anything")
	return cmd
}

// permitted are the permissions in one state, and who has a name there.
type permitted struct {
	all   map[explain.Permission]bool
	names map[cw721.Address]string
}

// permissions reads a dump, or a point of the history.
func permissions(a *command.App, name string) (out permitted, err error) {
	gather := func(v *chain.View) error {
		out.names = map[cw721.Address]string{}
		accounts, err := v.Accounts()
		for _, acc := range accounts {
			out.names[acc.Address] = acc.Name
		}
		if err == nil {
			out.all, err = explain.Permissions(v)
		}
		return err
	}
	if info, err := os.Stat(name); name == "-" || err == nil && info.Mode().IsRegular() {
		file, err := a.Input(name)
		if err != nil {
			return out, err
		}
		defer file.Close()
		c, err := a.InMemory()
		if err != nil {
			return out, err
		}
		db := command.Database{Chain: c}
		if err := db.Fill(file, chain.Genesis{}, chain.Clock{}, nil); err != nil {
			return out, err
		}
		return out, c.View(gather)
	}
	return out, a.OnCollection(func(db *command.Database) error {
		if name == "now" {
			return db.View(gather)
		}
		id, err := db.Find(name)
		if err != nil {
			return err
		}
		return db.ViewAt(id, gather)
	})
}

func permissionsOf(in permitted, all []explain.Permission) []permission {
	out := []permission{}
	for _, p := range all {
		one := permission{Who: p.Who, Name: in.names[p.Who], Kind: p.Kind, Owner: p.Of}
		if p.Kind == "owner" || p.Kind == string(cw721.GrantApproval) {
			one.TokenID = &p.Token
		}
		if p.Of != "" {
			one.Expires = &p.Expires
		}
		out = append(out, one)
	}
	return out
}
