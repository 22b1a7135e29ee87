package cli

import (
	"bufio"
	"context"
	"fmt"
	"iter"

	"ephemera/core/chain"
	"ephemera/core/chain/expiry"
	"ephemera/core/cw721"
	"ephemera/core/explain"
	"ephemera/core/reach"
	"ephemera/core/wire"
	"ephemera/ui/widget"
)

// lasting is a grant with the moment until which it really lets a token be
// moved.
type lasting struct {
	Grant  end              `wire:"grant"`
	Really cw721.Expiration `wire:"really"`
}

// realEnds lists until when grants really last: those on one token, or all.
func (a *app) realEnds(ctx context.Context, v *chain.View, args []string, asJSON bool) error {
	grants, err := grantsOn(v, args)
	if err != nil {
		return err
	}
	all := make([]lasting, len(grants))
	for i, e := range grants {
		really, err := reach.RealEnd(ctx, v, e.Grant)
		if err != nil {
			return err
		}
		all[i] = lasting{endOf(v, e), really}
	}
	if asJSON {
		return a.print(wire.Compact(all))
	}
	return a.writeText(func(w *bufio.Writer) error {
		for i, e := range grants {
			fmt.Fprintln(w, widget.Safe(explain.RealEnd(v, e.Grant, all[i].Really))) // Flush gives its error
		}
		return nil
	})
}

// grantsOn lists the approvals and operators that reach one token, or those of
// the whole collection.
func grantsOn(v *chain.View, tokens []string) (all []expiry.Entry, err error) {
	if len(tokens) == 0 {
		for _, part := range []iter.Seq2[expiry.Entry, error]{v.GrantsOnTokens(""), v.Grants(expiry.Index{Operators: true})} {
			for e, err := range part {
				if err != nil {
					return nil, err
				}
				all = append(all, e)
			}
		}
		return all, nil
	}
	t, ok, err := v.Token(tokens[0])
	if err == nil && !ok {
		_, err = v.Decide("", &cw721.Burn{TokenID: tokens[0]}) // says that there is none
	}
	if err != nil {
		return nil, err
	}
	for _, a := range t.Approvals {
		all = append(all, expiry.Entry{Grant: cw721.Grant{Kind: cw721.GrantApproval, Token: t.ID, Owner: t.Owner, Spender: a.Spender, Expires: a.Expires}})
	}
	for a, err := range v.OperatorsOf(t.Owner) {
		if err != nil {
			return nil, err
		}
		all = append(all, expiry.Entry{Grant: cw721.Grant{Kind: cw721.GrantOperator, Token: t.ID, Owner: t.Owner, Spender: a.Spender, Expires: a.Expires}})
	}
	return all, nil
}
