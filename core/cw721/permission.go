package cw721

// Rule names one way to have a right.
type Rule string

// The rules that decide who may do what (spec §5, §6).
const (
	RuleOwner        Rule = "owner"         // owns the token
	RuleApproval     Rule = "approval"      // is an approved spender of the token
	RuleOperator     Rule = "operator"      // is an operator of the token's owner
	RuleMinter       Rule = "minter"        // holds the minter role
	RuleCreator      Rule = "creator"       // holds the creator role
	RulePendingOwner Rule = "pending owner" // has been offered the role
	RuleAnyone       Rule = "anyone"        // no right is needed

	RuleAdditionalMinter Rule = "additional minter" // may mint besides the minter
)

// Check is one rule as it was tried: what is stored, what was compared, and
// whether it gave the right.
type Check struct {
	Rule Rule
	// Holder is who has the right by this rule: the token's owner, the holder
	// of the role, or the actor when a grant to it is stored. nil: nobody.
	Holder *Address
	// Expires is when the stored grant or offer ends; nil where the rule has
	// no end or nothing is stored.
	Expires *Expiration
	// Members names the members of the message that need this rule, where not
	// all of them do.
	Members []string
	// Passed tells whether the rule gave the right.
	Passed bool
}

// Expired tells whether the rule failed only because the stored grant is over.
func (c Check) Expired(b Block) bool { return c.Expires != nil && c.Expires.Expired(b) }

// Decision is the contract's verdict on whether someone may do something,
// with everything that led to it.
type Decision struct {
	Actor Address
	Block Block
	// TokenID is the token in question, Owner its owner; nil for rights that
	// are not about a token.
	TokenID *string
	Owner   *Address
	// RequiresAll tells that every check must pass; otherwise the first that passes
	// gives the right and the rest is not tried.
	RequiresAll bool
	Checks      []Check
	Allowed     bool
	// Refusal is the contract's answer when it is not allowed.
	Refusal *Error
}

// GrantingCheck is the check that lets the message pass, the last one where all must;
// zero where none does.
func (d *Decision) GrantingCheck() (passed Check) {
	for _, c := range d.Checks {
		if c.Passed {
			passed = c
		}
	}
	return passed
}

// conclude closes a decision: refusal is the contract's text for a no.
func (d *Decision) conclude(allowed bool, refusal *Error) *Decision {
	d.Allowed = allowed
	if !allowed {
		e := *refusal
		e.Decision = d
		d.Refusal = &e
	}
	return d
}

// Decide gives the decision that executing msg for sender would make. It fails
// with an [*Error] where no decision is reached: no such token, or a message
// that is refused before rights are looked at.
func (c Contract) Decide(r Reader, env Env, info Info, msg ExecuteMsg) (*Decision, error) {
	return msg.decide(&call{Contract: c, reader: r, env: env, sender: info.Sender})
}

func (c *call) newDecision() *Decision { return &Decision{Actor: c.sender, Block: c.env.Block} }

// allowAnyone is the decision of messages that need no right.
func (c *call) allowAnyone() (*Decision, error) {
	d := c.newDecision()
	d.Checks = []Check{{Rule: RuleAnyone, Passed: true}}
	return d.conclude(true, nil), nil
}

// decideMove decides who may move or burn a token: its owner, an approved
// spender, an operator of its owner (spec §5).
func (c *call) decideMove(id string) (*Decision, error) { return c.decideOnToken(id, true) }

// decideApproving decides who may give and take approvals of a token: its owner and
// the owner's operators; an approved spender may not (spec §5).
func (c *call) decideApproving(id string) (*Decision, error) { return c.decideOnToken(id, false) }

func (c *call) decideOnToken(id string, spenders bool) (*Decision, error) {
	token, err := c.loadToken(id)
	if err != nil {
		return nil, err
	}
	d := c.newDecision()
	d.TokenID, d.Owner = &id, &token.Owner
	d.Checks = make([]Check, 0, 3)
	owner := Check{Rule: RuleOwner, Holder: &token.Owner, Passed: token.Owner == c.sender}
	if d.Checks = append(d.Checks, owner); owner.Passed {
		return d.conclude(true, nil), nil
	}
	if spenders {
		a, found := token.approval(c.sender)
		if d.checkGrant(RuleApproval, a.Expires, found) {
			return d.conclude(true, nil), nil
		}
	}
	expires, found, err := operatorsMap.Load(c.reader, operatorKey{First: token.Owner, Second: c.sender})
	if err != nil {
		return nil, err
	}
	return d.conclude(d.checkGrant(RuleOperator, expires, found), errNotOwner), nil
}

// checkGrant adds the check of a stored grant to the actor.
func (d *Decision) checkGrant(rule Rule, expires Expiration, found bool) bool {
	check := Check{Rule: rule}
	if found {
		check.Holder, check.Expires = &d.Actor, &expires
		check.Passed = !expires.Expired(d.Block)
	}
	d.Checks = append(d.Checks, check)
	return check.Passed
}

// checkRole adds the check of a role and tells whether the actor holds it.
func (d *Decision) checkRole(rule Rule, o Ownership, members ...string) bool {
	check := Check{Rule: rule, Holder: o.Owner, Members: members, Passed: o.Owner != nil && *o.Owner == d.Actor}
	d.Checks = append(d.Checks, check)
	return check.Passed
}

// decideMint decides who may mint: the minter (spec §5.1), and the additional ones
// where the rules have them (spec §14).
func (c *call) decideMint() (*Decision, error) {
	minter, _, err := minterItem.Load(c.reader)
	if err != nil {
		return nil, err
	}
	d := c.newDecision()
	if d.checkRole(RuleMinter, minter) || !c.ruleSet().has(additionalMinters) {
		return d.conclude(d.Checks[0].Passed, errNotMinter), nil
	}
	found, err := mintersMap.Has(c.reader, c.sender)
	check := Check{Rule: RuleAdditionalMinter, Passed: found}
	if found {
		check.Holder = &d.Actor
	}
	d.Checks = append(d.Checks, check)
	return d.conclude(found, errNotMinter), err
}

// decideCreatorOnly decides what only the creator may, with the text of a no.
func (c *call) decideCreatorOnly(refusal *Error) (*Decision, error) {
	creator, _, err := creatorItem.Load(c.reader)
	if err != nil {
		return nil, err
	}
	if creator.Owner == nil && refusal == errNotOwner {
		refusal = errRenounced
	}
	d := c.newDecision()
	return d.conclude(d.checkRole(RuleCreator, creator), refusal), nil
}

// decideRoleChange decides an ownership action: the holder offers and renounces,
// whom it is offered to accepts while the offer lasts (spec §6).
func (c *call) decideRoleChange(rule Rule, role Ownership, a OwnershipAction) *Decision {
	d := c.newDecision()
	if a.Name != actionAccept {
		refusal := errNotOwner
		if role.Owner == nil {
			refusal = errRenounced
		}
		return d.conclude(d.checkRole(rule, role), refusal)
	}
	check := Check{Rule: RulePendingOwner, Holder: role.PendingOwner, Expires: role.PendingExpiry}
	refusal := errNoPendingTransfer
	switch {
	case role.PendingOwner == nil:
	case *role.PendingOwner != c.sender:
		refusal = errNotPendingOwner
	case check.Expired(c.env.Block):
		refusal = errTransferExpired
	default:
		check.Passed = true
	}
	d.Checks = append(d.Checks, check)
	return d.conclude(check.Passed, refusal)
}
