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
	"ephemera/core/reach"
	"ephemera/core/scenario"
	"ephemera/core/wire"
	"ephemera/ui/cli/answer"
	"ephemera/ui/cli/command"
	"ephemera/ui/widget"
)

// found is what a search for who could do something has come to.
type found struct {
	Verdict     reach.Verdict `wire:"verdict"`
	Text        string        `wire:"text"`
	Depth       uint64        `wire:"depth"`
	States      uint64        `wire:"states"`
	Assumptions []string      `wire:"assumptions"`
	Ways        [][]foundStep `wire:"ways"`
	Refused     []string      `wire:"refused,optional"` // ways that a compiled contract refuses
}

// foundStep is one message of a way. Name is "anyone" for the address that
// stands for everybody who is in no record.
type foundStep struct {
	Block   answer.Block  `wire:"block"`
	As      cw721.Address `wire:"as"`
	Name    string        `wire:"as_name,optional"`
	Message wire.Raw      `wire:"message"`
	Rule    cw721.Rule    `wire:"rule"`
}

// whoCan holds the flags of who-can.
type whoCan struct {
	explain.WhoCouldQuestion
	save, expect  string
	grants, force bool
	ways          int
	isDepthGiven  bool
}

func whoCanCommand(a *command.App) *cobra.Command {
	var f whoCan
	cmd := &cobra.Command{
		Use:   "who-can ACTION [TOKEN]",
		Short: "Search for who could do something, now or later",
		Long: `Searches for a way to do something: all messages that anybody could send, at
every moment at which something expires. ACTION is as in ephemera why. Nothing
is changed.

The answer is one of three: a way, the shortest, message by message; nobody can
by so many messages; nobody can at all, as all that could happen was visited. It
says what it rests on. The owner, or the holder of the role, sends nothing; name
others with --passive. With --expect nobody, the second answer has status 1 unless
--depth was given.

--grants lists the grants, of one TOKEN or all, with the moment at which each
expires and the moment until which it really lets the token be moved, if its
owner does nothing: an operator can approve himself and outlive his own grant.`,
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
				return realEnds(a, v, args)
			}
			f.isDepthGiven = cmd.Flags().Changed("depth")
			return f.search(a, db, v, args)
		})
	})
	flags := cmd.Flags()
	a.AsFlag(cmd, &f.As)
	flags.StringArrayVar(&f.Passive, "passive", nil, "`WHO` sends nothing; can be given more than once")
	flags.StringVar(&f.After, "after", "", "it happens at `MOMENT` or later")
	flags.StringVar(&f.Until, "until", "", "it happens before `MOMENT`")
	flags.BoolVar(&f.Unmoved, "unmoved", false, "until then the token is neither transferred nor burned")
	flags.IntVar(&f.Depth, "depth", 0, fmt.Sprintf("try ways of at most `N` messages (default %d)", reach.DefaultDepth))
	flags.IntVar(&f.ways, "ways", 1, "show at most `N` ways, the shortest first")
	flags.StringVar(&f.save, "save-way", "", "write the first way to `FILE`, as a scenario that fails until it is mended")
	flags.StringVar(&f.expect, "expect", "", "`nobody`: exit with status 1 when there is a way, or could be one that was not tried")
	flags.BoolVar(&f.grants, "grants", false, "list until when grants really last")
	command.ForceFlag(cmd, &f.force)
	command.Offer(cmd, "expect", "nobody")
	for flag, complete := range map[string]cobra.CompletionFunc{"passive": a.CompleteNames, "after": a.CompleteMoments, "until": a.CompleteMoments} {
		_ = cmd.RegisterFlagCompletionFunc(flag, complete) // fails only for a flag that is not there
	}
	return cmd
}

// search answers the question that the arguments and flags ask.
func (f whoCan) search(a *command.App, db *command.Database, v *chain.View, args []string) (err error) {
	if f.Action, f.Token, err = question(args); err != nil {
		return err
	}
	switch {
	case f.Depth < 1 && f.isDepthGiven:
		return command.UsageErrorf("--depth: expected a number of messages from 1, got %d", f.Depth)
	case f.ways < 1:
		return command.UsageErrorf("--ways: expected a number of ways from 1, got %d", f.ways)
	case f.expect != "" && f.expect != "nobody":
		return command.UsageErrorf("--expect: expected nobody, got %q", f.expect)
	}
	var answer reach.Answer
	q, err := f.Question(v)
	if q.Ways = f.ways; err == nil {
		answer, err = reach.Ask(a.Ctx, v, q)
	}
	way := answer.Verdict == reach.Way
	switch {
	case errors.Is(err, reach.ErrAlreadyMinted):
		return command.UsageErrorf("TOKEN: %v", reach.ErrAlreadyMinted.Err)
	case command.Is[*reach.QuestionError](err):
		return command.UsageErrorf("--%v", err)
	case err != nil:
		return err
	case f.save != "" && way:
		err = a.Record(db, f.save, f.force, scenario.HistoryPart{FinalSteps: []scenario.Step{scenario.NobodyStep(v, q, answer, 0)}})
	case f.save != "":
		a.Errorf("--save-way: nothing was written, as there is no way")
	}
	if err == nil {
		err = a.AnswerOr(foundOf(v, q, answer), func(w *bufio.Writer) { writeFound(w, v, q, answer) })
	}
	notTried := answer.NotTried(q)
	if err == nil && f.expect != "" && notTried != "" {
		a.Errorf("--expect nobody: %s", notTried)
	}
	holds := !way && notTried == "" && len(answer.Refused) == 0
	return command.RefusedIf(f.expect != "" && !holds, err)
}

func foundOf(v *chain.View, q reach.Question, a reach.Answer) found {
	out := found{
		Verdict: a.Verdict, Text: explain.WhoCould(v, q, a), Depth: uint64(a.Depth), States: uint64(a.States),
		Assumptions: a.Assumptions, Ways: [][]foundStep{},
	}
	for i := range a.Refused {
		out.Refused = append(out.Refused, explain.RefusedWay(v, a, i))
	}
	for _, way := range a.Ways {
		var steps []foundStep
		for _, s := range way {
			steps = append(steps, foundStep{Block: answer.BlockOf(s.Block), As: s.As, Name: v.NameOf(s.As), Message: cw721.Encode(s.Message), Rule: s.Decision.Passed().Rule})
		}
		out.Ways = append(out.Ways, steps)
	}
	return out
}

// writeFound tells the verdict, the ways, and what the verdict rests on.
func writeFound(w *bufio.Writer, v *chain.View, q reach.Question, a reach.Answer) {
	fmt.Fprintln(w, widget.Safe(explain.WhoCould(v, q, a))) // Flush gives its error
	for i, way := range a.Ways {
		if i > 0 {
			fmt.Fprintln(w, "or:")
		}
		for n, s := range way {
			sends, may := explain.DescribeStep(v, a, s)
			fmt.Fprintf(w, "  %d  height %s, %s\n     %s\n     allowed: %s\n", n+1, chain.Thousands(uint64(s.Block.Height)), chain.InUTC(s.Block.Time), widget.Safe(sends), may)
		}
	}
	for i := range a.Refused {
		fmt.Fprintf(w, "But %s\n", widget.Safe(explain.RefusedWay(v, a, i)))
	}
	fmt.Fprintln(w, "Assumed:")
	for _, text := range a.Assumptions {
		fmt.Fprintf(w, "  - %s\n", widget.Safe(text))
	}
}

// lasting is a grant with the moment until which it really lets a token be
// moved.
type lasting struct {
	Grant  answer.Expiry    `wire:"grant"`
	Really cw721.Expiration `wire:"really"`
}

// realEnds lists until when grants really last: those over one token, or all
// approvals and operators.
func realEnds(a *command.App, v *chain.View, tokens []string) error {
	all, lines := []lasting{}, []string{}
	add := func(g cw721.Grant, err error) error {
		if err != nil {
			return err
		}
		really, err := reach.RealExpiry(a.Ctx, v, g)
		all = append(all, lasting{answer.ExpiryOf(v, expiry.Entry{Grant: g}), really})
		lines = append(lines, explain.RealEnd(v, g, really))
		return err
	}
	everywhere := []iter.Seq2[expiry.Entry, error]{v.GrantsOnTokens(""), v.Grants(expiry.Index{Operators: true})}
	for _, id := range tokens {
		everywhere = nil
		if _, err := v.Decide("", &cw721.Burn{TokenID: id}); err != nil {
			return err // there is no such token
		}
		for g, err := range v.GrantsOver(id) {
			g.Token = id // which an operator is tried on
			if err := add(g, err); err != nil {
				return err
			}
		}
	}
	for _, list := range everywhere {
		for e, err := range list {
			if err := add(e.Grant, err); err != nil {
				return err
			}
		}
	}
	return a.AnswerOr(all, func(w *bufio.Writer) {
		for _, line := range lines {
			fmt.Fprintln(w, widget.Safe(line)) // Flush gives its error
		}
	})
}
