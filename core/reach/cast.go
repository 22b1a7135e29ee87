package reach

import (
	"cmp"
	"fmt"
	"slices"

	"ephemera/core/cw721"
)

// MaxActors is how many may send messages in one search, not counting the one
// who stands for everybody else.
const MaxActors = 12

// subject is what a question turns on, by the rules that the contract tries for
// the act.
type subject struct{ token, minter, creator bool }

func subjectOf(d *cw721.Decision, act cw721.ExecuteMsg) (s subject) {
	for _, c := range d.Checks {
		switch c.Rule {
		case cw721.RuleOwner, cw721.RuleApproval, cw721.RuleOperator:
			s.token = true
		case cw721.RuleMinter:
			s.minter = true
		case cw721.RuleCreator:
			s.creator = true
		case cw721.RulePendingOwner:
			_, s.minter = act.(*cw721.UpdateMinterOwnership)
			s.creator = !s.minter
		}
	}
	return s
}

// holders tells who can do what a decision is about by right of his own, if anybody,
// and what others hold: grants, an offer, or the right to mint besides the minter.
func (s *search) holders(d *cw721.Decision, only cw721.Address) (own cw721.Address, held []cw721.Grant, err error) {
	minter, creator, err := s.view.Roles()
	var role cw721.Ownership
	switch {
	case err != nil:
		return "", nil, err
	case s.about.token:
		own = *d.Owner
		for g, err := range s.view.GrantsOver(s.Token) {
			if err != nil {
				return "", nil, err
			}
			if s.ctx.Err() != nil {
				break // no message will be sent
			}
			if only == "" || only == g.Spender {
				held = append(held, g)
			}
		}
	case s.about.minter:
		role = minter
		more, err := s.view.AdditionalMinters()
		if err != nil {
			return "", nil, err
		}
		for _, who := range more {
			held = append(held, cw721.Grant{Spender: who})
		}
	case s.about.creator:
		role = creator
	}
	if role.Owner != nil {
		own = *role.Owner
	}
	if role.PendingOwner != nil {
		offer := cw721.Grant{Spender: *role.PendingOwner}
		if role.PendingExpiry != nil {
			offer.Expires = *role.PendingExpiry
		}
		held = append(held, offer)
	}
	return own, held, nil
}

// cast says who sends nothing, who may send, and when what they hold expires. Where
// only is not empty, it is who may, with what he holds.
func (s *search) cast(d *cw721.Decision, only cw721.Address) (expirations []cw721.Expiration, err error) {
	own, held, err := s.holders(d, only)
	switch {
	case err != nil:
		return nil, err
	case slices.Contains(s.Passive, s.As):
		return nil, ErrAsPassive
	case s.Passive == nil && own != "" && own != s.As:
		s.Passive = []cw721.Address{own}
	}
	// admit takes somebody among those who may send, if there is room.
	admit := func(who cw721.Address, expires cw721.Expiration) bool {
		known := slices.Contains(s.actors, who)
		switch {
		case who == "", slices.Contains(s.Passive, who):
			return true
		case !known && len(s.actors) == MaxActors:
			return false
		case !known:
			s.actors = append(s.actors, who)
		}
		expirations = append(expirations, expires)
		return true
	}
	admit(s.As, cw721.Expiration{})
	admit(own, cw721.Expiration{})
	// Who holds nothing live is to the contract like anybody, and comes along as
	// far as there is room.
	now := s.view.Clock.Block()
	for _, g := range held {
		if !g.Expires.Expired(now) && !admit(g.Spender, g.Expires) {
			s.answer.Cut = fmt.Sprintf("more than %d accounts could send messages, and %d of them were tried", MaxActors, MaxActors)
		}
	}
	for i := 0; s.about.token && only == "" && i < len(s.actors) && len(s.actors) < MaxActors; i++ {
		for a, err := range s.view.OperatorsOf(s.actors[i]) {
			if err != nil {
				return nil, err
			}
			if !a.Expires.Expired(now) && !admit(a.Spender, a.Expires) {
				break
			}
		}
	}
	for _, g := range held {
		if g.Expires.Expired(now) {
			admit(g.Spender, cw721.Expiration{})
		}
	}
	s.actors = append(s.actors, s.answer.Anyone)
	return expirations, nil
}

// moment is a block at which messages are tried, and what expires there: the
// zero Expiration where nothing does.
type moment struct {
	cw721.Block
	expires cw721.Expiration
}

// schedule lists the moments: now, After, and wherever something expires before
// Until, along the clock's pace. What the clock can never come to is left out.
func (s *search) schedule(expirations []cw721.Expiration) error {
	now := s.view.Clock.Block()
	all := []moment{{Block: now}}
	for _, e := range expirations {
		if to, err := s.view.Clock.ToEnd(e, 0); err == nil {
			all = append(all, moment{to.Block(), e})
		}
	}
	if s.After != nil && s.After.Time > now.Time {
		all = append(all, moment{Block: *s.After})
	}
	slices.SortStableFunc(all, func(a, b moment) int { return cmp.Compare(a.Time, b.Time) })
	all = slices.CompactFunc(all, func(a, b moment) bool { return a.Block == b.Block })
	s.moments = slices.DeleteFunc(all, func(m moment) bool { return s.Until != nil && m.Time >= s.Until.Time })
	s.first = slices.IndexFunc(s.moments, func(m moment) bool { return s.After == nil || m.Time >= s.After.Time })
	if s.first < 0 {
		return ErrNoTime
	}
	return nil
}

// act gives the message by which somebody does what is asked about, so that
// nothing but a missing permission is in its way.
func (q Question) act(who, contract cw721.Address) cw721.ExecuteMsg {
	act := q.Action.Message(q.Token, who)
	switch m := act.(type) {
	case *cw721.SendNft:
		m.Contract = contract
	case *cw721.Mint:
		m.TokenID = cmp.Or(m.TokenID, "new")
	case *cw721.UpdateCollectionInfo:
		if e := m.CollectionInfo.Extension; e.Description != nil {
			*e.Description = "changed"
		}
	}
	return act
}

// bearing lists the acts, and the messages that can help to one: those that give
// a token, a permission or a role to somebody who may use it.
func (s *search) bearing() (acts []sent) {
	var all []sent
	for _, by := range s.actors {
		can := func(when bool, msgs ...cw721.ExecuteMsg) {
			for _, msg := range msgs {
				if _, waits := msg.(*cw721.ApproveAll); when {
					all = append(all, sent{by: by, msg: msg, json: cw721.Encode(msg), waits: waits})
				}
			}
		}
		for _, to := range s.actors {
			can(s.about.token && !s.Unmoved, &cw721.TransferNft{Recipient: to, TokenID: s.Token})
			can(s.about.token, &cw721.Approve{Spender: to, TokenID: s.Token}, &cw721.ApproveAll{Operator: to})
			can(s.about.minter, &cw721.UpdateMinterOwnership{OwnershipAction: cw721.Offer(to, nil)})
			can(s.about.minter && s.contract.Rules.HasAdditionalMinters(), &cw721.AddMinter{Minter: to})
			can(s.about.creator, &cw721.UpdateCreatorOwnership{OwnershipAction: cw721.Offer(to, nil)})
		}
		can(s.about.minter, &cw721.UpdateMinterOwnership{OwnershipAction: cw721.Accept})
		can(s.about.creator, &cw721.UpdateCreatorOwnership{OwnershipAction: cw721.Accept})
		if s.As == "" || s.As == by {
			act := s.act(by, s.receiver)
			acts = append(acts, sent{by: by, msg: act, json: cw721.Encode(act), act: true})
		}
	}
	return append(acts, all...)
}
