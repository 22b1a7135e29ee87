package inspect

import (
	"cmp"
	"iter"
	"math"
	"slices"

	"ephemera/core/chain"
	"ephemera/core/chain/expiry"
	"ephemera/core/cw721"
	"ephemera/ui/app"
)

// probed is a grant with the messages that it can be tried with.
type probed struct {
	grant cw721.Grant
	tries []try
}

// try is a message that needs the grant.
type try struct {
	name string
	msg  []byte
}

// grantsShown bounds the list of a probe.
const grantsShown = 200

// probedGrants lists what can be probed: on a token its approvals and the
// operators of its owner, for an account what it was given and gave, and
// without either everything, soonest to expire first. Role offers come last.
func probedGrants(v *chain.View, s app.Subject) ([]probed, error) {
	var grants []cw721.Grant
	add := func(listing iter.Seq2[expiry.Entry, error]) error {
		entries, _, err := app.TakeFirst(listing, grantsShown-len(grants))
		for _, e := range entries {
			grants = append(grants, e.Grant)
		}
		return err
	}
	var err error
	switch {
	case s.Token != nil:
		grants, _, err = app.TakeFirst(v.GrantsOver(*s.Token), grantsShown)
	case s.Account != "":
		if err = add(v.Grants(expiry.Index{Spender: s.Account})); err == nil {
			err = add(v.Grants(expiry.Index{Owner: s.Account}))
		}
	default:
		err = add(v.List(expiry.List{}, expiry.Walk{}))
	}
	if err != nil {
		return nil, err
	}
	all := make([]probed, len(grants))
	for i, g := range grants {
		if all[i].grant = g; err == nil {
			all[i].tries, err = triesOf(v, g, s.Token)
		}
	}
	sortProbed(all, v.Clock, s.Account)
	return all, err
}

// sortProbed puts the grants of whoever is asked about first, and of those what
// expires soonest; then what has expired, the latest first; then what never expires.
func sortProbed(all []probed, now chain.Clock, who cw721.Address) {
	rank := func(r probed) (place int, far uint64) {
		if who != "" && r.grant.Spender != who {
			place = 3
		}
		e := r.grant.Expires
		at := e.Value
		if e.Axis == cw721.AtHeight {
			at = uint64(now.At(cw721.Height(e.Value)))
		}
		switch {
		case e.Axis == cw721.Never:
			return place + 2, 0
		case e.Expired(now.Block()):
			return place + 1, math.MaxUint64 - at
		}
		return place, at
	}
	slices.SortStableFunc(all, func(a, b probed) int {
		pa, fa := rank(a)
		pb, fb := rank(b)
		return cmp.Or(cmp.Compare(pa, pb), cmp.Compare(fa, fb))
	})
}

// triesOf makes the messages that a grant can be tried with. An operator is
// tried on the token in question, or on the owner's first.
func triesOf(v *chain.View, g cw721.Grant, token *string) ([]try, error) {
	actions := []string{"transfer", "send", "burn"}
	id := g.Token
	switch g.Kind {
	case cw721.GrantMinterOffer:
		actions = []string{"accept-minter"}
	case cw721.GrantCreatorOffer:
		actions = []string{"accept-creator"}
	case cw721.GrantOperator:
		actions = append(actions, "approve", "revoke")
		owned, ok, err := ownedBy(v, g.Owner, token)
		if err != nil || !ok {
			return nil, err
		}
		id = owned
	}
	var tries []try
	for _, name := range actions {
		action, _ := cw721.ActionNamed(name)
		msg := action.Message(id, g.Spender)
		if send, ok := msg.(*cw721.SendNft); ok {
			contract, found, err := willing(v)
			if err != nil {
				return nil, err
			}
			if !found {
				continue
			}
			send.Contract = contract
		}
		tries = append(tries, try{name, cw721.Encode(msg)})
	}
	return tries, nil
}

// ownedBy finds a token of an owner, the one in question where it is theirs.
func ownedBy(v *chain.View, owner cw721.Address, token *string) (id string, ok bool, err error) {
	if token != nil {
		t, ok, err := v.Token(*token)
		if err != nil || ok && t.Owner == owner {
			return *token, ok, err
		}
	}
	for t, err := range v.Tokens(owner, cw721.Walk{}) {
		return t.ID, err == nil, err
	}
	return "", false, nil
}

// willing finds a contract that takes what it is sent, so that a delivery is
// decided by the grant and not by the receiver.
func willing(v *chain.View) (cw721.Address, bool, error) {
	accounts, err := v.Accounts()
	for _, a := range accounts {
		if a.Receiver == chain.ReceiverAccepts {
			return a.Address, true, err
		}
	}
	return "", false, err
}
