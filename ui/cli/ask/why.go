// Package ask holds the commands that answer questions about permissions and change
// nothing: why somebody may do something, who else could, what an expiry changes,
// which grants surprise people, and who gained what between two states.
//
// core/explain and core/reach decide; the commands print their answers in JSON and in
// words.
package ask

import (
	"bufio"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/explain"
	"ephemera/core/human"
	"ephemera/core/wire"
	"ephemera/ui/cli/answer"
	"ephemera/ui/cli/command"
	"ephemera/ui/widget"
)

// Commands returns the commands of this package.
func Commands(a *command.App) []*cobra.Command {
	return []*cobra.Command{whyCommand(a), whoCanCommand(a), probeCommand(a), danglingCommand(a), diffCommand(a)}
}

// decision is the answer of why, in JSON.
type decision struct {
	Sender  cw721.Address `wire:"sender"`
	Name    string        `wire:"sender_name,optional"`
	Action  string        `wire:"action"`
	TokenID *string       `wire:"token_id"`
	Block   answer.Block  `wire:"block"`
	Allowed bool          `wire:"allowed"`
	Text    string        `wire:"text"`
	// All is set if every rule must pass, and not only one of them.
	All   bool   `wire:"all"`
	Rules []rule `wire:"rules"`
	// Reversal is nil if nothing would reverse the decision.
	Reversal *reversal `wire:"flip"`
}

// rule is one rule of a decision, with its outcome.
type rule struct {
	Rule    cw721.Rule        `wire:"rule"`
	Passed  bool              `wire:"passed"`
	Holder  *cw721.Address    `wire:"holder"`
	Name    string            `wire:"holder_name,optional"`
	Expires *cw721.Expiration `wire:"expires"`
	For     []string          `wire:"for,optional"`
	Text    string            `wire:"text"`
}

// reversal is the smallest change that would reverse a decision. If Expires is set, the
// clock alone makes it; if Message is set, Sender makes it with that message.
type reversal struct {
	Text    string            `wire:"text"`
	Expires *cw721.Expiration `wire:"expires"`
	Sender  cw721.Address     `wire:"sender,optional"`
	Name    string            `wire:"sender_name,optional"`
	Message wire.Raw          `wire:"message,optional"`
}

// whyCommand makes the command that explains whether an account may do an action, or
// lists who may do what with a token.
func whyCommand(a *command.App) *cobra.Command {
	var as string
	var exitCode bool
	cmd := &cobra.Command{
		Use:   "why [--as WHO ACTION] [TOKEN]",
		Short: "Explain why an account may do something or not, rule by rule",
		Long: `Explains why an account may do something, or may not: the contract's own decision,
rule by rule, with the stored and the compared values, and the smallest message
that would change it. ACTION is one of` + strings.Join(actionNames(), ", ") + `.

Without --as, lists who may do what with TOKEN: its owner, everyone with a grant
over it, expired or not, and the minters if there are several.`,
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
		return answerWhy(a, v, as, args, exitCode)
	})
	a.AsFlag(cmd, &as)
	cmd.Flags().BoolVar(&exitCode, "exit-code", false, "exit with status 1 if it is not allowed")
	return cmd
}

// completeWhy completes TOKEN, and after --as ACTION and then TOKEN.
func completeWhy(a *command.App) cobra.CompletionFunc {
	completeDecision := completeQuestion(a)
	completeToken := command.FirstArg(a.Complete(command.TokenIDs))
	return func(cmd *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
		if cmd.Flags().Changed("as") {
			return completeDecision(cmd, args, begun)
		}
		return completeToken(cmd, args, begun)
	}
}

// completeQuestion completes ACTION and then TOKEN.
func completeQuestion(a *command.App) cobra.CompletionFunc {
	completeToken := command.FirstArg(a.Complete(command.TokenIDs))
	return func(cmd *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
		if len(args) == 0 {
			return actionNames(), cobra.ShellCompDirectiveNoFileComp
		}
		return completeToken(cmd, args[1:], begun)
	}
}

// actionNames lists the names of the actions that a question can be about, such as
// transfer.
func actionNames() []string {
	var names []string
	for _, action := range cw721.AllActions() {
		names = append(names, action.Name)
	}
	return names
}

// parseQuestion reads the arguments ACTION, which is one of some actions, and TOKEN, which
// is required if the action is about a token.
func parseQuestion(args []string, actions []cw721.Action) (action cw721.Action, token string, err error) {
	i := slices.IndexFunc(actions, func(a cw721.Action) bool { return a.Name == args[0] })
	if i < 0 {
		return action, "", command.UsageErrorf("ACTION: %q is no action, expected one of %s", args[0], strings.Join(actionNames(), ", "))
	}
	action = actions[i]
	if len(args) == 2 {
		return action, args[1], nil
	}
	if action.NeedsToken {
		return action, "", command.UsageErrorf("TOKEN: expected the id of a token, as %s is about one", action.Name)
	}
	return action, "", nil
}

// answerWhy prints the decision about an account and an action. With exitCode a
// refusal is an error that sets the exit status.
func answerWhy(a *command.App, v *chain.View, as string, args []string, exitCode bool) error {
	action, token, err := parseQuestion(args, cw721.AllActions())
	if err != nil {
		return err
	}
	actor, err := command.Resolve(v, "--as", as)
	if err != nil {
		return err
	}
	explanation, err := explain.Why(v, actor, action, token)
	if err != nil {
		return err
	}
	err = a.AnswerOr(decisionOf(v, explanation), func(w *bufio.Writer) { writeDecision(w, v, explanation) })
	return command.RefusedIf(exitCode && !explanation.Decision.Allowed, err)
}

// decisionOf returns the decision about an account and an action as the command prints it
// in JSON: the verdict, the rules that were tried, and the change that would reverse it.
func decisionOf(v *chain.View, explanation explain.Explanation) decision {
	decided := explanation.Decision
	out := decision{
		Sender:  decided.Actor,
		Name:    v.NameOf(decided.Actor),
		Action:  explanation.Action,
		TokenID: decided.TokenID,
		Block:   answer.BlockOf(decided.Block),
		Allowed: decided.Allowed,
		Text:    explanation.Verdict,
		All:     decided.RequiresAll,
	}

	// The rules in the order in which they were tried.
	for _, r := range explanation.Rules {
		tried := rule{
			Rule:    r.Check.Rule,
			Passed:  r.Check.Passed,
			Holder:  r.Check.Holder,
			Expires: r.Check.Expires,
			For:     r.Check.Members,
			Text:    r.Text,
		}
		if tried.Holder != nil {
			tried.Name = v.NameOf(*tried.Holder)
		}
		out.Rules = append(out.Rules, tried)
	}

	// Then what would reverse the decision.
	change := explanation.Counterfactual
	if change.Text == "" {
		return out
	}
	out.Reversal = &reversal{
		Text:    change.Text,
		Expires: change.At,
		Sender:  change.By,
		Name:    v.NameOf(change.By),
	}
	if change.Message != nil {
		out.Reversal.Message = cw721.Encode(change.Message)
	}
	return out
}

// writeDecision prints the verdict, a line for each rule, and the change that would
// reverse the decision.
func writeDecision(w *bufio.Writer, v *chain.View, explanation explain.Explanation) {
	fmt.Fprintln(w, widget.Safe(explanation.Verdict)) // Flush returns its error
	for _, r := range explanation.Rules {
		fmt.Fprintf(w, "  %s\n", widget.Safe(r.String()))
	}

	change := explanation.Counterfactual
	if change.Text == "" {
		return
	}
	fmt.Fprintf(w, "What would change that: %s\n", widget.Safe(change.Text))
	if change.Message != nil {
		message := string(cw721.Encode(change.Message))
		fmt.Fprintf(w, "  %s sends %s\n", widget.Safe(v.DisplayName(change.By)), widget.Safe(message))
	}
}

// tokenAccess is who may do what with a token in the current block.
type tokenAccess struct {
	TokenID   string          `wire:"token_id"`
	Block     answer.Block    `wire:"block"`
	Owner     cw721.Address   `wire:"owner"`
	OwnerName string          `wire:"owner_name,optional"`
	Accounts  []accountAccess `wire:"accounts"` // the owner first
}

// accountAccess is what one account may do with a token.
type accountAccess struct {
	Address cw721.Address     `wire:"address"`
	Name    string            `wire:"name,optional"`
	Actions []string          `wire:"actions"`
	Rule    cw721.Rule        `wire:"rule,optional"`
	Expires *cw721.Expiration `wire:"expires"`
	Text    string            `wire:"text"`
}

// answerWhoMay prints who may do what with a token. An action's name that is no
// token's id is a decision without --as, and bad usage.
func answerWhoMay(a *command.App, v *chain.View, token string) error {
	access, err := tokenAccessOf(v, token)
	if refusal := cw721.AsError(err); refusal != nil && refusal.Kind == cw721.KindNotFound {
		if _, isAction := cw721.ActionNamed(token); isAction {
			_, err = command.Resolve(v, "--as", "")
		}
	}
	if err != nil {
		return err
	}
	return a.AnswerOr(access, func(w *bufio.Writer) { access.write(w, v) })
}

// tokenAccessOf decides for each holder of a permission over a token what it may do.
// It fails with a [*cw721.Error] of kind not_found if there is no such token.
func tokenAccessOf(v *chain.View, token string) (tokenAccess, error) {
	holders, err := explain.Holders(v, token)
	if err != nil {
		return tokenAccess{}, err
	}
	if len(holders) == 0 { // there is no such token, and AccessTo returns the contract's refusal
		_, err := explain.AccessTo(v, "", token)
		return tokenAccess{}, err
	}

	out := tokenAccess{
		TokenID:   token,
		Block:     answer.BlockOf(v.Clock.Block()),
		Owner:     holders[0],
		OwnerName: v.NameOf(holders[0]),
	}

	// Ask the contract about each account.
	for _, holder := range holders {
		access, err := explain.AccessTo(v, holder, token)
		if err != nil {
			return tokenAccess{}, err
		}
		out.Accounts = append(out.Accounts, accountAccess{
			Address: holder,
			Name:    v.NameOf(holder),
			Actions: append([]string{}, access.Actions...), // [] and not null
			Rule:    access.By,
			Expires: access.Until,
			Text:    access.Because,
		})
	}
	return out, nil
}

// write prints the block and the owner, and then a line for each account, such as
// "bob  transfer, burn (approval until height 1,110)".
func (t tokenAccess) write(w *bufio.Writer, v *chain.View) {
	block := v.Clock.Block()
	owner := widget.Safe(v.DisplayName(t.Owner))
	fmt.Fprintf(w, "height %s · %s UTC · owned by %s\n", human.Thousands(uint64(block.Height)), human.Time(block.Time), owner) // Flush returns its error

	nameCells := 0
	for _, account := range t.Accounts {
		nameCells = max(nameCells, widget.Width(widget.Safe(v.DisplayName(account.Address))))
	}
	for _, account := range t.Accounts {
		name := widget.Fit(widget.Safe(v.DisplayName(account.Address)), nameCells)
		actions := cmp.Or(strings.Join(account.Actions, ", "), "nothing")
		fmt.Fprintf(w, "  %s  %s (%s)\n", name, actions, widget.Safe(account.Text))
	}
}
