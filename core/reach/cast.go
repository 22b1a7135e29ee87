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

// cast says who sends nothing and who may send: who is asked about, the owner or
// the holder of the role, and whoever has, or can come to have, a right by a rule
// that the decision about a stranger has tried.
func (s *search) cast(stranger *cw721.Decision) error {
	if s.alone != "" {
		s.answer.Actors = []cw721.Address{s.alone}
		return nil
	}
	holder := stranger.Checks[0].Holder
	if role, isRole := s.roles[s.rules[0]]; isRole {
		holder = role.Owner
	}
	switch {
	case slices.Contains(s.Passive, s.As):
		return ErrAsPassive
	case s.Passive == nil && holder != nil && *holder != s.As:
		s.Passive = []cw721.Address{*holder}
	}
	s.admit(cw721.Grant{Spender: s.As})
	if holder != nil {
		s.admit(cw721.Grant{Spender: *holder})
	}
	for _, rule := range s.rules {
		if err := s.admitBy(rule); err != nil {
			return err
		}
	}
	return nil
}

// readRules notes the rules that the decision about a stranger has tried. An
// offered role is accepted by whomever its holder offers it to, so that the rule
// there is the role.
func (s *search) readRules(stranger *cw721.Decision, act cw721.ExecuteMsg) error {
	minter, creator, err := s.view.Roles()
	if err != nil {
		return err
	}
	s.roles = map[cw721.Rule]cw721.Ownership{cw721.RuleMinter: minter, cw721.RuleCreator: creator}
	for _, check := range stranger.Checks {
		rule := check.Rule
		if rule == cw721.RulePendingOwner {
			rule = cw721.RuleMinter
			if _, ofCreator := act.(*cw721.UpdateCreatorOwnership); ofCreator {
				rule = cw721.RuleCreator
			}
		}
		s.rules = append(s.rules, rule)
	}
	s.minters, err = s.view.AdditionalMinters()
	return err
}

// admitBy takes those among who may send whom a rule gives a right, or whom a
// stored offer can give it. The owner's grants hold all approvals and operators.
func (s *search) admitBy(rule cw721.Rule) error {
	switch rule {
	case cw721.RuleApproval, cw721.RuleOperator, cw721.RuleAnyone:
	case cw721.RuleOwner:
		for grant, err := range s.view.GrantsOver(s.Token) {
			if err != nil {
				return err
			}
			if s.admit(grant); s.answer.Cut != "" || s.ctx.Err() != nil {
				break
			}
		}
	case cw721.RuleMinter, cw721.RuleCreator:
		if role := s.roles[rule]; role.PendingOwner != nil {
			s.admit(cw721.Grant{Spender: *role.PendingOwner, Expires: *cmp.Or(role.PendingExpiry, new(cw721.Expiration))})
		}
	case cw721.RuleAdditionalMinter:
		for _, minter := range s.minters {
			s.admit(cw721.Grant{Spender: minter})
		}
	default:
		s.answer.Cut = fmt.Sprintf("the search does not know who has the right %q", rule)
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
	if to, err := s.view.Clock.ToExpiry(g.Expires, 0); err == nil { // the clock can come there
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
	for _, by := range s.answer.Actors {
		if s.As == "" || s.As == by {
			for _, msg := range s.acts(by) {
				all = append(all, sent{Info: cw721.Info{Sender: by}, msg: msg, act: true})
			}
		}
		for _, rule := range s.rules {
			for _, msg := range s.helpers(rule) {
				_, waits := msg.(*cw721.ApproveAll)
				all = append(all, sent{Info: cw721.Info{Sender: by}, msg: msg, waits: waits})
			}
		}
	}
	return all
}

// acts lists the messages by which somebody does what is asked about. Whether the
// contract refuses to add or remove a minter depends on whom, so each actor is
// tried, and one minter who is stored.
func (s *search) acts(by cw721.Address) []cw721.ExecuteMsg {
	about := []cw721.Address{by}
	switch msg := s.act(by, s.receiver); msg.(type) {
	case *cw721.AddMinter, *cw721.RemoveMinter:
		about = slices.Concat(s.answer.Actors, s.removableMinter())
	}
	all := make([]cw721.ExecuteMsg, len(about))
	for i, who := range about {
		all[i] = s.act(who, s.receiver)
	}
	return all
}

// removableMinter is one additional minter, if there is any: which of them makes
// room for another one does not matter.
func (s *search) removableMinter() []cw721.Address { return s.minters[:min(1, len(s.minters))] }

// helpers lists the messages that can bring somebody a right by a rule.
func (s *search) helpers(rule cw721.Rule) (all []cw721.ExecuteMsg) {
	for _, to := range s.answer.Actors {
		switch rule {
		case cw721.RuleOwner:
			if !s.Unmoved {
				all = append(all, &cw721.TransferNft{Recipient: to, TokenID: s.Token})
			}
			all = append(all, &cw721.Approve{Spender: to, TokenID: s.Token}, &cw721.ApproveAll{Operator: to})
		case cw721.RuleMinter:
			all = append(all, &cw721.UpdateMinterOwnership{OwnershipAction: cw721.Offer(to, nil)})
		case cw721.RuleCreator:
			all = append(all, &cw721.UpdateCreatorOwnership{OwnershipAction: cw721.Offer(to, nil)})
		}
	}
	switch {
	case rule == cw721.RuleCreator:
		all = append(all, &cw721.UpdateCreatorOwnership{OwnershipAction: cw721.Accept})
	case rule == cw721.RuleMinter:
		all = append(all, &cw721.UpdateMinterOwnership{OwnershipAction: cw721.Accept})
		if s.contract.Rules.HasAdditionalMinters() {
			all = append(all, &cw721.AddMinter{Minter: cmp.Or(s.As, s.answer.Anyone)})
			for _, minter := range s.removableMinter() {
				all = append(all, &cw721.RemoveMinter{Minter: minter})
			}
		}
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
			return ErrAlreadyMinted
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
