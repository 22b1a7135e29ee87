package explain

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"strings"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/human"
	"ephemera/core/kv"
)

// AccessComparison compares who may do what in two states of a collection, both seen from
// one block. So the passing of time alone changes nothing, and equal records give equal
// permissions.
type AccessComparison struct {
	Before, After *chain.View
	Block         cw721.Block
	// HasClock reports whether After has a clock, as every state but a bare dump has. The
	// pace of that clock relates heights to times. Without it, an axis of Block that is 0
	// is unknown.
	HasClock bool
	// IsOneHistory reports whether both views are of the same chain. Then only the records
	// are read that changed between the two.
	IsOneHistory bool
}

// PermissionChange is a permission that differs between two states.
type PermissionChange struct {
	// Before and After are the permission in the two states. One of them is nil if that
	// state lacks the permission.
	Before, After *Permission
	// IsGained is set if After has another holder than Before, or lasts longer, and IsLost
	// if Before has or does. Both are set if a token or a role has changed hands.
	IsGained, IsLost bool
	// IsIncomparable is set for a grant that expired by height before and expires by time
	// after, or the reverse, if no pace relates the two. The grant counts as gained.
	IsIncomparable bool
	// IsLostWithToken is set for an approval that ended because its token has another
	// owner or was burned.
	IsLostWithToken bool
	// OperatorCount is how many operators of the new owner may move a token that has
	// changed hands, and LostApprovalCount how many approvals that token has lost.
	OperatorCount, LostApprovalCount int
}

// Permission returns the permission after the change, or before it if it was lost.
func (change PermissionChange) Permission() Permission { return *cmp.Or(change.After, change.Before) }

// Changes returns the permissions that differ between the two states, ordered by kind,
// token, giver and holder. It fails with a [*chain.UnreadableError] if the records of a
// compiled contract cannot be read, with [ErrMissingAxis], and with a [*kv.CorruptError].
func (c AccessComparison) Changes() ([]PermissionChange, error) {
	for _, v := range []*chain.View{c.Before, c.After} {
		if err := v.CheckReadable(); err != nil {
			return nil, err
		}
	}

	before, err := c.rolePermissions(c.Before)
	if err != nil {
		return nil, err
	}
	after, err := c.rolePermissions(c.After)
	if err != nil {
		return nil, err
	}
	changes := c.pair(before, after)
	for record, err := range c.changedRecords() {
		if err != nil {
			return nil, err
		}
		before, err := c.permissionsIn(c.Before, record.Key, record.Old)
		if err != nil {
			return nil, err
		}
		after, err := c.permissionsIn(c.After, record.Key, record.New)
		if err != nil {
			return nil, err
		}
		changes = append(changes, countApprovals(c.pair(before, after))...)
	}
	if err := c.countOperators(changes); err != nil {
		return nil, err
	}

	slices.SortFunc(changes, func(a, b PermissionChange) int {
		p, q := a.Permission(), b.Permission()
		return cmp.Or(cmp.Compare(p.Kind, q.Kind), cmp.Compare(p.Token, q.Token), cmp.Compare(p.Of, q.Of), cmp.Compare(p.Who, q.Who))
	})
	return changes, nil
}

// changedRecords yields the records that differ between the two states. If their rules
// differ, it yields all records, because equal records can give different permissions then.
func (c AccessComparison) changedRecords() iter.Seq2[kv.Change, error] {
	haveSameRules := c.Before.Rules == c.After.Rules
	return func(yield func(kv.Change, error) bool) {
		if c.IsOneHistory && haveSameRules {
			changes, err := c.After.Between(c.Before.Head, c.After.Head)
			if err != nil {
				yield(kv.Change{}, err)
				return
			}
			for _, change := range changes {
				if !yield(change, nil) {
					return
				}
			}
			return
		}

		for change, err := range kv.SideBySide(c.Before.Storage(), c.After.Storage()) {
			isSkipped := err == nil && haveSameRules && change.IsNoop()
			if !isSkipped && !yield(change, err) {
				return
			}
		}
	}
}

// pair returns how the permissions in one record have changed. Both arguments have them by
// their identities.
func (c AccessComparison) pair(before, after map[Permission]Permission) []PermissionChange {
	var changes []PermissionChange
	for identity, p := range after {
		change := PermissionChange{After: &p, IsGained: true}
		if old, existed := before[identity]; existed {
			change.Before = &old
			change.IsLost = old.Who != p.Who
		}
		if change.Before != nil && !change.IsLost {
			order, isComparable := c.CompareExpiries(p.Expires, change.Before.Expires)
			change.IsIncomparable = !isComparable
			change.IsGained = order > 0
			change.IsLost = order < 0
		}
		if change.IsGained || change.IsLost {
			changes = append(changes, change)
		}
	}
	for identity, p := range before {
		if _, exists := after[identity]; !exists {
			changes = append(changes, PermissionChange{Before: &p, IsLost: true})
		}
	}
	return changes
}

// CompareExpiries compares when two grants expire: order is positive if a is later than b,
// and negative if it is earlier. A grant that never expires is later than all others. On
// different axes, the pace of the clock relates the height to a time; isComparable is
// false if there is no clock, and order is positive then.
func (c AccessComparison) CompareExpiries(a, b cw721.Expiration) (order int, isComparable bool) {
	clock := chain.Clock{Height: c.Block.Height, Time: c.Block.Time, SecondsPerBlock: c.After.Clock.SecondsPerBlock}
	timeOf := func(e cw721.Expiration) cw721.Time {
		if e.Axis == cw721.AtHeight {
			return clock.At(cw721.Height(e.Value))
		}
		return cw721.Time(e.Value)
	}
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
	return cmp.Compare(timeOf(a), timeOf(b)), true
}

// countApprovals counts the approvals that a token has lost with its owner, if one of the
// changes in its record says that the token changed hands or was burned.
func countApprovals(changes []PermissionChange) []PermissionChange {
	isSale := func(change PermissionChange) bool {
		return change.Before != nil && change.Before.Kind == kindOwner
	}
	sale := slices.IndexFunc(changes, isSale)
	if sale < 0 {
		return changes
	}
	for i, change := range changes {
		if change.After == nil && change.Before.IsGrant() {
			changes[i].IsLostWithToken = true
			changes[sale].LostApprovalCount++
		}
	}
	return changes
}

// countOperators counts, for each token that somebody gained, the operators of its new
// owner.
func (c AccessComparison) countOperators(changes []PermissionChange) error {
	counts := map[cw721.Address]int{}
	for i, change := range changes {
		if change.After == nil || change.After.Kind != kindOwner {
			continue
		}
		owner := change.After.Who
		count, isCounted := counts[owner]
		if !isCounted {
			for operator, err := range c.After.OperatorsOf(owner) {
				if err != nil {
					return err
				}
				if operator.Spender != owner && !operator.Expires.Expired(c.Block) {
					count++
				}
			}
			counts[owner] = count
		}
		changes[i].OperatorCount = count
	}
	return nil
}

// DescribePermissionChange describes a change in one line, which begins with + if
// something was gained and with - if it was only lost: "+ operator bob of alice until
// height 120 · was until height 80". After the sign stands the permission in the words of a
// list of allowed permissions. call returns the name that people use for an address.
func DescribePermissionChange(change PermissionChange, call func(cw721.Address) string) string {
	sign := "-"
	if change.IsGained {
		sign = "+"
	}
	p := change.Permission()
	parts := []string{sign + " " + permissionText(p, call)}

	isToken := p.Kind == kindOwner
	switch {
	case change.After == nil && isToken:
		parts = append(parts, "burned")
	case change.Before == nil && isToken:
		parts = append(parts, "minted")
	case change.After == nil || change.Before == nil:
	case p.IsGrant():
		parts = append(parts, "was "+until(change.Before.Expires))
	default:
		parts = append(parts, "was "+call(change.Before.Who))
	}
	if change.IsIncomparable {
		parts = append(parts, "not comparable, as there is no clock")
	}
	if change.OperatorCount > 0 {
		parts = append(parts, fmt.Sprintf("%s of %s may move it", human.Plural(change.OperatorCount, "operator"), call(p.Who)))
	}
	if change.LostApprovalCount > 0 {
		parts = append(parts, human.Plural(change.LostApprovalCount, "approval")+" lost")
	}
	return strings.Join(parts, " · ")
}

// permissionText describes a permission: its kind with dashes, its holder, its token or
// giver, and when it expires, such as "approval bob ape-1 until height 1,110" or "operator
// bob of alice until never".
func permissionText(p Permission, call func(cw721.Address) string) string {
	who := "*" // anyone
	if p.Who != "" {
		who = call(p.Who)
	}
	words := []string{KindWord(p.Kind), who}
	switch {
	case p.Kind == kindOwner || p.Kind == string(cw721.GrantApproval):
		words = append(words, quoteIfNeeded(p.Token))
	case p.Of != "":
		words = append(words, "of", call(p.Of))
	}
	if !p.IsGrant() {
		return strings.Join(words, " ")
	}
	if p.Expires.Axis == cw721.Never {
		return strings.Join(append(words, "until never"), " ")
	}
	return strings.Join(append(words, until(p.Expires)), " ")
}

// KindWord returns a kind of permission as one word: "additional-minter".
func KindWord(kind string) string { return strings.ReplaceAll(kind, " ", "-") }
