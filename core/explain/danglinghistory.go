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

// danglingHistory yields the surprises in a collection that only the history shows:
//
//   - approvals whose giver lost the permission to give them
//   - operators who may act on a token that left the owner and came back
//   - a royalty that the creator did not set
//
// It reads the history backwards, from the latest message to the first. It fails with a
// [*HistoryGapError] when it comes to an import, or to messages that were pruned.
func danglingHistory(view *chain.View) iter.Seq2[Finding, error] {
	return kv.Sequence(func(yield func(Finding) bool) error {
		_, creator, err := view.Roles()
		if err != nil {
			return err
		}
		search := backwardSearch{
			view:           view,
			laterApprovals: map[approvalKey]bool{},
			presentOwners:  map[string]cw721.Address{},
			returnedTokens: map[string]bool{},
			creator:        creator,
		}

		earliestID := view.Head         // the earliest node that was examined
		for id := view.Head; id != 0; { // 0: there is no node before
			node, err := view.Node(id)
			wasPruned := errors.As(err, new(*history.UnknownNodeError))
			if wasPruned || node.Kind == history.KindImport {
				return &HistoryGapError{First: earliestID}
			}
			if err != nil {
				return err
			}

			earliestID = id
			findings, err := search.examineMessage(node)
			if err != nil {
				return err
			}
			for _, finding := range findings {
				finding.Node = id
				if !yield(finding) {
					return nil
				}
			}
			id = node.Parent
		}
		return nil
	})
}

// approvalKey identifies an approval.
type approvalKey struct {
	token   string
	spender cw721.Address
}

// backwardSearch searches the history from the latest message to the first. It remembers what
// the messages did that it has examined, which are called later.
type backwardSearch struct {
	view           *chain.View
	laterApprovals map[approvalKey]bool // the approvals that a later message gave or revoked
	// presentOwners has the present owner of each token that was transferred later, by the id
	// of the token. The owner is "" if the token is burned.
	presentOwners map[string]cw721.Address
	// returnedTokens has the ids of the tokens that left their present owner with a later
	// message and came back.
	returnedTokens map[string]bool
	creator        cw721.Ownership // who was the creator before the later messages
	isRoyaltySet   bool            // a later message set the royalty
}

// examineMessage ignores moves of the clock, messages that the contract refused, and messages
// that do not decode, which were sent to another contract.
func (s *backwardSearch) examineMessage(node history.Node) ([]Finding, error) {
	if node.Kind != history.KindExecute || node.Refusal != nil {
		return nil, nil
	}
	msg, _, err := s.view.Contract().DecodeExecute([]byte(node.Message), nil)
	if err != nil {
		return nil, nil
	}

	switch msg := msg.(type) {
	case *cw721.Approve:
		return s.examineApproval(node, msg)
	case *cw721.Revoke:
		s.laterApprovals[approvalKey{token: msg.TokenID, spender: msg.Spender}] = true
	case *cw721.TransferNft, *cw721.SendNft:
		return s.examineTransfer(node)
	case *cw721.UpdateCreatorOwnership:
		return nil, s.readEarlierCreator(node)
	case *cw721.UpdateCollectionInfo:
		return s.examineRoyalty(node, msg), nil
	}
	return nil, nil
}

// examineApproval returns a finding if a message gave an approval that is still in force,
// although its sender could not give it now.
func (s *backwardSearch) examineApproval(node history.Node, approve *cw721.Approve) ([]Finding, error) {
	// A later message may have ended this approval: a transfer removes all approvals of a
	// token, and another approval of the same spender replaces this one.
	key := approvalKey{token: approve.TokenID, spender: approve.Spender}
	_, isTransferredLater := s.presentOwners[approve.TokenID]
	if isTransferredLater || s.laterApprovals[key] {
		return nil, nil
	}

	// This is the latest approval of the spender. The owner may always approve, so it is only
	// surprising if somebody else gave it. A spender who owns the token gains nothing by it.
	s.laterApprovals[key] = true
	token, exists, err := s.view.Token(approve.TokenID)
	if err != nil {
		return nil, err
	}
	if !exists || token.Owner == node.Sender || token.Owner == approve.Spender {
		return nil, nil
	}

	currentBlock := s.view.Clock.Block()
	liveIndex := slices.IndexFunc(token.Approvals, func(approval cw721.Approval) bool {
		return approval.Spender == approve.Spender && !approval.Expires.HasExpired(currentBlock)
	})
	if liveIndex < 0 {
		return nil, nil
	}

	// The expiry of the message may have passed, so an approval without one is tried.
	attempt := chain.TimedMessage{
		Block:   currentBlock,
		Sender:  node.Sender,
		Message: cw721.Encode(&cw721.Approve{Spender: approve.Spender, TokenID: approve.TokenID}),
	}
	_, refusal, err := s.view.TryMessages([]chain.TimedMessage{attempt})
	mayStillApprove := refusal == nil
	if err != nil || mayStillApprove {
		return nil, err
	}

	grant := token.Grant(token.Approvals[liveIndex])
	return []Finding{grantFinding(DangerLostGiver, grant,
		"%s is still live (%s), although %s, who gave it, may no longer approve on behalf of %s",
		grantName(s.view, grant),
		expiryClause(grant.Expires, currentBlock),
		s.view.DisplayName(node.Sender),
		s.view.DisplayName(token.Owner))}, nil
}

// examineTransfer returns a finding for each operator who may act on a token again, because
// the token left its present owner with this message and came back later. Only the last time
// counts.
func (s *backwardSearch) examineTransfer(node history.Node) (findings []Finding, err error) {
	changes, err := s.view.ChangesOf(node.ID)
	if err != nil {
		return nil, err
	}
	for _, change := range changes {
		tokenID, before, after, isToken := cw721.TokenChange(change.Key, change.OldValue, change.NewValue)
		if !isToken || before == nil || after == nil || before.Owner == after.Owner {
			continue
		}

		presentOwner, isKnown := s.presentOwners[tokenID]
		if !isKnown {
			token, _, err := s.view.Token(tokenID)
			if err != nil {
				return nil, err
			}
			presentOwner = token.Owner
			s.presentOwners[tokenID] = presentOwner
		}
		if before.Owner != presentOwner || s.returnedTokens[tokenID] {
			continue
		}

		s.returnedTokens[tokenID] = true
		operatorFindings, err := s.findReturnedOperators(node, tokenID, presentOwner)
		if err != nil {
			return nil, err
		}
		findings = append(findings, operatorFindings...)
	}
	return findings, nil
}

// findReturnedOperators returns a finding for each live operator of an owner who was named
// before a token left the owner with the message of a node.
func (s *backwardSearch) findReturnedOperators(
	node history.Node,
	tokenID string,
	owner cw721.Address,
) (findings []Finding, err error) {
	currentBlock := s.view.Clock.Block()
	for entry, err := range s.view.Grants(expiry.Index{Owner: owner, OnlyOperators: true}) {
		if err != nil {
			return nil, err
		}

		// An owner who named an operator after the token had left knew what that meant for
		// the token.
		isNewer := entry.GrantedAt.Height > node.Height || entry.GrantedAt.Time > node.Time
		if entry.Spender == owner || isNewer || entry.Expires.HasExpired(currentBlock) {
			continue
		}

		finding := grantFinding(DangerReturnedToken, entry.Grant,
			"%s left %s and came back, and %s, an operator since before that, may act on it again (the grant: %s)",
			tokenID,
			s.view.DisplayName(owner),
			s.view.DisplayName(entry.Spender),
			expiryClause(entry.Expires, currentBlock))
		finding.Token = &tokenID
		findings = append(findings, finding)
	}
	return findings, nil
}

func (s *backwardSearch) readEarlierCreator(node history.Node) error {
	changes, err := s.view.ChangesOf(node.ID)
	if err != nil {
		return err
	}
	for _, change := range changes {
		role, before, _, isRole := s.view.Layout.RoleChange(change.Key, change.OldValue, change.NewValue)
		if isRole && role == cw721.RuleCreator {
			s.creator = before
		}
	}
	return nil
}

// examineRoyalty returns a finding if a message set the present royalty, and its sender was
// not the creator then.
func (s *backwardSearch) examineRoyalty(node history.Node, update *cw721.UpdateCollectionInfo) []Finding {
	extension := update.CollectionInfo.Extension
	if s.isRoyaltySet || extension == nil || extension.RoyaltyInfo == nil {
		return nil
	}

	s.isRoyaltySet = true
	creator := s.creator.Owner
	if creator != nil && *creator == node.Sender {
		return nil
	}

	text := fmt.Sprintf(
		"the royalty of %s was set by %s, who was not the creator: rule set %s lets anyone do that",
		royaltyText(extension.RoyaltyInfo, s.view.DisplayName),
		s.view.DisplayName(node.Sender),
		s.view.Rules)
	finding := Finding{Danger: DangerRoyaltyHole, Text: text}
	if creator != nil {
		finding.Remover = *creator
	}
	return []Finding{finding}
}
