package collection_test

import (
	"strings"
	"testing"

	"ephemera/core/cw721"
	"ephemera/ui"
	"ephemera/ui/form"
	"ephemera/ui/uitest"
)

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
