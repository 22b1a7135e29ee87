package ui

import (
	"fmt"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"pgregory.net/rapid"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/kv"
)

// underCursor moves down until the screen shows a text in the line of the
// cursor.
func (d *drive) underCursor(text string) {
	d.t.Helper()
	d.press("g")
	for range 60 {
		for _, l := range strings.Split(d.screen(), "\n") {
			if strings.HasPrefix(l, "▸ "+text) {
				return
			}
		}
		d.press("j")
	}
	d.t.Fatalf("the cursor finds no %q:\n%s", text, d.screen())
}

// withRules is a small collection under other rules.
func withRules(t *testing.T, rules cw721.Rules) *chain.Chain {
	t.Helper()
	c, err := chain.Open(kv.NewMemory())
	if err != nil {
		t.Fatal(err)
	}
	g := chain.Genesis{Config: chain.Config{Rules: rules}, Clock: chain.Clock{Height: 10, Time: 1_795_262_400_000_000_000}}
	for _, name := range []string{"alice", "creator"} {
		g.Accounts = append(g.Accounts, chain.Account{Name: name, Address: addressOf(t, name)})
	}
	_, err = c.Create(g, addressOf(t, "creator"), []byte(`{"name":"Apes","symbol":"APE","collection_info_extension":{"royalty_info":{"payment_address":"$creator","share":"0.05"}}}`))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestTheRoyaltyOverTheCapIsRefusedInTheContractsWords(t *testing.T) {
	d := newDrive(t, New, 120, 36)
	d.to("Collection")
	d.underCursor("royalty")
	d.sees("5 % to creator", "of 1,000,000: 50,000 to creator, 950,000 to the seller", "at most 10 %, the cap")
	d.actAs("creator")
	d.sees("✓ creator holds the creator role")
	d.press("enter")
	d.types("11 %")
	d.sees("InvalidRoyalties: Share cannot be greater than 10%", "at most 10 %")
	d.press("enter")
	d.sees("Change the royalty", "will be refused") // nothing was lost
	for range 4 {
		d.press("backspace")
	}
	d.types("0.1")
	d.sees("will work", "royalty info: 5 % to creator → 10 % to creator", "of 1,000,000: 100,000 to creator")
	d.press("enter")
	d.doesNotSee("Change the royalty as")
	d.sees("10 % to creator", "royalty 10 %")
}

func TestTheStepOfARuleSetShowsBeforeAnyoneRunsIntoIt(t *testing.T) {
	d := driveOn(t, New, withRules(t, cw721.RulesV022), 120, 36)
	d.to("Collection")
	d.underCursor("royalty")
	d.sees("at most 7 % now: one update raises it by 2 % or less")
	d.actAs("creator")
	d.press("enter")
	d.types("8 %")
	d.sees("InvalidRoyalties: Share increase cannot be greater than 2%")
}

func TestWhereAnyoneMayChangeTheRoyaltyTheScreenSaysSo(t *testing.T) {
	d := driveOn(t, New, withRules(t, cw721.RulesV019), 120, 36)
	d.to("Collection")
	d.underCursor("royalty")
	d.sees("✓ anyone", "no right is needed")
	d.underCursor("rule set")
	d.sees("anyone may change the royalty: a hole")
}

func TestSharesAreReadAsPercentOrAsTheContractWritesThem(t *testing.T) {
	for text, want := range map[string]string{"5 %": "0.05", "5%": "0.05", "0.05": "0.05", "12.5%": "0.125", "100 %": "1", "0%": "0", "007 %": "0.07", "0.0000000000000001%": "0.000000000000000001"} {
		if got, err := parseShare(text); err != nil || got.String() != want {
			t.Errorf("%q is %s, %v; expected %s", text, got, err, want)
		}
	}
	for _, text := range []string{"", "%", "five", "-1%", "1e2", "0.00000000000000001%", ".5 %", "5 % %"} {
		if got, err := parseShare(text); err == nil || !strings.Contains(err.Error(), "is no share, expected like 5 % or 0.05") {
			t.Errorf("%q is taken for %s", text, got)
		}
	}
}

func TestAPercentageThatIsTypedAsAShareIsCalledOut(t *testing.T) {
	d := newDrive(t, New, 80, 24)
	d.press("4")
	d.actAs("creator")
	d.underCursor("royalty")
	d.press("enter")
	for text, want := range map[string]string{"5": "▲ 5 is 500 %: was 5 % meant?", "1.5": "▲ 1.5 is 150 %: was 1.5 % meant?"} {
		d.press("ctrl+u")
		d.types(text)
		d.sees(want)
	}
	for _, text := range []string{"1", "0.05", "5 %", "500 %"} {
		d.press("ctrl+u")
		d.types(text)
		d.doesNotSee("meant?")
	}
}

func TestTheHighestShareIsOneThatTheContractTakes(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		rules := rapid.SampledFrom(cw721.AllRules()).Draw(rt, "rules")
		old, err := cw721.ParseShare(fmt.Sprintf("0.%03d", rapid.IntRange(0, 100).Draw(rt, "old")))
		if err != nil {
			rt.Fatal(err)
		}
		c := withRules(t, rules)
		who := addressOf(t, "creator")
		set := func(share string) *cw721.Error {
			r, err := c.Execute(who, []byte(`{"update_collection_info":{"collection_info":{"extension":{"royalty_info":{"payment_address":"`+string(who)+`","share":"`+share+`"}}}}}`))
			if err != nil {
				rt.Fatal(err)
			}
			return r.Refusal
		}
		set("0")
		for at := cw721.Percent(2); at.Cmp(old) < 0; {
			set(at.String())
			next, _ := cw721.ParseShare(fmt.Sprintf("0.%02d", 2+at.Of(100)))
			at = next
		}
		if refusal := set(old.String()); refusal != nil {
			rt.Fatal(refusal)
		}
		highest := highestShare(rules, &cw721.RoyaltyInfo{Share: old})
		if refusal := set(highest.String()[:] + more(highest)); refusal == nil {
			rt.Fatalf("from %s more than %s is taken", old, highest)
		}
		if refusal := set(highest.String()); refusal != nil {
			rt.Fatalf("from %s the highest %s is refused: %s", old, highest, refusal.Text)
		}
	})
}

// more is what makes a share a little larger when it is put behind it.
func more(s cw721.Share) string {
	if strings.Contains(s.String(), ".") {
		return "000001"
	}
	return ".000001"
}

func TestTheCalculatorSplitsAnyPrice(t *testing.T) {
	d := newDrive(t, New, 120, 36)
	d.to("Collection")
	d.press("c")
	d.types("4,200,010")
	d.sees("now 5 %", "210,000 + 3,990,010", "at the cap 10 %", "420,001 + 3,780,009")
	d.types("x")
	d.sees("sale price: expected a whole number")
	d.press("esc")
	d.doesNotSee("Royalty of a sale")
}

func TestAnOfferOfTheMinterRoleLapsesAndCanBeMadeAgain(t *testing.T) {
	d := newDrive(t, New, 120, 36)
	d.to("Collection")
	d.underCursor("minter")
	d.sees("offered to carol", "in 48 blocks", "✓ carol the role is offered to carol")
	d.actAs("minter")
	d.press("enter")
	d.types("dave")
	d.press("tab")
	d.types("+3")
	d.sees("will work", "the minter role is offered to dave, until height 1,105")
	d.press("enter")
	d.sees("● dave", "in 3 blocks")

	d.actAs("dave")
	d.press(".", ".", ".")
	d.sees("○ offer to dave lapsed", "It lapsed: dave can no longer accept it")
	d.press("enter")
	d.sees("◂ accept ▸", "A pending ownership transfer exists but it has expired")
	d.press("enter")
	d.sees("will be refused")
	d.press("esc", "u")
	d.sees("● dave", "in 1 block")
	d.press("enter", "enter")
	d.sees("minter              dave", "✓ dave holds the minter role")
}

func TestTheCreatorRoleIsRenouncedForGood(t *testing.T) {
	d := newDrive(t, New, 120, 36)
	d.to("Collection")
	d.actAs("creator")
	d.press(":")
	d.types("renounce the creator")
	d.press("enter")
	d.sees("◂ renounce ▸", "will work", "the creator role of creator is given up, for good")
	d.press("enter")
	d.underCursor("creator")
	d.sees("nobody, renounced for good", "Nobody holds the role any more, and nobody can", "Contract ownership has been renounced")
	d.press("u")
	d.sees("✓ creator holds the creator role")
}

func TestFundsAreWithdrawnByAnyoneOnceThereIsAnAddress(t *testing.T) {
	d := newDrive(t, New, 120, 36)
	d.to("Collection")
	d.underCursor("withdraw address")
	d.sees("none", "✓ anyone")
	d.actAs("creator")
	d.press("enter")
	d.types("bob")
	d.press("enter")
	d.sees("Where withdraw_funds pays")
	d.underCursor("withdraw address    bob")
	d.actAs("erin")
	d.press(":")
	d.types("withdraw funds")
	d.press("enter")
	d.types("ten")
	d.sees("amount: expected a whole number")
	for range 3 {
		d.press("backspace")
	}
	d.types("10")
	d.sees("will work", "nothing changes")
}

func TestUpdatedAtStaysWhatItWas(t *testing.T) {
	d := newDrive(t, New, 120, 36)
	d.to("Collection")
	d.underCursor("updated at")
	d.sees("2026-11-21 12:00:05 UTC", "an update does not change it")
	d.press("enter")
	d.sees("updated at: no message changes it")
	d.press(">")
	d.actAs("creator")
	d.underCursor("name")
	d.press("enter")
	d.types("Bears")
	d.sees("name: Interchain Apes → Bears")
	d.press("enter")
	d.sees("EPHEMERA  Bears")
	d.underCursor("updated at          2026-11-21 12:00:05 UTC")
}

func TestTheTimeOfTradingIsTypedAsPeopleThinkItAndOnlyTheMinterSetsIt(t *testing.T) {
	d := newDrive(t, New, 120, 36)
	d.to("Collection")
	d.underCursor("start of trading    not said")
	d.sees("✗ alice “Caller is not minter”")
	d.actAs("minter")
	d.press("enter")
	d.types("h1200")
	d.sees(`trading starts: "h1200" is no time`)
	for range 5 {
		d.press("backspace")
	}
	d.types("+90m")
	d.sees("will work", "2026-11-21 13:30:05 UTC · in 1h 30m")
	d.press("enter")
	d.underCursor("start of trading    in 1h 30m")
	d.press("f")
	d.sees("2026-11-21 13:30:05 UTC")
}

// odd is text that has broken terminals before.
var odd = rapid.OneOf(
	rapid.String(),
	rapid.SampledFrom([]string{"\x1b]0;x\a", "日本語", "\u202etxet", "e\u0301\u0301", "👩‍👩‍👧", "\t\r\n", strings.Repeat("日", 5000), strings.Repeat("x", 10000), " "}),
)

func TestNoCollectionBreaksTheFrameAtAnySize(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		c, err := chain.Open(kv.NewMemory())
		if err != nil {
			rt.Fatal(err)
		}
		g := chain.Genesis{Accounts: []chain.Account{{Name: "alice", Address: addressOf(t, "alice")}}}
		text := func(name string) *string {
			s := strings.ToValidUTF8(odd.Draw(rt, name), "?")
			return &s
		}
		link := "ipfs://x/" + strings.Repeat("x", rapid.IntRange(0, 9000).Draw(rt, "link"))
		msg := &cw721.InstantiateMsg{Name: "n" + *text("name"), Symbol: "s" + *text("symbol"), Extension: &cw721.CollectionExtensionMsg{Image: &link}}
		if d := *text("description"); d != "" && len(d) <= 512 {
			msg.Extension.Description = &d
		}
		if _, err := c.Create(g, addressOf(t, "alice"), cw721.Encode(msg)); err != nil {
			rt.Fatal(err)
		}
		d := driveOn(t, New, c, rapid.IntRange(1, 150).Draw(rt, "w"), rapid.IntRange(1, 45).Draw(rt, "h"))
		d.to("Collection")
		for range 25 {
			d.press(rapid.SampledFrom([]string{"j", "j", "k", "G", "g", "enter", "esc", "tab", "c", "7", "ctrl+d", "x", "f"}).Draw(rt, "key"))
			if why := misfit(d.model.View(), d.size); why != "" {
				rt.Fatalf("%s:\n%s", why, d.screen())
			}
		}
		d.send(tea.WindowSizeMsg{Width: 60, Height: 20})
		d.fits()
	})
}
