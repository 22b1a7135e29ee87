package cli

import (
	"bufio"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/explain"
	"ephemera/core/wire"
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
	Block   block         `wire:"block"`
	Allowed bool          `wire:"allowed"`
	Text    string        `wire:"text"`
	// All tells that every rule must pass, and not one of them.
	All   bool   `wire:"all"`
	Rules []rule `wire:"rules"`
	Flip  *flip  `wire:"flip"`
}

func (a *app) whyCommand() *cobra.Command {
	var as string
	var exitCode bool
	cmd := &cobra.Command{
		Use:   "why --as WHO ACTION [TOKEN]",
		Short: "Say why someone may do something, or may not, rule by rule",
		Long: `Says why someone may do something, or may not: the contract's own decision, rule
by rule, with what is stored and what is compared, and the smallest message that
would change it. ACTION is one of
` + strings.Join(widget.Wrap(strings.Join(actionNames(), ", "), 78), "\n"),
		Example:           `  ephemera why --as bob transfer ape-0042`,
		Args:              wants(1, 2, "ACTION and perhaps TOKEN"),
		ValidArgsFunction: a.completeQuestion,
	}
	cmd.RunE = a.inDatabase(func(db *Database, args []string) error {
		action, token, err := question(args)
		if err != nil {
			return err
		}
		return db.View(func(v *chain.View) error {
			actor, err := resolve(v, "--as", as)
			if err != nil {
				return err
			}
			why, err := explain.Why(v, actor, action, token)
			if err != nil {
				return err
			}
			if a.global.json {
				err = a.print(wire.Compact(decisionOf(v, why)))
			} else {
				err = a.writeText(func(w *bufio.Writer) error { return writeWhy(w, v, why) })
			}
			if exitCode && !why.Decision.Allowed {
				err = errors.Join(err, &silent{refused})
			}
			return err
		})
	})
	a.asFlag(cmd, &as)
	cmd.Flags().BoolVar(&exitCode, "exit-code", false, "exit with status 1 where it is not allowed")
	return cmd
}

// completeQuestion offers ACTION and then TOKEN.
func (a *app) completeQuestion(_ *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
	switch len(args) {
	case 0:
		return actionNames(), cobra.ShellCompDirectiveNoFileComp
	case 1:
		return a.complete(func(v *chain.View) ([]string, error) { return tokensFrom(v, begun) })
	}
	return nil, cobra.ShellCompDirectiveNoFileComp
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
		return action, "", misused("ACTION: %q is no action, expected one of %s", args[0], strings.Join(actionNames(), ", "))
	case action.OnToken && len(args) < 2:
		return action, "", misused("TOKEN: expected the id of a token, as %s is about one", action.Name)
	case len(args) == 2:
		token = args[1]
	}
	return action, token, nil
}

func decisionOf(v *chain.View, why explain.Explanation) decision {
	d := why.Decision
	out := decision{
		Sender: d.Actor, Name: v.NameOf(d.Actor), Action: why.Action, TokenID: d.TokenID, Block: blockOf(d.Block),
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
func writeWhy(w *bufio.Writer, v *chain.View, why explain.Explanation) error {
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
			fmt.Fprintf(w, "  %s sends %s\n", widget.Safe(v.Call(f.By)), widget.Safe(string(cw721.Encode(f.Message))))
		}
	}
	return nil
}
