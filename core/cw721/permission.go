package cw721

import (
	"slices"

	"ephemera/core/kv"
)

// Rule is a reason for which the contract may permit a message.
type Rule string

// The rules (spec §5, §6).
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

// RuleWords are the sentences about the check of a rule, by who has the permission that the rule
// looks for. These are replaced:
//
//   - ACTOR by the sender of the message, OWNER by the token's owner
//   - ROLE by the role, and MEMBERS by the members of the message for which it is needed
//   - COMPARISON by a clause that compares the expiry of a grant with the current block
type RuleWords struct {
	Nobody string // nobody has the permission
	Other  string // an account other than the sender has it, the HOLDER
	Actor  string // the sender has it
}

var roleWords = RuleWords{
	Nobody: "nobody holds the ROLE role any more: it was renouncedMEMBERS",
	Other:  "HOLDER holds the ROLE role, not ACTORMEMBERS",
	Actor:  "ACTOR holds the ROLE roleMEMBERS",
}

var ruleWords = map[Rule]RuleWords{
	RuleAnyone:           {Nobody: "anyone may; no permission is needed"},
	RuleOwner:            {Other: "HOLDER owns the token, not ACTOR", Actor: "ACTOR owns the token"},
	RuleApproval:         {Nobody: "ACTOR has no approval on the token", Actor: "ACTOR has an approvalCOMPARISON"},
	RuleOperator:         {Nobody: "ACTOR is not an operator of OWNER", Actor: "ACTOR is an operator of OWNERCOMPARISON"},
	RuleAdditionalMinter: {Nobody: "ACTOR is not an additional minter", Actor: "ACTOR is an additional minter"},
	RulePendingOwner: {
		Nobody: "the role is offered to nobody",
		Other:  "the role is offered to HOLDER, not to ACTOR",
		Actor:  "the role is offered to ACTORCOMPARISON",
	},
	RuleMinter:  roleWords,
	RuleCreator: roleWords,
}

// WordsOfRule returns the sentences about a rule.
func WordsOfRule(rule Rule) RuleWords { return ruleWords[rule] }

// CanExpire reports whether a permission by this rule can expire: if somebody granted or offered
// it.
func (r Rule) CanExpire() bool {
	return r == RuleApproval || r == RuleOperator || r == RulePendingOwner
}

// Check is the application of one rule to the sender of a message.
type Check struct {
	Rule Rule
	// Holder is the account that has the permission by this rule: the token's owner, the
	// holder of the role, or the sender if a grant to the sender is stored; nil for none.
	Holder  *Address
	Expires *Expiration // when the stored grant or offer expires; nil without one
	// Members are the members of the message that require this rule, such as
	// "royalty_info"; nil if the whole message does.
	Members []string
	Passed  bool // the rule gives the sender the permission
}

// Expired reports whether the stored grant has expired in a block.
func (c Check) Expired(block Block) bool { return c.Expires != nil && c.Expires.HasExpired(block) }

// Decision says whether the sender of a message is allowed to do what it asks for, and why.
type Decision struct {
	Actor   Address  // the sender of the message
	Block   Block    // the block in which the decision is made; grants may have expired in it
	TokenID *string  // the message's token; nil if the permission does not depend on a token
	Owner   *Address // the owner of that token; nil if there is none
	// RequiresAll is set if every check must pass. Otherwise one check that passes is
	// enough, and it is the last of Checks.
	RequiresAll bool
	Checks      []Check // in the order in which they were made
	Allowed     bool
	Refusal     *Error // the contract's refusal; nil if Allowed is set
	// Overruled is set if the message was sent to a compiled contract, and the contract did
	// the opposite of what Checks say. Allowed and Refusal are then the contract's answer.
	Overruled bool
}

// GrantingCheck returns the check that gave the permission: the last one that passed, or the zero
// Check.
func (d *Decision) GrantingCheck() Check {
	for _, check := range slices.Backward(d.Checks) {
		if check.Passed {
			return check
		}
	}
	return Check{}
}

// conclude allows the message, or refuses it with a copy of refusal that refers to d. It returns d.
func (d *Decision) conclude(isAllowed bool, refusal *Error) *Decision {
	d.Allowed = isAllowed
	if !isAllowed {
		refusalCopy := *refusal // all decisions share the original
		refusalCopy.Decision = d
		d.Refusal = &refusalCopy
	}
	return d
}

func (d *Decision) allow() *Decision { return d.conclude(true, nil) }

func (d *Decision) refuseWith(refusal *Error) *Decision { return d.conclude(false, refusal) }

// Decide returns the decision that executing msg would make. It fails with an [*Error] if the
// message is refused before, as when it names a token that does not exist.
func (c Contract) Decide(reader kv.Reader, env Env, info Info, msg ExecuteMsg) (*Decision, error) {
	deciding := &call{Contract: c, reader: reader, env: env, sender: info.Sender}
	return deciding.decide(msg)
}

// decide is [Contract.Decide]. It refuses everybody a token that the contract cannot read.
func (c *call) decide(msg ExecuteMsg) (*Decision, error) {
	decision, err := c.decideOnSender(msg)
	if err != nil || c.loadedToken == nil {
		return decision, err
	}
	if refusal := c.ruleSet().refusalOf(c.loadedToken, msg); refusal != nil {
		decision.refuseWith(refusal)
	}
	return decision, nil
}

// decideOnSender says who may send which message.
func (c *call) decideOnSender(msg ExecuteMsg) (*Decision, error) {
	switch m := msg.(type) {
	case *TransferNft:
		return c.decideOnToken(m.TokenID, withApproval)
	case *SendNft:
		return c.decideOnToken(m.TokenID, withApproval)
	case *Burn:
		return c.decideOnToken(m.TokenID, withApproval)
	case *Approve:
		return c.decideOnToken(m.TokenID, withoutApproval)
	case *Revoke:
		return c.decideOnToken(m.TokenID, withoutApproval)

	case *Mint:
		return c.decideMint()
	case *AddMinter, *RemoveMinter:
		return c.decideMinterChange(MessageName(msg))
	case *UpdateMinterOwnership:
		return c.decideRoleChange(RuleMinter, minterItem, m.OwnershipAction)
	case *UpdateOwnership:
		return c.decideRoleChange(RuleMinter, minterItem, m.OwnershipAction)
	case *UpdateCreatorOwnership:
		return c.decideRoleChange(RuleCreator, creatorItem, m.OwnershipAction)
	case *SetWithdrawAddress, *RemoveWithdrawAddress:
		return c.decideHolderOnly(RuleCreator, creatorItem)
	case *UpdateNftInfo:
		return c.decideTokenUpdate(m)
	case *UpdateCollectionInfo:
		return c.decideInfoUpdate(m)

	// The grants cover only the sender's own tokens, and the creator chose who receives coins.
	case *ApproveAll, *RevokeAll, *WithdrawFunds, *UpdateExtension:
		decision := c.newDecision()
		decision.Checks = []Check{{Rule: RuleAnyone, Passed: true}}
		return decision.allow(), nil
	}
	panic("cw721: it is not known who may send " + MessageName(msg))
}

func (c *call) newDecision() *Decision { return &Decision{Actor: c.sender, Block: c.env.Block} }

// Whether an approval of the token is enough for a message about it (spec §5).
const (
	withApproval    = true
	withoutApproval = false
)

// decideOnToken decides whether the sender may act on a token. It permits the token's
// owner, then an approved spender if approvalSuffices is set, then an operator of the owner.
// The checks stop at the first rule that permits. It fails with an [*Error] if the token
// does not exist.
func (c *call) decideOnToken(tokenID string, approvalSuffices bool) (*Decision, error) {
	token, err := c.loadToken(tokenID)
	if err != nil {
		return nil, err
	}

	decision := c.newDecision()
	decision.TokenID = &tokenID
	decision.Owner = &token.Owner
	if decision.addHolderCheck(RuleOwner, &token.Owner) {
		return decision.allow(), nil
	}

	if approvalSuffices {
		approval, exists := token.approval(c.sender)
		if decision.addGrantCheck(RuleApproval, approval.Expires, exists) {
			return decision.allow(), nil
		}
	}

	key := operatorKey{First: token.Owner, Second: c.sender}
	expires, exists, err := operatorsMap.Load(c.reader, key)
	if err != nil {
		return nil, err
	}
	isOperator := decision.addGrantCheck(RuleOperator, expires, exists)
	return decision.conclude(isOperator, errNotOwner), nil
}

// Overrule replaces the outcome of the decision by what a compiled contract did with the
// message, which is the opposite of what the checks say. refusal is the contract's refusal,
// nil if it executed the message.
func (d *Decision) Overrule(refusal *Error) {
	d.Overruled = true
	d.Refusal = nil
	d.conclude(refusal == nil, refusal)
}

// addHolderCheck adds the check of a rule that permits one account, the holder, or nobody if
// that is nil. It reports whether the actor is the holder. members are those of [Check].
func (d *Decision) addHolderCheck(rule Rule, holder *Address, members ...string) bool {
	isHolder := holder != nil && *holder == d.Actor
	d.Checks = append(d.Checks, Check{Rule: rule, Holder: holder, Members: members, Passed: isHolder})
	return isHolder
}

// addGrantCheck adds the check of a grant that the actor may have received. It reports whether
// the grant exists and has not expired.
func (d *Decision) addGrantCheck(rule Rule, expires Expiration, exists bool) bool {
	check := Check{Rule: rule}
	if exists {
		check.Holder = &d.Actor
		check.Expires = &expires
		check.Passed = !expires.HasExpired(d.Block)
	}
	d.Checks = append(d.Checks, check)
	return check.Passed
}

// decideMint permits the minter (spec §5.1), and under rule sets that have them the additional
// minters (spec §14).
func (c *call) decideMint() (*Decision, error) {
	minter, _, err := minterItem.Load(c.reader)
	if err != nil {
		return nil, err
	}

	// The minter may always mint. Older rule sets permit nobody else.
	decision := c.newDecision()
	isMinter := decision.addHolderCheck(RuleMinter, minter.Owner)
	if isMinter || !c.ruleSet().has(additionalMintersName) {
		return decision.conclude(isMinter, errNotMinter), nil
	}

	isAdditionalMinter, err := mintersMap.Has(c.reader, c.sender)
	if err != nil {
		return nil, err
	}
	var holder *Address // nil if the sender is none
	if isAdditionalMinter {
		holder = &decision.Actor
	}
	decision.addHolderCheck(RuleAdditionalMinter, holder)
	return decision.conclude(isAdditionalMinter, errNotMinter), nil
}

func (c *call) decideHolderOnly(rule Rule, roleRecord roleItem) (*Decision, error) {
	role, _, err := roleRecord.Load(c.reader)
	if err != nil {
		return nil, err
	}

	decision := c.newDecision()
	isHolder := decision.addHolderCheck(rule, role.Owner)
	if role.Owner == nil {
		return decision.refuseWith(errRenounced), nil
	}
	return decision.conclude(isHolder, errNotOwner), nil
}

// decideRoleChange permits the holder of a role to offer and renounce it, and the account to
// which it was offered to accept it until the offer expires (spec §6).
func (c *call) decideRoleChange(rule Rule, roleRecord roleItem, action OwnershipAction) (*Decision, error) {
	if action.Name != actionAccept {
		return c.decideHolderOnly(rule, roleRecord)
	}

	role, _, err := roleRecord.Load(c.reader)
	if err != nil {
		return nil, err
	}
	check := Check{
		Rule:    RulePendingOwner,
		Holder:  role.PendingOwner,
		Expires: role.PendingExpiry,
	}

	var refusal *Error // nil if the sender may accept
	switch {
	case role.PendingOwner == nil:
		refusal = errNoPendingTransfer
	case *role.PendingOwner != c.sender:
		refusal = errNotPendingOwner
	case check.Expired(c.env.Block):
		refusal = errTransferExpired
	}
	check.Passed = refusal == nil

	decision := c.newDecision()
	decision.Checks = []Check{check}
	return decision.conclude(check.Passed, refusal), nil
}
