package ui

import (
	"errors"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/muesli/termenv"
	"pgregory.net/rapid"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/kv"
	"ephemera/themes"
	"ephemera/ui/demo"
	"ephemera/ui/widget"
)

func inMemory() (*chain.Chain, error) { return chain.Open(kv.NewMemory()) }

// driveEmpty opens the explorer on an empty database.
func driveEmpty[M explorer](t *testing.T, create func(Options) M, w, h int, importing func(*chain.Chain, string, chain.Genesis, func(int)) error) *drive {
	t.Helper()
	c, err := inMemory()
	if err != nil {
		t.Fatal(err)
	}
	d := &drive{t: t, chain: c, size: widget.Box{W: w, H: h}}
	palette, err := themes.Lookup("dark", themes.DarkBackground)
	if err != nil {
		t.Fatal(err)
	}
	options := themes.Options{Profile: termenv.TrueColor, Terminal: themes.DarkBackground}
	o := Options{
		Open:  func() (Engine, error) { return c, nil },
		Demo:  func() (Engine, error) { return demo.Open(inMemory) },
		Theme: themes.New(palette, options), ThemeOptions: options,
		Wall: func() time.Time { return time.Unix(1_795_262_400, 0).UTC() },
		After: func(_ time.Duration, msg tea.Msg) tea.Cmd {
			return func() tea.Msg { d.ticks = append(d.ticks, msg); return nil }
		},
	}
	if importing != nil {
		o.Import = func(path string, g chain.Genesis, progress func(int)) error { return importing(c, path, g, progress) }
	}
	d.model = create(o)
	d.send(tea.WindowSizeMsg{Width: w, Height: h})
	d.run(d.model.Init())
	return d
}

func TestAnEmptyDatabaseOpensOnItsDoors(t *testing.T) {
	d := driveEmpty(t, New, 120, 36, func(*chain.Chain, string, chain.Genesis, func(int)) error { return nil })
	d.sees("Look at the demo", "Create a collection", "Import a contract")
	d.press("j", "z", "t", "1", "u", ".", "esc", "enter")
	d.sees("Symbol") // the second door; other keys were harmless
}

func TestTheDemoOpensFromTheWelcomeAndIsOnlyInMemory(t *testing.T) {
	d := driveEmpty(t, New, 120, 36, nil)
	d.press("d")
	d.sees("60 tokens", "as ● alice", "owner of 12", "height 1,102", "standard · demo")
	d.doesNotSee("Look at the demo")
	d.press(".", "q")
	d.sees("only in memory")
}

func TestTheCreateFormMakesAValidInstantiateMessage(t *testing.T) {
	d := driveEmpty(t, New, 120, 50, nil)
	d.press("c")
	d.sees("a name and a symbol are enough")
	d.types("Interchain Apes")
	d.sees("Collection symbol must not be empty")
	d.press("tab")
	d.types("APE")
	d.sees("will work", "the minter is creator", "the creator is creator", `{"name":"Interchain Apes","symbol":"APE"}`)
	d.press("enter")
	d.doesNotSee("Create a collection")
	d.sees("EPHEMERA  Interchain Apes · APE · 0 tokens", "as ● creator", "height 1 · 2026-11-21 12:00:00 UTC", "minter, creator")
}

// fillIn types into the fields of the create form, by their labels.
func fillIn(d *drive, f map[string]string) {
	d.t.Helper()
	form := d.model.Dialogs()[len(d.model.Dialogs())-1].(*createForm).form
	for range 20 {
		if text, ok := f[form.Focused()]; ok {
			for range len(form.Value(form.Focused())) {
				d.press("backspace")
			}
			d.types(text)
			delete(f, form.Focused())
		}
		d.press("tab")
	}
	if len(f) > 0 {
		d.t.Fatalf("the form has no fields for %v", f)
	}
}

func TestAnAccountOfANewCollectionNeedsAName(t *testing.T) {
	d := driveEmpty(t, New, 80, 24, nil)
	d.press("c")
	d.types("Apes")
	d.press("tab")
	d.types("APE")
	d.press("tab", "tab", "ctrl+u")
	d.types("q!")
	d.sees(`✗ name: "q!" cannot name an account, expected 1 to`)
	d.doesNotSee("will work", "cosmos1")
	d.press("ctrl+u")
	d.types("zoe")
	d.sees("will work")
}

func TestEveryMemberOfTheInstantiateMessageCanBeSet(t *testing.T) {
	d := driveEmpty(t, New, 120, 50, nil)
	d.press("c")
	fillIn(d, map[string]string{
		"name": "Apes", "symbol": "APE", "description": "wild", "you": "zoe", "minter": "mint", "creator": string(addressOf(t, "somebody")),
		"share": "7.5 %", "payment_address": "till", "image": "ipfs://x/y.png", "external_link": "https://example.com",
		"start_trading_time": "+90m", "withdraw_address": "till", "height": "1,000", "time": "2026-12-01 09:00",
	})
	d.press("enter")
	d.doesNotSee("Create a collection")
	d.sees("as ● mint", "height 1,000 · 2026-12-01 09:00:00 UTC") // the first by name
	err := d.chain.View(func(v *chain.View) error {
		c, err := v.Collection()
		if err != nil {
			return err
		}
		e := c.Extension
		if v.Call(*c.Minter.Owner) != "mint" || *c.Creator.Owner != addressOf(t, "somebody") || v.Call(*c.Withdraw) != "till" {
			t.Errorf("the roles are %+v %+v %v", c.Minter, c.Creator, c.Withdraw)
		}
		if e.Description != "wild" || e.Image != "ipfs://x/y.png" || *e.ExternalLink != "https://example.com" || e.ExplicitContent != nil ||
			chain.UTC(*e.StartTradingTime) != "2026-12-01 10:30:00" || e.RoyaltyInfo.Share.String() != "0.075" || v.Call(e.RoyaltyInfo.PaymentAddress) != "till" {
			t.Errorf("the extension is %+v", e)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

func TestTheContractsRefusalShowsUnderItsField(t *testing.T) {
	d := driveEmpty(t, New, 120, 50, nil)
	d.press("c")
	fillIn(d, map[string]string{"name": "Apes", "symbol": "APE", "share": "11 %"})
	d.sees("InvalidRoyalties: Share cannot be greater than 10%", "will be refused")
	d.press("enter")
	d.sees("Create a collection", "11 %")
	fillIn(d, map[string]string{"share": "10 %", "image": "not a url"})
	d.sees("relative URL without a base")
	fillIn(d, map[string]string{"image": "", "prefix": "NO"})
	d.sees(`address prefix: "NO" cannot begin an address`)
	fillIn(d, map[string]string{"prefix": "osmo", "you": "two words"})
	d.press("enter")
	d.sees(`"two words" cannot name an account`)
	fillIn(d, map[string]string{"you": "zoe"})
	d.press("enter")
	d.sees("as ● zoe osmo1")
}

func TestAnImportTellsHowFarItIsAndWhatWasWrong(t *testing.T) {
	var d *drive
	fail := true
	d = driveEmpty(t, New, 120, 36, func(c *chain.Chain, path string, g chain.Genesis, progress func(int)) error {
		progress(1204)
		d.wait()
		d.sees("1,204 records so far")
		d.press("enter", "esc", "x") // nothing of it stops or starts anything
		if fail {
			return errors.New("state.json: it holds no cw721 collection")
		}
		if path != "state.json" || g.Rules != cw721.RulesV019 || g.Clock.Height != 77 || g.Prefix != "" {
			t.Errorf("asked for %s, %+v", path, g)
		}
		_, err := c.Create(chain.Genesis{Accounts: []chain.Account{{Name: "zoe", Address: addressOf(t, "zoe")}}}, addressOf(t, "zoe"), []byte(`{"name":"Read in","symbol":"R"}`))
		return err
	})
	d.press("i", "enter")
	d.sees("file: expected the path of a file")
	d.types("state.json")
	d.press("enter")
	d.sees("it holds no cw721 collection", "state.json")
	fail = false
	d.press("tab", "tab", "right", "tab")
	d.types("77")
	d.press("enter")
	d.doesNotSee("Import a contract")
	d.sees("EPHEMERA  Read in")
}

func TestNoKeyBreaksTheWelcomeAtAnySize(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		d := driveEmpty(t, New, rapid.IntRange(1, 140).Draw(rt, "w"), rapid.IntRange(1, 45).Draw(rt, "h"),
			func(*chain.Chain, string, chain.Genesis, func(int)) error { return errors.New(odd.Draw(rt, "error")) })
		for range 15 {
			d.press(rapid.SampledFrom(append([]string{"c", "i", "enter", "esc", "tab", "日本語", "\x1b[31m", strings.Repeat("x", 120)}, everyKey...)).Draw(rt, "key"))
			if d.quit {
				return
			}
			if why := misfit(d.model.View(), d.size); why != "" {
				rt.Fatalf("%s:\n%s", why, d.screen())
			}
		}
	})
}

func TestTheDemoTellsANewcomerWhatToTryUntilSomethingIsSaid(t *testing.T) {
	for _, size := range allSizes {
		newDrive(t, New, size[0], size[1]).doesNotSee("made up, so try any key")
		d := newDrive(t, func(o Options) *Model { o.MadeUp = true; return New(o) }, size[0], size[1])
		d.sees("made up, so try any key")
		d.fits()
		d.press("2")
		d.doesNotSee("made up, so try any key")
	}
}
