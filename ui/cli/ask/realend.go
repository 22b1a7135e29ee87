package ask

import (
	"bufio"
	"fmt"

	"ephemera/core/chain"
	"ephemera/core/chain/expiry"
	"ephemera/core/cw721"
	"ephemera/core/explain"
	"ephemera/core/reach"
	"ephemera/ui/cli/answer"
	"ephemera/ui/cli/command"
	"ephemera/ui/widget"
)

// lasting is a grant with the moment until which it really lets a token be
// moved.
type lasting struct {
	Grant  answer.Expiry    `wire:"grant"`
	Really cw721.Expiration `wire:"really"`
}

// realEnds lists until when grants really last: those on one token, or all.
func realEnds(a *command.App, v *chain.View, tokens []string) error {
	grants, err := grantsOn(v, tokens)
	all := make([]lasting, len(grants))
	for i := 0; i < len(grants) && err == nil; i++ {
		all[i].Grant = answer.ExpiryOf(v, grants[i])
		all[i].Really, err = reach.RealEnd(a.Ctx, v, grants[i].Grant)
	}
	if err != nil {
		return err
	}
	return a.Tell(all, func(w *bufio.Writer) {
		for i, e := range grants {
			fmt.Fprintln(w, widget.Safe(explain.RealEnd(v, e.Grant, all[i].Really))) // Flush gives its error
		}
	})
}

// grantsOn lists the approvals and operators that reach one token, or those of
// the whole collection.
func grantsOn(v *chain.View, tokens []string) (all []expiry.Entry, err error) {
	approvals, operators := v.GrantsOnTokens(""), expiry.Index{Operators: true}
	if len(tokens) > 0 {
		d, err := v.Decide("", &cw721.Burn{TokenID: tokens[0]}) // fails where there is none
		if err != nil {
			return nil, err
		}
		approvals, operators.Owner = v.GrantsOnTokens(tokens[0]), *d.Owner
	}
	for e, err := range approvals {
		if err != nil {
			return nil, err
		}
		if len(tokens) > 0 && e.Token != tokens[0] {
			break
		}
		all = append(all, e)
	}
	for e, err := range v.Grants(operators) {
		if err != nil {
			return nil, err
		}
		if len(tokens) > 0 {
			e.Token = tokens[0] // which it is tried on
		}
		all = append(all, e)
	}
	return all, nil
}
