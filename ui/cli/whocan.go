package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/spf13/cobra"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/explain"
	"ephemera/core/reach"
	"ephemera/core/scenario"
	"ephemera/core/wire"
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
}

// foundStep is one message of a way. Name is "anyone" for the address that
// stands for everybody who is in no record.
type foundStep struct {
	Block   block         `wire:"block"`
	As      cw721.Address `wire:"as"`
	Name    string        `wire:"as_name,optional"`
	Message wire.Raw      `wire:"message"`
	Rule    cw721.Rule    `wire:"rule"`
}

// whoCan holds the flags of who-can.
type whoCan struct {
	as, after, until, save, expect string
	passive                        []string
	unmoved, grants, asJSON        bool
	depth, ways                    int
}

func (a *app) whoCanCommand() *cobra.Command {
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
others with --passive.

--grants lists the grants, of one TOKEN or all, with the moment at which each
expires and the moment until which it really lets the token be moved, if its
owner does nothing: an operator can approve himself and outlive his own grant.`,
		Example: `  ephemera who-can transfer ape-0042
  ephemera who-can transfer ape-0042 --as bob --after 1200 --unmoved
  ephemera who-can --grants ape-0042`,
		Args: func(cmd *cobra.Command, args []string) error {
			if f.grants {
				return wants(0, 1, "no argument with --grants, or TOKEN")(cmd, args)
			}
			return wants(1, 2, "ACTION and perhaps TOKEN")(cmd, args)
		},
		ValidArgsFunction: a.completeQuestion,
	}
	cmd.RunE = a.begins(func(cmd *cobra.Command, args []string) error {
		return a.onCollection(func(db *Database) error {
			return db.View(func(v *chain.View) error {
				if f.grants {
					return a.realEnds(cmd.Context(), v, args, f.asJSON)
				}
				return a.whoCan(cmd.Context(), v, args, f)
			})
		})
	})
	flags := cmd.Flags()
	a.asFlag(cmd, &f.as)
	flags.StringArrayVar(&f.passive, "passive", nil, "`WHO` sends nothing; can be given more than once")
	flags.StringVar(&f.after, "after", "", "it happens at `MOMENT` or later")
	flags.StringVar(&f.until, "until", "", "it happens before `MOMENT`")
	flags.BoolVar(&f.unmoved, "unmoved", false, "until then the token is neither transferred nor burned")
	flags.IntVar(&f.depth, "depth", reach.DefaultDepth, "try ways of at most `N` messages")
	flags.IntVar(&f.ways, "ways", 1, "show at most `N` ways, the shortest first")
	flags.StringVar(&f.save, "save-way", "", "write the first way to `FILE`, as a scenario that fails until it is mended")
	flags.StringVar(&f.expect, "expect", "", "`nobody`: exit with status 1 when there is a way")
	flags.BoolVar(&f.grants, "grants", false, "list until when grants really last")
	flags.BoolVar(&f.asJSON, "json", false, "print one JSON value")
	offer(cmd, "expect", "nobody")
	for flag, complete := range map[string]cobra.CompletionFunc{"passive": a.completeNames, "after": a.completeMoments, "until": a.completeMoments} {
		_ = cmd.RegisterFlagCompletionFunc(flag, complete) // fails only for a flag that is not there
	}
	return cmd
}

func (a *app) whoCan(ctx context.Context, v *chain.View, args []string, f whoCan) error {
	q, err := f.question(v, args)
	if err != nil {
		return err
	}
	answer, err := reach.Ask(ctx, v, q, nil)
	switch {
	case errors.Is(err, reach.ErrAsPassive):
		return misused("--as and --passive: %v", err)
	case errors.Is(err, reach.ErrNoTime):
		return misused("--after and --until: %v", err)
	case err != nil:
		return err
	}
	if f.save != "" {
		if err := a.saveWay(v, f.save, q, answer); err != nil {
			return err
		}
	}
	if f.asJSON {
		err = a.print(wire.Compact(foundOf(v, q, answer)))
	} else {
		err = a.writeText(func(w *bufio.Writer) error { writeFound(w, v, q, answer); return nil })
	}
	if err == nil && f.expect != "" && answer.Verdict == reach.Way {
		err = &silent{refused}
	}
	return err
}

// question reads the arguments and flags.
func (f whoCan) question(v *chain.View, args []string) (q reach.Question, err error) {
	if q.Action, q.Token, err = question(args); err != nil {
		return q, err
	}
	switch {
	case f.depth < 1:
		return q, misused("--depth: expected a number of messages from 1, got %d", f.depth)
	case f.ways < 1:
		return q, misused("--ways: expected a number of ways from 1, got %d", f.ways)
	case f.expect != "" && f.expect != "nobody":
		return q, misused("--expect: expected nobody, got %q", f.expect)
	}
	if f.save != "" {
		if _, err := scenario.FormatOf(f.save); err != nil {
			return q, err
		}
	}
	q.Unmoved, q.Depth, q.Ways = f.unmoved, f.depth, f.ways
	if f.as != "" {
		if q.As, err = resolve(v, "--as", f.as); err != nil {
			return q, err
		}
	}
	for _, name := range f.passive {
		who, err := resolve(v, "--passive", name)
		if err != nil {
			return q, err
		}
		q.Passive = append(q.Passive, who)
	}
	if q.After, err = ahead(v, "--after", f.after); err == nil {
		q.Until, err = ahead(v, "--until", f.until)
	}
	return q, err
}

// ahead reads a moment that lies ahead; nil where there is none.
func ahead(v *chain.View, flag, text string) (*cw721.Block, error) {
	if text == "" {
		return nil, nil
	}
	w, err := whenText(v, flag, text)
	if err == nil && w.Node != 0 {
		return nil, misused("%s: %q lies behind, expected now or a moment ahead", flag, text)
	}
	return &w.Block, err
}

func foundOf(v *chain.View, q reach.Question, a reach.Answer) found {
	out := found{
		Verdict: a.Verdict, Text: explain.WhoCould(v, q, a), Depth: uint64(a.Depth), States: uint64(a.States),
		Assumptions: a.Assumptions, Ways: [][]foundStep{},
	}
	for _, way := range a.Ways {
		var steps []foundStep
		for _, s := range way {
			step := foundStep{Block: blockOf(s.Block), As: s.As, Name: v.NameOf(s.As), Message: cw721.Encode(s.Message), Rule: s.Check.Rule}
			if s.As == a.Anyone {
				step.Name = explain.Anyone
			}
			steps = append(steps, step)
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
			sends, may := explain.StepWords(v, a, s)
			fmt.Fprintf(w, "  %d  height %s, %s\n     %s\n     allowed: %s\n", n+1, chain.Thousands(uint64(s.Block.Height)), chain.InUTC(s.Block.Time), widget.Safe(sends), may)
		}
	}
	fmt.Fprintln(w, "Assumed:")
	for _, text := range a.Assumptions {
		fmt.Fprintf(w, "  - %s\n", widget.Safe(text))
	}
}

// saveWay writes the first way as a scenario, see [scenario.SaveWay].
func (a *app) saveWay(v *chain.View, file string, q reach.Question, answer reach.Answer) error {
	if answer.Verdict != reach.Way {
		a.complain("--save-way: nothing was written, as there is no way")
		return nil
	}
	format, err := scenario.FormatOf(file)
	if err != nil {
		return err
	}
	err = SaveFile(file, false, func(w io.Writer) error { return scenario.SaveWay(w, format, v, q, answer) })
	if errors.Is(err, fs.ErrExist) {
		return misused("--save-way: %s is there already, expected another name", file)
	}
	return err
}
