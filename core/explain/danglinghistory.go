package explain

import (
	"errors"
	"fmt"

	"ephemera/core/chain"
	"ephemera/core/chain/expiry"
	"ephemera/core/chain/history"
	"ephemera/core/cw721"
)

// danglingHistory looks at the messages on the way to the head, the youngest
// first, for grants whose giver has no permission any more, until tell wants no
// more.
func danglingHistory(v *chain.View, tell func([]Finding) bool) error {
	p := past{v: v, given: map[pair]bool{}, came: map[string]cw721.Address{}}
	var err error
	if _, p.creator, err = v.Roles(); err != nil {
		return err
	}
	for id := v.Head; id != 0; {
		n, err := v.Node(id)
		if unknown := (*history.UnknownNodeError)(nil); errors.As(err, &unknown) {
			return nil // what came before was forgotten
		}
		if err != nil {
			return err
		}
		found, err := p.look(n)
		for i := range found {
			found[i].Node = n.ID
		}
		if err != nil || !tell(found) {
			return err
		}
		id = n.Parent
	}
	return nil
}

// pair is a token and a spender of it.
type pair struct {
	token   string
	spender cw721.Address
}

// past is what is known of the messages after the one that is looked at.
type past struct {
	v *chain.View
	// given holds the approvals whose latest message was seen.
	given map[pair]bool
	// came holds, for tokens that moved since, to whom they came last.
	came map[string]cw721.Address
	// creator is who was creator after the message.
	creator cw721.Ownership
	royalty bool
}

func (p *past) look(n history.Node) ([]Finding, error) {
	if n.Kind != history.KindExecute || n.Refusal != nil {
		return nil, nil
	}
	msg, _, err := p.v.Contract().DecodeExecute([]byte(n.Message), nil)
	if err != nil {
		return nil, nil // it was carried out by other rules than these
	}
	switch m := msg.(type) {
	case *cw721.Approve:
		return p.approve(n, m)
	case *cw721.Revoke:
		p.given[pair{m.TokenID, m.Spender}] = true
	case *cw721.TransferNft, *cw721.SendNft:
		return p.moved(n)
	case *cw721.UpdateCreatorOwnership:
		return nil, p.takeBackCreator(n)
	case *cw721.UpdateCollectionInfo:
		return p.royaltySet(n, m)
	}
	return nil, nil
}

// approve finds an approval that lives on although whoever gave it could not
// give it any more. A transfer empties the list, so a live approval of the
// token's owner was given after the last one.
func (p *past) approve(n history.Node, m *cw721.Approve) ([]Finding, error) {
	key := pair{m.TokenID, m.Spender}
	if _, moved := p.came[m.TokenID]; moved || p.given[key] {
		return nil, nil
	}
	p.given[key] = true
	token, ok, err := p.v.Token(m.TokenID)
	if err != nil || !ok || token.Owner == n.Sender {
		return nil, err
	}
	for _, a := range token.Approvals {
		if a.Spender != m.Spender || a.Expires.Expired(p.v.Clock.Block()) {
			continue
		}
		d, err := p.v.Decide(n.Sender, m)
		if err != nil || d.Allowed {
			return nil, err
		}
		g := cw721.Grant{Kind: cw721.GrantApproval, Token: m.TokenID, Owner: token.Owner, Spender: a.Spender, Expires: a.Expires}
		return []Finding{{
			Danger: DangerLostGiver, Grant: g, Token: &m.TokenID, By: token.Owner, Remedy: cureOf(g),
			Text: fmt.Sprintf("%s lives on (%s), although %s, who gave it, may no longer approve on behalf of %s",
				grantName(p.v, g), expiryClause(a.Expires, p.v.Clock.Block()), p.v.DisplayName(n.Sender), p.v.DisplayName(token.Owner)),
		}}, nil
	}
	return nil, nil
}

// moved finds a token that came back to an owner whose operators are older
// than its leaving.
func (p *past) moved(n history.Node) (found []Finding, err error) {
	changes, err := p.v.ChangesOf(n.ID)
	if err != nil {
		return nil, err
	}
	for _, c := range changes {
		id, before, after, ok := cw721.TokenChange(c.Key, c.Old, c.New)
		if !ok || before == nil || after == nil || before.Owner == after.Owner {
			continue
		}
		last, seen := p.came[id]
		if !seen {
			now, _, err := p.v.Token(id) // nobody owns one that is gone
			if err != nil {
				return nil, err
			}
			last = now.Owner
			p.came[id] = last
		}
		if last == "" || before.Owner != last {
			continue
		}
		p.came[id] = "" // told once
		more, err := p.reach(n, id, last)
		if err != nil {
			return nil, err
		}
		found = append(found, more...)
	}
	return found, nil
}

// reach lists the live operators of an owner that were made before a message.
func (p *past) reach(n history.Node, id string, owner cw721.Address) (found []Finding, err error) {
	for e, err := range p.v.Grants(expiry.Index{Owner: owner, Operators: true}) {
		if err != nil {
			return nil, err
		}
		if e.Spender == owner || e.Expires.Expired(p.v.Clock.Block()) || e.GrantedAt.Height > n.Height || e.GrantedAt.Time > n.Time {
			continue
		}
		token := id
		found = append(found, Finding{
			Danger: DangerReturned, Grant: e.Grant, Token: &token, By: owner, Remedy: cureOf(e.Grant),
			Text: fmt.Sprintf("%s left %s and came back, and %s, an operator since before that, reaches it again (the grant: %s)",
				id, p.v.DisplayName(owner), p.v.DisplayName(e.Spender), expiryClause(e.Expires, p.v.Clock.Block())),
		})
	}
	return found, nil
}

// takeBackCreator goes back over a change of the creator.
func (p *past) takeBackCreator(n history.Node) error {
	changes, err := p.v.ChangesOf(n.ID)
	for _, c := range changes {
		if role, before, _, ok := cw721.RoleChange(c.Key, c.Old, c.New); ok && role == cw721.RuleCreator {
			p.creator = before
		}
	}
	return err
}

// royaltySet finds the message that set the royalty as it is, sent by someone
// who was not the creator then.
func (p *past) royaltySet(n history.Node, m *cw721.UpdateCollectionInfo) ([]Finding, error) {
	e := m.CollectionInfo.Extension
	if e == nil || e.RoyaltyInfo == nil || p.royalty {
		return nil, nil
	}
	p.royalty = true
	if p.creator.Owner != nil && *p.creator.Owner == n.Sender {
		return nil, nil
	}
	f := Finding{
		Danger: DangerRoyaltyHole,
		Text: fmt.Sprintf("the royalty of %s %% to %s was set by %s, who was not the creator: rule set %s lets anyone do that",
			e.RoyaltyInfo.Share.Percentage(), p.v.DisplayName(e.RoyaltyInfo.PaymentAddress), p.v.DisplayName(n.Sender), p.v.Rules),
	}
	if owner := p.creator.Owner; owner != nil {
		f.By = *owner
	}
	return []Finding{f}, nil
}
