package ask

import (
	"cmp"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/explain"
	"ephemera/core/human"
	"ephemera/ui/cli/command"
)

// permission is what somebody may do, as diff prints it.
type permission struct {
	Who     cw721.Address     `wire:"who"`
	Name    string            `wire:"who_name,optional"`
	Kind    string            `wire:"kind"`
	Owner   cw721.Address     `wire:"owner,optional"`
	TokenID *string           `wire:"token_id"`
	Expires *cw721.Expiration `wire:"expires"`
	// Other is when it expires on the other side; nil where it is not there.
	Other *cw721.Expiration `wire:"other_expires,optional"`
}

// accessChange is what OLD and NEW do not have in common.
type accessChange struct {
	Gained []permission `wire:"gained"`
	Lost   []permission `wire:"lost"`
}

func diffCommand(a *command.App) *cobra.Command {
	c := comparison{App: a}
	var noNew bool
	cmd := &cobra.Command{
		Use:   "diff OLD NEW",
		Short: "Tell who gained and who lost which permission",
		Long: `Compares two states of a collection: who owns what, who holds which grant that
has not expired, who has which role, who is paid. Both are seen from one block,
that of NEW or --at. A grant that lasts longer was gained, one that was shortened
was lost. OLD and NEW are dumps, as import reads them, - for stdin, or points of
the history: the name of a snapshot, the number of a node, or now. A dump that
was exported without its clock as NEW needs --at: a height, a time, or both. With
--no-new-access the exit status is 1 where anybody gained anything, which makes
it a gate for CI.`,
		Example: `  ephemera diff before-the-sale now
  ephemera diff --no-new-access --at 1204000 page-1.json page-1.json`,
		Args: command.ArgCount(2, 2, "OLD and NEW"),
		RunE: a.Action(func(_ *cobra.Command, args []string) error {
			latest, err := c.read(args[1])
			if err != nil {
				return err
			}
			old, err := c.read(args[0])
			if err != nil {
				return err
			}
			out := accessChange{
				Gained: permissionsOf(latest, explain.Gained(old.all, latest.all)),
				Lost:   permissionsOf(old, explain.Gained(latest.all, old.all)),
			}
			return command.RefusedIf(noNew && len(out.Gained) > 0, a.Answer(out, nil))
		}),
	}
	cmd.Flags().BoolVar(&noNew, "no-new-access", false, "exit with status 1 where anybody gained anything")
	cmd.Flags().StringArrayVar(&c.at, "at", nil, "compare at `MOMENT`; give a height and a time where both are needed (default: the block of NEW)")
	return cmd
}

// comparison reads the two sides of a diff, the newer first.
type comparison struct {
	*command.App
	at    []string
	block *cw721.Block // of both sides; nil until the newer is read
}

// permitted are the permissions in one state, and who has a name there.
type permitted struct {
	all   map[explain.Permission]cw721.Expiration
	names map[cw721.Address]string
}

// read gathers the permissions in a dump, or at a point of the history.
func (c *comparison) read(name string) (out permitted, err error) {
	if info, err := os.Stat(name); name == "-" || err == nil && info.Mode().IsRegular() {
		file, err := c.Input(name)
		if err != nil {
			return out, err
		}
		defer file.Close()
		imported, err := c.OpenInMemory()
		if err != nil {
			return out, err
		}
		db := command.Database{Chain: imported}
		if err := db.ImportFrom(file, chain.Genesis{}, chain.Clock{}, nil); err != nil {
			return out, err
		}
		return out, db.View(func(v *chain.View) error {
			out, err = c.gather(v, name, v.Clock.Time != 0)
			return err
		})
	}
	gather := func(v *chain.View) error {
		out, err = c.gather(v, name, true)
		return err
	}
	return out, c.WithCollection(func(db *command.Database) error {
		if name == "now" {
			return db.View(gather)
		}
		id, err := db.FindNode(name)
		if err != nil {
			return err
		}
		return db.ViewAt(id, gather)
	})
}

func (c *comparison) gather(v *chain.View, name string, hasClock bool) (out permitted, err error) {
	if c.block == nil {
		if err := c.chooseBlock(v, name, hasClock); err != nil {
			return out, err
		}
	}
	if out.all, err = explain.Permissions(v.InBlock(*c.block)); command.Is[*chain.UnreadableError](err) {
		return out, command.UsageErrorf("%s: %v", name, err)
	}
	for _, expires := range out.all {
		if now, _, ends := expires.NowAndEnd(*c.block); ends && now == 0 && len(c.at) > 0 {
			return out, command.UsageErrorf("--at: %s holds grants that expire by height and by time, expected both, like --at h1110 --at 2026-12-01T09:00:00Z", name)
		}
	}

	accounts, noAccounts := v.Accounts()
	out.names = map[cw721.Address]string{"": "anyone"}
	for _, account := range accounts {
		out.names[account.Address] = account.Name
	}
	return out, cmp.Or(err, noAccounts)
}

// chooseBlock gives both sides the block of a view, or that of --at.
func (c *comparison) chooseBlock(v *chain.View, name string, hasClock bool) error {
	c.block = &cw721.Block{}
	if hasClock {
		*c.block = v.Clock.Block()
	} else if len(c.at) == 0 {
		return command.UsageErrorf("%s does not say at which block it was taken, expected --at, like --at h1110, or an export --with-clock", name)
	}

	for _, text := range c.at {
		err := c.moveTo(text, v, hasClock)
		if explain.IsNameError(err) {
			err = command.UsageErrorf("--at: %v", err)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// moveTo moves the block to a moment. Without a clock only one axis of it moves.
func (c *comparison) moveTo(text string, v *chain.View, hasClock bool) error {
	if hasClock {
		when, err := explain.ParseMoment(v, text)
		*c.block = when.Block
		return err
	}
	const largestHeight = 1e17 // a larger number is a time in nanoseconds, which is for the person to say
	if n, err := strconv.ParseUint(text, 10, 64); err == nil && n < largestHeight {
		text = "h" + text
	}
	moment, err := human.MomentParser{Noun: "height and no time", Examples: "h1110, 2026-12-01T09:00:00Z"}.Parse(text, cw721.Block{})
	switch {
	case err != nil:
		return err
	case strings.HasPrefix(text, "+"):
		return &human.MomentError{Text: "the dump has no clock to count from, expected a height or a time"}
	case moment.Axis == cw721.AtHeight:
		c.block.Height = cw721.Height(moment.Value)
	default:
		c.block.Time = cw721.Time(moment.Value)
	}
	return nil
}

func permissionsOf(in permitted, all []explain.Gain) []permission {
	out := []permission{}
	for _, gain := range all {
		one := permission{Who: gain.Who, Name: in.names[gain.Who], Kind: gain.Kind, Owner: gain.Of, Other: gain.Other}
		if gain.Kind == "owner" || gain.Kind == string(cw721.GrantApproval) {
			one.TokenID = &gain.Token
		}
		if gain.Of != "" {
			one.Expires = &gain.Expires
		}
		out = append(out, one)
	}
	return out
}
