package explain

import (
	"cmp"
	"iter"
	"slices"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/kv"
)

// AccessComparison compares who may do what in two states of a collection. It judges both
// states as if they were in the same block. Otherwise a grant that expired in between would
// count as a change, although nobody sent a message.
type AccessComparison struct {
	BeforeView *chain.View // the older state
	AfterView  *chain.View // the newer state
	Block      cw721.Block // in which both states are judged
	// HasClock reports whether AfterView has a clock, whose seconds per block convert
	// heights to times. Only a storage dump may lack one. Without a clock, a height or a
	// time of 0 in Block is unknown.
	HasClock bool
	// IsOneHistory reports whether both views are of the same chain. If so, the comparison
	// reads only the records that changed between the two.
	IsOneHistory bool
}

// PermissionChange is a permission that differs between two states.
type PermissionChange struct {
	Before *Permission // nil if nobody had it
	After  *Permission // nil if nobody has it any more
	// IsGained and IsLost say that an account holds the permission that did not hold it before,
	// or that lost it, or holds it for longer or shorter. Both are set if a token or a role has
	// changed hands.
	IsGained, IsLost bool
	// IsIncomparable is set for a grant that expired by height before and expires by time
	// now, or the reverse, if there is no clock to convert one to the other. The grant
	// counts as gained.
	IsIncomparable bool
	// IsEstimated is set for such a grant if there is a clock. Real blocks can be faster or
	// slower than its seconds per block. So the change is reported even if the two expiries
	// seem to be equal.
	IsEstimated       bool
	IsLostWithToken   bool // an approval ended because its token was transferred or burned
	OperatorCount     int  // of a token that was gained: how many operators may move it
	LostApprovalCount int  // of a token that was lost: how many approvals ended with that
}

// Permission returns the permission after the change, or before it if it was lost.
func (change PermissionChange) Permission() Permission {
	return *cmp.Or(change.After, change.Before)
}

// Changes returns the permissions that differ between the two states, ordered by kind, token,
// giver and holder. It fails with a [*chain.UnreadableError], with [ErrMissingAxis], and with
// a [*kv.CorruptError].
func (c AccessComparison) Changes() ([]PermissionChange, error) {
	for _, view := range []*chain.View{c.BeforeView, c.AfterView} {
		if err := view.CheckReadable(); err != nil {
			return nil, err
		}
	}

	oldRoles, err := c.rolePermissions(c.BeforeView)
	if err != nil {
		return nil, err
	}
	newRoles, err := c.rolePermissions(c.AfterView)
	if err != nil {
		return nil, err
	}
	changes := c.differences(oldRoles, newRoles)

	for record, err := range c.changedRecords() {
		if err != nil {
			return nil, err
		}
		oldPermissions, err := c.permissionsOfRecord(c.BeforeView, record.Key, record.OldValue)
		if err != nil {
			return nil, err
		}
		newPermissions, err := c.permissionsOfRecord(c.AfterView, record.Key, record.NewValue)
		if err != nil {
			return nil, err
		}
		changesOfRecord := c.differences(oldPermissions, newPermissions)
		markLostApprovals(changesOfRecord)
		changes = append(changes, changesOfRecord...)
	}
	if err := c.setOperatorCounts(changes); err != nil {
		return nil, err
	}

	slices.SortFunc(changes, func(a, b PermissionChange) int {
		first := a.Permission()
		second := b.Permission()
		return cmp.Or(
			cmp.Compare(first.Kind, second.Kind),
			cmp.Compare(first.Token, second.Token),
			cmp.Compare(first.Giver, second.Giver),
			cmp.Compare(first.Holder, second.Holder))
	})
	return changes, nil
}

// CheckRules fails with a [*chain.NoRulesError] if it is not known of one of the states
// whether its rules let anyone change the royalty, or let additional minters mint. Before
// 0.19 no release has royalties or additional minters, so its name is enough.
func (c AccessComparison) CheckRules() error {
	for _, view := range []*chain.View{c.BeforeView, c.AfterView} {
		rulesErr := view.CheckRules()
		if rulesErr == nil {
			continue
		}
		collection, err := view.Collection()
		if err != nil {
			return err
		}
		_, flavour := cw721.IdentifyCode(collection.Version)
		if flavour == "" || view.Layout.HasCreator() {
			return rulesErr
		}
	}
	return nil
}

// changedRecords yields the records that differ between the two states. Between two nodes of
// one history it reads only what the messages between them changed. If the two states have
// different rule sets or layouts, it yields all records, because an equal record can then give
// another permission.
func (c AccessComparison) changedRecords() iter.Seq2[kv.Change, error] {
	haveSameRules := c.BeforeView.Rules == c.AfterView.Rules &&
		c.BeforeView.Layout == c.AfterView.Layout
	return kv.Sequence(func(yield func(kv.Change) bool) error {
		if c.IsOneHistory && haveSameRules {
			changes, err := c.AfterView.ChangesBetween(c.BeforeView.Head, c.AfterView.Head)
			if err != nil {
				return err
			}
			for _, change := range changes {
				if !yield(change) {
					return nil
				}
			}
			return nil
		}
		for change, err := range kv.CompareStores(c.BeforeView.Storage(), c.AfterView.Storage()) {
			if err != nil {
				return err
			}
			if haveSameRules && change.IsNoop() {
				continue
			}
			if !yield(change) {
				return nil
			}
		}
		return nil
	})
}

// differences returns the permissions that differ between before and after, which have each
// permission under its [Permission.identity].
func (c AccessComparison) differences(before, after map[Permission]Permission) []PermissionChange {
	var changes []PermissionChange

	for identity, permission := range after {
		oldPermission, existed := before[identity]
		if !existed {
			changes = append(changes, PermissionChange{After: &permission, IsGained: true})
			continue
		}
		change := c.comparePermission(oldPermission, permission)
		if change.IsGained || change.IsLost || change.IsEstimated {
			changes = append(changes, change)
		}
	}

	for identity, permission := range before {
		if _, exists := after[identity]; !exists {
			changes = append(changes, PermissionChange{Before: &permission, IsLost: true})
		}
	}
	return changes
}

// comparePermission compares a permission in the two states. With another holder it is both
// gained and lost. With the same expiry it is neither.
func (c AccessComparison) comparePermission(before, after Permission) PermissionChange {
	change := PermissionChange{Before: &before, After: &after}
	if before.Holder != after.Holder {
		change.IsGained = true
		change.IsLost = true
		return change
	}

	order, isComparable := c.CompareExpiries(after.Expires, before.Expires)
	change.IsIncomparable = !isComparable
	isOneOfEachAxis := before.Expires.Axis != after.Expires.Axis &&
		before.Expires.Axis != cw721.Never && after.Expires.Axis != cw721.Never
	change.IsEstimated = isComparable && isOneOfEachAxis
	change.IsGained = order > 0
	change.IsLost = order < 0
	return change
}

// CompareExpiries compares when two grants expire: order is positive if a is later than b. A
// grant that never expires is later than all others.
//
// The time of a height is estimated from the seconds per block of the clock. Without a clock
// isComparable is false, and order is positive, so that the caller treats a as later.
func (c AccessComparison) CompareExpiries(a, b cw721.Expiration) (order int, isComparable bool) {
	switch {
	case a.Axis == b.Axis:
		return cmp.Compare(a.Value, b.Value), true
	case a.Axis == cw721.Never:
		return 1, true
	case b.Axis == cw721.Never:
		return -1, true
	case !c.HasClock:
		return 1, false
	}

	clock := c.AfterView.InBlock(c.Block).Clock
	return cmp.Compare(estimatedTime(clock, a), estimatedTime(clock, b)), true
}

// markLostApprovals marks the approvals that ended because their token changed hands or was
// burned, and counts them in the change of its owner. changes are the changes of one record,
// so they are about one token at most.
func markLostApprovals(changes []PermissionChange) {
	ownerIndex := slices.IndexFunc(changes, func(change PermissionChange) bool {
		return change.Before != nil && change.Before.Kind == kindOwner
	})
	if ownerIndex < 0 { // no token has lost its owner
		return
	}

	for i, change := range changes {
		if change.After == nil && change.Before.IsGrant() {
			changes[i].IsLostWithToken = true
			changes[ownerIndex].LostApprovalCount++
		}
	}
}

// setOperatorCounts counts in the change of each token that somebody gained the new owner's
// operators, without the owner.
func (c AccessComparison) setOperatorCounts(changes []PermissionChange) error {
	countByOwner := map[cw721.Address]int{} // of operators, by owner
	for i, change := range changes {
		if change.After == nil || change.After.Kind != kindOwner {
			continue
		}

		owner := change.After.Holder
		count, isCounted := countByOwner[owner]
		if !isCounted {
			for operator, err := range c.AfterView.OperatorsOf(owner) {
				if err != nil {
					return err
				}
				if operator.Spender != owner && !operator.Expires.HasExpired(c.Block) {
					count++
				}
			}
			countByOwner[owner] = count
		}
		changes[i].OperatorCount = count
	}
	return nil
}
