package demo_test

import (
	"strings"
	"testing"

	"ephemera/core/chain"
	"ephemera/core/chain/chaintest"
	"ephemera/core/chain/expiry"
	"ephemera/core/cw721"
	"ephemera/core/explain"
	"ephemera/core/human"
	"ephemera/ui/demo"
)

// look runs a question over a fresh demo.
func look(t *testing.T, ask func(v *chain.View) error) *chain.Chain {
	t.Helper()
	c := chaintest.Must(demo.Open(chaintest.InMemory))(t)
	chaintest.OK(t, c.View(ask))
	return c
}

func TestTheDemoHoldsSixtyTokensSomeOfThemOdd(t *testing.T) {
	look(t, func(v *chain.View) error {
		c, err := v.Collection()
		if c.TokenCount != 60 || c.Name != "Interchain Apes" {
			t.Errorf("it is %q with %d tokens", c.Name, c.TokenCount)
		}
		found := map[string]bool{}
		for token, err := range v.Tokens("", cw721.Walk{}) {
			if err != nil {
				return err
			}
			m := token.Extension.Metadata
			found["wide id"] = found["wide id"] || token.ID == "日本"
			found["emoji id"] = found["emoji id"] || token.ID == "🦍"
			found["very long id"] = found["very long id"] || len(token.ID) > 120
			found["no metadata"] = found["no metadata"] || m == nil && token.TokenURI == nil
			found["traits"] = found["traits"] || m != nil && m.Attributes != nil && len(*m.Attributes) > 3
			found["an empty description"] = found["an empty description"] || m != nil && m.Description != nil && *m.Description == ""
			found["many approvals"] = found["many approvals"] || len(token.Approvals) > 5
			found["an owner without a name"] = found["an owner without a name"] || v.NameOf(token.Owner) == ""
		}
		for _, what := range []string{"wide id", "emoji id", "very long id", "no metadata", "traits", "an empty description", "many approvals", "an owner without a name"} {
			if !found[what] {
				t.Errorf("no token has %s", what)
			}
		}
		return err
	})
}

func TestTheDemoHasEightPeopleAndTwoContracts(t *testing.T) {
	look(t, func(v *chain.View) error {
		accounts, err := v.Accounts()
		kinds := map[chain.Receiver][]string{}
		for _, a := range accounts {
			kinds[a.Receiver] = append(kinds[a.Receiver], a.Name)
		}
		if len(kinds[chain.ReceiverDefault]) != 8 {
			t.Errorf("the people are %v", kinds[chain.ReceiverDefault])
		}
		if got := strings.Join(kinds[chain.ReceiverAccepts], " ") + ", " + strings.Join(kinds[chain.ReceiverRejects], " "); got != "market, vault" {
			t.Errorf("the contracts are %s", got)
		}
		return err
	})
}

// kindAndAxis sorts grants: by what they are and by how they end.
type kindAndAxis struct {
	kind cw721.GrantKind
	axis cw721.Axis
}

func TestGrantsOfEveryKindExpireOverTheNextHourAndTheNextHundredBlocks(t *testing.T) {
	look(t, func(v *chain.View) error {
		live, ended := map[kindAndAxis]int{}, map[cw721.GrantKind]int{}
		self, soon, hundred, hour := 0, 0, 0, 0
		now := v.Clock.Block()
		for e, err := range v.Grants(expiry.Index{}) {
			if err != nil {
				return err
			}
			if e.Owner == e.Spender {
				self++
			}
			if e.Expires.HasExpired(now) {
				ended[e.Kind]++
				continue
			}
			live[kindAndAxis{e.Kind, e.Expires.Axis}]++
			at, end, _ := e.Expires.NowAndEnd(now)
			switch {
			case e.Expires.Axis == cw721.AtHeight && end-at <= 10:
				soon++
				fallthrough
			case e.Expires.Axis == cw721.AtHeight && end-at <= 100:
				hundred++
			case e.Expires.Axis == cw721.AtTime && end-at <= 3_600_000_000_000:
				hour++
			}
		}
		for _, kind := range []cw721.GrantKind{cw721.GrantApproval, cw721.GrantOperator} {
			for _, axis := range []cw721.Axis{cw721.Never, cw721.AtHeight, cw721.AtTime} {
				if live[kindAndAxis{kind, axis}] == 0 {
					t.Errorf("no live %s has the end %d", kind, axis)
				}
			}
		}
		if live[kindAndAxis{cw721.GrantMinterOffer, cw721.AtHeight}] != 1 || ended[cw721.GrantCreatorOffer] != 1 {
			t.Error("the minter's offer is to be pending and the creator's lapsed")
		}
		if ended[cw721.GrantApproval] == 0 || ended[cw721.GrantOperator] == 0 {
			t.Errorf("ended is %v", ended)
		}
		if self == 0 {
			t.Error("nobody approved oneself")
		}
		if soon < 2 || hundred < 15 || hour < 12 {
			t.Errorf("%d rights end within 10 blocks, %d within 100, %d within an hour", soon, hundred, hour)
		}
		return nil
	})
}

func TestTheDemoIsThePictureOfADesign(t *testing.T) {
	look(t, func(v *chain.View) error {
		if v.Clock.Height != 1102 || human.Time(v.Clock.Time) != "2026-11-21 12:00:05" || v.Clock.SecondsPerBlock != 5 {
			t.Errorf("the clock is %+v", v.Clock)
		}
		token, _, err := v.Token("ape-0042")
		if err != nil {
			return err
		}
		got := ""
		for _, a := range token.Approvals {
			got += v.DisplayName(a.Spender) + " " + human.ExpiresIn(a.Expires, v.Clock.Block()) + "; "
		}
		if v.DisplayName(token.Owner) != "alice" || got != "bob in 8 blocks; erin in 19m 55s; carol expired 3 blocks ago; " {
			t.Errorf("ape-0042 is of %s: %s", v.DisplayName(token.Owner), got)
		}
		next, err := v.NextExpiry()
		if next == nil || next.Token != "ape-0007" || v.DisplayName(next.Spender) != "bob" || next.Expires.Value != 1105 {
			t.Errorf("what expires next is %+v", next)
		}
		alice, _ := v.Resolve(demo.Actor)
		if n, err := v.Holdings(alice); err != nil || n != 12 {
			t.Errorf("alice owns %d tokens, %v", n, err)
		}
		return err
	})
}

func TestAnApprovalOutlivesTheRightOfTheOperatorWhoGaveIt(t *testing.T) {
	look(t, func(v *chain.View) error {
		approve, _ := cw721.ActionNamed("approve")
		transfer, _ := cw721.ActionNamed("transfer")
		erin, _ := v.Resolve("erin")
		frank, _ := v.Resolve("frank")
		giver, err := explain.Why(v, erin, approve, "ape-0043")
		if err != nil {
			return err
		}
		spender, err := explain.Why(v, frank, transfer, "ape-0043")
		if giver.Decision.Allowed || !spender.Decision.Allowed {
			t.Errorf("%s; %s", giver.Verdict, spender.Verdict)
		}
		return err
	})
}

func TestUndoDoesNotEnterTheMakingOfTheDemo(t *testing.T) {
	c := look(t, func(*chain.View) error { return nil })
	if _, err := c.Undo(1); err == nil {
		t.Error("something was undone")
	}
}

func TestTheDemoIsTheSameEachTime(t *testing.T) {
	var seen [2]string
	for i := range seen {
		look(t, func(v *chain.View) error {
			var b strings.Builder
			for r, err := range v.Records() {
				if err != nil {
					return err
				}
				b.Write(r.Key)
				b.Write(r.Value)
			}
			seen[i] = b.String()
			return nil
		})
	}
	if seen[0] != seen[1] {
		t.Error("two demos differ")
	}
}
