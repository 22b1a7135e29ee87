package collection_test

import (
	"strings"
	"testing"

	"ephemera/core/cw721"
	"ephemera/ui"
	"ephemera/ui/form"
	"ephemera/ui/uitest"
)

func TestTheRoyaltyOverTheCapIsRefusedInTheContractsWords(t *testing.T) {
	d := uitest.New(t, ui.New, 120, 36)
	d.To("Collection")
	d.UnderCursor("royalty")
	d.Sees("5 % to creator", "of 1,000,000: 50,000 to creator, 950,000 to the seller", "at most 10 %, the cap")

	d.ActAs("creator")
	d.Sees("✓ creator holds the creator role")

	d.Keys("enter", "11 %")
	d.Sees("InvalidRoyalties: Share cannot be greater than 10%", "at most 10 %")

	d.Press("enter")
	d.Sees("Change the royalty", "will be refused") // nothing was lost

	d.Keys("ctrl+u", "0.1")
	d.Sees("will work", "royalty info: 5 % to creator → 10 % to creator", "of 1,000,000: 100,000 to creator")

	d.Press("enter")
	d.DoesNotSee("Change the royalty as")
	d.Sees("10 % to creator", "royalty 10 %")
}

func TestTheRoyaltyStepOfARuleSetShowsBeforeItIsExceeded(t *testing.T) {
	d := uitest.On(t, ui.New, uitest.WithRules(t, cw721.RulesV022), 120, 36)
	d.To("Collection")
	d.UnderCursor("royalty")
	d.Sees("at most 7 % now: one update raises it by 2 % or less")
	d.ActAs("creator")
	d.Keys("enter", "8 %")
	d.Sees("InvalidRoyalties: Share increase cannot be greater than 2%")
}

func TestTheScreenWarnsIfAnyoneMayChangeTheRoyalty(t *testing.T) {
	d := uitest.On(t, ui.New, uitest.WithRules(t, cw721.RulesV019), 120, 36)
	d.To("Collection")
	d.UnderCursor("royalty")
	d.Sees("✓ anyone", "no permission is needed")
	d.UnderCursor("rule set")
	d.Sees("anyone may change the royalty: a hole")
}

func TestSharesAreReadAsPercentagesOrFractions(t *testing.T) {
	for text, want := range map[string]string{"5 %": "0.05", "5%": "0.05", "0.05": "0.05", "12.5%": "0.125", "100 %": "1", "0%": "0", "007 %": "0.07", "0.0000000000000001%": "0.000000000000000001"} {
		if got, err := form.ParseShare(text); err != nil || got.String() != want {
			t.Errorf("%q is %s, %v; expected %s", text, got, err, want)
		}
	}
	for _, text := range []string{"", "%", "five", "-1%", "1e2", "0.00000000000000001%", ".5 %", "5 % %"} {
		if got, err := form.ParseShare(text); err == nil || !strings.Contains(err.Error(), "is no share, expected like 5 % or 0.05") {
			t.Errorf("%q is taken for %s", text, got)
		}
	}
}

func TestAShareAboveOneWithoutAPercentSignIsQuestioned(t *testing.T) {
	d := uitest.New(t, ui.New, 80, 24)
	d.Press("4")
	d.ActAs("creator")
	d.UnderCursor("royalty")
	d.Press("enter")
	for text, want := range map[string]string{"5": "▲ 5 is 500 %: was 5 % meant?", "1.5": "▲ 1.5 is 150 %: was 1.5 % meant?"} {
		d.Keys("ctrl+u", text)
		d.Sees(want)
	}
	for _, text := range []string{"1", "0.05", "5 %", "500 %"} {
		d.Keys("ctrl+u", text)
		d.DoesNotSee("meant?")
	}
}

func TestTheCalculatorSplitsAnyPrice(t *testing.T) {
	d := uitest.New(t, ui.New, 120, 36)
	d.To("Collection")
	d.Keys("c", "4,200,010")
	d.Sees("now 5 %", "210,000 + 3,990,010", "at the cap 10 %", "420,001 + 3,780,009")

	d.Types("x")
	d.Sees("sale price: expected a whole number")

	d.Press("esc")
	d.DoesNotSee("Royalty of a sale")
}

func TestAnOfferOfTheMinterRoleExpiresAndIsAcceptedAfterUndo(t *testing.T) {
	d := uitest.New(t, ui.New, 120, 36)
	d.To("Collection")
	d.UnderCursor("minter")
	d.Sees("offered to carol", "in 48 blocks", "✓ carol the role is offered to carol")

	d.ActAs("minter")
	d.Keys("enter", "dave", "tab", "+3")
	d.Sees("will work", "the minter role is offered to dave, until height 1,105")

	d.Press("enter")
	d.SeesIn(uitest.Detail, "● dave", "in 3 blocks")

	d.ActAs("dave")
	d.Press(".", ".", ".")
	d.Sees("○ offer to dave expired", "It expired: dave can no longer accept it")

	d.Press("enter")
	d.Sees("◂ accept ▸", "A pending ownership transfer exists but it has expired")

	d.Press("enter")
	d.Sees("will be refused")

	d.Press("esc", "u")
	d.SeesIn(uitest.Detail, "● dave", "in 1 block")

	d.Press("enter", "enter")
	d.Sees("minter              dave", "✓ dave holds the minter role")
}

func TestTheCreatorRoleIsRenouncedForGood(t *testing.T) {
	d := uitest.New(t, ui.New, 120, 36)
	d.To("Collection")
	d.ActAs("creator")
	d.Keys(":", "renounce the creator", "enter")
	d.Sees("◂ renounce ▸", "will work", "the creator role of creator is given up, for good")

	d.Press("enter")
	d.UnderCursor("creator")
	d.Sees("nobody, renounced for good", "Nobody holds the role any more, and nobody can", "Contract ownership has been renounced")

	d.Press("u")
	d.Sees("✓ creator holds the creator role")
}

func TestAnyoneWithdrawsFundsOnceThereIsAWithdrawAddress(t *testing.T) {
	d := uitest.New(t, ui.New, 120, 36)
	d.To("Collection")
	d.UnderCursor("withdraw address")
	d.SeesIn(uitest.List, "withdraw address    none")

	d.ActAs("creator")
	d.Keys("enter", "bob", "enter")
	d.Sees("Where withdraw_funds pays")

	d.UnderCursor("withdraw address    bob")
	d.ActAs("erin")
	d.Keys(":", "withdraw funds", "enter", "ten")
	d.Sees("amount: expected a whole number")

	d.Keys("ctrl+u", "10")
	d.Sees("will work", "nothing changes")
}

func TestAnUpdateOfTheCollectionKeepsUpdatedAt(t *testing.T) {
	d := uitest.New(t, ui.New, 120, 36)
	d.To("Collection")
	d.UnderCursor("updated at")
	d.Sees("2026-11-21 12:00:05 UTC", "an update does not change it")

	d.Press("enter")
	d.Sees("updated at: no message changes it")

	d.Press(">")
	d.ActAs("creator")
	d.UnderCursor("name")
	d.Keys("enter", "Bears")
	d.Sees("name: Interchain Apes → Bears")

	d.Press("enter")
	d.Sees("EPHEMERA  Bears")

	d.UnderCursor("updated at          2026-11-21 12:00:05 UTC")
}

func TestOnlyTheMinterSetsTheStartOfTradingAndMayTypeADistance(t *testing.T) {
	d := uitest.New(t, ui.New, 120, 36)
	d.To("Collection")
	d.UnderCursor("start of trading    not said")
	d.Sees("✗ alice “Caller is not minter”")

	d.ActAs("minter")
	d.Keys("enter", "h1200")
	d.Sees(`trading starts: "h1200" is no time`)

	d.Keys("ctrl+u", "+90m")
	d.Sees("will work", "2026-11-21 13:30:05 UTC · in 1h 30m")

	d.Press("enter")
	d.UnderCursor("start of trading    in 1h 30m")
	d.Press("f")
	d.Sees("2026-11-21 13:30:05 UTC")
}

func TestTheMinterAddsAndRemovesAdditionalMinters(t *testing.T) {
	for _, size := range uitest.Sizes {
		d := uitest.On(t, ui.New, uitest.WithRules(t, cw721.RulesV022), size[0], size[1])
		d.To("Collection")
		d.ActAs("creator")
		d.UnderCursor("additional minters  none")
		d.Keys("enter", "alice")
		d.Sees("◂ add ▸", "will work", "alice becomes an additional minter")

		d.Press("enter")
		d.UnderCursor("additional minters  alice")
		d.ActAs("alice")
		if size[0] == 120 {
			d.Sees("Who may mint?", "✓ creator holds the minter role", "✓ alice is an additional minter", "Who may add or remove one?", "✗ alice “Caller is not the minter owner")
		}
		d.ActAs("creator")
		d.Keys(":", "additional minter: remove", "enter", "alice")
		d.Sees("◂ remove ▸", "alice is no additional minter any more")

		d.Press("enter")
		d.UnderCursor("additional minters  none")
		d.Fits()
	}
}

func TestTheHeaderShowsThatTheActorIsAnAdditionalMinter(t *testing.T) {
	d := uitest.On(t, ui.New, uitest.WithRules(t, cw721.RulesV022), 120, 36)
	d.Do("creator", `{"add_minter":{"minter":"$alice"}}`)
	if line := d.Line(0); !strings.Contains(line, "owner of 0, additional minter") {
		t.Fatalf("the header says %q", line)
	}
	d.To("History")
	d.Sees("make alice an additional minter")
}

func TestTheBannerIsSetToAnAbsoluteURL(t *testing.T) {
	d := uitest.On(t, ui.New, uitest.WithRules(t, cw721.RulesV022), 120, 36)
	d.To("Collection")
	d.ActAs("creator")
	d.UnderCursor("banner url")
	d.Keys("enter", "banner")
	d.Sees("will be refused")

	d.Keys("ctrl+u", "ipfs://bafy/banner.png")
	d.Sees("will work", "banner url: none → ipfs://bafy/banner.png")

	d.Press("enter")
	d.UnderCursor("banner url          ipfs://bafy/banner.png")
	d.Sees("22 bytes of text")
}

func TestOlderRulesHaveNeitherABannerNorAdditionalMinters(t *testing.T) {
	for _, rules := range []cw721.Rules{cw721.RulesStandard, cw721.RulesV019} {
		d := uitest.On(t, ui.New, uitest.WithRules(t, rules), 120, 36)
		d.To("Collection")
		d.DoesNotSee("banner", "additional minters")
		d.Keys(":", "additional minter")
		d.DoesNotSee("Additional minter: add")
	}
}

func TestTheSignOfAFieldShowsWhetherTheActorMayChangeIt(t *testing.T) {
	d := uitest.On(t, ui.New, uitest.WithRules(t, cw721.RulesV022), 120, 36)
	d.Do("creator", `{"add_minter":{"minter":"$alice"}}`)
	d.Do("creator", `{"set_withdraw_address":{"address":"$alice"}}`)
	d.To("Collection")
	sees := func(who, field, sign string) {
		t.Helper()
		d.ActAs(who)
		d.UnderCursor(field)
		for _, line := range strings.Split(uitest.List(strings.Split(d.Screen(), "\n")), "\n") {
			if strings.Contains(line, field) && !strings.Contains(line, sign) {
				t.Errorf("%s: %q, expected %s", who, line, sign)
			}
		}
	}
	sees("alice", "withdraw address", "✗")
	sees("alice", "additional minters", "✗")
	sees("creator", "withdraw address", "✓")
	sees("creator", "additional minters", "✓")
	sees("alice", "royalty", "✗")
	sees("creator", "royalty", "✓")
}
