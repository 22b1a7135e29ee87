package demo_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"ephemera/core/chain"
	"ephemera/core/chain/chaintest"
	"ephemera/core/chain/expiry"
	"ephemera/core/cw721"
	"ephemera/core/human"
	"ephemera/core/whocan"
	"ephemera/ui/demo"
)

// look runs a question over a fresh demo.
func look(t *testing.T, ask func(v *chain.View) error) *chain.Chain {
	t.Helper()
	c := chaintest.Must(demo.Open(chaintest.InMemory))(t)
	chaintest.OK(t, c.View(ask))
	return c
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

func TestTheFirstTokenIsTheOneWhoseApprovalExpiresNext(t *testing.T) {
	look(t, func(v *chain.View) error {
		if v.Clock.Height != 1102 || human.Time(v.Clock.Time) != "2026-11-21 12:00:05" || v.Clock.SecondsPerBlock != 5 {
			t.Errorf("the clock is %+v", v.Clock)
		}
		for token, err := range v.Tokens("", cw721.Walk{}) {
			if err != nil {
				return err
			}
			next, err := v.NextExpiry()
			if next == nil || next.Token != token.ID || v.DisplayName(next.Spender) != "bob" || v.DisplayName(token.Owner) != demo.Actor {
				t.Errorf("the first token is %s, and what expires next is %+v", token.ID, next)
			}
			return err
		}
		return nil
	})
}

func TestTheDemoHasFewGrantsAndOneOfEachKindToLookAt(t *testing.T) {
	look(t, func(v *chain.View) error {
		now := v.Clock.Block()
		tokens, atHeight, atTime := 0, 0, 0
		var never, expired, renewable, operators []string
		for token, err := range v.Tokens("", cw721.Walk{}) {
			if err != nil {
				return err
			}
			tokens++
			if len(token.Approvals) > 2 {
				t.Errorf("%s has %d approvals", token.ID, len(token.Approvals))
			}
			for _, approval := range token.Approvals {
				label := token.ID + " " + v.DisplayName(approval.Spender)
				switch {
				case approval.Expires.Axis == cw721.Never:
					never = append(never, label)
				case approval.Expires.HasExpired(now):
					expired = append(expired, label)
				case approval.Expires.Axis == cw721.AtHeight:
					atHeight++
				default:
					atTime++
				}
				lasting, err := whocan.RealExpiry(context.Background(), v, token.Grant(approval))
				if err != nil {
					return err
				}
				if lasting != approval.Expires {
					renewable = append(renewable, label)
				}
			}
		}
		for e, err := range v.Grants(expiry.Index{}) {
			if err != nil {
				return err
			}
			if e.Kind == cw721.GrantOperator {
				operators = append(operators, v.DisplayName(e.Owner)+" "+v.DisplayName(e.Spender))
			}
		}
		slices.Sort(operators)
		got := fmt.Sprint(tokens, atHeight, atTime, never, expired, renewable, operators)
		want := "24 6 6 [ape-0012 bob] [ape-0003 carol] [ape-0005 erin] [carol market dave erin]"
		if got != want {
			t.Errorf("the demo has %s, not %s", got, want)
		}
		return nil
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
