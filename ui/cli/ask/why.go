// Package ask holds the commands that answer questions about permissions and change
// nothing: why somebody may do something, who else could, what an expiry changes,
// which grants surprise people, and who gained what between two states.
//
// core/explain and core/whocan decide; the commands print their answers in JSON and in
// words.
package ask

import (
	"bufio"
	"fmt"

	"github.com/spf13/cobra"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/explain"
	"ephemera/core/wire"
	"ephemera/ui/cli/answer"
	"ephemera/ui/cli/command"
	"ephemera/ui/widget"
)

// Commands returns the commands of this package.
func Commands(app *command.App) []*cobra.Command {
	return []*cobra.Command{
		whyCommand(app),
		whoCanCommand(app),
		probeCommand(app),
		danglingCommand(app),
		diffCommand(app),
	}
}

// decision is the answer of the command why about one account and one action, in JSON.
type decision struct {
	Sender  cw721.Address `wire:"sender"`
	Name    string        `wire:"sender_name,optional"`
	Action  string        `wire:"action"`   // such as "transfer"
	TokenID *string       `wire:"token_id"` // nil if the action is about no token
	Block   answer.Block  `wire:"block"`
	Allowed bool          `wire:"allowed"`
	Text    string        `wire:"text"` // the verdict in a sentence
	// RequiresAll is true if every rule must pass. Otherwise one of them is enough.
	RequiresAll bool            `wire:"all"`
	Rules       []rule          `wire:"rules"` // in the order in which they were tried
	Change      *decisionChange `wire:"flip"`  // nil if nothing would reverse the decision
}

// rule is one rule that the contract tried for a decision, with its outcome, in JSON.
type rule struct {
	Rule     cw721.Rule        `wire:"rule"`
	Passed   bool              `wire:"passed"`
	Holder   *cw721.Address    `wire:"holder"` // who has the permission; nil for nobody
	Name     string            `wire:"holder_name,optional"`
	Expires  *cw721.Expiration `wire:"expires"`      // nil if it is no grant that was found
	NeededBy []string          `wire:"for,optional"` // the members of the message that need it
	Text     string            `wire:"text"`         // what the contract found and compared
}

// decisionChange is the smallest change that would reverse a decision, in JSON. Either the clock
// must reach Expires, or Sender must send Message, or Text alone says what would be needed.
type decisionChange struct {
	Text    string            `wire:"text"`
	Expires *cw721.Expiration `wire:"expires"`
	Sender  cw721.Address     `wire:"sender,optional"`
	Name    string            `wire:"sender_name,optional"`
	Message wire.Raw          `wire:"message,optional"`
}

func whyCommand(app *command.App) *cobra.Command {
	var senderName string
	var usesExitCode bool
	cmd := &cobra.Command{
		Use:   "why [--as WHO ACTION] [TOKEN]",
		Short: "Explain why an account may do something or not, rule by rule",
		Long: `Explains why an account may do something, or may not: the contract's own decision,
rule by rule, with the stored and the compared values, and the smallest message
that would change it. ACTION is one of` + command.JoinNames(actionNames()) + `.

Without --as, lists who may do what with TOKEN: its owner, everyone with a grant
over it, expired or not, and the minters if there are several.`,
		Example: `  ephemera why ape-0042
  ephemera why --as bob transfer ape-0042`,
		Args: command.ArgCount(1, 2, "TOKEN, or ACTION and perhaps TOKEN"),
	}

	// With --as the arguments are ACTION and then TOKEN. Without it, the only one is TOKEN.
	completeDecision := completeQuestion(app)
	completeToken := command.FirstArg(app.Complete(command.TokenIDs))
	cmd.ValidArgsFunction = func(cmd *cobra.Command, args []string, prefix string) ([]string, cobra.ShellCompDirective) {
		if cmd.Flags().Changed("as") {
			return completeDecision(cmd, args, prefix)
		}
		return completeToken(cmd, args, prefix)
	}
	cmd.RunE = app.WithView(func(view *chain.View, args []string) error {
		if senderName == "" && len(args) == 1 {
			if usesExitCode {
				return command.UsageErrorf("--exit-code: expected with --as WHO ACTION")
			}
			return answerWhoMay(app, view, args[0])
		}

		action, token, err := parseQuestion(args, cw721.AllActions())
		if err != nil {
			return err
		}
		actor, err := command.Resolve(view, "--as", senderName)
		if err != nil {
			return err
		}
		explanation, err := explain.Why(view, actor, action, token)
		if err != nil {
			return err
		}
		err = app.AnswerOr(decisionOf(view, explanation), func(w *bufio.Writer) {
			writeDecision(w, view, explanation)
		})
		return command.RefusedIf(usesExitCode && !explanation.Decision.Allowed, err)
	})
	app.AddAsFlag(cmd, &senderName)
	cmd.Flags().BoolVar(&usesExitCode, "exit-code", false, "exit with status 1 if it is not allowed")
	return cmd
}

func decisionOf(view *chain.View, explanation explain.Explanation) decision {
	decided := explanation.Decision
	jsonDecision := decision{
		Sender:      decided.Actor,
		Name:        view.NameOf(decided.Actor),
		Action:      explanation.Action,
		TokenID:     decided.TokenID,
		Block:       answer.BlockOf(decided.Block),
		Allowed:     decided.Allowed,
		Text:        explanation.Verdict,
		RequiresAll: decided.RequiresAll,
	}
	for _, explainedRule := range explanation.Rules {
		check := explainedRule.Check
		jsonRule := rule{
			Rule:     check.Rule,
			Passed:   check.Passed,
			Holder:   check.Holder,
			Expires:  check.Expires,
			NeededBy: check.Members,
			Text:     explainedRule.Text,
		}
		if jsonRule.Holder != nil {
			jsonRule.Name = view.NameOf(*jsonRule.Holder)
		}
		jsonDecision.Rules = append(jsonDecision.Rules, jsonRule)
	}

	// Add what would reverse the decision, if anything is known.
	change := explanation.Change
	if change.Text == "" {
		return jsonDecision
	}
	jsonDecision.Change = &decisionChange{
		Text:    change.Text,
		Expires: change.ClockTarget,
		Sender:  change.Sender,
		Name:    view.NameOf(change.Sender),
	}
	if change.Message != nil {
		jsonDecision.Change.Message = cw721.Encode(change.Message)
	}
	return jsonDecision
}

// writeDecision writes the verdict, a line for each rule, and what would reverse the decision.
func writeDecision(w *bufio.Writer, view *chain.View, explanation explain.Explanation) {
	fmt.Fprintln(w, widget.Safe(explanation.Verdict)) // Flush returns its error
	for _, explainedRule := range explanation.Rules {
		fmt.Fprintf(w, "  %s\n", widget.Safe(explainedRule.String()))
	}

	change := explanation.Change
	if change.Text == "" {
		return
	}
	fmt.Fprintf(w, "What would change that: %s\n", widget.Safe(change.Text))
	if change.Message != nil {
		message := string(cw721.Encode(change.Message))
		sender := view.DisplayName(change.Sender)
		fmt.Fprintf(w, "  %s sends %s\n", widget.Safe(sender), widget.Safe(message))
	}
}
