package ask

import (
	"bufio"
	"fmt"
	"iter"

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

// realEnds lists until when grants really last: those over one token, or all.
func realEnds(a *command.App, v *chain.View, tokens []string) error {
	grants, err := grantsOver(v, tokens)
	all := make([]lasting, len(grants))
	for i := 0; i < len(grants) && err == nil; i++ {
		all[i].Grant = answer.ExpiryOf(v, grants[i])
		all[i].Really, err = reach.RealEnd(a.Ctx, v, grants[i].Grant)
	}
	if err != nil {
		return err
	}
	return a.AnswerOr(all, func(w *bufio.Writer) {
		for i, e := range grants {
			fmt.Fprintln(w, widget.Safe(explain.RealEnd(v, e.Grant, all[i].Really))) // Flush gives its error
		}
	})
}

// grantsOver lists the approvals and operators over one token, or those of the
// whole collection.
func grantsOver(v *chain.View, tokens []string) (all []expiry.Entry, err error) {
	if len(tokens) > 0 {
		for g, err := range v.GrantsOver(tokens[0]) {
			if err != nil {
				return nil, err
			}
			g.Token = tokens[0] // which an operator is tried on
			all = append(all, expiry.Entry{Grant: g})
		}
		_, err = v.Decide("", &cw721.Burn{TokenID: tokens[0]}) // fails where there is none
		return all, err
	}
	for _, list := range []iter.Seq2[expiry.Entry, error]{v.GrantsOnTokens(""), v.Grants(expiry.Index{Operators: true})} {
		for e, err := range list {
			if err != nil {
				return nil, err
			}
			all = append(all, e)
		}
	}
	return all, nil
}
