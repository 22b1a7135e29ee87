package chain_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/explain"
	"ephemera/core/kv"
)

// findings reads the report as "danger: text".
func (w *world) findings() []string {
	w.t.Helper()
	all := []string{}
	w.view(func(v *chain.View) {
		for _, f := range collect(w.t, explain.Dangling(v)) {
			all = append(all, fmt.Sprintf("%s: %s", f.Danger, f.Text))
		}
	})
	slices.Sort(all)
	return all
}

// finds tells that one finding says all of the words, and how many there are.
func (w *world) finds(n int, words ...string) {
	w.t.Helper()
	all := w.findings()
	hits := 0
	for _, f := range all {
		has := true
		for _, word := range words {
			has = has && strings.Contains(f, word)
		}
		if has {
			hits++
		}
	}
	if hits != n {
		w.t.Fatalf("%d findings say %q, expected %d:\n%s", hits, words, n, strings.Join(all, "\n"))
	}
}

func TestAFreshCollectionHasNothingDangling(t *testing.T) {
	w := newWorld(t)
	w.mint("1", "alice")
	w.do("alice", `{"approve":{"token_id":"1","spender":"$bob","expires":{"at_height":200}}}`)
	same(t, "findings", []string{}, w.findings())
}

func TestAnApprovalOutlivesTheRightOfTheOperatorWhoGaveIt(t *testing.T) {
	w := newWorld(t)
	w.mint("1", "alice")
	w.do("alice", `{"approve_all":{"operator":"$bob","expires":{"at_height":110}}}`)
	w.do("bob", `{"approve":{"token_id":"1","spender":"$carol","expires":{"at_height":200}}}`)
	w.finds(0, "lost giver")
	must(w.c.Advance(chain.Step{Blocks: 10}))(t)
	w.finds(1, "lost giver", "approval for carol on 1", "bob, who gave it", "may no longer approve on behalf of alice")
	w.do("alice", `{"approve":{"token_id":"1","spender":"$carol","expires":{"at_height":201}}}`)
	w.finds(0, "lost giver") // now it is alice's own
	must(w.c.Undo(1))(t)
	w.finds(1, "lost giver")
	must(w.c.Advance(chain.Step{Blocks: 100}))(t)
	w.finds(0, "lost giver") // it ended
}

func TestATransferWipesWhatWasGivenBeforeIt(t *testing.T) {
	w := newWorld(t)
	w.mint("1", "alice")
	w.do("alice", `{"approve":{"token_id":"1","spender":"$carol"}}`)
	w.do("alice", `{"transfer_nft":{"token_id":"1","recipient":"$bob"}}`)
	w.do("bob", `{"approve":{"token_id":"1","spender":"$carol"}}`)
	w.finds(0, "lost giver")
}

func TestAnOperatorOfOldReachesATokenThatCameBack(t *testing.T) {
	w := newWorld(t)
	w.mint("1", "alice")
	w.mint("2", "alice")
	w.do("alice", `{"approve_all":{"operator":"$bob","expires":{"at_height":500}}}`)
	w.do("alice", `{"transfer_nft":{"token_id":"1","recipient":"$carol"}}`)
	w.finds(0, "returned token")
	w.do("carol", `{"transfer_nft":{"token_id":"1","recipient":"$alice"}}`)
	w.finds(1, "returned token", "1 left alice and came back", "bob")
	w.do("alice", `{"revoke_all":{"operator":"$bob"}}`)
	w.do("alice", `{"approve_all":{"operator":"$carol","expires":{"at_height":500}}}`)
	must(w.c.Advance(chain.Step{Blocks: 1}))(t)
	w.finds(0, "bob")
}

func TestATokenThatCameBackTwiceIsToldOnce(t *testing.T) {
	w := newWorld(t)
	w.mint("1", "alice")
	w.do("alice", `{"approve_all":{"operator":"$bob","expires":{"at_height":500}}}`)
	for range 2 {
		w.do("alice", `{"transfer_nft":{"token_id":"1","recipient":"$carol"}}`)
		w.do("carol", `{"transfer_nft":{"token_id":"1","recipient":"$alice"}}`)
	}
	w.finds(1, "returned token")
}

func TestAnApprovalThatWasTakenBackAndGivenByTheOwnerHasNotLostItsGiver(t *testing.T) {
	w := newWorld(t)
	w.mint("1", "alice")
	w.do("alice", `{"approve_all":{"operator":"$bob","expires":{"at_height":110}}}`)
	w.do("bob", `{"approve":{"token_id":"1","spender":"$carol"}}`)
	w.do("alice", `{"revoke":{"token_id":"1","spender":"$carol"}}`)
	must(w.c.Advance(chain.Step{Blocks: 10}))(t)
	w.finds(0, "lost giver")
}

func TestAnOperatorWaitsForAnOwnerWithoutTokens(t *testing.T) {
	w := newWorld(t)
	w.mint("1", "alice")
	w.do("alice", `{"approve_all":{"operator":"$bob"}}`)
	w.finds(1, "endless operator", "the operator grant from alice to bob never ends")
	w.finds(0, "waiting operator")
	w.do("alice", `{"transfer_nft":{"token_id":"1","recipient":"$carol"}}`)
	w.finds(1, "waiting operator", "alice owns no token now")
}

func TestRightsGivenToOneselfAreFlagged(t *testing.T) {
	w := newWorld(t)
	w.mint("1", "alice")
	w.do("alice", `{"approve":{"token_id":"1","spender":"$alice"}}`)
	w.do("bob", `{"approve_all":{"operator":"$bob"}}`)
	w.finds(2, "to oneself")
	w.finds(0, "endless operator")
	w.do("alice", `{"approve":{"token_id":"1","spender":"$alice","expires":{"at_height":101}}}`)
	w.finds(2, "to oneself")
	must(w.c.Advance(chain.Step{Blocks: 1}))(t)
	w.finds(1, "to oneself") // the other one is over
}

func TestOffersThatLapsedAndEndsInTheWrongUnitAreFlagged(t *testing.T) {
	w := newWorld(t)
	w.do("creator", `{"update_minter_ownership":{"transfer_ownership":{"new_owner":"$bob","expiry":{"at_height":101}}}}`)
	w.finds(0, "lapsed offer")
	must(w.c.Advance(chain.Step{Blocks: 1}))(t)
	w.finds(1, "lapsed offer", "minter offer to bob")
	w.do("creator", `{"update_creator_ownership":{"transfer_ownership":{"new_owner":"$bob","expiry":{"at_height":1795262405}}}}`)
	w.finds(1, "unlikely end", "creator offer to bob", "was a time meant?")
}

func TestARoyaltySetBySomeoneElseIsFlaggedUnderTheRulesThatLetAnyone(t *testing.T) {
	w := &world{t: t, db: kv.NewMemory()}
	w.c = must(chain.Open(w.db))(t)
	g := genesis()
	g.Rules = cw721.RulesV019
	must(w.c.Create(g, address("creator"), []byte(founding)))(t)
	royalty := `{"update_collection_info":{"collection_info":{"extension":{"royalty_info":{"payment_address":"$%s","share":"0.01"}}}}}`
	w.do("creator", royalty, "creator")
	w.finds(0, "royalty")
	w.do("bob", royalty, "bob")
	w.finds(1, "royalty", "set by bob, who was not the creator", "v0.19.0")
	w.do("creator", royalty, "creator")
	w.do("creator", `{"update_creator_ownership":{"transfer_ownership":{"new_owner":"$alice"}}}`)
	w.do("alice", `{"update_creator_ownership":"accept_ownership"}`)
	w.finds(0, "royalty") // the creator of then set it
}

func TestEveryCureIsOneThatItsSenderMayGive(t *testing.T) {
	w := newWorld(t)
	w.mint("1", "alice")
	w.do("alice", `{"approve":{"token_id":"1","spender":"$alice"}}`)
	w.do("alice", `{"approve_all":{"operator":"$bob"}}`)
	w.do("bob", `{"approve":{"token_id":"1","spender":"$carol"}}`)
	w.do("alice", `{"approve_all":{"operator":"$bob","expires":{"at_height":101}}}`)
	must(w.c.Advance(chain.Step{Blocks: 1}))(t)
	var found []explain.Finding
	w.view(func(v *chain.View) { found = collect(t, explain.Dangling(v)) })
	if len(found) < 2 {
		t.Fatalf("found %+v", found)
	}
	for _, f := range found {
		if f.Cure == nil {
			continue
		}
		r := must(w.c.Preview(f.By, cw721.Encode(f.Cure)))(t)
		ok(t, r.Err())
		if len(r.Changes) == 0 {
			t.Errorf("%s: the cure changes nothing", f.Text)
		}
	}
}
