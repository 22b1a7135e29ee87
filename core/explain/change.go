package explain

import (
	"fmt"
	"strings"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/human"
)

// candidate is a change that is tried. Which changes could reverse a decision is listed in
// newGrants, changesOfRole and endsOfAccess.
type candidate struct {
	DecisionChange
	block cw721.Block // in which the decision is made again
	// ways are the ways to make the change by messages that the text leaves open, such as to
	// hand over a role and to renounce it. Each must reverse the decision.
	ways [][]chain.TimedMessage
}

// whatWouldReverse returns the smallest change that reverses the decision about a message. It
// makes each change in an overlay and lets the contract decide again. It returns the zero value
// if no known change helps, and if the compiled contract decided otherwise than the rules.
func (e explainer) whatWouldReverse(msg cw721.ExecuteMsg) (DecisionChange, error) {
	lastRule := e.Checks[len(e.Checks)-1].Rule
	switch {
	case e.Overruled:
		return DecisionChange{}, nil
	case lastRule == cw721.RuleAnyone && len(e.Checks) == 1:
		return DecisionChange{Text: "nothing can: anyone may"}, nil
	}

	// What changes can reverse it depends on whether it is about a token or about a role.
	role := cw721.RuleMinter
	minter, creator, err := e.view.Roles()
	if err != nil {
		return DecisionChange{}, err
	}
	holder := minter.Owner
	if _, isCreator := msg.(*cw721.UpdateCreatorOwnership); isCreator || lastRule == cw721.RuleCreator {
		role = cw721.RuleCreator
		holder = creator.Owner
	}
	var candidates []candidate
	switch {
	case e.Owner == nil || lastRule == cw721.RuleCreator:
		candidates = e.changesOfRole(role, holder)
		if holder == nil && len(candidates) == 0 {
			return DecisionChange{Text: "nothing can: the " + string(role) + " role was renounced"}, nil
		}
	case e.Allowed:
		candidates = e.endsOfAccess()
	default:
		candidates = e.newGrants()
	}
	for _, change := range candidates {
		works, err := e.try(&change, msg)
		if err != nil || works {
			return change.DecisionChange, err
		}
	}
	return DecisionChange{}, nil
}

// try makes a change in each of its ways, and reports whether the contract then always decides
// the opposite about the message. If the contract permits the message then, but refuses it for
// another reason than its sender, try adds that to the text.
func (e explainer) try(change *candidate, msg cw721.ExecuteMsg) (works bool, err error) {
	for _, messages := range change.ways {
		works = false
		_, _, err := e.view.TryThen(messages, func(after *chain.View) error {
			after = after.InBlock(change.block)
			decision, err := after.Decide(e.Actor, msg)
			if err != nil || decision.Allowed == e.Allowed {
				return err
			}
			attempt := e.send(e.Actor, msg)
			attempt.Block = change.block
			_, refusal, err := after.TryMessages([]chain.TimedMessage{attempt})
			works = decision.Allowed || refusal != nil
			if decision.Allowed && refusal != nil {
				change.Text += fmt.Sprintf("; then it is refused for another reason: “%s”", refusal.Text)
			}
			return err
		})
		if err != nil && cw721.AsError(err) == nil {
			return false, err
		}
		if !works {
			break
		}
	}
	return works, nil
}

// newGrants lists the grants by which the owner of the token could permit the message.
func (e explainer) newGrants() []candidate {
	approvalText := "SENDER approves ACTOR for this token"
	operatorText := "SENDER makes ACTOR an operator; an approval for one token does not permit approving others"
	for _, check := range e.Checks {
		switch {
		case check.Rule != cw721.RuleApproval:
		case check.Expires == nil:
			operatorText = "SENDER makes ACTOR an operator"
		default:
			approvalText = "SENDER approves ACTOR again: the old approval expired at " + human.Expiry(*check.Expires)
		}
	}
	return []candidate{
		e.message(*e.Owner, &cw721.Approve{Spender: e.Actor, TokenID: *e.TokenID}, approvalText),
		e.message(*e.Owner, &cw721.ApproveAll{Operator: e.Actor}, operatorText),
	}
}

// changesOfRole lists changes that could give the actor a role, or take it away: its offer
// expires, or its holder, nil for none, sends a message.
func (e explainer) changesOfRole(role cw721.Rule, holder *cw721.Address) (candidates []candidate) {
	if expires := e.GrantingCheck().Expires; expires != nil && expires.Axis != cw721.Never {
		candidates = append(candidates, e.expiry("the offer", *expires))
	}
	if holder == nil {
		return candidates
	}
	receiver := e.Actor
	if e.Allowed {
		receiver = e.view.Self // stands for anybody else
	}
	offer := e.message(*holder, cw721.RoleMessage(role, cw721.Offer(receiver, nil)),
		"SENDER offers the "+string(role)+" role to ACTOR")
	handover := append(offer.ways[0], e.send(receiver, cw721.RoleMessage(role, cw721.Accept)))
	renounce := e.send(e.Actor, cw721.RoleMessage(role, cw721.Renounce))
	candidates = append(candidates,
		e.message(*holder, &cw721.AddMinter{Minter: e.Actor}, "SENDER adds ACTOR as additional minter"),
		e.message(*holder, &cw721.RemoveMinter{Minter: e.Actor}, "SENDER removes ACTOR as additional minter"))
	if e.Allowed {
		return append(candidates,
			e.change("the role is offered to someone else", offer.ways[0]),
			e.change(e.view.DisplayName(e.Actor)+" hands over the "+string(role)+" role, or renounces it",
				handover, []chain.TimedMessage{renounce}))
	}
	return append(candidates, offer, e.change(offer.Text+", who accepts it", handover))
}

// endsOfAccess lists changes that could end what the actor may do with the token: the owner
// gives it away, or the actor's grants expire or are revoked.
func (e explainer) endsOfAccess() (candidates []candidate) {
	// The contract itself stands for a stranger: it has given nothing to anybody.
	transfer := e.send(*e.Owner, &cw721.TransferNft{Recipient: e.view.Self, TokenID: *e.TokenID})
	if *e.Owner == e.Actor {
		text := e.fillPlaceholders("ACTOR gives the token to a stranger")
		return []candidate{e.change(text, []chain.TimedMessage{transfer})}
	}

	// Try to end each grant alone, and then both.
	grants := e.liveGrants(e.GrantingCheck())
	both := e.change("both grants must go: ", nil, []chain.TimedMessage{transfer})
	var texts []string
	for _, grant := range grants {
		if grant.Expires == nil { // it is no grant
			continue
		}
		noun := "approval"
		end := e.message(*e.Owner, &cw721.Revoke{Spender: e.Actor, TokenID: *e.TokenID},
			"SENDER revokes the approval for ACTOR")
		if grant.Rule == cw721.RuleOperator {
			noun = "operator grant"
			end = e.message(*e.Owner, &cw721.RevokeAll{Operator: e.Actor}, "SENDER revokes ACTOR as operator")
		}
		if grant.Expires.Axis != cw721.Never {
			end = e.expiry("the "+noun, *grant.Expires)
		}
		both.block.Height = max(both.block.Height, end.block.Height)
		both.block.Time = max(both.block.Time, end.block.Time)
		both.ways[0] = append(both.ways[0], end.ways[0]...)
		texts = append(texts, end.Text)
		if len(grants) > 1 {
			end.Text = strings.Replace(end.Text, noun, noun+", the later of two grants,", 1)
		}
		candidates = append(candidates, end)
	}
	if len(grants) > 1 {
		both.Text += strings.Join(texts, ", and ") +
			"; a transfer by " + e.view.DisplayName(*e.Owner) + " removes both"
		candidates = append(candidates, both)
	}
	return candidates
}

// liveGrants returns the checks of all grants that permit the actor's message now, one or
// two. grantingCheck is the check by which the contract allowed the message. If it found an
// approval, the contract has not looked for an operator grant. liveGrants does, because the
// actor may have both.
func (e explainer) liveGrants(grantingCheck cw721.Check) []cw721.Check {
	grants := []cw721.Check{grantingCheck}
	if grantingCheck.Rule != cw721.RuleApproval {
		return grants
	}

	// An approval does not permit its spender to approve others. So if the actor may approve,
	// an operator grant is the reason.
	approve := &cw721.Approve{Spender: e.Actor, TokenID: *e.TokenID}
	decision, err := e.view.Decide(e.Actor, approve)
	if err != nil || !decision.Allowed {
		return grants
	}
	return append(grants, decision.GrantingCheck())
}

// change returns a change of which only the text is shown.
func (e explainer) change(text string, ways ...[]chain.TimedMessage) candidate {
	return candidate{DecisionChange: DecisionChange{Text: text}, block: e.Block, ways: ways}
}

// message returns the change that an account, the SENDER in the text, sends a message. The text
// has the placeholders of [explainer.fillPlaceholders], too.
func (e explainer) message(sender cw721.Address, msg cw721.ExecuteMsg, text string) candidate {
	text = e.fillPlaceholders(text, "SENDER", e.view.DisplayName(sender))
	change := e.change(text, []chain.TimedMessage{e.send(sender, msg)})
	change.Sender = sender
	change.Message = msg
	return change
}

func (e explainer) send(sender cw721.Address, msg cw721.ExecuteMsg) chain.TimedMessage {
	return chain.TimedMessage{Block: e.Block, Sender: sender, Message: cw721.Encode(msg)}
}

// expiry returns the change that the clock reaches the expiry of a grant. grantNoun names the
// grant in the text, such as "the offer".
func (e explainer) expiry(grantNoun string, expires cw721.Expiration) candidate {
	text := grantNoun + " expires at " + human.Expiry(expires) +
		" (" + human.ExpiresIn(expires, e.Block) + ")"
	change := e.change(text, nil)
	change.ClockTarget = &expires
	change.block, _ = blockNearExpiry(e.Block, expires, 0)
	return change
}
