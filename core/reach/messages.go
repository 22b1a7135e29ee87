package reach

import (
	"cmp"
	"slices"

	"ephemera/core/chain"
	"ephemera/core/cw721"
)

// sent is a message with who sends it.
type sent struct {
	by  cw721.Address
	msg cw721.ExecuteMsg
	// waits tells that it is of no use before its sender owns the token, and
	// can be sent at any time.
	waits bool
}

// subject is what a question turns on, found from the rules that the contract
// tries for the act.
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

// act gives the message by which somebody does what is asked about, so that
// nothing but a missing permission is in its way. Of what it says one value
// stands for all.
func (q Question) act(who, contract cw721.Address) cw721.ExecuteMsg {
	m := q.Action.Message(q.Token, who)
	switch m := m.(type) {
	case *cw721.SendNft:
		m.Contract = contract
	case *cw721.Mint:
		m.TokenID = cmp.Or(m.TokenID, "new")
	case *cw721.UpdateCollectionInfo:
		if e := m.CollectionInfo.Extension; e != nil && e.Description != nil {
			*e.Description = "changed"
		}
	}
	return m
}

// bearing lists the messages that can help anybody to the act: those that give
// a token, a permission or a role to somebody who may use it.
func (s *search) bearing() (all []sent) {
	add := func(by cw721.Address, msg cw721.ExecuteMsg) { all = append(all, sent{by: by, msg: msg}) }
	to := s.actors
	if s.without.activeOnly {
		to = slices.Concat(s.actors, s.Passive)
	}
	for _, by := range s.actors {
		if s.about.token && !s.Unmoved {
			for _, x := range to {
				add(by, &cw721.TransferNft{Recipient: x, TokenID: s.Token})
			}
		}
		if s.about.token {
			for _, x := range to {
				add(by, &cw721.Approve{Spender: x, TokenID: s.Token, Expires: s.ends})
				add(by, &cw721.ApproveAll{Operator: x, Expires: s.ends})
				all[len(all)-1].waits = !s.without.waiting
			}
		}
		for _, x := range to {
			if s.about.minter {
				add(by, &cw721.UpdateMinterOwnership{OwnershipAction: cw721.Offer(x, s.ends)})
			}
			if s.about.creator {
				add(by, &cw721.UpdateCreatorOwnership{OwnershipAction: cw721.Offer(x, s.ends)})
			}
		}
		if s.about.minter {
			add(by, &cw721.UpdateMinterOwnership{OwnershipAction: cw721.Accept})
		}
		if s.about.creator {
			add(by, &cw721.UpdateCreatorOwnership{OwnershipAction: cw721.Accept})
		}
		if s.without.givingOnly {
			all = append(all, s.taking(by, slices.Concat(s.actors, s.Passive))...)
		}
	}
	return all
}

// taking lists the messages that take something away, or do what another of the
// list does as well.
func (s *search) taking(by cw721.Address, from []cw721.Address) (all []sent) {
	if !s.Unmoved {
		all = append(all, sent{by: by, msg: &cw721.Burn{TokenID: s.Token}}, sent{by: by, msg: &cw721.SendNft{Contract: s.contractAddress, TokenID: s.Token}})
	}
	for _, x := range from {
		all = append(all, sent{by: by, msg: &cw721.Revoke{Spender: x, TokenID: s.Token}}, sent{by: by, msg: &cw721.RevokeAll{Operator: x}})
	}
	return append(all,
		sent{by: by, msg: &cw721.UpdateMinterOwnership{OwnershipAction: cw721.Renounce}},
		sent{by: by, msg: &cw721.UpdateCreatorOwnership{OwnershipAction: cw721.Renounce}})
}

// holder gives who may do it by right of their own now: the token's owner, or
// the holder of a role; for a role that is offered, who offers it.
func holders(d *cw721.Decision, v *chain.View, act cw721.ExecuteMsg) (all []cw721.Address, err error) {
	for _, c := range d.Checks {
		switch c.Rule {
		case cw721.RuleOwner, cw721.RuleMinter, cw721.RuleCreator:
			if c.Holder != nil {
				all = append(all, *c.Holder)
			}
		case cw721.RulePendingOwner:
			var offer cw721.ExecuteMsg = &cw721.UpdateCreatorOwnership{OwnershipAction: cw721.Offer("", nil)}
			if _, minter := act.(*cw721.UpdateMinterOwnership); minter {
				offer = &cw721.UpdateMinterOwnership{OwnershipAction: cw721.Offer("", nil)}
			}
			if d, err = v.Decide("", offer); err != nil {
				return nil, err
			}
			return holders(d, v, offer)
		}
	}
	return all, nil
}
