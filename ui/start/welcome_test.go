package start_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"ephemera/core/chain"
	"ephemera/core/chain/chaintest"
	"ephemera/core/cw721"
	"ephemera/core/human"
	"ephemera/themes"
	"ephemera/ui"
	"ephemera/ui/app"
	"ephemera/ui/form"
	"ephemera/ui/uitest"
)

func TestAnEmptyDatabaseOpensOnItsDoors(t *testing.T) {
	d := uitest.Empty(t, ui.New, 120, 36, func(*chain.Chain, string, chain.Genesis, func(int)) ([]string, error) { return nil, nil })
	d.Sees("Look at the demo", "Create a collection", "Import a contract")
	d.Press("j", "z", "t", "1", "u", ".", "esc", "enter")
	d.Sees("Symbol") // the second door; other keys were harmless
}

func TestTheDemoOpensFromTheWelcomeAndIsOnlyInMemory(t *testing.T) {
	d := uitest.Empty(t, ui.New, 120, 36, nil)
	d.Press("d")
	d.Sees("24 tokens", "as ● alice", "owner of 7", "height 1,102", "standard · demo")
	d.DoesNotSee("Look at the demo")
	d.Press(".", "q")
	d.Sees("only in memory")
}

func TestTheCreateFormMakesAValidInstantiateMessage(t *testing.T) {
	d := uitest.Empty(t, ui.New, 120, 50, nil)
	d.Press("c")
	d.Sees("a name and a symbol are enough", "Name", "Symbol", "▸ 19 fields")
	d.DoesNotSee("Description", "You are", "Minter", "Rule set")
	d.Types("Interchain Apes")
	d.Sees("a name and a symbol are enough") // nobody has come to the symbol yet
	d.Press("enter")
	d.Sees("✗ Collection symbol must not be empty", "will be refused for what the field above says")
	d.Types("APE")
	d.Sees("will work", "the minter is creator", "the creator is creator", `{"name":"Interchain Apes","symbol":"APE"}`)
	d.Press("enter")
	d.DoesNotSee("Create a collection")
	d.Sees("EPHEMERA  Interchain Apes · APE · 0 tokens", "as ● creator", "height 1 · 2026-11-21 12:00:00 UTC", "minter, creator")
}

func TestACompiledContractIsCreatedWithItsOwnMessage(t *testing.T) {
	d := uitest.Empty(t, ui.New, 120, 50, nil)
	d.Press("c")
	fillIn(d, map[string]string{"contract": "no.wasm", "message": `{"count":{}}`})
	d.Sees("open no.wasm: no such file")
	fillIn(d, map[string]string{"contract": "welcome_test.go"})
	d.Sees("the file is no WebAssembly module")
	fillIn(d, map[string]string{"contract": "../../core/wasm/testdata/contract.wasm", "message": `{"no":{}}`})
	d.Sees("Unauthorized")
	fillIn(d, map[string]string{"message": `{"count":{}}`})
	d.Sees("will work")
	d.Press("enter")
	d.Sees("contract.wasm does not keep its storage as", "as ● creator")
}

func TestTheCreateFormNamesTheMinterThatAContractBefore019Requires(t *testing.T) {
	folder := os.Getenv("EPHEMERA_CONTRACTS")
	if folder == "" {
		t.Skip("EPHEMERA_CONTRACTS names no folder with compiled contracts")
	}
	for _, file := range []string{"cw721_base_v0.16.0.wasm", "cw721_base_v0.17.0.wasm", "cw721_base_v0.18.0.wasm", "cw721_base_v0.19.0.wasm"} {
		d := uitest.Empty(t, ui.New, 120, 50, nil)
		d.Press("c")
		fillIn(d, map[string]string{"name": "Apes", "symbol": "APE", "contract": filepath.Join(folder, file)})
		d.Sees("will work", `"minter":"cosmos1`)

		withFlag := func(o app.Options) *ui.Model { // the program was started with --contract
			o.Module = &chain.Module{File: file, Code: chaintest.Must(os.ReadFile(filepath.Join(folder, file)))(t)}
			return ui.New(o)
		}
		d = uitest.Empty(t, withFlag, 120, 50, nil)
		d.Press("c")
		fillIn(d, map[string]string{"name": "Apes", "symbol": "APE"})
		d.Sees("will work", `"minter":"cosmos1`, file)
		d.Press("enter")
		d.Sees("EPHEMERA  Apes · APE · 0 tokens", "as ● creator")
	}
}

// fillIn types into the fields of the create form, by their labels.
func fillIn(d *uitest.Driver, f map[string]string) {
	d.T.Helper()
	form := d.Model.Dialogs()[len(d.Model.Dialogs())-1].(*form.Action).Form
	for range 24 {
		if form.Focused() == "more" && form.Value("more") != "true" {
			d.Press("enter")
		}
		if text, ok := f[form.Focused()]; ok {
			for range len(form.Value(form.Focused())) {
				d.Press("backspace")
			}
			d.Types(text)
			delete(f, form.Focused())
		}
		d.Press("tab")
	}
	if len(f) > 0 {
		d.T.Fatalf("the form has no fields for %v", f)
	}
}

func TestAnAccountOfANewCollectionNeedsAName(t *testing.T) {
	d := uitest.Empty(t, ui.New, 80, 24, nil)
	d.Keys("c", "Apes", "tab", "APE", "tab", "enter", "tab", "tab", "ctrl+u", "q!")
	d.Sees(`✗ name: "q!" cannot name an account, expected 1 to`)
	d.DoesNotSee("will work", "cosmos1")
	d.Keys("ctrl+u", "zoe")
	d.Sees("will work")
}

func TestEveryMemberOfTheInstantiateMessageCanBeSet(t *testing.T) {
	d := uitest.Empty(t, ui.New, 120, 50, nil)
	d.Press("c")
	fillIn(d, map[string]string{
		"name": "Apes", "symbol": "APE", "description": "wild", "you": "zoe", "minter": "mint", "creator": string(chaintest.Address("somebody")),
		"share": "7.5 %", "payment_address": "till", "image": "ipfs://x/y.png", "external_link": "https://example.com",
		"start_trading_time": "+90m", "withdraw_address": "till", "height": "1,000", "time": "2026-12-01 09:00",
	})
	d.Press("enter")
	d.DoesNotSee("Create a collection")
	d.Sees("as ● zoe", "height 1,000 · 2026-12-01 09:00:00 UTC")
	err := d.Chain.View(func(v *chain.View) error {
		c, err := v.Collection()
		if err != nil {
			return err
		}
		e := c.Extension
		if v.DisplayName(*c.Minter.Owner) != "mint" || *c.Creator.Owner != chaintest.Address("somebody") || v.DisplayName(*c.WithdrawAddress) != "till" {
			t.Errorf("the roles are %+v %+v %v", c.Minter, c.Creator, c.WithdrawAddress)
		}
		if e.Description != "wild" || e.Image != "ipfs://x/y.png" || *e.ExternalLink != "https://example.com" || e.ExplicitContent != nil ||
			human.Time(*e.StartTradingTime) != "2026-12-01 10:30:00" || e.RoyaltyInfo.Share.String() != "0.075" || v.DisplayName(e.RoyaltyInfo.PaymentAddress) != "till" {
			t.Errorf("the extension is %+v", e)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

func TestTheContractsRefusalShowsUnderItsField(t *testing.T) {
	d := uitest.Empty(t, ui.New, 120, 50, nil)
	d.Press("c")
	fillIn(d, map[string]string{"name": "Apes", "symbol": "APE", "share": "11 %"})
	d.Sees("InvalidRoyalties: Share cannot be greater than 10%", "will be refused")
	d.Press("enter")
	d.Sees("Create a collection", "11 %")
	fillIn(d, map[string]string{"share": "10 %", "image": "not a url"})
	d.Sees("relative URL without a base")
	fillIn(d, map[string]string{"image": "", "prefix": "NO"})
	d.Sees(`prefix: "NO" cannot begin an address`)
	fillIn(d, map[string]string{"prefix": "osmo", "you": "two words"})
	d.Press("enter")
	d.Sees(`"two words" cannot name an account`)
	fillIn(d, map[string]string{"you": "zoe"})
	d.Press("enter")
	d.Sees("as ● zoe osmo1")
}

func TestAnImportTellsHowFarItIsAndWhatWasWrong(t *testing.T) {
	var d *uitest.Driver
	fail := true
	d = uitest.Empty(t, ui.New, 120, 36, func(c *chain.Chain, path string, g chain.Genesis, progress func(int)) ([]string, error) {
		progress(1204)
		d.Wait()
		d.Sees("1,204 records so far")
		d.Press("enter", "esc", "x") // nothing of it stops or starts anything
		if fail {
			return nil, errors.New("state.json: it holds no cw721 collection")
		}
		if path != "state.json" || g.Rules != cw721.RulesV019 || g.Clock.Height != 77 || g.Prefix != "" {
			t.Errorf("asked for %s, %+v", path, g)
		}
		_, err := c.Create(chain.Genesis{Accounts: []chain.Account{{Name: "zoe", Address: chaintest.Address("zoe")}}}, chaintest.Address("zoe"), []byte(`{"name":"Read in","symbol":"R"}`))
		return []string{"the height is not known"}, err
	})
	d.Press("i", "enter")
	d.Sees("file: expected the path of a file")
	d.Keys("state.json", "enter")
	d.Sees("it holds no cw721 collection", "state.json")
	fail = false
	d.Keys("tab", "tab", "right", "right", "tab", "77", "enter")
	d.DoesNotSee("Import a contract")
	d.Sees("EPHEMERA  Read in", "the height is not known")
}

func TestNoKeyBreaksTheWelcomeAtAnySize(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		d := uitest.Empty(t, ui.New, rapid.IntRange(1, 140).Draw(rt, "w"), rapid.IntRange(1, 45).Draw(rt, "h"),
			func(*chain.Chain, string, chain.Genesis, func(int)) ([]string, error) {
				return nil, errors.New(uitest.Odd.Draw(rt, "error"))
			})
		for range 15 {
			d.Press(rapid.SampledFrom(append([]string{"c", "i", "enter", "esc", "tab", "日本語", "\x1b[31m", strings.Repeat("x", 120)}, uitest.EveryKey...)).Draw(rt, "key"))
			if d.Quit {
				return
			}
			if why := uitest.Misfit(d.Model.View(), d.Size); why != "" {
				rt.Fatalf("%s:\n%s", why, d.Screen())
			}
		}
	})
}

func TestTheDemoTellsANewcomerWhatToTryUntilSomethingIsSaid(t *testing.T) {
	for _, size := range uitest.AllSizes {
		uitest.New(t, ui.New, size[0], size[1]).DoesNotSee("made up and in memory")
		d := uitest.New(t, func(o app.Options) *ui.Model { o.Demo = true; return ui.New(o) }, size[0], size[1])
		d.Sees("made up and in memory")
		d.Fits()
		d.Press("2")
		d.DoesNotSee("made up and in memory")
	}
}

func TestANewCollectionHasPeopleToActAs(t *testing.T) {
	d := uitest.Empty(t, ui.New, 120, 36, nil)
	d.Keys("c", "Apes", "tab", "APE", "enter", "8")
	d.SeesIn(uitest.List, "alice", "bob", "carol", "creator", "market", "accepts", "vault", "rejects")
}

func TestTheFirstMinuteOfTheDemoTellsWhatExpiredAndWhy(t *testing.T) {
	for _, size := range [][2]int{{120, 36}, {80, 24}} {
		d := uitest.Empty(t, ui.New, size[0], size[1], nil)
		d.Press("d")
		d.Sees("Welcome", "●approval", "◆operator", "○expired", "→renewable", "e to the next expiry", "w why", "u undo",
			"▸ ape-0001", "bob in 3 blocks")
		d.Fits()

		d.Press("e")
		d.DoesNotSee("Welcome")
		d.SeesIn(uitest.News, "bob's approval on ape-0001 expired · ! why")
		d.SeesIn(uitest.List, "▸ ape-0001", "○")
		d.SeesIn(uitest.Detail, "✗ bob")
		struck, _, _ := strings.Cut(d.Model.State().Theme.Render(themes.Struck, "|"), "|")
		if !strings.Contains(d.Model.View(), struck+"bob") {
			t.Errorf("bob's permission is not struck out:\n%s", d.Screen())
		}

		// The next approval is of another token, to which the key goes from anywhere.
		d.Press("8", "e", "!")
		d.Sees("carol may not transfer ape-0002", "height 1,112 ≥")
		d.Press("esc")
		d.SeesIn(uitest.List, "▸ ape-0002")

		d.Press("u", "u")
		d.Sees("height 1,102", "▸ ape-0002", "in 3 blocks: ape-0001 → bob")
	}
}

func TestAClickEndsTheWelcomeOfTheDemoAndDoesWhatItDoes(t *testing.T) {
	d := uitest.Empty(t, ui.New, 120, 36, nil)
	d.Press("d")
	d.Sees("Welcome")
	d.Click("ape-0004", 0)
	d.DoesNotSee("Welcome")
	d.Sees("▸ ape-0004")
}
