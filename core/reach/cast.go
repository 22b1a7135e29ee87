package reach

import (
	"cmp"
	"fmt"
	"slices"

	"ephemera/core/chain"
	"ephemera/core/cw721"
)

// MaxActors is how many may send messages in one search, not counting the one
// who stands for everybody else.
const MaxActors = 12

// cast says who sends nothing and who may send: who is asked about, whoever may do
// it by right of his own, and who holds a grant, an offer, or the right to mint
// besides the minter.
func (s *search) cast(d *cw721.Decision) error {
	if s.alone != "" {
		s.answer.Actors = []cw721.Address{s.alone}
		return nil
	}
	minter, creator, err := s.view.Roles()
	if err != nil {
		return err
	}
	role := map[cw721.Rule]cw721.Ownership{cw721.RuleMinter: minter, cw721.RuleCreator: creator}[s.about]
	own := cmp.Or(d.Owner, role.Owner, new(cw721.Address))
	switch {
	case slices.Contains(s.Passive, s.As):
		return ErrAsPassive
	case s.Passive == nil && *own != "" && *own != s.As:
		s.Passive = []cw721.Address{*own}
	}
	s.admit(cw721.Grant{Spender: s.As})
	s.admit(cw721.Grant{Spender: *own})
	if role.PendingOwner != nil {
		s.admit(cw721.Grant{Spender: *role.PendingOwner, Expires: *cmp.Or(role.PendingExpiry, new(cw721.Expiration))})
	}
	switch s.about {
	case cw721.RuleMinter:
		more, err := s.view.AdditionalMinters()
		for _, who := range more {
			s.admit(cw721.Grant{Spender: who})
		}
		return err
	case cw721.RuleOwner:
		for g, err := range s.view.GrantsOver(s.Token) {
			if err != nil {
				return err
			}
			if s.admit(g); s.answer.Cut != "" || s.ctx.Err() != nil {
				break
			}
		}
	}
	return nil
}

// admit takes whoever holds a grant that is live among those who may send, if
// there is room, and the block in which it expires among the moments.
func (s *search) admit(g cw721.Grant) {
	known := slices.Contains(s.answer.Actors, g.Spender)
	switch {
	case g.Spender == "", slices.Contains(s.Passive, g.Spender), g.Expires.Expired(s.moments[0]):
		return
	case !known && len(s.answer.Actors) == MaxActors:
		s.answer.Cut = fmt.Sprintf("more than %d accounts could send messages, and %d of them were tried", MaxActors, MaxActors)
		return
	case !known:
		s.answer.Actors = append(s.answer.Actors, g.Spender)
	}
	if to, err := s.view.Clock.ToEnd(g.Expires, 0); err == nil { // the clock can come there
		s.moments = append(s.moments, to.Block())
	}
}

// schedule puts the moments in order, After among them, and leaves out those that
// are not before Until.
func (s *search) schedule() error {
	if s.After != nil && s.After.Time > s.moments[0].Time {
		s.moments = append(s.moments, *s.After)
	}
	slices.SortFunc(s.moments, func(a, b cw721.Block) int { return cmp.Compare(a.Time, b.Time) })
	s.moments = slices.DeleteFunc(slices.Compact(s.moments), func(b cw721.Block) bool { return s.Until != nil && b.Time >= s.Until.Time })
	s.first = slices.IndexFunc(s.moments, func(b cw721.Block) bool { return s.After == nil || b.Time >= s.After.Time })
	if s.first < 0 {
		return ErrNoTime
	}
	return nil
}

// bearing lists the acts, and the messages that can help to one: those that give
// the token, a permission or a role to somebody who may use it.
func (s *search) bearing() (all []sent) {
	token, minter, creator := s.about == cw721.RuleOwner, s.about == cw721.RuleMinter, s.about == cw721.RuleCreator
	for _, by := range s.answer.Actors {
		can := func(when bool, msg cw721.ExecuteMsg) {
			if _, waits := msg.(*cw721.ApproveAll); when {
				all = append(all, sent{Info: cw721.Info{Sender: by}, msg: msg, waits: waits})
			}
		}
		if s.As == "" || s.As == by {
			all = append(all, sent{Info: cw721.Info{Sender: by}, msg: s.act(by, s.receiver), act: true})
		}
		for _, to := range s.answer.Actors {
			can(token && !s.Unmoved, &cw721.TransferNft{Recipient: to, TokenID: s.Token})
			can(token, &cw721.Approve{Spender: to, TokenID: s.Token})
			can(token, &cw721.ApproveAll{Operator: to})
			can(minter, &cw721.UpdateMinterOwnership{OwnershipAction: cw721.Offer(to, nil)})
			can(minter && s.contract.Rules.HasAdditionalMinters(), &cw721.AddMinter{Minter: to})
			can(creator, &cw721.UpdateCreatorOwnership{OwnershipAction: cw721.Offer(to, nil)})
		}
		can(minter, &cw721.UpdateMinterOwnership{OwnershipAction: cw721.Accept})
		can(creator, &cw721.UpdateCreatorOwnership{OwnershipAction: cw721.Accept})
	}
	return all
}

// mintable has a token minted that is not there: any one, where none is named.
func (q *Question) mintable(v *chain.View) error {
	if q.Action.Name != "mint" {
		return nil
	}
	named := q.Token != ""
	for q.Token = cmp.Or(q.Token, "new"); ; q.Token += "-" {
		if _, there, err := v.Token(q.Token); err != nil || !there {
			return err
		}
		if named {
			return ErrMinted
		}
	}
}

// act gives the message by which somebody does what is asked about.
func (q Question) act(who, contract cw721.Address) cw721.ExecuteMsg {
	if q.Action.Name == "send" {
		who = contract // which it is sent to
	}
	return q.Action.Message(q.Token, who)
}
