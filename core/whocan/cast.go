package whocan

import (
	"cmp"
	"fmt"
	"slices"

	"ephemera/core/chain"
	"ephemera/core/cw721"
)

// MaxActors is how many accounts may send messages in one search, not counting the
// fresh address that represents every account without a record.
const MaxActors = 12

// chooseActors chooses the actors, which are the accounts that send messages in the search,
// and the passive accounts, which send nothing.
//
// The actors are the account that the question is about, the owner of the token or the
// holder of the role, and every account to which a rule gives the permission now or may
// give it later.
//
// decision is about a stranger, an account without any permission. chooseActors fails
// with [ErrAsPassive] or [ErrOwnsAlready] if the question contradicts itself or the view.
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

	// By default the owner or holder sends nothing, since the question is what others can do
	// without that account.
	if holder != nil && !s.IsPassive(*holder) && s.OnlySenders == nil &&
		*holder != s.Actor && !slices.Contains(s.ActiveAccounts, *holder) {
		s.PassiveAccounts = append([]cw721.Address{*holder}, s.PassiveAccounts...)
	}
	if s.isAboutOwning() && *holder == s.Actor {
		return ErrOwnsAlready
	}

	// Everyone who might send a helpful message is an actor.
	s.addSpender(cw721.Grant{Spender: s.Actor})
	for _, sender := range s.OnlySenders {
		s.addSpender(cw721.Grant{Spender: sender})
	}
	if holder != nil {
		s.addSpender(cw721.Grant{Spender: *holder})
	}
	for _, rule := range s.rules {
		if err := s.addActorsByRule(rule); err != nil {
			return err
		}
	}
	return nil
}

// readRules sets the rules by which the contract could permit the act, the message that does
// what the question asks about. It also reads the holders of the roles and the additional
// minters.
//
// decision is about a stranger, an account without any permission. The contract has tried
// all rules for it. readRules replaces the rule for the offer of a role by the rule
// for the role itself, because the holder of the role chooses to whom the role is offered.
func (s *search) readRules(decision *cw721.Decision, act cw721.ExecuteMsg) error {
	minter, creator, err := s.view.Roles()
	if err != nil {
		return err
	}
	s.roles = map[cw721.Rule]cw721.Ownership{cw721.RuleMinter: minter, cw721.RuleCreator: creator}

	// The message tells which of the roles is offered.
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

// addActorsByRule adds the accounts that a rule permits to act, or that can accept an offer
// and then be permitted, to the actors of the search. If the search does not know the rule,
// it may miss accounts. addActorsByRule then sets the reason in the answer, so that the
// verdict cannot be [None].
func (s *search) addActorsByRule(rule cw721.Rule) error {
	switch rule {
	case cw721.RuleAnyone:
		// The fresh account of the search stands for anyone.
	case cw721.RuleApproval, cw721.RuleOperator:
		// The contract tries these two after the rule for the owner, which adds their
		// accounts.
	case cw721.RuleOwner:
		// The owner gave the approvals and operator grants over the token. Their holders may
		// act on it. addSpender leaves out expired grants.
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
		// The account to which the role is offered can accept it.
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

// addSpender adds the spender of a grant to the actors, which are the accounts that send
// messages in the search. It also adds the block in which the grant expires to the blocks
// in which messages are tried. An account without a grant is added as the spender of a
// grant that never expires.
//
// addSpender ignores passive accounts and expired grants. If there are [MaxActors] actors
// already, it leaves the account out and says so in the answer.
func (s *search) addSpender(grant cw721.Grant) {
	isExpired := grant.Expires.HasExpired(s.moments[0])
	if grant.Spender == "" || s.IsPassive(grant.Spender) || isExpired {
		return
	}

	// An account with several grants is still one actor.
	if !slices.Contains(s.answer.Actors, grant.Spender) {
		if len(s.answer.Actors) == MaxActors {
			s.answer.CutReason = fmt.Sprintf(
				"more than %d accounts could send messages, and %d of them were tried",
				MaxActors, MaxActors)
			return
		}
		s.answer.Actors = append(s.answer.Actors, grant.Spender)
	}

	// What the contract permits can change in the block in which the grant expires, so try
	// messages in that block, too. There is no such block if the grant never expires or the
	// clock cannot get so far.
	expiry, err := s.view.Clock.ToExpiry(grant.Expires, 0) // 0 units before the expiry
	if err == nil {
		s.moments = append(s.moments, expiry.Block())
	}
}

// orderMoments completes the moments, which are the blocks in which messages are tried.
// It adds the block After of the question and sorts the moments. It removes repetitions, and
// the moments that are not before the block Until of the question. Then it sets
// firstMomentIndex, the index of the first moment in which the act (the message that does
// what the question asks about) may be sent. It fails with [ErrNoTime] if there is none.
func (s *search) orderMoments() error {
	if s.After != nil && s.After.Time > s.moments[0].Time {
		s.moments = append(s.moments, *s.After)
	}
	slices.SortFunc(s.moments, func(a, b cw721.Block) int { return cmp.Compare(a.Time, b.Time) })
	s.moments = slices.Compact(s.moments)
	s.moments = slices.DeleteFunc(s.moments, func(block cw721.Block) bool {
		return s.Until != nil && block.Time >= s.Until.Time
	})

	// The act may be sent in the block After or later.
	s.firstMomentIndex = slices.IndexFunc(s.moments, func(block cw721.Block) bool {
		return s.After == nil || block.Time >= s.After.Time
	})
	if s.firstMomentIndex < 0 {
		return ErrNoTime
	}
	return nil
}

// usefulMessages lists the messages that the search tries, each with its sender. Some of
// them are acts, which do what the question asks about. The others can make an act
// possible, because they give the token, a grant or a role to one of the accounts in the
// search.
func (s *search) usefulMessages() (messages []sentMessage) {
	for _, sender := range s.answer.Actors {
		info := cw721.Info{Sender: sender}

		// If the question names the sender of the act, the others send no acts.
		maySendAct := s.Actor == "" || s.Actor == sender || s.isAboutOwning()
		if maySendAct {
			for _, msg := range s.acts(sender) {
				messages = append(messages, sentMessage{Info: info, msg: msg, isAct: true})
			}
		}

		// All of them may send messages that help somebody to send the act.
		for _, rule := range s.rules {
			for _, msg := range s.helpfulMessages(rule) {
				_, isOperatorGrant := msg.(*cw721.ApproveAll)
				messages = append(messages, sentMessage{
					Info:         info,
					msg:          msg,
					onlyForOwner: isOperatorGrant,
				})
			}
		}
	}
	return messages
}

// acts lists the messages by which a sender does what the question asks about. Usually it is
// a single message, such as a transfer to the sender. Adding or removing a minter is tried
// with several accounts, because the contract can accept one of them and refuse another.
func (s *search) acts(sender cw721.Address) (messages []cw721.ExecuteMsg) {
	for _, account := range s.accountsInActs(sender) {
		messages = append(messages, s.act(account, s.receiver))
	}
	return messages
}

// accountsInActs lists the accounts that the acts of a sender name, such as the recipient
// of the token.
func (s *search) accountsInActs(sender cw721.Address) []cw721.Address {
	switch s.act(sender, s.receiver).(type) {
	case *cw721.AddMinter, *cw721.RemoveMinter:
		return slices.Concat(s.answer.Actors, s.removableMinter())
	}
	if s.isAboutOwning() {
		return []cw721.Address{cmp.Or(s.Actor, s.answer.Anyone)}
	}
	return []cw721.Address{sender}
}

// removableMinter returns a list of one additional minter that can be removed. The list is
// empty if there are no additional minters. Removing one makes room for another, and it does
// not matter which one is removed.
func (s *search) removableMinter() []cw721.Address { return s.minters[:min(1, len(s.minters))] }

// helpfulMessages lists the messages after which a rule can permit an account of the search
// to act. For the rule that the owner may act, they are transfers, approvals and operator
// grants. For the rule of a role, they offer and accept the role. Other rules need none.
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

		// The minter can add other minters. If there are as many as the contract allows,
		// removing one makes room.
		messages = append(messages, &cw721.AddMinter{Minter: cmp.Or(s.Actor, s.answer.Anyone)})
		for _, minter := range s.removableMinter() {
			messages = append(messages, &cw721.RemoveMinter{Minter: minter})
		}
	}
	return messages
}

// chooseMintedToken completes a question about minting. If the question names no token,
// chooseMintedToken chooses an id that no token has. If it names a token that exists, it
// fails with [ErrAlreadyMinted]. It leaves questions about other actions as they are.
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

	// While the chosen id is in use, try a longer one.
	for q.Token = "new"; ; q.Token += "-" {
		_, exists, err := view.Token(q.Token)
		if err != nil || !exists {
			return err
		}
	}
}

// act returns the message by which an account does what the question asks about. The
// message names account, for example as the recipient of a transfer. If the question is
// about sending a token to a contract, the recipient is receiver instead.
func (q Question) act(account, receiver cw721.Address) cw721.ExecuteMsg {
	if q.Action.Name == "send" {
		return q.Action.Message(q.Token, receiver)
	}
	return q.Action.Message(q.Token, account)
}
