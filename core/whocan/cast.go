package whocan

import (
	"cmp"
	"fmt"
	"slices"

	"ephemera/core/chain"
	"ephemera/core/cw721"
)

// MaxActors is how many accounts may send messages in one search, without [Answer.Anyone].
const MaxActors = 12

// chooseActors chooses the actors: the account that the question is about, the holder, and every
// account to which a rule gives the permission now or may give it later.
//
// decision is about a stranger. chooseActors fails with [ErrAsPassive] or [ErrOwnsAlready].
func (s *search) chooseActors(decision *cw721.Decision) error {
	if s.onlySender != "" {
		s.answer.Actors = []cw721.Address{s.onlySender}
		return nil
	}

	// The first check of a stranger's decision names the owner of the token, or the holder
	// of the role.
	holder := decision.Checks[0].Holder
	if role, isRole := s.roles[s.rules[0]]; isRole {
		holder = role.Owner
	}
	s.holder = holder
	if s.Actor != "" && s.IsPassive(s.Actor) && !s.isAboutOwning() {
		return ErrAsPassive
	}

	// By default the owner or holder sends nothing; see [Question.PassiveAccounts].
	if holder != nil && !s.IsPassive(*holder) && s.OnlySenders == nil &&
		*holder != s.Actor && !slices.Contains(s.ActiveAccounts, *holder) {
		s.PassiveAccounts = append([]cw721.Address{*holder}, s.PassiveAccounts...)
	}
	if s.isAboutOwning() && *holder == s.Actor {
		return ErrOwnsAlready
	}

	senders := append([]cw721.Address{s.Actor}, s.OnlySenders...)
	if holder != nil {
		senders = append(senders, *holder)
	}
	for _, sender := range senders {
		s.addSpender(cw721.Grant{Spender: sender})
	}
	for _, rule := range s.rules {
		if err := s.addActorsByRule(rule); err != nil {
			return err
		}
	}
	return nil
}

// readRules sets the rules by which the contract could permit the act, and reads the roles and the
// additional minters. decision is about a stranger, for whom the contract has tried all rules. The
// holder of a role chooses to whom it is offered, so its rule replaces that for the offer.
func (s *search) readRules(decision *cw721.Decision, act cw721.ExecuteMsg) error {
	minter, creator, err := s.view.Roles()
	if err != nil {
		return err
	}
	s.roles = map[cw721.Rule]cw721.Ownership{cw721.RuleMinter: minter, cw721.RuleCreator: creator}

	offeredRole := cw721.RuleMinter
	if _, isCreator := act.(*cw721.UpdateCreatorOwnership); isCreator {
		offeredRole = cw721.RuleCreator
	}
	for _, check := range decision.Checks {
		rule := check.Rule
		if rule == cw721.RulePendingOwner {
			rule = offeredRole
		}
		s.rules = append(s.rules, rule)
	}
	s.minters, err = s.view.AdditionalMinters()
	return err
}

// addActorsByRule adds the accounts that a rule permits to act, or that can accept an offer and
// then be permitted. If the search does not know the rule, the verdict cannot be [None].
func (s *search) addActorsByRule(rule cw721.Rule) error {
	switch rule {
	case cw721.RuleAnyone:
		// The fresh account stands for anyone.
	case cw721.RuleApproval, cw721.RuleOperator:
		// RuleOwner, which the contract tries before, adds their accounts.
	case cw721.RuleOwner:
		for grant, err := range s.view.GrantsOver(s.Token) {
			if err != nil {
				return err
			}
			s.addSpender(grant)
			if s.answer.CutReason != "" || s.ctx.Err() != nil {
				break
			}
		}
	case cw721.RuleMinter, cw721.RuleCreator:
		role := s.roles[rule]
		if role.PendingOwner != nil {
			expires := *cmp.Or(role.PendingExpiry, new(cw721.Expiration))
			s.addSpender(cw721.Grant{Spender: *role.PendingOwner, Expires: expires})
		}
	case cw721.RuleAdditionalMinter:
		for _, minter := range s.minters {
			s.addSpender(cw721.Grant{Spender: minter})
		}
	default:
		s.answer.CutReason = fmt.Sprintf("the search does not know whom the rule %q permits", rule)
	}
	return nil
}

// addSpender adds the spender of a grant to the actors, and the block in which the grant
// expires to the moments. It ignores passive accounts and expired grants. With more than
// [MaxActors], it says in the answer that accounts were left out.
func (s *search) addSpender(grant cw721.Grant) {
	if grant.Spender == "" || s.IsPassive(grant.Spender) || grant.Expires.HasExpired(s.moments[0]) {
		return
	}

	if !slices.Contains(s.answer.Actors, grant.Spender) {
		if len(s.answer.Actors) == MaxActors {
			s.answer.CutReason = fmt.Sprintf(
				"more than %d accounts could send messages, and %d of them were tried",
				MaxActors, MaxActors)
			return
		}
		s.answer.Actors = append(s.answer.Actors, grant.Spender)
	}

	expiry, err := s.view.Clock.ToExpiry(grant.Expires, 0) // 0 units before the expiry
	if err == nil {                                        // it expires, and the clock can get so far
		s.moments = append(s.moments, expiry.Block())
	}
}

// orderMoments completes the moments, or fails with [ErrNoTime].
func (s *search) orderMoments() error {
	if s.After != nil && s.After.Time > s.moments[0].Time {
		s.moments = append(s.moments, *s.After)
	}
	slices.SortFunc(s.moments, func(a, b cw721.Block) int { return cmp.Compare(a.Time, b.Time) })
	s.moments = slices.Compact(s.moments)
	s.moments = slices.DeleteFunc(s.moments, func(block cw721.Block) bool {
		return s.Until != nil && block.Time >= s.Until.Time
	})

	s.firstMomentIndex = slices.IndexFunc(s.moments, func(block cw721.Block) bool {
		return s.After == nil || block.Time >= s.After.Time
	})
	if s.firstMomentIndex < 0 {
		return ErrNoTime
	}
	return nil
}

func (s *search) usefulMessages() (messages []sentMessage) {
	for _, sender := range s.answer.Actors {
		info := cw721.Info{Sender: sender}

		maySendAct := s.Actor == "" || s.Actor == sender || s.isAboutOwning()
		if maySendAct {
			for _, msg := range s.acts(sender) {
				messages = append(messages, sentMessage{Info: info, msg: msg, isAct: true})
			}
		}

		for _, rule := range s.rules {
			for _, msg := range s.helpfulMessages(rule) {
				messages = append(messages, sentMessage{Info: info, msg: msg})
			}
		}
	}
	return messages
}

// acts lists the messages by which a sender does what the question asks about. Adding or removing
// a minter is tried with several accounts, because the contract can accept one and refuse another.
func (s *search) acts(sender cw721.Address) (messages []cw721.ExecuteMsg) {
	accounts := []cw721.Address{sender}
	if s.isAboutOwning() {
		accounts[0] = cmp.Or(s.Actor, s.answer.Anyone)
	}
	switch s.act(sender, s.receiver).(type) {
	case *cw721.AddMinter, *cw721.RemoveMinter:
		accounts = slices.Concat(s.answer.Actors, s.removableMinter())
	}
	for _, account := range accounts {
		messages = append(messages, s.act(account, s.receiver))
	}
	return messages
}

// removableMinter returns one additional minter, if there is any. Removing it makes room for another.
func (s *search) removableMinter() []cw721.Address { return s.minters[:min(1, len(s.minters))] }

// helpfulMessages lists the messages after which a rule can permit an actor to act.
func (s *search) helpfulMessages(rule cw721.Rule) (messages []cw721.ExecuteMsg) {
	switch rule {
	case cw721.RuleOwner:
		for _, actor := range s.answer.Actors {
			if !s.TokenMustStay {
				messages = append(messages, &cw721.TransferNft{Recipient: actor, TokenID: s.Token})
			}
			messages = append(messages,
				&cw721.Approve{Spender: actor, TokenID: s.Token},
				&cw721.ApproveAll{Operator: actor})
		}
	case cw721.RuleCreator, cw721.RuleMinter:
		for _, actor := range s.answer.Actors {
			messages = append(messages, cw721.RoleMessage(rule, cw721.Offer(actor, nil)))
		}
		messages = append(messages, cw721.RoleMessage(rule, cw721.Accept))
		if rule == cw721.RuleCreator || !s.view.Rules.HasAdditionalMinters() {
			return messages
		}

		messages = append(messages, &cw721.AddMinter{Minter: cmp.Or(s.Actor, s.answer.Anyone)})
		for _, minter := range s.removableMinter() {
			messages = append(messages, &cw721.RemoveMinter{Minter: minter})
		}
	}
	return messages
}

// chooseMintedToken chooses an id that no token has for a question about minting, or fails with
// [ErrAlreadyMinted].
func (q *Question) chooseMintedToken(view *chain.View) error {
	if q.Action.Name != "mint" {
		return nil
	}
	if q.Token != "" {
		_, exists, err := view.Token(q.Token)
		if err == nil && exists {
			return ErrAlreadyMinted
		}
		return err
	}

	for q.Token = "new"; ; q.Token += "-" {
		_, exists, err := view.Token(q.Token)
		if err != nil || !exists {
			return err
		}
	}
}

// act returns the message that does what the question asks about. It names account, or receiver if
// a token is sent to a contract.
func (q Question) act(account, receiver cw721.Address) cw721.ExecuteMsg {
	if q.Action.Name == "send" {
		return q.Action.Message(q.Token, receiver)
	}
	return q.Action.Message(q.Token, account)
}
