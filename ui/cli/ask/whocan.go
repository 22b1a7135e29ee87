package ask

import (
	"bufio"
	"errors"
	"fmt"
	"iter"

	"github.com/spf13/cobra"

	"ephemera/core/chain"
	"ephemera/core/chain/expiry"
	"ephemera/core/cw721"
	"ephemera/core/explain"
	"ephemera/core/human"
	"ephemera/core/reach"
	"ephemera/core/scenario"
	"ephemera/core/wire"
	"ephemera/ui/cli/answer"
	"ephemera/ui/cli/command"
	"ephemera/ui/widget"
)

// searchResult is the answer of who-can, in JSON.
type searchResult struct {
	Verdict     reach.Verdict `wire:"verdict"`
	Text        string        `wire:"text"`
	Depth       uint64        `wire:"depth"`
	States      uint64        `wire:"states"`
	Assumptions []string      `wire:"assumptions"`
	Ways        [][]wayStep   `wire:"ways"`
	Refused     []string      `wire:"refused,optional"` // ways that a compiled contract refuses
	// Tried is how many messages a compiled contract was sent besides those of ways.
	Tried uint64 `wire:"tried,optional"`
	// Unproven says why an answer without a way holds only for what was tried.
	Unproven string `wire:"unproven,optional"`
}

// wayStep is one message of a way: a sequence of messages after which somebody can do what
// was asked about. Name is "anyone" for the fresh address that represents every account
// without a record.
type wayStep struct {
	Block   answer.Block  `wire:"block"`
	As      cw721.Address `wire:"as"`
	Name    string        `wire:"as_name,optional"`
	Message wire.Raw      `wire:"message"`
	Rule    cw721.Rule    `wire:"rule"`
}

// whoCan holds the arguments and flags of who-can.
type whoCan struct {
	explain.WhoCouldQuestion
	saveFile     string
	force        bool
	expect       string
	isGate       bool
	grants       bool
	tried        bool
	ways         int
	isDepthGiven bool
}

// whoCanCommand makes the command that searches for messages by which anybody could do
// something to a token.
func whoCanCommand(a *command.App) *cobra.Command {
	var f whoCan
	cmd := &cobra.Command{
		Use:   "who-can ACTION [TOKEN]",
		Short: "Search for who could do something, now or later",
		Long: `Searches for a way to do something: all messages that anybody could send, at
every moment at which something expires. ACTION is as in ephemera why, or own,
which is to be given the token by anybody. Nothing is changed.

The answer is one of three: the shortest way, message by message; nobody can by
so many messages; nobody can at all, because every reachable state was visited.
It lists its assumptions. The owner, or the holder of the role, sends nothing;
--passive names others who send nothing, and --only those who alone send
messages. With --exit-code, or --expect nobody, a
way has status 1, and the second answer status 2 unless --depth was given.

A compiled contract is also sent each message that does it, from every account
with a name or a role. If it is no known release, its rules may differ from
those of the search, and --exit-code has status 2 unless --tried accepts that.

--grants lists the grants over TOKEN or over all tokens, with the moment at which
each expires, and the moment until which it really lets the token be moved if its
owner does nothing: an operator can approve himself, and so renew his grant.`,
		Example: `  ephemera who-can transfer ape-0042
  ephemera who-can transfer ape-0042 --as bob --after 1200 --unmoved
  ephemera who-can --grants ape-0042`,
		Args: func(cmd *cobra.Command, args []string) error {
			if f.grants {
				return command.ArgCount(0, 1, "no argument with --grants, or TOKEN")(cmd, args)
			}
			return command.ArgCount(1, 2, "ACTION and perhaps TOKEN")(cmd, args)
		},
		ValidArgsFunction: completeQuestion(a),
	}
	cmd.RunE = a.WithDatabase(func(db *command.Database, args []string) error {
		return db.View(func(v *chain.View) error {
			if f.grants {
				return f.answerRealEnds(a, v, args)
			}
			f.isDepthGiven = cmd.Flags().Changed("depth")
			return f.answer(a, db, v, args)
		})
	})
	flags := cmd.Flags()
	a.AsFlag(cmd, &f.As)
	flags.StringArrayVar(&f.Passive, "passive", nil, "`WHO` sends nothing; can be given more than once")
	flags.StringArrayVar(&f.Only, "only", nil, "nobody but `WHO` sends messages; can be given more than once")
	flags.StringVar(&f.After, "after", "", "the action happens at `MOMENT` or later")
	flags.StringVar(&f.Until, "until", "", "the action happens before `MOMENT`")
	flags.BoolVar(&f.Unmoved, "unmoved", false, "the token is neither transferred nor burned before the action")
	flags.IntVar(&f.Depth, "depth", 0, fmt.Sprintf("try ways of at most `N` messages (default %d)", reach.DefaultDepth))
	flags.IntVar(&f.ways, "ways", 1, "show at most `N` ways, the shortest first")
	flags.StringVar(&f.saveFile, "save-way", "", "write the first way to `FILE`, as a scenario that fails until the way is closed")
	flags.BoolVar(&f.isGate, "exit-code", false, "exit with status 1 if somebody can, or if a spender can renew a grant without the owner")
	flags.StringVar(&f.expect, "expect", "", "`nobody` is the same as --exit-code")
	flags.BoolVar(&f.tried, "tried", false, triedUsage)
	flags.BoolVar(&f.grants, "grants", false, "list the moments until which grants really last")
	command.ForceFlag(cmd, &f.force)
	command.CompleteFlag(cmd, "expect", command.FixedWords("nobody"))
	command.CompleteFlag(cmd, "passive", a.Complete(command.AccountNames))
	command.CompleteFlag(cmd, "only", a.Complete(command.AccountNames))
	command.CompleteFlag(cmd, "after", a.Complete(command.MomentNames))
	command.CompleteFlag(cmd, "until", a.Complete(command.MomentNames))
	return cmd
}

// answer searches for a way, saves the first one if a file is named, and prints the
// answer. As a gate for CI, with --exit-code, it fails if there is a way, and with a
// [*command.UsageError] if there could be one that was not tried.
func (f whoCan) answer(a *command.App, db *command.Database, v *chain.View, args []string) error {
	var err error
	if f.Action, f.Token, err = parseQuestion(args, append(cw721.AllActions(), cw721.OwnAction)); err != nil {
		return err
	}
	if err := f.checkFlags(); err != nil {
		return err
	}
	question, found, err := f.search(a, v)
	if err != nil {
		return err
	}

	// The way is saved as a step that expects nobody to find it.
	hasWay := found.Verdict == reach.Way
	if f.saveFile != "" && hasWay {
		step := scenario.NobodyStep(v, question, found, 0)
		if err := a.Record(db, f.saveFile, f.force, scenario.HistoryPart{FinalSteps: []scenario.Step{step}}); err != nil {
			return err
		}
	}
	if f.saveFile != "" && !hasWay {
		a.Errorf("--save-way: nothing was written, as there is no way")
	}
	err = a.AnswerOr(searchResultOf(v, question, found), func(w *bufio.Writer) { writeSearchResult(w, v, question, found) })

	// Without --exit-code the status does not depend on the answer.
	isGate := f.isGate || f.expect != ""
	if err != nil || !isGate {
		return err
	}

	// A gate passes only if nobody can for sure.
	notTried := found.NotTried(question)
	if len(found.Refused) > 0 {
		notTried = "the compiled contract refuses a way, so it has other rules"
	}
	if !hasWay && notTried != "" {
		return command.UsageErrorf("who-can: the answer is not known: %s", notTried)
	}
	if !hasWay && found.Unproven != "" && !f.tried {
		return command.UsageErrorf("who-can: the answer is not known: %s; --tried accepts that", found.Unproven)
	}
	return command.RefusedIf(hasWay, nil)
}

// checkFlags fails if a flag has a value outside of its range.
func (f whoCan) checkFlags() error {
	switch {
	case f.Depth < 1 && f.isDepthGiven:
		return command.UsageErrorf("--depth: expected a number of messages from 1, got %d", f.Depth)
	case f.ways < 1:
		return command.UsageErrorf("--ways: expected a number of ways from 1, got %d", f.ways)
	case f.expect != "" && f.expect != "nobody":
		return command.UsageErrorf("--expect: expected nobody, got %q", f.expect)
	}
	return nil
}

// search searches for the answer. Questions that cannot be asked are bad usage.
func (f whoCan) search(a *command.App, v *chain.View) (question reach.Question, found reach.Answer, err error) {
	question, err = f.Question(v)
	question.Ways = f.ways
	if err == nil {
		found, err = reach.Ask(a.Ctx, v, question)
	}
	switch {
	case errors.Is(err, reach.ErrAlreadyMinted):
		err = command.UsageErrorf("TOKEN: %v", reach.ErrAlreadyMinted.Err)
	case command.Is[*reach.QuestionError](err):
		err = command.UsageErrorf("--%v", err)
	}
	return question, found, err
}

// searchResultOf returns the answer of a search as the command prints it in JSON.
func searchResultOf(v *chain.View, question reach.Question, found reach.Answer) searchResult {
	out := searchResult{
		Verdict:     found.Verdict,
		Text:        explain.WhoCould(v, question, found),
		Depth:       uint64(found.Depth),
		States:      uint64(found.States),
		Assumptions: found.Assumptions,
		Tried:       uint64(found.Tried),
		Unproven:    found.Unproven,
		Ways:        [][]wayStep{}, // [] and not null
	}
	for i := range found.Refused {
		out.Refused = append(out.Refused, explain.RefusedWay(v, found, i))
	}

	// Write each way as its messages.
	for _, way := range found.Ways {
		var steps []wayStep
		for _, step := range way {
			steps = append(steps, wayStep{
				Block:   answer.BlockOf(step.Block),
				As:      step.As,
				Name:    v.NameOf(step.As),
				Message: cw721.Encode(step.Message),
				Rule:    step.Decision.GrantingCheck().Rule,
			})
		}
		out.Ways = append(out.Ways, steps)
	}
	return out
}

// writeSearchResult prints the verdict, the ways step by step, and the assumptions.
func writeSearchResult(w *bufio.Writer, v *chain.View, question reach.Question, found reach.Answer) {
	fmt.Fprintln(w, widget.Safe(explain.WhoCould(v, question, found))) // Flush returns its error
	for i, way := range found.Ways {
		if i > 0 {
			fmt.Fprintln(w, "or:")
		}
		for j, step := range way {
			message, allowedBy := explain.DescribeStep(v, found, step)
			fmt.Fprintf(w, "  %d  height %s, %s\n", j+1, human.Thousands(uint64(step.Block.Height)), human.TimeUTC(step.Block.Time))
			fmt.Fprintf(w, "     %s\n", widget.Safe(message))
			fmt.Fprintf(w, "     allowed: %s\n", allowedBy)
		}
	}
	for i := range found.Refused {
		fmt.Fprintf(w, "But %s\n", widget.Safe(explain.RefusedWay(v, found, i)))
	}
	if found.Unproven != "" && len(found.Ways) == 0 {
		fmt.Fprintf(w, "But %s\n", widget.Safe(found.Unproven))
	}
	fmt.Fprintln(w, "Assumed:")
	for _, assumption := range found.Assumptions {
		fmt.Fprintf(w, "  - %s\n", widget.Safe(assumption))
	}
}

// realEnd is a grant, and the moment until which its spender can really transfer the
// token if the owner does nothing.
type realEnd struct {
	Grant  answer.Expiry    `wire:"grant"`
	Really cw721.Expiration `wire:"really"`
}

// answerRealEnds prints the real ends of the grants over the token in args, or of all
// approvals and operators if args is empty: until when each lets a token be moved if its
// owner does nothing. As a gate it fails if a spender can renew a grant without the owner,
// and with a [*command.UsageError] if it cannot know that none can.
func (f whoCan) answerRealEnds(a *command.App, v *chain.View, args []string) error {
	grants, err := grantsToExamine(v, args)
	if err != nil {
		return err
	}
	ends := []realEnd{}
	var lines []string

	// A grant whose real end differs from its expiry can be renewed.
	isAnyLater := false
	for _, grant := range grants {
		really, line, err := explain.RealEnd(a.Ctx, v, grant)
		if err != nil {
			return err
		}
		ends = append(ends, realEnd{Grant: answer.ExpiryOf(v, expiry.Entry{Grant: grant}), Really: really})
		lines = append(lines, line)
		isAnyLater = isAnyLater || really != grant.Expires
	}
	err = a.AnswerOr(ends, func(w *bufio.Writer) { writeSafeLines(w, lines) })
	if err == nil && f.isGate && !isAnyLater && !f.tried {
		err = checkKnownCode(v)
	}
	return command.RefusedIf(f.isGate && isAnyLater, err)
}

// triedUsage describes the flag --tried.
const triedUsage = "with --exit-code: accept an answer about a compiled contract of no known release"

// checkKnownCode fails with a [*command.UsageError] if the contract is compiled and no known
// release, since an answer by the rules need not hold for it.
func checkKnownCode(v *chain.View) error {
	file, err := v.UnknownCode()
	if err != nil || file == "" {
		return err
	}
	return command.UsageErrorf("the answer is not known: %s is no known release of cw721, so its rules may differ; --tried accepts that", file)
}

// grantsToExamine lists the grants over the token in args, or all approvals and
// operators if args is empty. It fails with a [*cw721.Error] of kind not_found if
// there is no such token.
func grantsToExamine(v *chain.View, args []string) ([]cw721.Grant, error) {
	var grants []cw721.Grant
	if len(args) > 0 {
		token := args[0]
		if _, err := v.Decide("", &cw721.Burn{TokenID: token}); err != nil {
			return nil, err
		}
		for grant, err := range v.GrantsOver(token) {
			if err != nil {
				return nil, err
			}
			grant.Token = token // the one that an operator is tried on
			grants = append(grants, grant)
		}
		return grants, nil
	}

	// Without a token, all approvals and all operators are listed.
	lists := []iter.Seq2[expiry.Entry, error]{v.GrantsOnTokens(""), v.Grants(expiry.Index{Operators: true})}
	for _, list := range lists {
		for entry, err := range list {
			if err != nil {
				return nil, err
			}
			grants = append(grants, entry.Grant)
		}
	}
	return grants, nil
}
