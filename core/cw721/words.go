package cw721

// MessageWords describe an execute message to people in two phrases.
type MessageWords struct {
	Request string // what the message asks for: "approve bob for ape-04 until height 1,110"
	Outcome string // what it did if the contract carried it out: "approved bob for ape-04"
}

// messageWords has the words of messages about tokens, grants and accounts, by the name of the
// message. If the Outcome is empty, it is "done: " and the Request. These are replaced:
//
//   - TOKEN by the id of the token
//   - WHO by the account that the message names, such as the recipient
//   - UNTIL by the expiry of a grant, with a space before it: " until height 1,110"
//   - SENDER by the sender
var messageWords = map[string]MessageWords{
	"transfer_nft":         {"transfer TOKEN → WHO", "TOKEN went to WHO"},
	"send_nft":             {"send TOKEN → WHO", "TOKEN went to WHO"},
	"approve":              {"approve WHO for TOKENUNTIL", "approved WHO for TOKEN"},
	"revoke":               {"revoke WHO for TOKEN", "revoked the approval for WHO on TOKEN"},
	"approve_all":          {"make WHO an operatorUNTIL", "WHO is an operator of SENDER now"},
	"revoke_all":           {"revoke WHO as operator", "WHO is no longer an operator of SENDER"},
	"mint":                 {"mint TOKEN for WHO", "minted TOKEN for WHO"},
	"burn":                 {"burn TOKEN", "burned TOKEN"},
	"update_nft_info":      {"update TOKEN", ""},
	addMinterMessage:       {"make WHO an additional minter", ""},
	removeMinterMessage:    {"remove WHO as additional minter", ""},
	"set_withdraw_address": {"withdraw to WHO", ""},
}

// WordsOf returns the words of a message with their placeholders. ok is false for a message
// about the collection or a role.
func WordsOf(msg ExecuteMsg) (words MessageWords, ok bool) {
	words, ok = messageWords[MessageName(msg)]
	return words, ok
}

// RuleWords are the sentences about the check of a rule. Which of them is used depends on the
// account that has the permission which the rule looks for. These are replaced:
//
//   - ACTOR by the sender of the message, OWNER by the token's owner
//   - ROLE by the role, and MEMBERS by the members of the message for which it is needed
//   - COMPARISON by a clause that compares the expiry of a grant with the current block
type RuleWords struct {
	Nobody string // nobody has the permission
	Other  string // an account other than the sender has it, the HOLDER
	Actor  string // the sender has it
}

// roleWords are the sentences about the minter's and the creator's role.
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

// WordsOfRule returns the sentences about a rule with their placeholders.
func WordsOfRule(rule Rule) RuleWords { return ruleWords[rule] }
