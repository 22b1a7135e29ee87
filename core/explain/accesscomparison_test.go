package explain_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"ephemera/core/chain"
	. "ephemera/core/chain/chaintest"
	"ephemera/core/cw721"
	"ephemera/core/explain"
	"ephemera/core/kv"
)

// heldPermission is who has a permission, and until when.
type heldPermission struct {
	who string
	// until is a time in nanoseconds. The time of a height is estimated at the pace of the
	// clock. It is infinite for a grant without expiry, and 0 for a permission that is no
	// grant.
	until float64
}

// everyPermission lists all permissions in a state. It asks the view for tokens, operators
// and roles, and so checks the code under test, which decodes records. A key is the kind of
// the permission and what it is about, such as "owner ape-1".
func everyPermission(t Tester, c explain.AccessComparison, v *chain.View) map[string]heldPermission {
	t.Helper()
	permissions := map[string]heldPermission{}
	timeOf := func(e cw721.Expiration) float64 {
		switch e.Axis {
		case cw721.AtHeight:
			return float64(c.Block.Time) + (float64(e.Value)-float64(c.Block.Height))*float64(c.AfterView.Clock.SecondsPerBlock)*1e9
		case cw721.AtTime:
			return float64(e.Value)
		}
		return math.Inf(1)
	}
	addGrant := func(key string, to cw721.Address, e cw721.Expiration) {
		if !e.HasExpired(c.Block) {
			permissions[key] = heldPermission{who: string(to), until: timeOf(e)}
		}
	}
	addHolder := func(key string, who *cw721.Address) {
		if who != nil {
			permissions[key] = heldPermission{who: string(*who)}
		}
	}

	for token, err := range v.Tokens("", cw721.Walk{}) {
		OK(t, err)
		addHolder("owner "+token.ID, &token.Owner)
		for _, approval := range token.Approvals {
			if approval.Spender != token.Owner {
				addGrant(fmt.Sprintf("approval %s %s", token.ID, approval.Spender), approval.Spender, approval.Expires)
			}
		}
	}

	for _, owner := range append(slices.Clone(People), "market", "grumpy") {
		for operator, err := range v.OperatorsOf(Address(owner)) {
			OK(t, err)
			if operator.Spender != Address(owner) {
				addGrant(fmt.Sprintf("operator %s %s", owner, operator.Spender), operator.Spender, operator.Expires)
			}
		}
	}

	collection := Must(v.Collection())(t)
	for role, ownership := range map[string]cw721.Ownership{"minter": collection.Minter, "creator": collection.Creator} {
		addHolder(role, ownership.Owner)
		if ownership.PendingOwner != nil {
			expires := cw721.Expiration{}
			if ownership.PendingExpiry != nil {
				expires = *ownership.PendingExpiry
			}
			addGrant(fmt.Sprintf("%s offer %s", role, *ownership.PendingOwner), *ownership.PendingOwner, expires)
		}
	}
	for _, minter := range collection.AdditionalMinters {
		addHolder("additional minter "+string(minter), &minter)
	}
	addHolder("withdraw address", collection.WithdrawAddress)
	if v.Rules.CanAnyoneChangeRoyalty() {
		permissions["royalty by anyone"] = heldPermission{}
	}
	return permissions
}

// gainedPermissions returns, in order, the key and holder of each permission that before
// lacks, that another account held before, or that expires later now.
func gainedPermissions(before, after map[string]heldPermission) []string {
	gained := []string{}
	for key, p := range after {
		old, existed := before[key]
		if !existed || old.who != p.who || p.until > old.until {
			gained = append(gained, key+" "+p.who)
		}
	}
	slices.Sort(gained)
	return gained
}

// keyAndHolder returns a permission in the form of [gainedPermissions].
func keyAndHolder(p explain.Permission) string {
	key := p.Kind
	switch p.Kind {
	case "owner":
		key += " " + p.Token
	case "approval":
		key += fmt.Sprintf(" %s %s", p.Token, p.Holder)
	case "operator":
		giver := ""
		for _, name := range append(slices.Clone(People), "market", "grumpy") {
			if Address(name) == p.Giver {
				giver = name
			}
		}
		key += fmt.Sprintf(" %s %s", giver, p.Holder)
	case "minter offer", "creator offer", "additional minter":
		key += " " + string(p.Holder)
	}
	return key + " " + string(p.Holder)
}

// checkChanges compares the permissions in two views, and fails unless the result equals the
// difference of two lists of all permissions.
func checkChanges(t Tester, before, after *chain.View, isOneHistory bool) {
	t.Helper()
	c := explain.AccessComparison{
		BeforeView:   before,
		AfterView:    after,
		Block:        after.Clock.Block(),
		HasClock:     true,
		IsOneHistory: isOneHistory,
	}
	gained := []string{}
	lost := []string{}
	for _, change := range Must(c.Changes())(t) {
		if change.IsGained {
			gained = append(gained, keyAndHolder(*change.After))
		}
		if change.IsLost {
			lost = append(lost, keyAndHolder(*change.Before))
		}
	}
	slices.Sort(gained)
	slices.Sort(lost)

	held := everyPermission(t, c, before)
	holds := everyPermission(t, c, after)
	Same(t, "gained", gainedPermissions(held, holds), gained)
	Same(t, "lost", gainedPermissions(holds, held), lost)
}

func TestChangesOfTwoCollectionsAreTheDifferenceOfAllTheirPermissions(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		older := NewWalker(r, kv.NewMemory(), nil)
		newer := NewWalker(r, kv.NewMemory(), nil)
		for range rapid.IntRange(0, 40).Draw(r, "steps") {
			older.Execute(r)
			newer.Execute(r)
			newer.Advance(r)
		}

		older.View(func(before *chain.View) {
			newer.View(func(after *chain.View) { checkChanges(r, before, after, false) })
		})
	})
}

func TestChangesInOneHistoryAreTheDifferenceOfAllPermissions(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		w := NewWalker(r, kv.NewMemory(), nil)
		start := w.Head()
		branch := start
		last := start
		for i := range rapid.IntRange(0, 60).Draw(r, "steps") {
			w.Execute(r)
			w.Advance(r)
			if i == 20 {
				branch = w.Head()
				Must(w.C.Goto(fmt.Sprint(start)))(r)
			}
			last = w.Head()
		}

		w.View(func(v *chain.View) {
			OK(r, v.At(branch, func(before *chain.View) error {
				return v.At(last, func(after *chain.View) error {
					checkChanges(r, before, after, true)
					checkChanges(r, after, before, true)
					checkChanges(r, before, after, false)
					return nil
				})
			}))
		})
	})
}

func TestAnApprovalThatTheNextOwnerGivesAgainIsNoChange(t *testing.T) {
	w := New(t)
	w.Mint("1", "alice")
	w.Do("alice", `{"approve":{"token_id":"1","spender":"$carol"}}`)
	w.Do("alice", `{"approve":{"token_id":"1","spender":"$creator"}}`)
	start := w.Head()
	w.Do("alice", `{"transfer_nft":{"token_id":"1","recipient":"$bob"}}`)
	w.Do("bob", `{"approve":{"token_id":"1","spender":"$carol"}}`)

	w.View(func(after *chain.View) {
		OK(t, after.At(start, func(before *chain.View) error {
			c := explain.AccessComparison{BeforeView: before, AfterView: after, Block: after.Clock.Block(), HasClock: true, IsOneHistory: true}
			var lines []string
			for _, change := range Must(c.Changes())(t) {
				lines = append(lines, explain.DescribePermissionChange(change, after.DisplayName))
			}
			Same(t, "changes", []string{"- approval creator 1 until never", "+ owner bob 1 · was alice · 1 approval lost"}, lines)
			return nil
		}))
	})
}

func TestOnlyAGrantThatLastsLongerIsGained(t *testing.T) {
	const (
		hasClock = true
		noClock  = false
		atPace   = 1000e9 + 10*5e9 // the time of height 110
	)
	var never cw721.Expiration
	height := cw721.UntilHeight
	time := cw721.UntilTime
	for _, c := range []struct {
		before, after cw721.Expiration
		hasClock      bool
		want          string
	}{
		{height(110), height(110), hasClock, ""},
		{height(110), height(111), hasClock, "gained"},
		{time(1100e9), time(1099e9), hasClock, "lost"},
		{never, never, hasClock, ""},
		{never, time(1100e9), hasClock, "lost"},
		{height(110), never, hasClock, "gained"},
		{height(110), never, noClock, "gained"},
		{height(110), time(atPace + 1), hasClock, "estimated gained"},
		{height(110), time(atPace), hasClock, "estimated"},
		{height(110), time(atPace - 1), hasClock, "estimated lost"},
		{time(atPace), height(111), hasClock, "estimated gained"},
		{height(110), time(1001e9), noClock, "gained incomparable"},
	} {
		older := New(t)
		newer := New(t)
		older.Do("alice", `{"approve_all":{"operator":"$bob","expires":%s}}`, cw721.Encode(c.before))
		newer.Do("alice", `{"approve_all":{"operator":"$bob","expires":%s}}`, cw721.Encode(c.after))

		older.View(func(before *chain.View) {
			newer.View(func(after *chain.View) {
				comparison := explain.AccessComparison{BeforeView: before, AfterView: after, Block: after.Clock.Block(), HasClock: c.hasClock}
				var got []string
				for _, change := range Must(comparison.Changes())(t) {
					for word, isSet := range map[string]bool{"gained": change.IsGained, "lost": change.IsLost, "incomparable": change.IsIncomparable, "estimated": change.IsEstimated} {
						if isSet {
							got = append(got, word)
						}
					}
				}
				slices.Sort(got)
				Same(t, fmt.Sprintf("%s, then %s", c.before, c.after), c.want, strings.Join(got, " "))
			})
		})
	}
}
