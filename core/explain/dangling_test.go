package explain_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"ephemera/core/chain"
	. "ephemera/core/chain/chaintest"
	"ephemera/core/chain/expiry"
	"ephemera/core/cw721"
	"ephemera/core/explain"
	"ephemera/core/kv"
)

// findings reads the report as "danger: text".
func findings(w *World) []string {
	w.T.Helper()
	all := []string{}
	w.View(func(v *chain.View) {
		for _, f := range Collect(w.T, explain.Dangling(context.Background(), v)) {
			all = append(all, fmt.Sprintf("%s: %s", f.Danger, f.Text))
		}
	})
	slices.Sort(all)
	return all
}

// finds tells that one finding says all of the words, and how many there are.
func finds(w *World, n int, words ...string) {
	w.T.Helper()
	all := findings(w)
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
		w.T.Fatalf("%d findings say %q, expected %d:\n%s", hits, words, n, strings.Join(all, "\n"))
	}
}

func TestAFreshCollectionHasNothingDangling(t *testing.T) {
	w := New(t)
	w.Mint("1", "alice")
	w.Do("alice", `{"approve":{"token_id":"1","spender":"$bob","expires":{"at_height":200}}}`)
	Same(t, "findings", []string{}, findings(w))
}

func TestAnApprovalOutlivesTheRightOfTheOperatorWhoGaveIt(t *testing.T) {
	w := New(t)
	w.Mint("1", "alice")
	w.Do("alice", `{"approve_all":{"operator":"$bob","expires":{"at_height":110}}}`)
	w.Do("bob", `{"approve":{"token_id":"1","spender":"$carol","expires":{"at_height":200}}}`)
	finds(w, 0, "lost giver")
	Must(w.C.Advance(chain.ClockStep{Blocks: 10}))(t)
	finds(w, 1, "lost giver", "approval for carol on 1", "bob, who gave it", "may no longer approve on behalf of alice")
	w.Do("alice", `{"approve":{"token_id":"1","spender":"$carol","expires":{"at_height":201}}}`)
	finds(w, 0, "lost giver") // now it is alice's own
	Must(w.C.Undo(1))(t)
	finds(w, 1, "lost giver")
	Must(w.C.Advance(chain.ClockStep{Blocks: 100}))(t)
	finds(w, 0, "lost giver") // it ended
}

// An approval for the owner gives nothing, whoever gave it.
func TestAnApprovalForTheOwnerHasNoLostGiver(t *testing.T) {
	w := New(t)
	w.Mint("1", "alice")
	w.Do("alice", `{"approve_all":{"operator":"$bob"}}`)
	w.Do("bob", `{"approve":{"token_id":"1","spender":"$alice"}}`)
	w.Do("bob", `{"approve":{"token_id":"1","spender":"$carol"}}`)
	w.Do("alice", `{"revoke_all":{"operator":"$bob"}}`)
	finds(w, 1, "lost giver")
	finds(w, 1, "lost giver", "approval for carol on 1")
}

func TestATransferWipesWhatWasGivenBeforeIt(t *testing.T) {
	w := New(t)
	w.Mint("1", "alice")
	w.Do("alice", `{"approve":{"token_id":"1","spender":"$carol"}}`)
	w.Do("alice", `{"transfer_nft":{"token_id":"1","recipient":"$bob"}}`)
	w.Do("bob", `{"approve":{"token_id":"1","spender":"$carol"}}`)
	finds(w, 0, "lost giver")
}

func TestAnOperatorOfOldReachesATokenThatCameBack(t *testing.T) {
	w := New(t)
	w.Mint("1", "alice")
	w.Mint("2", "alice")
	w.Do("alice", `{"approve_all":{"operator":"$bob","expires":{"at_height":500}}}`)
	w.Do("alice", `{"transfer_nft":{"token_id":"1","recipient":"$carol"}}`)
	finds(w, 0, "returned token")
	w.Do("carol", `{"transfer_nft":{"token_id":"1","recipient":"$alice"}}`)
	finds(w, 1, "returned token", "1 left alice and came back", "bob")
	w.Do("alice", `{"revoke_all":{"operator":"$bob"}}`)
	w.Do("alice", `{"approve_all":{"operator":"$carol","expires":{"at_height":500}}}`)
	Must(w.C.Advance(chain.ClockStep{Blocks: 1}))(t)
	finds(w, 0, "bob")
}

func TestATokenThatCameBackTwiceIsToldOnce(t *testing.T) {
	w := New(t)
	w.Mint("1", "alice")
	w.Do("alice", `{"approve_all":{"operator":"$bob","expires":{"at_height":500}}}`)
	for range 2 {
		w.Do("alice", `{"transfer_nft":{"token_id":"1","recipient":"$carol"}}`)
		w.Do("carol", `{"transfer_nft":{"token_id":"1","recipient":"$alice"}}`)
	}
	finds(w, 1, "returned token")
}

func TestAnApprovalThatWasTakenBackAndGivenByTheOwnerHasNotLostItsGiver(t *testing.T) {
	w := New(t)
	w.Mint("1", "alice")
	w.Do("alice", `{"approve_all":{"operator":"$bob","expires":{"at_height":110}}}`)
	w.Do("bob", `{"approve":{"token_id":"1","spender":"$carol"}}`)
	w.Do("alice", `{"revoke":{"token_id":"1","spender":"$carol"}}`)
	Must(w.C.Advance(chain.ClockStep{Blocks: 10}))(t)
	finds(w, 0, "lost giver")
}

func TestAnOperatorWaitsForAnOwnerWithoutTokens(t *testing.T) {
	w := New(t)
	w.Mint("1", "alice")
	w.Do("alice", `{"approve_all":{"operator":"$bob"}}`)
	finds(w, 1, "endless operator", "the operator grant from alice to bob never expires")
	finds(w, 0, "waiting operator")
	w.Do("alice", `{"transfer_nft":{"token_id":"1","recipient":"$carol"}}`)
	finds(w, 1, "waiting operator", "alice owns no token now")
}

func TestGrantsToOneselfAreFlagged(t *testing.T) {
	w := New(t)
	w.Mint("1", "alice")
	w.Do("alice", `{"approve":{"token_id":"1","spender":"$alice"}}`)
	w.Do("bob", `{"approve_all":{"operator":"$bob"}}`)
	finds(w, 2, "to oneself")
	finds(w, 0, "endless operator")
	w.Do("alice", `{"approve":{"token_id":"1","spender":"$alice","expires":{"at_height":101}}}`)
	finds(w, 2, "to oneself")
	Must(w.C.Advance(chain.ClockStep{Blocks: 1}))(t)
	finds(w, 1, "to oneself") // the other one is over
}

func TestOffersThatLapsedAndEndsInTheWrongUnitAreFlagged(t *testing.T) {
	w := New(t)
	w.Do("creator", `{"update_minter_ownership":{"transfer_ownership":{"new_owner":"$bob","expiry":{"at_height":101}}}}`)
	finds(w, 0, "lapsed offer")
	Must(w.C.Advance(chain.ClockStep{Blocks: 1}))(t)
	finds(w, 1, "lapsed offer", "minter offer to bob")
	w.Do("creator", `{"update_creator_ownership":{"transfer_ownership":{"new_owner":"$bob","expiry":{"at_height":1795262405}}}}`)
	finds(w, 1, "unlikely end", "creator offer to bob", "was a time meant?")
}

func TestARoyaltySetBySomeoneElseIsFlaggedUnderTheRulesThatLetAnyone(t *testing.T) {
	w := Blank(t, kv.NewMemory())
	g := Genesis()
	g.Rules = cw721.RulesV019
	Must(w.C.Create(g, Address("creator"), []byte(Founding)))(t)
	royalty := `{"update_collection_info":{"collection_info":{"extension":{"royalty_info":{"payment_address":"$%s","share":"0.01"}}}}}`
	w.Do("creator", royalty, "creator")
	finds(w, 0, "royalty")
	w.Do("bob", royalty, "bob")
	finds(w, 1, "royalty", "set by bob, who was not the creator", "v0.19.0")
	Same(t, "the creator at that time", Address("creator"), royaltyHole(w).Remover)
	w.Do("creator", royalty, "creator")
	w.Do("creator", `{"update_creator_ownership":{"transfer_ownership":{"new_owner":"$alice"}}}`)
	w.Do("alice", `{"update_creator_ownership":"accept_ownership"}`)
	finds(w, 0, "royalty") // the creator of then set it

	// A collection without a creator names nobody who could have set it.
	w.Do("alice", `{"update_creator_ownership":"renounce_ownership"}`)
	w.Do("bob", royalty, "bob")
	Same(t, "nobody was the creator", cw721.Address(""), royaltyHole(w).Remover)
}

// royaltyHole returns the finding about a royalty that somebody else than the creator set.
func royaltyHole(w *World) (hole explain.Finding) {
	w.T.Helper()
	w.View(func(v *chain.View) {
		for _, finding := range Collect(w.T, explain.Dangling(context.Background(), v)) {
			if finding.Danger == explain.DangerRoyaltyHole {
				hole = finding
			}
		}
	})
	return hole
}

func TestAnApprovalOfAnOperatorOutlivesItsExpiry(t *testing.T) {
	w := New(t)
	w.Mint("1", "alice")
	w.Do("alice", `{"approve":{"token_id":"1","spender":"$bob","expires":{"at_height":110}}}`)
	finds(w, 0, "outlives expiry")
	w.Do("alice", `{"approve_all":{"operator":"$bob"}}`)
	finds(w, 1, "outlives expiry", "the approval for bob on 1: until height 110, but bob can renew it without alice")
}

func TestExactlyTheGrantsThatOutliveTheirExpiryAreReported(t *testing.T) {
	found := 0
	rapid.Check(t, func(r *rapid.T) {
		w := NewWalker(r, kv.NewMemory(), nil)
		for range rapid.IntRange(0, 40).Draw(r, "steps") {
			w.Execute(r)
		}

		w.View(func(v *chain.View) {
			want := map[cw721.Grant]bool{}
			for _, grants := range []iter.Seq2[expiry.Entry, error]{v.GrantsOnTokens(""), v.Grants(expiry.Index{OnlyOperators: true})} {
				for _, entry := range Collect(r, grants) {
					really, _, err := explain.DescribeAccessEnd(context.Background(), v, entry.Grant)
					OK(r, err)
					if really != entry.Expires {
						want[entry.Grant] = true
					}
				}
			}
			got := map[cw721.Grant]bool{}
			for _, finding := range Collect(r, explain.Dangling(context.Background(), v)) {
				if finding.Danger == explain.DangerOutlivesExpiry {
					got[finding.Grant] = true
				}
			}
			Same(r, "grants that outlive their expiry", want, got)
			found += len(got)
		})
	})
	if found == 0 {
		t.Error("no grant outlived its expiry, so nothing was compared")
	}
}

func TestDanglingSaysWhatAPrunedHistoryHides(t *testing.T) {
	w := New(t)
	w.Mint("1", "alice")
	w.Do("alice", `{"approve_all":{"operator":"$bob"}}`)
	w.Do("bob", `{"approve":{"token_id":"1","spender":"$carol"}}`)
	w.Do("alice", `{"revoke_all":{"operator":"$bob"}}`)
	w.Do("alice", `{"approve":{"token_id":"1","spender":"$alice"}}`)
	find := func() (dangers []explain.Danger, err error) {
		w.View(func(v *chain.View) {
			for found, e := range explain.Dangling(context.Background(), v) {
				if e != nil {
					err = e
					return
				}
				dangers = append(dangers, found.Danger)
			}
		})
		return dangers, err
	}

	dangers, err := find()
	if err != nil || !slices.Contains(dangers, explain.DangerLostGiver) {
		t.Fatalf("with the whole history: %v, %v", dangers, err)
	}
	Must(w.C.Prune(1))(t)
	dangers, err = find()
	gap, isGap := errors.AsType[*explain.HistoryGapError](err)
	if !isGap || gap.First != w.Head() || slices.Contains(dangers, explain.DangerLostGiver) {
		t.Errorf("with a history of one message: %v, %v", dangers, err)
	}
	if !slices.Contains(dangers, explain.DangerGrantToSelf) {
		t.Errorf("what the grants show is left out: %v", dangers)
	}
}

func TestEveryCureIsOneThatItsSenderMayGive(t *testing.T) {
	w := New(t)
	w.Mint("1", "alice")
	w.Do("alice", `{"approve":{"token_id":"1","spender":"$alice"}}`)
	w.Do("alice", `{"approve_all":{"operator":"$bob"}}`)
	w.Do("bob", `{"approve":{"token_id":"1","spender":"$carol"}}`)
	w.Do("alice", `{"approve_all":{"operator":"$bob","expires":{"at_height":101}}}`)
	Must(w.C.Advance(chain.ClockStep{Blocks: 1}))(t)
	var found []explain.Finding
	w.View(func(v *chain.View) { found = Collect(t, explain.Dangling(context.Background(), v)) })
	if len(found) < 2 {
		t.Fatalf("found %+v", found)
	}
	for _, f := range found {
		if f.Remedy == nil {
			continue
		}
		r := Must(w.C.Preview(f.Remover, cw721.Encode(f.Remedy)))(t)
		OK(t, r.Err())
		if len(r.Changes) == 0 {
			t.Errorf("%s: the cure changes nothing", f.Text)
		}
	}
}
