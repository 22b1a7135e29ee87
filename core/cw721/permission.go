package cw721

import "ephemera/core/kv"

// Rule is a reason for which the contract may permit a message, such as that the sender
// owns the token.
type Rule string

// The rules that decide whether the sender of a message may do something (spec §5,
// §6).
const (
	RuleOwner        Rule = "owner"         // the sender owns the token
	RuleApproval     Rule = "approval"      // the sender is an approved spender of the token
	RuleOperator     Rule = "operator"      // the sender is an operator of the token's owner
	RuleMinter       Rule = "minter"        // the sender holds the minter role
	RuleCreator      Rule = "creator"       // the sender holds the creator role
	RulePendingOwner Rule = "pending owner" // the sender was offered the role
	RuleAnyone       Rule = "anyone"        // no permission is needed

	RuleAdditionalMinter Rule = "additional minter" // the sender may mint besides the minter
)

// CanExpire reports whether a permission by this rule can expire, because a grant or an
// offer gives it.
func (r Rule) CanExpire() bool {
	return r == RuleApproval || r == RuleOperator || r == RulePendingOwner
}

// Check is the application of one rule to the sender of a message.
type Check struct {
	Rule Rule
	// Holder is the account that has the permission by this rule: the token's
	// owner, the holder of the role, or the sender if a grant to it is stored. It is
	// nil if there is none.
	Holder *Address
	// Expires is when the stored grant or offer expires. It is nil if none is
	// stored or the rule has no expiry.
	Expires *Expiration
	// Members are the members of the message that require this rule. It is nil if
	// the whole message does.
	Members []string
	// Passed is set if the rule gives the permission.
	Passed bool
}

// Expired reports whether the stored grant has expired in block b.
func (c Check) Expired(b Block) bool { return c.Expires != nil && c.Expires.Expired(b) }

// Decision is the answer to whether the sender of a message is allowed to do what
// the message asks for, with the checks that led to it.
type Decision struct {
	// Actor is the sender of the message.
	Actor Address
	Block Block
	// TokenID is the message's token and Owner the token's owner. They are nil if
	// the permission does not depend on a token.
	TokenID *string
	Owner   *Address
	// RequiresAll is set if every check must pass. Otherwise one must, and Checks
	// ends with the first that did.
	RequiresAll bool
	// Checks are the checks in the order in which they were made.
	Checks  []Check
	Allowed bool
	// Refusal is the contract's refusal, nil if Allowed is set.
	Refusal *Error
	// Overruled is set if a compiled contract was sent the message and did the opposite of
	// what Checks say. Allowed and Refusal are then its answer.
	Overruled bool
}

// GrantingCheck returns the last check that passed: the only one, unless all must
// pass. It returns the zero Check if none did.
func (d *Decision) GrantingCheck() (granting Check) {
	for _, check := range d.Checks {
		if check.Passed {
			granting = check
		}
	}
	return granting
}

// conclude sets the outcome of d and returns d. If allowed is false, the decision
// refuses the message with a copy of refusal that refers to d.
func (d *Decision) conclude(allowed bool, refusal *Error) *Decision {
	d.Allowed = allowed
	if !allowed {
		withDecision := *refusal
		withDecision.Decision = d
		d.Refusal = &withDecision
	}
	return d
}

// Decide returns the decision that executing msg for the sender would make. It fails
// with an [*Error] if the message is refused before its permissions are checked, as
// when it names a token that does not exist.
func (c Contract) Decide(r kv.Reader, env Env, info Info, msg ExecuteMsg) (*Decision, error) {
	return msg.decide(&call{Contract: c, reader: r, env: env, sender: info.Sender})
}

// newDecision returns a decision about the sender of the message, without checks yet.
func (c *call) newDecision() *Decision { return &Decision{Actor: c.sender, Block: c.env.Block} }

// allowAnyone returns the decision of a message that needs no permission. The error
// is always nil.
func (c *call) allowAnyone() (*Decision, error) {
	d := c.newDecision()
	d.Checks = []Check{{Rule: RuleAnyone, Passed: true}}
	return d.conclude(true, nil), nil
}

// decideMove decides whether the sender may transfer, send or burn a token: as its
// owner, as an approved spender or as an operator of its owner (spec §5).
func (c *call) decideMove(tokenID string) (*Decision, error) {
	return c.decideOnToken(tokenID, true)
}

// decideApproving decides whether the sender may approve and revoke spenders of a
// token: as its owner or as an operator of its owner, but not as an approved spender
// (spec §5).
func (c *call) decideApproving(tokenID string) (*Decision, error) {
	return c.decideOnToken(tokenID, false)
}

// decideOnToken decides whether the sender may act on a token: as its owner, as an
// approved spender if approvalSuffices is set, or as an operator of its owner. It checks
// these rules in this order and stops at the first that permits. It fails with an [*Error]
// if the token does not exist.
func (c *call) decideOnToken(tokenID string, approvalSuffices bool) (*Decision, error) {
	token, err := c.loadToken(tokenID)
	if err != nil {
		return nil, err
	}

	// Try the rules in the contract's order.
	d := c.newDecision()
	d.TokenID = &tokenID
	d.Owner = &token.Owner
	d.Checks = make([]Check, 0, 3)

	if d.addHolderCheck(RuleOwner, &token.Owner) {
		return d.conclude(true, nil), nil
	}

	if approvalSuffices {
		approval, exists := token.approval(c.sender)
		if d.addGrantCheck(RuleApproval, approval.Expires, exists) {
			return d.conclude(true, nil), nil
		}
	}

	// The last rule: the sender is an operator of the owner.
	expires, exists, err := operatorsMap.Load(c.reader, operatorKey{First: token.Owner, Second: c.sender})
	if err != nil {
		return nil, err
	}
	return d.conclude(d.addGrantCheck(RuleOperator, expires, exists), errNotOwner), nil
}

// Overrule replaces the outcome of the decision by that of a compiled contract, which did
// the opposite of what the checks say. refusal is nil if it executed the message.
func (d *Decision) Overrule(refusal *Error) {
	d.Overruled = true
	d.Refusal = nil
	d.conclude(refusal == nil, refusal)
}

// addHolderCheck adds the check of a rule that permits the message to one account, the
// holder, such as the owner of a token. If holder is nil, the rule permits it to nobody.
// addHolderCheck reports whether the actor is the holder. members names the members of
// the message that require the rule; without any, the whole message does.
func (d *Decision) addHolderCheck(rule Rule, holder *Address, members ...string) bool {
	isHolder := holder != nil && *holder == d.Actor
	d.Checks = append(d.Checks, Check{Rule: rule, Holder: holder, Members: members, Passed: isHolder})
	return isHolder
}

// addGrantCheck adds the check of a grant to the actor, which expires as given. It reports
// whether the grant exists and has not expired.
func (d *Decision) addGrantCheck(rule Rule, expires Expiration, exists bool) bool {
	check := Check{Rule: rule}
	if exists {
		check.Holder = &d.Actor
		check.Expires = &expires
		check.Passed = !expires.Expired(d.Block)
	}
	d.Checks = append(d.Checks, check)
	return check.Passed
}

// decideMint decides whether the sender may mint: as the minter (spec §5.1), or as
// an additional minter if the rule set has them (spec §14).
func (c *call) decideMint() (*Decision, error) {
	minter, _, err := minterItem.Load(c.reader)
	if err != nil {
		return nil, err
	}

	d := c.newDecision()
	isMinter := d.addHolderCheck(RuleMinter, minter.Owner)
	if isMinter || !c.ruleSet().has(additionalMinters) {
		return d.conclude(isMinter, errNotMinter), nil
	}

	// The minter may have named others.
	isAdditionalMinter, err := mintersMap.Has(c.reader, c.sender)
	if err != nil {
		return nil, err
	}
	var holder *Address
	if isAdditionalMinter {
		holder = &d.Actor
	}
	d.addHolderCheck(RuleAdditionalMinter, holder)
	return d.conclude(isAdditionalMinter, errNotMinter), nil
}

// decideCreatorOnly permits only the creator. Other senders get the given refusal, or
// errRenounced in place of errNotOwner if nobody has the role.
func (c *call) decideCreatorOnly(refusal *Error) (*Decision, error) {
	creator, _, err := creatorItem.Load(c.reader)
	if err != nil {
		return nil, err
	}

	if creator.Owner == nil && refusal == errNotOwner {
		refusal = errRenounced
	}
	d := c.newDecision()
	return d.conclude(d.addHolderCheck(RuleCreator, creator.Owner), refusal), nil
}

// decideRoleChange decides whether the sender may act on the role stored in item: its
// holder may offer and renounce the role, and the account that was offered the role may
// accept the offer until it expires (spec §6).
func (c *call) decideRoleChange(rule Rule, item roleItem, action OwnershipAction) (*Decision, error) {
	role, _, err := item.Load(c.reader)
	if err != nil {
		return nil, err
	}

	d := c.newDecision()
	if action.Name != actionAccept {
		refusal := errNotOwner
		if role.Owner == nil {
			refusal = errRenounced
		}
		return d.conclude(d.addHolderCheck(rule, role.Owner), refusal), nil
	}

	// Only the account that was offered the role may accept it, and only until the offer
	// expires.
	check := Check{Rule: RulePendingOwner, Holder: role.PendingOwner, Expires: role.PendingExpiry}
	var refusal *Error
	switch {
	case role.PendingOwner == nil:
		refusal = errNoPendingTransfer
	case *role.PendingOwner != c.sender:
		refusal = errNotPendingOwner
	case check.Expired(c.env.Block):
		refusal = errTransferExpired
	}
	check.Passed = refusal == nil
	d.Checks = append(d.Checks, check)
	return d.conclude(check.Passed, refusal), nil
}
