package reach

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

// chooseActors chooses the actors, the accounts that send messages in the search, and the
// passive accounts, which send nothing. The actors are the account that the question is
// about, the owner of the token or the holder of the role, and every account to which a rule
// gives the permission now or may give it later. If the question names no passive accounts,
// the owner or holder is passive. stranger is the decision about an account without any
// permission. chooseActors fails with [ErrAsPassive].
func (s *search) chooseActors(stranger *cw721.Decision) error {
	if s.onlySender != "" {
		s.answer.Actors = []cw721.Address{s.onlySender}
		return nil
	}

	// The first check of a stranger's decision names the owner of the token, or the holder
	// of the role.
	holder := stranger.Checks[0].Holder
	if role, isRole := s.roles[s.rules[0]]; isRole {
		holder = role.Owner
	}
	if s.As != "" && s.isPassive(s.As) && !s.isAboutOwning() {
		return ErrAsPassive
	}

	// By default the owner or holder does nothing: that is what the question is about.
	isDefault := s.Passive == nil && s.Only == nil
	if isDefault && holder != nil && *holder != s.As {
		s.Passive = []cw721.Address{*holder}
	}
	if s.isAboutOwning() && *holder == s.As {
		return ErrOwnsAlready
	}

	// Everyone who might send a helpful message is an actor.
	s.addActor(cw721.Grant{Spender: s.As})
	for _, sender := range s.Only {
		s.addActor(cw721.Grant{Spender: sender})
	}
	if holder != nil {
		s.addActor(cw721.Grant{Spender: *holder})
	}
	for _, rule := range s.rules {
		if err := s.addActorsByRule(rule); err != nil {
			return err
		}
	}
	return nil
}

// readRules finds out by which rules the contract could permit the act, the message that does
// what the question asks about. They are the rules that the contract tried for stranger, an
// account without any permission. It replaces the rule for the offer of a role by the rule
// for the role itself, because the holder of the role chooses to whom it is offered.
// readRules also reads the holders of the roles.
func (s *search) readRules(stranger *cw721.Decision, act cw721.ExecuteMsg) error {
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
	for _, check := range stranger.Checks {
		rule := check.Rule
		if rule == cw721.RulePendingOwner {
			rule = offeredRole
		}
		s.rules = append(s.rules, rule)
	}
	s.minters, err = s.view.AdditionalMinters()
	return err
}

// addActorsByRule adds the accounts to which a rule gives the permission, or to which a
// stored offer can give it. The rule for owners covers all approvals and operators of
// the token, since the owner gave them. An unknown rule limits the search, so that its
// answer cannot be [None].
func (s *search) addActorsByRule(rule cw721.Rule) error {
	switch rule {
	case cw721.RuleApproval, cw721.RuleOperator, cw721.RuleAnyone:
	case cw721.RuleOwner:
		// Whoever has a grant over the token may act on it, or did before the grant
		// expired.
		for grant, err := range s.view.GrantsOver(s.Token) {
			if err != nil {
				return err
			}
			s.addActor(grant)
			if s.answer.Cut != "" || s.ctx.Err() != nil {
				break
			}
		}
	case cw721.RuleMinter, cw721.RuleCreator:
		role := s.roles[rule]
		if role.PendingOwner != nil {
			expires := *cmp.Or(role.PendingExpiry, new(cw721.Expiration))
			s.addActor(cw721.Grant{Spender: *role.PendingOwner, Expires: expires})
		}
	case cw721.RuleAdditionalMinter:
		for _, minter := range s.minters {
			s.addActor(cw721.Grant{Spender: minter})
		}
	default:
		s.answer.Cut = fmt.Sprintf("the search does not know whom the rule %q permits", rule)
	}
	return nil
}

// addActor adds the spender of a grant to the actors, the accounts that may send messages,
// and the block in which the grant expires to the moments, the blocks in which messages are
// tried. It ignores passive accounts and expired grants. If there are [MaxActors] already,
// the account is left out, and the answer says so.
func (s *search) addActor(g cw721.Grant) {
	isExpired := g.Expires.Expired(s.moments[0])
	if g.Spender == "" || s.isPassive(g.Spender) || isExpired {
		return
	}

	// An account is one actor, whatever it was granted.
	if !slices.Contains(s.answer.Actors, g.Spender) {
		if len(s.answer.Actors) == MaxActors {
			s.answer.Cut = fmt.Sprintf("more than %d accounts could send messages, and %d of them were tried", MaxActors, MaxActors)
			return
		}
		s.answer.Actors = append(s.answer.Actors, g.Spender)
	}

	// Something changes in the block in which the grant expires, so messages are tried
	// there, too.
	expiry, err := s.view.Clock.ToExpiry(g.Expires, 0)
	if err == nil { // an expiry that the clock cannot reach is no moment
		s.moments = append(s.moments, expiry.Block())
	}
}

// orderMoments completes the moments, the blocks in which messages are tried: it adds After,
// sorts them, and removes repetitions and those that are not before Until. It finds the first
// moment in which the act may be sent. It fails with [ErrNoTime] if there is none.
func (s *search) orderMoments() error {
	if s.After != nil && s.After.Time > s.moments[0].Time {
		s.moments = append(s.moments, *s.After)
	}
	slices.SortFunc(s.moments, func(a, b cw721.Block) int { return cmp.Compare(a.Time, b.Time) })
	s.moments = slices.Compact(s.moments)
	s.moments = slices.DeleteFunc(s.moments, func(block cw721.Block) bool {
		return s.Until != nil && block.Time >= s.Until.Time
	})

	// The act counts only from the block that the question names.
	s.firstMoment = slices.IndexFunc(s.moments, func(block cw721.Block) bool {
		return s.After == nil || block.Time >= s.After.Time
	})
	if s.firstMoment < 0 {
		return ErrNoTime
	}
	return nil
}

// usefulMessages lists the messages that the search tries, with their senders: the acts, which
// do what the question asks about, and the messages that can make an act possible because they
// give the token, a grant or a role to an actor.
func (s *search) usefulMessages() (messages []sentMessage) {
	for _, sender := range s.answer.Actors {
		info := cw721.Info{Sender: sender}
		if s.As == "" || s.As == sender || s.isAboutOwning() {
			for _, msg := range s.acts(sender) {
				messages = append(messages, sentMessage{Info: info, msg: msg, isAct: true})
			}
		}
		for _, rule := range s.rules {
			for _, msg := range s.helpfulMessages(rule) {
				_, isOperatorGrant := msg.(*cw721.ApproveAll)
				messages = append(messages, sentMessage{Info: info, msg: msg, onlyForOwner: isOperatorGrant})
			}
		}
	}
	return messages
}

// acts lists the messages by which a sender does what the question is about. The rules
// can permit one minter and not another to be added or removed, so these messages are
// tried with each actor and one stored minter.
func (s *search) acts(sender cw721.Address) []cw721.ExecuteMsg {
	accounts := []cw721.Address{sender}
	if s.isAboutOwning() {
		accounts = []cw721.Address{cmp.Or(s.As, s.answer.Anyone)}
	}
	switch s.act(sender, s.receiver).(type) {
	case *cw721.AddMinter, *cw721.RemoveMinter:
		accounts = slices.Concat(s.answer.Actors, s.removableMinter())
	}

	messages := make([]cw721.ExecuteMsg, len(accounts))
	for i, account := range accounts {
		messages[i] = s.act(account, s.receiver)
	}
	return messages
}

// removableMinter returns one additional minter, or none if there is none. Removing a
// minter makes room for another, and any one will do.
func (s *search) removableMinter() []cw721.Address { return s.minters[:min(1, len(s.minters))] }

// helpfulMessages lists the messages after which a rule can permit the act to an actor, such
// as an approval or the offer of a role.
func (s *search) helpfulMessages(rule cw721.Rule) (messages []cw721.ExecuteMsg) {
	switch rule {
	case cw721.RuleOwner:
		for _, actor := range s.answer.Actors {
			if !s.Unmoved {
				messages = append(messages, &cw721.TransferNft{Recipient: actor, TokenID: s.Token})
			}
			messages = append(messages,
				&cw721.Approve{Spender: actor, TokenID: s.Token},
				&cw721.ApproveAll{Operator: actor})
		}
	case cw721.RuleCreator:
		for _, actor := range s.answer.Actors {
			messages = append(messages, &cw721.UpdateCreatorOwnership{OwnershipAction: cw721.Offer(actor, nil)})
		}
		messages = append(messages, &cw721.UpdateCreatorOwnership{OwnershipAction: cw721.Accept})
	case cw721.RuleMinter:
		for _, actor := range s.answer.Actors {
			messages = append(messages, &cw721.UpdateMinterOwnership{OwnershipAction: cw721.Offer(actor, nil)})
		}
		messages = append(messages, &cw721.UpdateMinterOwnership{OwnershipAction: cw721.Accept})
		if !s.view.Rules.HasAdditionalMinters() {
			return messages
		}

		// The minter can name others. Of those named already, removing one makes room under
		// the limit.
		messages = append(messages, &cw721.AddMinter{Minter: cmp.Or(s.As, s.answer.Anyone)})
		for _, minter := range s.removableMinter() {
			messages = append(messages, &cw721.RemoveMinter{Minter: minter})
		}
	}
	return messages
}

// chooseMintedToken chooses the id of the token in a question about minting, if the
// question names none: an id that no token has. It fails with [ErrAlreadyMinted] if the
// named token exists. A question about another action stays as it is.
func (q *Question) chooseMintedToken(v *chain.View) error {
	if q.Action.Name != "mint" {
		return nil
	}
	isNamed := q.Token != ""
	if !isNamed {
		q.Token = "new"
	}
	for {
		_, exists, err := v.Token(q.Token)
		switch {
		case err != nil || !exists:
			return err
		case isNamed:
			return ErrAlreadyMinted
		}

		// Lengthen the id until no token has it.
		q.Token += "-"
	}
}

// act returns the message by which an account does what the question asks about. contract
// is the recipient of the token if the question is about sending it to a contract.
func (q Question) act(who, contract cw721.Address) cw721.ExecuteMsg {
	if q.Action.Name == "send" {
		return q.Action.Message(q.Token, contract)
	}
	return q.Action.Message(q.Token, who)
}
