package ask

import (
	"bufio"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/explain"
	"ephemera/core/human"
	"ephemera/core/scenario"
	"ephemera/core/whocan"
	"ephemera/core/wire"
	"ephemera/ui/cli/answer"
	"ephemera/ui/cli/command"
	"ephemera/ui/widget"
)

// searchResult is the answer of who-can, in JSON. A way is a sequence of messages by which
// somebody can do what was asked about.
type searchResult struct {
	Verdict       whocan.Verdict `wire:"verdict"`
	Text          string         `wire:"text"`        // the answer in a sentence
	Depth         uint64         `wire:"depth"`       // all ways of so many messages were tried
	StatesVisited uint64         `wire:"states"`      // how many states of the contract were visited
	Assumptions   []string       `wire:"assumptions"` // sentences
	// Now has a message of each account that can do it by that message alone, and Untried is how
	// many further accounts were not tried.
	Now         []messageOfWay   `wire:"now"`
	Untried     uint64           `wire:"now_untried,optional"`
	Ways        [][]messageOfWay `wire:"ways"`             // the shortest first
	RefusedWays []string         `wire:"refused,optional"` // sentences, of ways that the rules allow and a compiled contract refuses
	// MessagesTried is how many messages were sent to a compiled contract after the search by
	// the rules had found no way.
	MessagesTried uint64 `wire:"tried,optional"`
	// Unproven says why an answer without a way holds only for the messages that were tried.
	Unproven string `wire:"unproven,optional"`
}

// messageOfWay is one message of a way. Name is "anyone" for the fresh address that represents
// every account without a record.
type messageOfWay struct {
	Block   answer.Block  `wire:"block"`
	Sender  cw721.Address `wire:"as"`
	Name    string        `wire:"as_name,optional"`
	Message wire.Raw      `wire:"message"`
	Rule    cw721.Rule    `wire:"rule"`
}

// whoCan holds the arguments and flags of the command who-can.
type whoCan struct {
	explain.WhoCanQuestion
	saveFile           string // the file for the first way, as a scenario; empty for none
	force              bool   // whether to replace saveFile if it exists
	expect             string // "nobody" has the same effect as usesExitCode; or empty
	usesExitCode       bool   // whether the exit status tells the answer
	listsGrants        bool   // whether to list grants in place of a search
	acceptsUnknownCode bool   // whether usesExitCode accepts code of no known release
	maxWays            int    // how many ways to show
	isDepthGiven       bool   // whether the user chose the depth of the search
}

func whoCanCommand(app *command.App) *cobra.Command {
	var f whoCan
	cmd := &cobra.Command{
		Use:   "who-can ACTION [TOKEN]",
		Short: "Search for who could do something, now or later",
		Long: `Searches for a way to do something: all messages that anybody could send, at
every moment at which something expires. ACTION is as in ephemera why, or own,
which is to be given the token by anybody. Nothing is changed.

The answer is one of three: the shortest way, message by message; nobody can by
so many messages; nobody can at all, because every reachable state was visited.
It lists its assumptions. First it lists everybody who can do it by one message,
and by which rule. The owner, or the holder of the role, sends nothing, unless
--active names that account; --passive names others who send nothing, and --only
those who alone send messages. With --exit-code, or --expect nobody, a way has
status 1, and the second answer status 2 unless --depth was given.

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
			if f.listsGrants {
				return command.ArgCount(0, 1, "no argument with --grants, or TOKEN")(cmd, args)
			}
			return command.ArgCount(1, 2, "ACTION and perhaps TOKEN")(cmd, args)
		},
		ValidArgsFunction: completeQuestion(app),
	}
	cmd.RunE = app.WithDatabase(func(db *command.Database, args []string) error {
		return db.View(func(view *chain.View) error {
			if f.listsGrants {
				return f.answerGrants(app, view, args)
			}
			f.isDepthGiven = cmd.Flags().Changed("depth")
			return f.answer(app, db, view, args)
		})
	})
	flags := cmd.Flags()

	// Add the flags that make the question more precise.
	app.AddAsFlag(cmd, &f.Actor)
	flags.StringArrayVar(&f.PassiveAccounts, "passive", nil, "`WHO` sends nothing, too; can be given more than once")
	flags.StringArrayVar(&f.ActiveAccounts, "active", nil, "`WHO` sends messages, though the owner or the holder of the role; can be given more than once")
	flags.StringArrayVar(&f.OnlySenders, "only", nil, "nobody but `WHO` sends messages; can be given more than once")
	flags.StringVar(&f.After, "after", "", "the action happens at `MOMENT` or later")
	flags.StringVar(&f.Until, "until", "", "the action happens before `MOMENT`")
	flags.BoolVar(&f.TokenMustStay, "unmoved", false, "the token is neither transferred nor burned before the action")
	depthUsage := fmt.Sprintf("try ways of at most `N` messages (default %d)", whocan.DefaultDepth)
	flags.IntVar(&f.Depth, "depth", 0, depthUsage)

	// Add the flags that concern the answer.
	flags.IntVar(&f.maxWays, "ways", 1, "show at most `N` ways, the shortest first")
	flags.StringVar(&f.saveFile, "save-way", "", "write the first way to `FILE`, as a scenario that fails until the way is closed")
	flags.BoolVar(&f.usesExitCode, "exit-code", false, "exit with status 1 if somebody can, or if a spender can renew a grant without the owner")
	flags.StringVar(&f.expect, "expect", "", "`nobody` is the same as --exit-code")
	flags.BoolVar(&f.acceptsUnknownCode, "tried", false, triedUsage)
	flags.BoolVar(&f.listsGrants, "grants", false, "list the moments until which grants really last")
	command.AddForceFlag(cmd, &f.force)

	command.CompleteFlag(cmd, "expect", command.FixedWords("nobody"))
	for _, name := range []string{"passive", "active", "only"} {
		command.CompleteFlag(cmd, name, app.Complete(command.AccountNames))
	}
	command.CompleteFlag(cmd, "after", app.Complete(command.MomentNames))
	command.CompleteFlag(cmd, "until", app.Complete(command.MomentNames))
	return cmd
}

// answer searches for ways and prints the answer. It saves the first way if a file is named.
// With --exit-code it refuses if there is a way, and fails with a [*command.UsageError] if none
// was found but there could be one.
func (f whoCan) answer(app *command.App, db *command.Database, view *chain.View, args []string) error {
	// Read the question and search.
	var err error
	actions := append(cw721.AllActions(), cw721.OwnAction)
	f.Action, f.Token, err = parseQuestion(args, actions)
	if err != nil {
		return err
	}
	switch {
	case f.Depth < 1 && f.isDepthGiven:
		return command.UsageErrorf("--depth: expected a number of messages from 1, got %d", f.Depth)
	case f.maxWays < 1:
		return command.UsageErrorf("--ways: expected a number of ways from 1, got %d", f.maxWays)
	case f.expect != "" && f.expect != "nobody":
		return command.UsageErrorf("--expect: expected nobody, got %q", f.expect)
	}
	question, err := f.Resolve(view)
	if err != nil {
		return nameWrongFlag(err)
	}
	question.MaxWays = f.maxWays
	question.ListsNow = true
	outcome, err := whocan.Ask(app.Ctx, view, question)
	if err != nil {
		return nameWrongFlag(err)
	}

	// Save the first way as a scenario whose last step expects that nobody can do it. So the
	// scenario fails as long as the way is possible.
	hasWay := outcome.Verdict == whocan.WayExists
	switch {
	case f.saveFile == "": // no file was asked for
	case hasWay:
		step := scenario.NobodyStep(view, question, outcome, 0)
		part := scenario.HistoryPart{FinalSteps: []scenario.Step{step}}
		if err := app.RecordHistory(db, f.saveFile, f.force, part); err != nil {
			return err
		}
	default:
		app.Errorf("--save-way: nothing was written, as there is no way")
	}

	// Print the answer. Without --exit-code the exit status does not depend on it.
	err = app.AnswerOr(searchResultOf(view, question, outcome), func(w *bufio.Writer) {
		writeSearchResult(w, view, question, outcome)
	})
	if err != nil {
		return err
	}
	if !f.usesExitCode && f.expect == "" {
		return nil
	}
	if hasWay {
		return command.RefusedIf(true, nil)
	}

	// With --exit-code the command succeeds only if it is certain that nobody can.
	notTried := outcome.UntriedReason(question)
	if len(outcome.RefusedWays) > 0 {
		notTried = "the compiled contract refuses a way, so it has other rules"
	}
	if notTried != "" {
		return command.UsageErrorf("who-can: the answer is not known: %s", notTried)
	}
	if outcome.UnprovenReason != "" && !f.acceptsUnknownCode {
		return command.UsageErrorf(
			"who-can: the answer is not known: %s; --tried accepts that",
			outcome.UnprovenReason,
		)
	}
	return nil
}

// nameWrongFlag names the argument or the flag that is wrong in an error of a question.
func nameWrongFlag(err error) error {
	switch {
	case errors.Is(err, whocan.ErrAlreadyMinted):
		return command.UsageErrorf("TOKEN: %v", whocan.ErrAlreadyMinted.Err)
	case command.IsError[*whocan.QuestionError](err):
		return command.UsageErrorf("--%v", err)
	}
	return err
}

func searchResultOf(view *chain.View, question whocan.Question, outcome whocan.Answer) searchResult {
	jsonResult := searchResult{
		Verdict:       outcome.Verdict,
		Text:          explain.DescribeWhoCan(view, question, outcome),
		Depth:         uint64(outcome.Depth),
		StatesVisited: uint64(outcome.States),
		Assumptions:   outcome.Assumptions,
		Now:           messagesOf(view, outcome.Now),
		Untried:       uint64(outcome.UntriedNow),
		MessagesTried: uint64(outcome.MessagesTried),
		Unproven:      outcome.UnprovenReason,
		Ways:          [][]messageOfWay{}, // [] and not null
	}
	for i := range outcome.RefusedWays {
		jsonResult.RefusedWays = append(jsonResult.RefusedWays, explain.DescribeRefusedWay(view, outcome, i))
	}

	for _, way := range outcome.Ways {
		jsonResult.Ways = append(jsonResult.Ways, messagesOf(view, way))
	}
	return jsonResult
}

func messagesOf(view *chain.View, steps []whocan.Step) []messageOfWay {
	messages := []messageOfWay{} // [] and not null
	for _, step := range steps {
		messages = append(messages, messageOfWay{
			Block:   answer.BlockOf(step.Block),
			Sender:  step.Sender,
			Name:    view.NameOf(step.Sender),
			Message: cw721.Encode(step.Message),
			Rule:    step.Decision.GrantingCheck().Rule,
		})
	}
	return messages
}

// writeSearchResult writes who can by one message, the verdict, the messages of each way, what
// a compiled contract refuses, and the assumptions.
func writeSearchResult(w *bufio.Writer, view *chain.View, question whocan.Question, outcome whocan.Answer) {
	heading, accounts := explain.DescribeNow(view, question, outcome)
	fmt.Fprintln(w, heading) // Flush returns its error
	for _, account := range accounts {
		fmt.Fprintf(w, "  %s\n", widget.Safe(account))
	}
	verdict := explain.DescribeWhoCan(view, question, outcome)
	fmt.Fprintln(w, widget.Safe(verdict))
	for i, way := range outcome.Ways {
		if i > 0 {
			fmt.Fprintln(w, "or:")
		}
		for stepIndex, step := range way {
			message, allowedBy := explain.DescribeStep(view, outcome, step)
			height := human.Thousands(uint64(step.Block.Height))
			fmt.Fprintf(w, "  %d  height %s, %s\n", stepIndex+1, height, human.TimeUTC(step.Block.Time))
			fmt.Fprintf(w, "     %s\n", widget.Safe(message))
			fmt.Fprintf(w, "     allowed: %s\n", allowedBy)
		}
	}

	// Say where a compiled contract differs from the rules, or could differ.
	for i := range outcome.RefusedWays {
		refusal := explain.DescribeRefusedWay(view, outcome, i)
		fmt.Fprintf(w, "But %s\n", widget.Safe(refusal))
	}
	if outcome.UnprovenReason != "" && len(outcome.Ways) == 0 {
		fmt.Fprintf(w, "But %s\n", widget.Safe(outcome.UnprovenReason))
	}

	fmt.Fprintln(w, "Assumed:")
	for _, assumption := range outcome.Assumptions {
		fmt.Fprintf(w, "  - %s\n", widget.Safe(assumption))
	}
}
