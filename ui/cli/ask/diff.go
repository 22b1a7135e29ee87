package ask

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/dump"
	"ephemera/core/explain"
	"ephemera/core/human"
	"ephemera/ui/cli/command"
	"ephemera/ui/widget"
)

// permission is what somebody may do in OLD or NEW, in JSON.
type permission struct {
	Who     cw721.Address     `wire:"who"`
	Name    string            `wire:"who_name,optional"`
	Kind    string            `wire:"kind"`
	Owner   cw721.Address     `wire:"owner,optional"`
	TokenID *string           `wire:"token_id"`
	Expires *cw721.Expiration `wire:"expires"`
	// Other is when the grant expires on the other side; nil if that side lacks it.
	Other *cw721.Expiration `wire:"other_expires,optional"`
	// NotComparable is set if nothing relates Expires and Other, so that the grant counts
	// as gained.
	NotComparable bool `wire:"not_comparable,optional"`
	// Allowed is set if --allow permits the gain.
	Allowed bool `wire:"allowed,optional"`
}

// accessChange is the answer of diff, in JSON.
type accessChange struct {
	Gained      []permission `wire:"gained"`
	Lost        []permission `wire:"lost"`
	Counts      []kindCount  `wire:"counts,optional"`       // of the kinds with a change
	NotCompared []string     `wire:"not_compared,optional"` // kinds that --kinds leaves out; "code" after a migration to unknown code
	// Estimated counts the grants of which one side expires by height and the other by
	// time. The pace of the clock relates the two, and real blocks may not keep it.
	Estimated uint64 `wire:"estimated,optional"`
}

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
	at        []string
	kinds     []string
	allowFile string
	contract  string
	isGate    bool
	allowed   []*allowedGain
}

// diffCommand makes the command that compares who may do what in two states.
func diffCommand(a *command.App) *cobra.Command {
	d := diff{App: a}
	cmd := &cobra.Command{
		Use:   "diff OLD NEW",
		Short: "Compare who may do what in two states",
		Long: `Compares two states of a collection: who owns what, who holds which grant that
has not expired, who has which role, who is paid. Both are seen from one block,
that of NEW or --at. A grant that lasts longer counts as gained, and a shortened
one as lost. A height and a time are compared at the pace of the clock, and the
answer says so. OLD and NEW are dumps, as import reads them, several files of one
dump separated by commas, - for stdin; or points of the history: the name of a
snapshot, the number of a node, or now. If NEW is a dump without its clock, --at
is needed: a height, a time, or both.

In words each change is one line. A token that changes hands is one line, with
the approvals that it has lost. With --exit-code the status is 1 if somebody
gained what --allow does not permit, which makes a gate for CI. Each line of the
--allow FILE is KIND WHO, then for a token or an operator TOKEN or "of OWNER",
then "until MOMENT", as in the lines of diff; * means any. A grant that never
expires is allowed only by "until never".
The kinds: ` + strings.Join(kindWords(), ", ") + `;
offer is both offers of a role.`,
		Example: `  ephemera diff before-the-sale now
  ephemera diff --text --kinds -owner before-the-sale now
  ephemera diff --exit-code --at 1204000 page-1.json page-1.json`,
		Args:              command.ArgCount(2, 2, "OLD and NEW"),
		ValidArgsFunction: completeSides(a),
		RunE: a.Action(func(args []string) error {
			return d.withViews(args, func() error { return d.answer(args) })
		}),
	}
	flags := cmd.Flags()
	flags.BoolVar(&d.isGate, "exit-code", false, "exit with status 1 if anybody gained what --allow does not permit")
	flags.BoolVar(&d.isGate, "no-new-access", false, "the same as --exit-code")
	flags.StringArrayVar(&d.at, "at", nil, "compare at `MOMENT`; give a height and a time if both are needed (default: the block of NEW)")
	flags.StringSliceVar(&d.kinds, "kinds", nil, "compare only these `KINDS`, or all but -KIND")
	flags.StringVar(&d.allowFile, "allow", "", "`FILE` lists what may be gained")
	flags.StringVar(&d.contract, "contract", "", "`ADDRESS` of one of the contracts in a genesis")
	_ = cmd.MarkFlagFilename("allow") // fails only for an unknown flag
	return cmd
}

// completeSides completes OLD and NEW: with points of the history, or the names of files.
func completeSides(a *command.App) cobra.CompletionFunc {
	completePoint := a.Complete(command.PointsOfHistory)
	return func(cmd *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
		points, _ := completePoint(cmd, args, begun)
		return append(points, "now"), cobra.ShellCompDirectiveDefault
	}
}

// withViews opens the two states that the arguments OLD and NEW name, sets them in the
// comparison, and calls fn.
func (d *diff) withViews(args []string, fn func() error) error {
	oldSide, newSide := args[0], args[1]
	d.IsOneHistory = !isDump(oldSide) && !isDump(newSide)
	return d.withView(oldSide, func(before *chain.View) error {
		d.Before = before
		return d.withView(newSide, func(after *chain.View) error {
			d.After = after
			d.HasClock = !isDump(newSide) || after.Clock.Time != 0
			return fn()
		})
	})
}

// isDump reports whether OLD or NEW names stdin, or files that are there or separated by
// commas. Otherwise it is a point of the history.
func isDump(side string) bool {
	info, err := os.Stat(side)
	isFile := err == nil && info.Mode().IsRegular()
	return isFile || side == "-" || strings.Contains(side, ",")
}

// withView calls fn with one side: a dump, which it reads into memory, or a point of the
// history of the database. It fails with a [*command.UsageError] for a side that is neither.
func (d *diff) withView(side string, fn func(*chain.View) error) error {
	if isDump(side) {
		return d.withDump(side, fn)
	}
	err := d.WithCollection(func(db *command.Database) error {
		d.Held = db // so that the other side can use it as well
		if side == "now" {
			return db.View(fn)
		}
		id, err := db.FindNode(side)
		if err != nil {
			return command.UsageErrorf("%s is no file, and %v", side, err)
		}
		return db.ViewAt(id, fn)
	})

	// Without a database, the side was probably meant as a file.
	if errors.Is(err, chain.ErrNoCollection) {
		return command.UsageErrorf("%s is no file, and %v", side, err)
	}
	return err
}

// withDump reads the files of a dump into memory and calls fn with its state. Without a
// clock in the dump, the time of the view is 0.
func (d *diff) withDump(side string, fn func(*chain.View) error) error {
	names := []string{side}
	if _, err := os.Stat(side); err != nil {
		names = strings.Split(side, ",")
	}

	// Open all files of the dump.
	var pages []io.Reader
	for _, name := range names {
		file, err := d.Input(name)
		if err != nil {
			return err
		}
		defer file.Close()
		pages = append(pages, file)
	}

	// Import them into a database in memory.
	imported, err := d.OpenInMemory()
	if err != nil {
		return err
	}
	db := command.Database{Chain: imported}
	read := dump.Read(pages...)
	read.Contract = d.contract
	if err := db.ImportFrom(read, chain.Genesis{}, chain.Clock{}, nil); err != nil {
		return err
	}
	return db.View(fn)
}

// answer compares the two states and prints how they differ. A gain is a permission that
// somebody has only in the second state. As a gate in CI, diff fails if there is a gain that
// no line of the --allow file permits. Lines that permit nothing any more are reported, so
// that the file does not grow stale.
func (d *diff) answer(args []string) error {
	// Settle what is compared before reading both states.
	if err := d.chooseBlock(args[1]); err != nil {
		return err
	}
	notCompared, err := d.kindsLeftOut()
	if err != nil {
		return err
	}
	if err := d.checkRules(notCompared); err != nil {
		return err
	}
	if err := d.readAllowed(); err != nil {
		return err
	}
	changes, err := d.Changes()
	if errors.Is(err, explain.ErrMissingAxis) {
		return command.UsageErrorf("--at: %s holds grants that expire by height and by time, expected both, like --at h1110 --at 2026-12-01T09:00:00Z", args[1])
	}
	if err != nil {
		return err
	}

	// Code of no known release may permit more than the records show.
	unknownCode, err := d.unknownCode()
	if err != nil {
		return err
	}
	if unknownCode != "" {
		notCompared = append(notCompared, "code")
	}
	out, lines, isGained := d.describe(changes, notCompared)

	// Report what the file permits in vain.
	for _, gain := range d.allowed {
		if !gain.isUsed {
			d.Errorf("%s: no longer permits anything", gain.line)
		}
	}
	err = d.print(out, lines)
	if unknownCode != "" && d.isGate && !isGained {
		err = errors.Join(err, command.UsageErrorf("diff: the answer is not known: the collection was migrated to %s, which is no known release, so it may permit more than its records show", unknownCode))
	}
	return command.RefusedIf(isGained && d.isGate, err)
}

// unknownCode returns the file of the compiled contract to which the collection was migrated
// between the two states, if that is no known release: the records then do not show what
// it permits. It returns "" otherwise, and for dumps, which hold no code.
func (d *diff) unknownCode() (file string, err error) {
	if !d.IsOneHistory {
		return "", nil
	}
	before, _, err := d.Before.Module()
	if err != nil {
		return "", err
	}
	after, _, err := d.After.Module()
	if err != nil || after.Checksum == before.Checksum {
		return "", err
	}
	return d.After.UnknownCode()
}

// describe returns the changes of all kinds but those that are not compared, as an answer in
// JSON and in lines. isGained is set if there is a gain that is not allowed; otherwise the
// last line says that there is none, and what was not compared: "no new access (owner not
// compared)". It also counts the grants that only the pace of the clock could compare.
func (d *diff) describe(changes []explain.PermissionChange, notCompared []string) (out accessChange, lines []string, isGained bool) {
	out = accessChange{Gained: []permission{}, Lost: []permission{}, NotCompared: notCompared}
	for _, change := range changes {
		// Note what the file permits, and leave out the kinds that are not compared.
		isAllowed := change.IsGained && d.isAllowed(*change.After)
		if slices.Contains(notCompared, explain.KindWord(change.Permission().Kind)) {
			continue
		}
		isGained = isGained || change.IsGained && !isAllowed
		out.add(d, change, isAllowed)
		if change.IsEstimated {
			out.Estimated++
		}
		if change.IsLostWithToken {
			continue // counted on the line of the token
		}
		line := explain.DescribePermissionChange(change, d.displayName)
		if isAllowed {
			line += " · allowed"
		}
		lines = append(lines, line)
	}
	out.countKinds()
	if isGained {
		return out, lines, true
	}

	// The verdict names what it does not cover.
	verdict := "no new access"
	if len(notCompared) > 0 {
		verdict += fmt.Sprintf(" (%s not compared)", strings.Join(notCompared, ", "))
	}
	if out.Estimated > 0 {
		verdict += fmt.Sprintf(" (at the clock's pace, which relates a height and a time of %s)", human.Plural(out.Estimated, "grant"))
	}
	return out, append(lines, verdict), false
}

// checkRules fails with a [*command.UsageError] if a side has no rule set, and a kind is
// compared that depends on the rules.
func (d *diff) checkRules(notCompared []string) error {
	isLeftOut := func(kind string) bool { return slices.Contains(notCompared, kind) }
	err := cmp.Or(d.Before.CheckRules(), d.After.CheckRules())
	if err == nil || isLeftOut("additional-minter") && isLeftOut("royalty-by-anyone") {
		return nil
	}
	return command.UsageErrorf("%v; --kinds -additional-minter,-royalty-by-anyone compares the rest", err)
}

// print prints lines on a terminal and with --text, and otherwise JSON.
func (d *diff) print(out accessChange, lines []string) error {
	isForPeople := d.Global.Text || command.IsTerminal(d.Stdout) && !d.Global.JSON
	if !isForPeople {
		return d.Answer(out, nil)
	}
	return d.WriteText(func(w *bufio.Writer) error {
		writeSafeLines(w, lines)
		return nil
	})
}

// writeSafeLines writes lines, which may hold what somebody else has chosen, to a terminal.
func writeSafeLines(w *bufio.Writer, lines []string) {
	for _, line := range lines {
		fmt.Fprintln(w, widget.Safe(line)) // Flush returns its error
	}
}

// add adds a change to the answer: to what was gained, to what was lost, or to both if a
// token or a role changed hands.
func (out *accessChange) add(d *diff, change explain.PermissionChange, isAllowed bool) {
	if change.IsGained {
		gained := permissionOf(d.After, *change.After, change.Before)
		gained.NotComparable = change.IsIncomparable
		gained.Allowed = isAllowed
		out.Gained = append(out.Gained, gained)
	}
	if change.IsLost {
		out.Lost = append(out.Lost, permissionOf(d.Before, *change.Before, change.After))
	}
}

// countKinds sets the counts of the kinds with a change, in the order of
// [explain.PermissionKinds].
func (out *accessChange) countKinds() {
	for _, kind := range explain.PermissionKinds {
		gained := countOfKind(out.Gained, kind)
		lost := countOfKind(out.Lost, kind)
		if gained+lost > 0 {
			out.Counts = append(out.Counts, kindCount{Kind: kind, Gained: gained, Lost: lost})
		}
	}
}

// countOfKind returns how many of some permissions are of one kind.
func countOfKind(permissions []permission, kind string) (count uint64) {
	for _, p := range permissions {
		if p.Kind == kind {
			count++
		}
	}
	return count
}

// permissionOf returns a permission in a view for the answer. other is the same permission
// on the other side; nil if that side lacks it.
func permissionOf(v *chain.View, p explain.Permission, other *explain.Permission) permission {
	out := permission{Who: p.Who, Name: v.NameOf(p.Who), Kind: p.Kind, Owner: p.Of}
	if p.Who == "" {
		out.Name = "anyone"
	}
	if p.Kind == "owner" || p.Kind == string(cw721.GrantApproval) {
		out.TokenID = &p.Token
	}
	if p.IsGrant() {
		out.Expires = &p.Expires
		if other != nil {
			out.Other = &other.Expires
		}
	}
	return out
}

// displayName returns the name of an account in NEW, or else in OLD, or else its address.
func (d *diff) displayName(a cw721.Address) string {
	return cmp.Or(d.After.NameOf(a), d.Before.DisplayName(a))
}

// kindWords returns all kinds of permission as --kinds and --allow spell them.
func kindWords() []string {
	var words []string
	for _, kind := range explain.PermissionKinds {
		words = append(words, explain.KindWord(kind))
	}
	return words
}

// offerKinds are the kinds that --kinds and --allow name together as "offer".
var offerKinds = []string{
	explain.KindWord(string(cw721.GrantMinterOffer)),
	explain.KindWord(string(cw721.GrantCreatorOffer)),
}

// kindsNamed returns the kinds that a word of --kinds or --allow names: one, or both offers
// of a role for "offer". It returns none for an unknown word.
func kindsNamed(word string) []string {
	if word == "offer" {
		return offerKinds
	}
	if slices.Contains(kindWords(), word) {
		return []string{word}
	}
	return nil
}

// kindsLeftOut returns the kinds that the flag --kinds leaves out. The flag names either the
// kinds to compare, or those to leave out, each with a minus sign. kindsLeftOut fails with a
// [*command.UsageError].
func (d *diff) kindsLeftOut() ([]string, error) {
	if len(d.kinds) == 0 {
		return nil, nil
	}

	// Either all names have a minus sign, or none.
	areLeftOut := strings.HasPrefix(d.kinds[0], "-")
	named := map[string]bool{}
	for _, text := range d.kinds {
		kind, isLeftOut := strings.CutPrefix(text, "-")
		kinds := kindsNamed(kind)
		if len(kinds) == 0 || isLeftOut != areLeftOut {
			return nil, command.UsageErrorf("--kinds: %q is not expected here, expected some of %s, all with a - before them or none", text, strings.Join(kindWords(), ", "))
		}
		for _, kind := range kinds {
			named[kind] = true
		}
	}
	return slices.DeleteFunc(kindWords(), func(kind string) bool { return named[kind] != areLeftOut }), nil
}

// chooseBlock sets the block of the comparison: that of NEW, moved to --at. It fails with a
// [*command.UsageError] if NEW, whose name is side, has no clock and --at is missing.
func (d *diff) chooseBlock(side string) error {
	if d.HasClock {
		d.Block = d.After.Clock.Block()
	} else if len(d.at) == 0 {
		return command.UsageErrorf("%s does not say at which block it was taken, expected --at, like --at h1110, or an export --with-clock", side)
	}

	// Each --at moves the block along one axis, or along both.
	for _, text := range d.at {
		err := d.moveTo(text)
		if explain.IsNameError(err) {
			err = command.UsageErrorf("--at: %v", err)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// moveTo moves the block to a moment. Without a clock only one axis of the block moves.
func (d *diff) moveTo(text string) error {
	if d.HasClock {
		moment, err := explain.ParseMoment(d.After, text)
		d.Block = moment.Block
		return err
	}

	// Without a clock, a bare number is a height.
	const largestHeight = 1e17 // a larger number is a time in nanoseconds, and Parse asks for its unit
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
		d.Block.Height = cw721.Height(moment.Value)
	default:
		d.Block.Time = cw721.Time(moment.Value)
	}
	return nil
}
