package app

import (
	"fmt"
	"testing"

	"ephemera/core/chain"
	"ephemera/core/chain/chaintest"
	"ephemera/core/cw721"
)

func TestARealExpiryIsSearchedAgainOnlyWhenAGrantOverTheTokenChangesOrExpires(t *testing.T) {
	w := chaintest.New(t) // at height 100
	w.Mint("rose", "alice")
	w.Do("alice", `{"approve":{"token_id":"rose","spender":"$bob","expires":{"at_height":121}}}`)
	w.Do("alice", `{"approve_all":{"operator":"$bob","expires":{"at_height":106}}}`)
	approval := cw721.Grant{
		Kind:    cw721.GrantApproval,
		Token:   "rose",
		Owner:   chaintest.Address("alice"),
		Spender: chaintest.Address("bob"),
		Expires: cw721.UntilHeight(121),
	}

	var ends RealExpiries
	searchAgain := func() (searched bool) {
		t.Helper()
		// A wrong expiry stays as long as no search is made.
		wrong := cw721.UntilHeight(999)
		if end, known := ends[approval]; known {
			end.expires = wrong
			ends[approval] = end
		}
		w.View(func(v *chain.View) {
			ends = chaintest.Must(ends.Read(v, []cw721.Grant{approval}))(t)
		})
		return ends.ExpiryOf(approval) != wrong
	}
	advance := func(blocks uint64) {
		t.Helper()
		chaintest.Must(w.C.Advance(chain.ClockStep{Blocks: blocks}))(t)
	}

	searchAgain()
	chaintest.Same(t, "while bob is an operator", cw721.Expiration{}, ends.ExpiryOf(approval))
	advance(3)
	chaintest.Same(t, "searched after three blocks", false, searchAgain())
	advance(6)
	chaintest.Same(t, "searched after the operator expired", true, searchAgain())
	chaintest.Same(t, "when bob is no operator", approval.Expires, ends.ExpiryOf(approval))
	w.Mint("tulip", "alice")
	chaintest.Same(t, "searched after a mint", false, searchAgain())
	w.Do("alice", `{"approve_all":{"operator":"$bob"}}`)
	chaintest.Same(t, "searched after a new operator", true, searchAgain())
	chaintest.Same(t, "with bob an operator again", cw721.Expiration{}, ends.ExpiryOf(approval))
}

func TestAReadingOfRealExpiriesMakesFewSearchesAndTheNextContinues(t *testing.T) {
	w := chaintest.New(t)
	w.Mint("rose", "alice")
	for i := range maxLiveGrants + 1 { // so many that they are not compared
		w.Do("alice", `{"approve":{"token_id":"rose","spender":%q}}`, chaintest.Address(fmt.Sprint("spender ", i)))
	}
	var grants []cw721.Grant
	for height := range 2*maxSearches + 1 {
		grants = append(grants, cw721.Grant{
			Kind:    cw721.GrantApproval,
			Token:   "rose",
			Owner:   chaintest.Address("alice"),
			Spender: chaintest.Address("bob"),
			Expires: cw721.UntilHeight(cw721.Height(200 + height)),
		})
	}
	w.View(func(v *chain.View) {
		st := new(State)
		st.Revision = v.Revision
		var ends RealExpiries
		readings := 0
		for ends.NextRead(st, grants) != nil && readings < 10 {
			ends = chaintest.Must(ends.Read(v, grants))(t)
			readings++
		}
		chaintest.Same(t, "readings", 3, readings)
	})
}
