package explain

import (
	"errors"
	"fmt"
	"iter"
	"slices"

	"ephemera/core/chain"
	"ephemera/core/chain/expiry"
	"ephemera/core/chain/history"
	"ephemera/core/cw721"
	"ephemera/core/kv"
)

// danglingHistory goes back from the head of the history, the message that the view's state
// follows from. For each message it yields what is surprising about it: approvals whose
// giver lost the permission to give them, operators who reach a token again, and a royalty
// that was not set by the creator. It fails with a [*HistoryGapError] where the history was
// pruned, or begins with an import.
func danglingHistory(v *chain.View) iter.Seq2[Finding, error] {
	return kv.Sequence(func(yield func(Finding) bool) error {
		_, creator, err := v.Roles()
		if err != nil {
			return err
		}
		later := laterMessages{
			view:          v,
			first:         v.Head,
			approvals:     map[approvalKey]bool{},
			presentOwners: map[string]cw721.Address{},
			hasReturned:   map[string]bool{},
			creator:       creator,
		}

		// Go back from the head, node by node. What was examined already counts as later.
		for id := v.Head; id != 0; {
			found, parent, err := later.examine(id)
			if err != nil {
				return err
			}
			for _, finding := range found {
				if !yield(finding) {
					return nil
				}
			}
			id = parent
		}
		return nil
	})
}

// examine examines a node of the history, and returns what is surprising about its message
// and the node before it, 0 if it is the first. It fails with a [*HistoryGapError] if the
// node was pruned or is an import.
func (l *laterMessages) examine(id history.ID) (found []Finding, parent history.ID, err error) {
	node, err := l.view.Node(id)
	isPruned := errors.As(err, new(*history.UnknownNodeError))
	if err != nil && !isPruned {
		return nil, 0, err
	}
	if isPruned || node.Kind == history.KindImport {
		return nil, 0, &HistoryGapError{First: l.first}
	}

	l.first = id
	found, err = l.goBackOver(node)
	for i := range found {
		found[i].Node = id
	}
	return found, node.Parent, err
}

// approvalKey identifies an approval.
type approvalKey struct {
	token   string
	spender cw721.Address
}

// laterMessages holds what is known while the history is read backwards, in search of grants
// that people forget: what the messages did that come after the one that is examined.
type laterMessages struct {
	view *chain.View
	// first is the node of the first of the later messages.
	first history.ID
	// approvals are those that a later message gave or revoked.
	approvals map[approvalKey]bool
	// presentOwners holds the present owner of each token that was transferred later; ""
	// if the token is burned.
	presentOwners map[string]cw721.Address
	// hasReturned holds the tokens that later came back to their present owner.
	hasReturned map[string]bool
	// creator is the creator role before the first of the later messages.
	creator cw721.Ownership
	// isRoyaltySet reports whether a later message set the royalty.
	isRoyaltySet bool
}

// goBackOver examines the next older message of the history, and returns what is surprising
// about it, such as an approval whose giver may no longer give it. After that the message is
// one of the later messages. Nodes without a message that the contract carried out are passed
// over, as are messages that only another contract understands.
func (l *laterMessages) goBackOver(n history.Node) ([]Finding, error) {
	if n.Kind != history.KindExecute || n.Refusal != nil {
		return nil, nil
	}
	msg, _, err := l.view.Contract().DecodeExecute([]byte(n.Message), nil)
	if err != nil {
		return nil, nil
	}

	// Only these messages matter for what is surprising now.
	switch m := msg.(type) {
	case *cw721.Approve:
		return l.goBackOverApproval(n, m)
	case *cw721.Revoke:
		l.approvals[approvalKey{token: m.TokenID, spender: m.Spender}] = true
	case *cw721.TransferNft, *cw721.SendNft:
		return l.goBackOverTransfer(n)
	case *cw721.UpdateCreatorOwnership:
		return nil, l.goBackOverCreator(n)
	case *cw721.UpdateCollectionInfo:
		return l.goBackOverRoyalty(n, m), nil
	}
	return nil, nil
}

// goBackOverApproval finds an approval that is live although its giver could not give
// it now. A transfer removes all approvals of a token, so an approval before one is
// not the live one.
func (l *laterMessages) goBackOverApproval(n history.Node, m *cw721.Approve) ([]Finding, error) {
	key := approvalKey{token: m.TokenID, spender: m.Spender}
	_, isTransferredLater := l.presentOwners[m.TokenID]
	if isTransferredLater || l.approvals[key] {
		return nil, nil
	}

	// This is the last approval of the spender. It matters if somebody other than the owner
	// gave it.
	l.approvals[key] = true

	token, exists, err := l.view.Token(m.TokenID)
	if err != nil || !exists || token.Owner == n.Sender {
		return nil, err
	}

	// It must still be in force.
	now := l.view.Clock.Block()
	isLive := func(a cw721.Approval) bool { return a.Spender == m.Spender && !a.Expires.Expired(now) }
	liveIndex := slices.IndexFunc(token.Approvals, isLive)
	if liveIndex < 0 {
		return nil, nil
	}

	// Its giver must have lost the permission to give it.
	mayStillApprove, err := l.mayApprove(n.Sender, m)
	if err != nil || mayStillApprove {
		return nil, err
	}

	// Describe the finding.
	expires := token.Approvals[liveIndex].Expires
	grant := cw721.Grant{Kind: cw721.GrantApproval, Token: m.TokenID, Owner: token.Owner, Spender: m.Spender, Expires: expires}
	text := fmt.Sprintf("%s is still live (%s), although %s, who gave it, may no longer approve on behalf of %s",
		grantName(l.view, grant),
		expiryClause(expires, now),
		l.view.DisplayName(n.Sender),
		l.view.DisplayName(token.Owner))
	return []Finding{grantFinding(DangerLostGiver, grant, text)}, nil
}

// mayApprove reports whether an account could give the approval of a message now, without
// expiry.
func (l *laterMessages) mayApprove(sender cw721.Address, m *cw721.Approve) (bool, error) {
	attempt := chain.TimedMessage{
		Block:   l.view.Clock.Block(),
		Sender:  sender,
		Message: cw721.Encode(&cw721.Approve{Spender: m.Spender, TokenID: m.TokenID}),
	}
	_, refusal, err := l.view.TryMessages([]chain.TimedMessage{attempt})
	return refusal == nil, err
}

// goBackOverTransfer finds the tokens that left their present owner with this message and
// came back with a later one. It returns a finding for each operator who reaches such a
// token again. For each token it only looks at the last time that it left and came back.
func (l *laterMessages) goBackOverTransfer(n history.Node) (found []Finding, err error) {
	changes, err := l.view.ChangesOf(n.ID)
	if err != nil {
		return nil, err
	}
	for _, change := range changes {
		tokenID, before, after, isToken := cw721.TokenChange(change.Key, change.Old, change.New)
		if !isToken || before == nil || after == nil || before.Owner == after.Owner {
			continue
		}

		// The token left an account that owns it again today.
		presentOwner, err := l.presentOwner(tokenID)
		if err != nil {
			return nil, err
		}
		if before.Owner != presentOwner || l.hasReturned[tokenID] {
			continue
		}

		l.hasReturned[tokenID] = true
		operators, err := l.operatorsSince(n, tokenID, presentOwner)
		if err != nil {
			return nil, err
		}
		found = append(found, operators...)
	}
	return found, nil
}

// presentOwner returns the present owner of a token, "" if it is burned, and adds the token
// to those that were transferred later.
func (l *laterMessages) presentOwner(tokenID string) (cw721.Address, error) {
	owner, isKnown := l.presentOwners[tokenID]
	if isKnown {
		return owner, nil
	}
	token, _, err := l.view.Token(tokenID)
	if err != nil {
		return "", err
	}
	l.presentOwners[tokenID] = token.Owner
	return token.Owner, nil
}

// operatorsSince finds the live operators of an owner who were named before a message,
// by which a token left the owner.
func (l *laterMessages) operatorsSince(n history.Node, tokenID string, owner cw721.Address) (found []Finding, err error) {
	for entry, err := range l.view.Grants(expiry.Index{Owner: owner, Operators: true}) {
		if err != nil {
			return nil, err
		}

		// Operators named after the token had left were named by somebody who knew.
		isExpired := entry.Expires.Expired(l.view.Clock.Block())
		isNewer := entry.GrantedAt.Height > n.Height || entry.GrantedAt.Time > n.Time
		if entry.Spender == owner || isExpired || isNewer {
			continue
		}

		finding := grantFinding(DangerReturned, entry.Grant,
			fmt.Sprintf("%s left %s and came back, and %s, an operator since before that, may act on it again (the grant: %s)",
				tokenID,
				l.view.DisplayName(owner),
				l.view.DisplayName(entry.Spender),
				expiryClause(entry.Expires, l.view.Clock.Block())))
		finding.Token = &tokenID
		found = append(found, finding)
	}
	return found, nil
}

// goBackOverCreator notes who was the creator before a message that changed the role.
func (l *laterMessages) goBackOverCreator(n history.Node) error {
	changes, err := l.view.ChangesOf(n.ID)
	if err != nil {
		return err
	}
	for _, change := range changes {
		role, before, _, isRole := l.view.Layout.RoleChange(change.Key, change.Old, change.New)
		if isRole && role == cw721.RuleCreator {
			l.creator = before
		}
	}
	return nil
}

// goBackOverRoyalty finds the message that set the present royalty, if its sender was
// not the creator then.
func (l *laterMessages) goBackOverRoyalty(n history.Node, m *cw721.UpdateCollectionInfo) []Finding {
	extension := m.CollectionInfo.Extension
	if l.isRoyaltySet || extension == nil || extension.RoyaltyInfo == nil {
		return nil
	}

	// This is the message that set the present royalty.
	l.isRoyaltySet = true
	creator := l.creator.Owner
	if creator != nil && *creator == n.Sender {
		return nil
	}

	royalty := extension.RoyaltyInfo
	finding := Finding{
		Danger: DangerRoyaltyHole,
		Text: fmt.Sprintf("the royalty of %s %% to %s was set by %s, who was not the creator: rule set %s lets anyone do that",
			royalty.Share.Percentage(),
			l.view.DisplayName(royalty.PaymentAddress),
			l.view.DisplayName(n.Sender),
			l.view.Rules),
	}
	if creator != nil {
		finding.By = *creator
	}
	return []Finding{finding}
}
