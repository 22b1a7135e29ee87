package inspect_test

import (
	"strings"
	"testing"

	"ephemera/core/chain/chaintest"
	"ephemera/core/cw721"
	"ephemera/ui"
	"ephemera/ui/uitest"
)

func TestWhyReadsTheRulesInOrderAndItsFlipIsOneKeyAway(t *testing.T) {
	d := uitest.New(t, ui.New, 120, 36)
	d.ActAs("erin")
	d.Press("w")
	d.Sees("erin may not transfer ape-01: “Caller is not the contract's current owner”",
		"1 ✗ owner", "alice owns the token, not erin", "2 ✗ approval", "erin has no approval on the token",
		"3 ✗ operator", "erin is not an operator of alice", "alice approves erin for this token")
	d.Press("enter")
	d.Sees("Change the decision as alice", "Expires", "+10 blocks")
	d.Keys("+5")
	d.Sees("will work", `"spender":"`+string(chaintest.Address("erin")))
	d.Press("enter")
	d.Sees("erin may transfer", "2 ✓ approval", "height 1,102 < 1,107: live", "the approval expires at height 1,107 (in 5 blocks)")
	d.Press("enter") // the flip is the clock now
	d.Sees("height 1,107", "erin may not transfer", "height 1,107 ≥ 1,107: expired")
	d.Press("esc")
	d.Sees("as ● erin") // the person acts as before
	d.Fits()
}

func TestWhyOffersTheActionsOfTheRuleSet(t *testing.T) {
	for rules, has := range map[cw721.Rules]bool{cw721.RulesStandard: false, cw721.RulesV022: true} {
		d := uitest.On(t, ui.New, uitest.WithRules(t, rules), 120, 36)
		d.Press("w")
		d.Sees("◂ mint ▸")
		d.Press("right")
		if got := strings.Contains(d.Screen(), "◂ add-minter ▸"); got != has {
			t.Errorf("under %s:\n%s", rules, d.Screen())
		}
	}
}
