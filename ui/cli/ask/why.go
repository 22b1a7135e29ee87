package ask

import (
	"bufio"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/explain"
	"ephemera/core/wire"
	"ephemera/ui/cli/answer"
	"ephemera/ui/cli/command"
	"ephemera/ui/widget"
)

// rule is one rule of a decision as it was tried.
type rule struct {
	Rule    cw721.Rule        `wire:"rule"`
	Passed  bool              `wire:"passed"`
	Holder  *cw721.Address    `wire:"holder"`
	Name    string            `wire:"holder_name,optional"`
	Expires *cw721.Expiration `wire:"expires"`
	For     []string          `wire:"for,optional"`
	Text    string            `wire:"text"`
}

// flip is the smallest change that turns a decision around: Expires where the
// clock alone does it, Sender and Message where a message does.
type flip struct {
	Text    string            `wire:"text"`
	Expires *cw721.Expiration `wire:"expires"`
	Sender  cw721.Address     `wire:"sender,optional"`
	Name    string            `wire:"sender_name,optional"`
	Message wire.Raw          `wire:"message,optional"`
}

// decision is why someone may do something, or not.
type decision struct {
	Sender  cw721.Address `wire:"sender"`
	Name    string        `wire:"sender_name,optional"`
	Action  string        `wire:"action"`
	TokenID *string       `wire:"token_id"`
	Block   answer.Block  `wire:"block"`
	Allowed bool          `wire:"allowed"`
	Text    string        `wire:"text"`
	// All tells that every rule must pass, and not one of them.
	All   bool   `wire:"all"`
	Rules []rule `wire:"rules"`
	Flip  *flip  `wire:"flip"`
}

func whyCommand(a *command.App) *cobra.Command {
	var as string
	var exitCode bool
	cmd := &cobra.Command{
		Use:   "why [--as WHO ACTION] [TOKEN]",
		Short: "Say why someone may do something, or may not, rule by rule",
		Long: `Says why someone may do something, or may not: the contract's own decision, rule
by rule, with what is stored and what is compared, and the smallest message that
would change it. ACTION is one of
` + strings.Join(actionNames(), ", ") + `.

Without --as, says who may do what with TOKEN: its owner, everyone with a grant
over it, expired or not, and the minters where there are several.`,
		Example: `  ephemera why ape-0042
  ephemera why --as bob transfer ape-0042`,
		Args:              command.ArgCount(1, 2, "TOKEN, or ACTION and perhaps TOKEN"),
		ValidArgsFunction: completeWhy(a),
	}
	cmd.RunE = a.WithView(func(v *chain.View, args []string) error {
		if as == "" && len(args) == 1 {
			if exitCode {
				return command.UsageErrorf("--exit-code: expected with --as WHO ACTION")
			}
			return answerWhoMay(a, v, args[0])
		}

		action, token, err := question(args)
		if err != nil {
			return err
		}
		actor, err := command.Resolve(v, "--as", as)
		if err != nil {
			return err
		}
		why, err := explain.Why(v, actor, action, token)
		if err != nil {
			return err
		}
		err = a.AnswerOr(decisionOf(v, why), func(w *bufio.Writer) { writeWhy(w, v, why) })
		return command.RefusedIf(exitCode && !why.Decision.Allowed, err)
	})
	a.AsFlag(cmd, &as)
	cmd.Flags().BoolVar(&exitCode, "exit-code", false, "exit with status 1 where it is not allowed")
	return cmd
}

// completeWhy offers TOKEN, and after --as ACTION and then TOKEN.
func completeWhy(a *command.App) cobra.CompletionFunc {
	completeDecision := completeQuestion(a)
	return func(cmd *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
		if cmd.Flags().Changed("as") {
			return completeDecision(cmd, args, begun)
		}
		return a.CompleteTokens(cmd, args, begun)
	}
}

// completeQuestion offers ACTION and then TOKEN.
func completeQuestion(a *command.App) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
		if len(args) == 0 {
			return actionNames(), cobra.ShellCompDirectiveNoFileComp
		}
		return a.CompleteTokens(cmd, args[1:], begun)
	}
}

func actionNames() (names []string) {
	for _, a := range cw721.AllActions() {
		names = append(names, a.Name)
	}
	return names
}

// question reads ACTION and TOKEN.
func question(args []string) (action cw721.Action, token string, err error) {
	action, ok := cw721.ActionNamed(args[0])
	switch {
	case !ok:
		return action, "", command.UsageErrorf("ACTION: %q is no action, expected one of %s", args[0], strings.Join(actionNames(), ", "))
	case action.OnToken && len(args) < 2:
		return action, "", command.UsageErrorf("TOKEN: expected the id of a token, as %s is about one", action.Name)
	case len(args) == 2:
		token = args[1]
	}
	return action, token, nil
}

func decisionOf(v *chain.View, why explain.Explanation) decision {
	d := why.Decision
	out := decision{
		Sender: d.Actor, Name: v.NameOf(d.Actor), Action: why.Action, TokenID: d.TokenID, Block: answer.BlockOf(d.Block),
		Allowed: d.Allowed, Text: why.Verdict, All: d.All,
	}
	for _, r := range why.Rules {
		c := r.Check
		tried := rule{Rule: c.Rule, Passed: c.Passed, Holder: c.Holder, Expires: c.Expires, For: c.For, Text: r.Text}
		if c.Holder != nil {
			tried.Name = v.NameOf(*c.Holder)
		}
		out.Rules = append(out.Rules, tried)
	}
	if why.Counterfactual.Text != "" {
		out.Flip = &flip{Text: why.Counterfactual.Text, Expires: why.Counterfactual.At, Sender: why.Counterfactual.By, Name: v.NameOf(why.Counterfactual.By)}
		if why.Counterfactual.Message != nil {
			out.Flip.Message = cw721.Encode(why.Counterfactual.Message)
		}
	}
	return out
}

// writeWhy reads a decision out in lines.
func writeWhy(w *bufio.Writer, v *chain.View, why explain.Explanation) {
	fmt.Fprintln(w, widget.Safe(why.Verdict)) // Flush gives its error
	for _, r := range why.Rules {
		mark := "✗"
		if r.Check.Passed {
			mark = "✓"
		}
		fmt.Fprintf(w, "  %s %-14s %s\n", mark, r.Check.Rule, widget.Safe(r.Text))
	}
	if f := why.Counterfactual; f.Text != "" {
		fmt.Fprintf(w, "What would change that: %s\n", widget.Safe(f.Text))
		if f.Message != nil {
			fmt.Fprintf(w, "  %s sends %s\n", widget.Safe(v.DisplayName(f.By)), widget.Safe(string(cw721.Encode(f.Message))))
		}
	}
}
