package ask

import (
	"bufio"
	"iter"

	"ephemera/core/chain"
	"ephemera/core/chain/expiry"
	"ephemera/core/cw721"
	"ephemera/core/explain"
	"ephemera/ui/cli/answer"
	"ephemera/ui/cli/command"
)

// lastingGrant is a grant in JSON, with the moment until which its spender can really
// transfer the token if the owner does nothing.
type lastingGrant struct {
	Grant answer.Expiry `wire:"grant"`
	// AccessEnd is that moment. It is later than the expiry of the grant if the spender can
	// renew the grant without the owner.
	AccessEnd cw721.Expiration `wire:"really"`
}

// answerGrants prints until when each grant really lets its spender move a token if the owner
// does nothing: the grants over the token in args, or else all of the collection.
//
// With --exit-code it refuses if a spender can renew a grant without the owner, and fails with
// a [*command.UsageError] if it found no such grant but cannot know that there is none.
func (f whoCan) answerGrants(app *command.App, view *chain.View, args []string) error {
	if err := view.CheckRules(); err != nil { // also if no grant needs them
		return err
	}
	grants, err := grantsToExamine(view, args)
	if err != nil {
		return err
	}

	lastingGrants := []lastingGrant{} // [] and not null
	var lines []string
	isAnyRenewable := false
	for _, grant := range grants {
		accessEnd, line, err := explain.DescribeAccessEnd(app.Ctx, view, grant)
		if err != nil {
			return err
		}
		lastingGrants = append(lastingGrants, lastingGrant{
			Grant:     answer.ExpiryOf(view, expiry.Entry{Grant: grant}),
			AccessEnd: accessEnd,
		})
		lines = append(lines, line)
		if accessEnd != grant.Expires {
			isAnyRenewable = true
		}
	}

	// Print that. With --exit-code the status tells whether a grant can be renewed.
	err = app.AnswerOr(lastingGrants, func(w *bufio.Writer) { writeSafeLines(w, lines) })
	switch {
	case !f.usesExitCode:
		return err
	case isAnyRenewable:
		return command.RefusedIf(true, err)
	case err != nil, f.acceptsUnknownCode:
		return err
	}
	return checkKnownCode(view)
}

// grantsToExamine lists the grants over the token in args, or else all approvals and then all
// operators. A grant of an operator names no token, so it gets the one in args. It fails with
// a [*cw721.Error] of kind not_found if there is no such token.
func grantsToExamine(view *chain.View, args []string) (grants []cw721.Grant, err error) {
	if len(args) == 0 {
		for _, list := range []iter.Seq2[expiry.Entry, error]{
			view.GrantsOnTokens(""),
			view.Grants(expiry.Index{OnlyOperators: true}),
		} {
			for entry, err := range list {
				if err != nil {
					return nil, err
				}
				grants = append(grants, entry.Grant)
			}
		}
		return grants, nil
	}

	// A decision about the token fails if there is no such token.
	token := args[0]
	if _, err := view.Decide("", &cw721.Burn{TokenID: token}); err != nil {
		return nil, err
	}
	for grant, err := range view.GrantsOver(token) {
		if err != nil {
			return nil, err
		}
		grant.Token = token
		grants = append(grants, grant)
	}
	return grants, nil
}

const triedUsage = "with --exit-code: accept an answer about a compiled contract of no known release"

// checkKnownCode fails with a [*command.UsageError] if the contract is compiled and no known
// release, because its rules can be others than those that the answer was found by.
func checkKnownCode(view *chain.View) error {
	fileName, err := view.UnknownModuleFile()
	if err != nil || fileName == "" {
		return err
	}
	return command.UsageErrorf(
		"the answer is not known: %s is no known release of cw721, so its rules may differ; --tried accepts that",
		fileName,
	)
}
