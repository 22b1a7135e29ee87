package ask

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/explain"
	"ephemera/core/human"
	"ephemera/ui/cli/command"
	"ephemera/ui/widget"
)

// permission is what somebody may do in one of the two states OLD and NEW, in JSON.
type permission struct {
	Who     cw721.Address     `wire:"who"` // empty for anyone
	Name    string            `wire:"who_name,optional"`
	Kind    string            `wire:"kind"`           // one of [explain.PermissionKinds]
	Owner   cw721.Address     `wire:"owner,optional"` // the account that gave a grant
	TokenID *string           `wire:"token_id"`       // nil if it is about no single token
	Expires *cw721.Expiration `wire:"expires"`        // nil if it is no grant
	// OtherExpires is when the grant expires in the other state; nil if it does not exist
	// there.
	OtherExpires *cw721.Expiration `wire:"other_expires,optional"`
	// NotComparable is set if one of Expires and Other is a height and the other a time, and
	// there is no clock to compare them. The grant then counts as gained.
	NotComparable bool `wire:"not_comparable,optional"`
	Allowed       bool `wire:"allowed,optional"` // by --allow
}

type accessChange struct {
	Gained []permission `wire:"gained"`
	Lost   []permission `wire:"lost"`
	Counts []kindCount  `wire:"counts,optional"` // of each kind that has changed
	// NotCompared are the kinds that --kinds leaves out. It also has "code" if the collection
	// was migrated to a compiled contract that is no known release.
	NotCompared []string `wire:"not_compared,optional"`
	// Estimated counts the grants that expire at a height in one state and at a time in the
	// other. They were compared by the clock's seconds per block, which are an estimate.
	Estimated uint64 `wire:"estimated,optional"`

	lines []string // the same in words
}

// WriteWords writes a line for each change, and the verdict if nobody gained anything.
func (out accessChange) WriteWords(w *bufio.Writer) { writeSafeLines(w, out.lines) }

// kindCount is how many permissions of one kind were gained and lost, in JSON.
type kindCount struct {
	Kind   string `wire:"kind"`
	Gained uint64 `wire:"gained"`
	Lost   uint64 `wire:"lost"`
}

// diff holds the flags of the command diff, and what it reads.
type diff struct {
	*command.App
	explain.AccessComparison
	at           []string       // the flag --at: the block of the comparison
	kinds        []string       // the flag --kinds: the kinds to compare, or to leave out
	allowFile    string         // the flag --allow; empty if there is no file
	contract     string         // the flag --contract: which contract of a genesis to read
	usesExitCode bool           // the flag --exit-code: a gain is a failure
	allowedGains []*allowedGain // the lines of allowFile
	// oldModule and newModule are the compiled contracts of the two states. They are empty
	// for the built-in contract, and if nothing but contract_info names the contract.
	oldModule, newModule chain.StoredModule
}

func diffCommand(app *command.App) *cobra.Command {
	d := diff{App: app}
	completePoint := app.Complete(command.PointsOfHistory)
	cmd := &cobra.Command{
		Use:   "diff OLD NEW",
		Short: "Compare who may do what in two states",
		Long: `Compares two states of a collection: who owns what, who holds which grant that
has not expired, who has which role, who is paid. Both are seen from one block,
that of NEW or --at. A grant that lasts longer counts as gained, and a shortened
one as lost. A height and a time are compared at the pace of the clock, and the
answer says so. Each state is seen by its own rules. OLD and NEW are dumps, as
import reads them, several files of one dump separated by commas, - for stdin; or
directories of databases; or points of the history: the name of a snapshot, the
number of a node, or now. If NEW is a dump without its clock, --at is needed: a
height, a time, or both.

In words each change is one line. A token that changes hands is one line, with
the approvals that it has lost. With --exit-code the status is 1 if somebody
gained what --allow does not permit, which makes a gate for CI. Each line of the
--allow FILE is KIND WHO, then for a token or an operator TOKEN or "of OWNER",
then "until MOMENT", as in the lines of diff; * means any. A grant that never
expires is allowed only by "until never".
The kinds: ` + command.JoinNames(kindWords()) + `;
offer is both offers of a role.`,
		Example: `  ephemera diff before-the-sale now
  ephemera diff --text --kinds -owner before-the-sale now
  ephemera diff --exit-code --at 1204000 page-1.json page-1.json`,
		Args: command.ArgCount(2, 2, "OLD and NEW"),
		ValidArgsFunction: func(cmd *cobra.Command, args []string, prefix string) ([]string, cobra.ShellCompDirective) {
			points, _ := completePoint(cmd, args, prefix)
			return append(points, "now"), cobra.ShellCompDirectiveDefault // adds the files
		},
		RunE: app.Action(func(args []string) error {
			return d.compare(args[0], args[1])
		}),
	}

	flags := cmd.Flags()
	flags.BoolVar(&d.usesExitCode, "exit-code", false, "exit with status 1 if anybody gained what --allow does not permit")
	flags.BoolVar(&d.usesExitCode, "no-new-access", false, "the same as --exit-code")
	flags.StringArrayVar(&d.at, "at", nil, "compare at `MOMENT`; give a height and a time if both are needed (default: the block of NEW)")
	flags.StringSliceVar(&d.kinds, "kinds", nil, "compare only these `KINDS`, or all but -KIND")
	flags.StringVar(&d.allowFile, "allow", "", "`FILE` lists what may be gained")
	flags.StringVar(&d.contract, "contract", "", "`ADDRESS` of one of the contracts in a genesis")
	_ = cmd.MarkFlagFilename("allow") // fails only for an unknown flag
	return cmd
}

// answer compares the two states and prints how they differ. With --exit-code it fails if there
// is a gain that no line of the --allow file permits. It reports lines of that file that
// permit nothing any more, so that people remove them. newArg is the argument NEW, for errors.
func (d *diff) answer(newArg string) error {
	// Choose the block and the kinds to compare, and read what may be gained.
	if err := d.chooseBlock(newArg); err != nil {
		return err
	}
	notCompared, err := d.kindsLeftOut()
	if err != nil {
		return err
	}
	needsRules := !slices.Contains(notCompared, "additional-minter") || !slices.Contains(notCompared, "royalty-by-anyone")
	if err := d.CheckRules(); needsRules && err != nil {
		if command.IsError[*chain.NoRulesError](err) {
			err = command.UsageErrorf("%v; additional-minter and royalty-by-anyone cannot be compared", err)
		}
		return err
	}
	if err := d.readAllowFile(); err != nil {
		return err
	}

	changes, err := d.Changes()
	if errors.Is(err, explain.ErrMissingAxis) {
		return command.UsageErrorf(
			"--at: %s holds grants that expire by height and by time, expected both, like --at h1110 --at 2026-12-01T09:00:00Z",
			newArg,
		)
	}
	if err != nil {
		return err
	}

	// A contract of no known release may permit more than its records show.
	_, isRelease := d.newModule.Release()
	isUnknownCode := !isRelease && d.newModule.Checksum != d.oldModule.Checksum && d.newModule.File != ""
	if isUnknownCode {
		notCompared = append(notCompared, "code")
	}
	out, hasNewAccess := d.describe(changes, notCompared)
	for _, gain := range d.allowedGains {
		if !gain.isUsed {
			d.Errorf("%s: no longer permits anything", gain.line)
		}
	}

	// Print the answer. Without a gain, it is only certain if the code is known.
	err = d.Answer(out, nil)
	if isUnknownCode && d.usesExitCode && !hasNewAccess {
		err = errors.Join(err, command.UsageErrorf(
			"diff: the answer is not known: the collection was migrated to %s, which is no known release, so it may permit more than its records show",
			d.newModule.File,
		))
	}
	return command.RefusedIf(hasNewAccess && d.usesExitCode, err)
}

// describe returns the changes in JSON and in words, without the kinds in notCompared.
// hasNewAccess is true if somebody gained what --allow does not permit. If nobody did, the
// last line says so, and what was not compared: "no new access (owner not compared)".
func (d *diff) describe(
	changes []explain.PermissionChange,
	notCompared []string,
) (out accessChange, hasNewAccess bool) {
	out = accessChange{Gained: []permission{}, Lost: []permission{}, NotCompared: notCompared}
	counts := map[string]*kindCount{}
	for _, kind := range explain.PermissionKinds {
		counts[kind] = &kindCount{Kind: kind}
	}
	for _, change := range changes {
		// Look in the file of --allow first: permitGain marks the line that permits a gain as
		// used, also if the kind of the gain is left out.
		isAllowed := change.IsGained && d.permitGain(*change.After)
		kind := change.Permission().Kind
		if slices.Contains(notCompared, explain.KindWord(kind)) {
			continue
		}
		if change.IsGained && !isAllowed {
			hasNewAccess = true
		}

		// A token or a role that changes hands is both gained and lost.
		if change.IsGained {
			gained := permissionOf(d.AfterView, *change.After, change.Before)
			gained.NotComparable = change.IsIncomparable
			gained.Allowed = isAllowed
			out.Gained = append(out.Gained, gained)
			counts[kind].Gained++
		}
		if change.IsLost {
			out.Lost = append(out.Lost, permissionOf(d.BeforeView, *change.Before, change.After))
			counts[kind].Lost++
		}
		if change.IsEstimated {
			out.Estimated++
		}

		// An approval that was lost with its token is counted on the token's line.
		if change.IsLostWithToken {
			continue
		}
		line := explain.DescribePermissionChange(change, d.displayName)
		if isAllowed {
			line += " · allowed"
		}
		out.lines = append(out.lines, line)
	}
	for _, kind := range explain.PermissionKinds {
		if count := *counts[kind]; count.Gained+count.Lost > 0 {
			out.Counts = append(out.Counts, count)
		}
	}
	if hasNewAccess {
		return out, true
	}

	// Say that nobody gained anything, and how far that is certain.
	verdict := "no new access"
	if len(notCompared) > 0 {
		verdict += fmt.Sprintf(" (%s not compared)", command.JoinNames(notCompared))
	}
	if out.Estimated > 0 {
		verdict += fmt.Sprintf(
			" (at the clock's pace, which relates a height and a time of %s)",
			human.Plural(out.Estimated, "grant"),
		)
	}
	out.lines = append(out.lines, verdict)
	return out, false
}

// writeSafeLines writes lines that may have names from other people, with control characters.
func writeSafeLines(w *bufio.Writer, lines []string) {
	for _, line := range lines {
		fmt.Fprintln(w, widget.Safe(line)) // Flush returns its error
	}
}

// permissionOf describes a permission of the state view. other is the same permission in the
// other state; nil if it does not exist there.
func permissionOf(view *chain.View, source explain.Permission, other *explain.Permission) permission {
	jsonPermission := permission{
		Who:   source.Holder,
		Name:  view.NameOf(source.Holder),
		Kind:  source.Kind,
		Owner: source.Giver,
	}
	if source.Holder == "" {
		jsonPermission.Name = "anyone"
	}
	if source.Kind == "owner" || source.Kind == string(cw721.GrantApproval) {
		jsonPermission.TokenID = &source.Token
	}
	if source.IsGrant() {
		jsonPermission.Expires = &source.Expires
		if other != nil {
			jsonPermission.OtherExpires = &other.Expires
		}
	}
	return jsonPermission
}

// displayName returns the name of an account in NEW, else in OLD, else its address.
func (d *diff) displayName(address cw721.Address) string {
	return cmp.Or(d.AfterView.NameOf(address), d.BeforeView.DisplayName(address))
}
