package reach

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"ephemera/core/chain"
	"ephemera/core/cw721"
)

// MaxActors is how many may send messages in one search, not counting the one
// who stands for everybody else.
const MaxActors = 12

// party is somebody who is in a record, and until when what is there holds; own
// tells that he needs no grant.
type party struct {
	who     cw721.Address
	expires cw721.Expiration
	own     bool
}

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

// parties lists who is in a record that the question is about.
func (s *search) parties(ctx context.Context, v *chain.View) (all []party, err error) {
	if s.about.token {
		t, _, err := v.Token(s.Token)
		if err != nil {
			return nil, err
		}
		all = append(all, party{who: t.Owner, own: true})
		for _, a := range t.Approvals {
			all = append(all, party{who: a.Spender, expires: a.Expires})
		}
		for a, err := range v.OperatorsOf(t.Owner) {
			if err == nil && errors.Is(ctx.Err(), context.Canceled) {
				err = ctx.Err()
			}
			if err != nil {
				return nil, err
			}
			all = append(all, party{who: a.Spender, expires: a.Expires})
		}
	}
	minter, creator, err := v.Roles()
	if s.about.minter {
		all = append(all, ofRole(minter)...)
	}
	if s.about.creator {
		all = append(all, ofRole(creator)...)
	}
	return all, err
}

// ofRole lists who holds a role, and to whom it is offered.
func ofRole(role cw721.Ownership) (all []party) {
	if role.Owner != nil {
		all = append(all, party{who: *role.Owner, own: true})
	}
	if role.PendingOwner != nil {
		p := party{who: *role.PendingOwner}
		if role.PendingExpiry != nil {
			p.expires = *role.PendingExpiry
		}
		all = append(all, p)
	}
	return all
}

// cast says who sends nothing, who may send, and which expirations matter.
func (s *search) cast(v *chain.View, all []party) error {
	if s.Passive == nil {
		for _, p := range all {
			if p.own && p.who != s.As {
				s.Passive = append(s.Passive, p.who)
			}
		}
	}
	if s.As != "" {
		if slices.Contains(s.Passive, s.As) {
			return ErrAsPassive
		}
		all = slices.Insert(all, 0, party{who: s.As})
	}
	// Who holds nothing live is to the contract like anybody, and comes along as
	// far as there is room.
	over := func(p party) bool { return p.expires.Expired(v.Clock.Block()) }
	var rest []party
	for _, p := range all {
		if over(p) {
			rest = append(rest, party{who: p.who})
		} else if !s.admit(p) {
			s.answer.Cut = fmt.Sprintf("more than %d accounts could send messages, and %d of them were tried", MaxActors, MaxActors)
		}
	}
	for i := 0; s.about.token && s.grant == nil && i < len(s.actors) && len(s.actors) < MaxActors; i++ {
		for a, err := range v.OperatorsOf(s.actors[i]) {
			if err != nil {
				return err
			}
			if p := (party{who: a.Spender, expires: a.Expires}); !over(p) && !s.admit(p) {
				break
			}
		}
	}
	for _, p := range rest {
		s.admit(p)
	}
	s.actors = append(s.actors, s.answer.Anyone)
	return nil
}

// admit takes somebody among those who may send; false tells that there is no
// room.
func (s *search) admit(p party) bool {
	if slices.Contains(s.Passive, p.who) {
		return true
	}
	if !slices.Contains(s.actors, p.who) {
		if len(s.actors) == MaxActors {
			return false
		}
		s.actors = append(s.actors, p.who)
	}
	s.expirations = append(s.expirations, p.expires)
	return true
}

// moment is a block at which messages are tried, and what expires there: the
// zero Expiration where nothing does.
type moment struct {
	cw721.Block
	expires cw721.Expiration
}

// schedule lists the moments: now, After, and wherever something expires before
// Until, along the clock's pace. What the clock can never come to is left out.
func (s *search) schedule(clock chain.Clock) error {
	now := clock.Block()
	all := []moment{{Block: now}}
	for _, e := range s.expirations {
		if e.Expired(now) {
			continue
		}
		if to, err := clock.ToEnd(e, 0); err == nil {
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

// sent is a message with who sends it.
type sent struct {
	by  cw721.Address
	msg cw721.ExecuteMsg
	// waits tells that it can be sent at any time, and that it is of no use
	// before its sender owns the token.
	waits bool
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

// bearing lists the messages that can help to the act: those that give a token,
// a permission or a role to somebody who may use it.
func (s *search) bearing() (all []sent) {
	for _, by := range s.actors {
		add := func(when bool, msg cw721.ExecuteMsg) {
			if when {
				all = append(all, sent{by: by, msg: msg})
			}
		}
		for _, to := range s.actors {
			add(s.about.token && !s.Unmoved, &cw721.TransferNft{Recipient: to, TokenID: s.Token})
			add(s.about.token, &cw721.Approve{Spender: to, TokenID: s.Token})
			if s.about.token {
				all = append(all, sent{by: by, msg: &cw721.ApproveAll{Operator: to}, waits: true})
			}
			add(s.about.minter, &cw721.UpdateMinterOwnership{OwnershipAction: cw721.Offer(to, nil)})
			add(s.about.creator, &cw721.UpdateCreatorOwnership{OwnershipAction: cw721.Offer(to, nil)})
		}
		add(s.about.minter, &cw721.UpdateMinterOwnership{OwnershipAction: cw721.Accept})
		add(s.about.creator, &cw721.UpdateCreatorOwnership{OwnershipAction: cw721.Accept})
	}
	return all
}
