package ui

import (
	"fmt"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"pgregory.net/rapid"

	"ephemera/core/chain"
	"ephemera/core/kv"
	"ephemera/ui/demo"
	"ephemera/ui/widget"
)

// everyKey is what random keys are drawn from: all that are bound somewhere,
// and what people type.
var everyKey = append(strings.Split(
	"1 2 3 4 5 6 7 8 [ ] tab shift+tab j k g G ctrl+d ctrl+u enter esc / x s v space . > e E P + = - T a w B f y u U ctrl+r N H I Q : ? m t p r b d o O i n L M R c up down left right home end pgup pgdown backspace ctrl+l ctrl+e ctrl+p ctrl+n h l z Z 0 9 $ { } \" , é 日 😀", " "),
	"a b", "+10", "alice", "bob", "never", "{\"burn\":{\"token_id\":\"ape-01\"}}")

func TestNoKeyOnTheDemoBreaksTheFrameOrLosesTheCollectionAtAnySize(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		c, err := demo.Open(func() (*chain.Chain, error) { return chain.Open(kv.NewMemory()) })
		if err != nil {
			rt.Fatal(err)
		}
		d := driveOn(t, New, c, 120, 36)
		size := rapid.Custom(func(rt *rapid.T) widget.Box {
			return widget.Box{W: rapid.IntRange(1, 160).Draw(rt, "w"), H: rapid.IntRange(1, 50).Draw(rt, "h")}
		})
		for range rapid.IntRange(20, 60).Draw(rt, "keys") {
			k := rapid.SampledFrom(everyKey).Draw(rt, "key")
			if k == "q" || k == "ctrl+c" {
				continue
			}
			if d.press(k); d.quit {
				return // the palette knows Quit, and that is as it should be
			}
			if rapid.IntRange(0, 9).Draw(rt, "resize") == 0 {
				b := size.Draw(rt, "size")
				d.send(tea.WindowSizeMsg{Width: b.W, Height: b.H})
			}
			if rapid.IntRange(0, 4).Draw(rt, "tick") == 0 {
				d.wait()
			}
			if why := misfit(d.model.View(), d.size); why != "" {
				rt.Fatalf("after %q: %s:\n%s", k, why, d.screen())
			}
		}
		if d.model.State().Collection.Name == "" {
			rt.Fatal("the collection is gone")
		}
	})
}

func TestFastTypingIsSingleKeysAndAPasteIsNone(t *testing.T) {
	d := newDrive(t, New, 120, 36)
	d.send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("...")})
	d.sees("height 1,105")
	d.send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("..."), Paste: true})
	d.sees("height 1,105")
}

func TestNoTwoCommandsShareAKeyOnAnyScreen(t *testing.T) {
	sharesNoKey(newDrive(t, New, 120, 36))
}

// sharesNoKey goes over all screens.
func sharesNoKey(d *drive) {
	d.t.Helper()
	for i, s := range root(d).screens {
		d.press(fmt.Sprint(i + 1))
		taken := map[string]string{}
		for _, c := range root(d).Commands() {
			for _, k := range c.Binding.Keys() {
				if other, ok := taken[k]; ok {
					d.t.Errorf("on %s the key %s is both %q and %q", s.Name(), k, other, c.Binding.Help().Desc)
				}
				taken[k] = c.Binding.Help().Desc
			}
		}
	}
}

func TestHelpAndPaletteListEveryCommandInForce(t *testing.T) {
	d := newDrive(t, New, 120, 200) // so high that nothing needs scrolling
	for i := range root(d).screens {
		d.press(fmt.Sprint(i + 1))
		commands := root(d).Commands()
		d.press("?")
		for _, c := range commands {
			if h := c.Binding.Help(); h.Key != "" && c.Binding.Enabled() {
				d.sees(h.Key)
			}
		}
		d.press("esc", ":")
		for _, c := range commands {
			if c.Name != "" {
				d.sees(c.Name)
			}
			if c.Name != "" && c.Do == nil {
				d.sees(c.Name + "  " + c.not())
			}
		}
		d.press("esc")
	}
}

func TestWhatCannotBeDoneNowIsInThePaletteWithTheReasonAndNotInHelp(t *testing.T) {
	for _, size := range allSizes {
		d := newDrive(t, New, size[0], size[1])
		root(d).opts.Import = func(string, chain.Genesis, func(int)) error { return nil }
		d.press(":")
		d.types("import")
		d.sees("Import a contract")
		d.press("enter")
		d.sees("needs an empty database: ephemera")
		d.fits()
		d.to("History")
		d.press("?")
		if strings.Contains(d.reads(), "Rename this snapshot") {
			t.Error("help lists a key that does nothing")
		}
		d.press("esc", "r") // the key says it too
		d.sees("this moment has no name")
		d.doesNotSee("r rename")
		d.fits()
	}
}

func TestOnAnEmptyListEveryKeySaysWhyNothingComesOfIt(t *testing.T) {
	c := emptyCollection(t)
	d := driveOn(t, New, c, 80, 24)
	for screen, keys := range map[string]string{"1": "tprdbi", "2": "rp", "3": "Or", "4": "c"} {
		d.press(screen)
		for _, key := range strings.Split(keys, "") {
			root(d).say(levelInfo, "before "+key)
			d.press(key)
			if note, _ := root(d).notes.Current(); !strings.HasPrefix(note.Text, "no ") && !strings.HasPrefix(note.Text, "there is no ") {
				t.Errorf("on screen %s, %s says %q", screen, key, note.Text)
			}
		}
	}
	d.press("N")
	d.sees("no lesson is played: 7 lists them")
	d.fits()
}

// emptyCollection has no token, no grant and no royalty.
func emptyCollection(t *testing.T) *chain.Chain {
	t.Helper()
	c, err := chain.Open(kv.NewMemory())
	if err != nil {
		t.Fatal(err)
	}
	g := chain.Genesis{Accounts: []chain.Account{{Name: "alice", Address: addressOf(t, "alice")}}}
	if _, err := c.Create(g, addressOf(t, "alice"), []byte(`{"name":"Nothing","symbol":"NIL"}`)); err != nil {
		t.Fatal(err)
	}
	return c
}

// On a slow line a word and the key before it arrive together, and the form that
// the key opens is there only later.
func TestWhatIsTypedAheadIsForTheDialogThatItsKeyOpens(t *testing.T) {
	word := func(s string) tea.Msg { return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(s)} }
	for name, typed := range map[string][]tea.Msg{
		"together": {word("tbob"), keyMsg("enter")},
		"apart":    {word("t"), word("b"), word("ob"), keyMsg("enter")},
		"pasted":   {word("t"), tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("bob"), Paste: true}, keyMsg("enter")},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDrive(t, New, 80, 24)
			var cmds []tea.Cmd
			for _, msg := range typed {
				_, cmd := d.model.Update(msg)
				cmds = append(cmds, cmd)
			}
			d.sees("owned by alice")
			for _, cmd := range cmds {
				d.run(cmd)
			}
			d.sees("✓ ape-01 went to bob")
			d.doesNotSee("Burn")
		})
	}
}

// typeAhead types faster than anything can follow: every key is there before the
// first command has given its message.
func typeAhead(d *drive, keys ...string) {
	d.t.Helper()
	var cmds []tea.Cmd
	for _, k := range keys {
		_, cmd := d.model.Update(keyMsg(k))
		cmds = append(cmds, cmd)
	}
	for _, cmd := range cmds {
		d.run(cmd)
	}
	if root(d).awaited != 0 || len(root(d).ahead) != 0 {
		d.t.Errorf("%d commands are awaited and %d messages wait", root(d).awaited, len(root(d).ahead))
	}
}

func TestWhatIsTypedAheadFindsWhatTheKeyBeforeHasDone(t *testing.T) {
	for name, of := range map[string]struct {
		typed []string
		sees  []string
	}{
		"who acts":                {[]string{"a", "bob", "enter", "m"}, []string{"Mint a token as bob"}},
		"who was named":           {[]string{"a", "zoe", "enter", "enter", "m"}, []string{"Mint a token as zoe"}},
		"what ended":              {[]string{"e", "w"}, []string{"bob may not transfer ape-04"}},
		"the rows of a screen":    {[]string{"2", "r"}, []string{"Revoke an approval"}},
		"the rows of a filter":    {[]string{"/", "owner:bob", "enter", "t", "alice", "enter"}, []string{"transfer_nft was refused", "Transfer ape-02 as alice"}},
		"the form that is sent":   {[]string{"t", "bob", "enter", "t", "carol", "enter"}, []string{"transfer_nft was refused"}},
		"the row that is gone to": {[]string{"j", "t", "alice", "enter"}, []string{"Transfer ape-02 as alice", "transfer_nft was refused"}},
		"the form of a question":  {[]string{"3", "o", "frank"}, []string{"frank"}},
		"the form that why opens": {[]string{"a", "bob", "enter", "w", "enter", "+7"}, []string{"Turn it around", "+7", "height 1,109"}},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDrive(t, New, 120, 36)
			typeAhead(d, of.typed...)
			d.sees(of.sees...)
		})
	}
}

func TestWhatIsTypedBeforeTheDatabaseIsOpenWaitsForIt(t *testing.T) {
	d := startOn(t, New, fixture(t), 120, 36)
	opening := d.model.Init()
	d.press("j", "t", "a", "lice", "enter")
	d.run(opening)
	d.sees("ape-02", "transfer_nft was refused")
}

func TestQuittingDoesNotWaitForTheDatabase(t *testing.T) {
	d := startOn(t, New, fixture(t), 80, 24)
	d.model.Init()
	d.press("q")
	if !d.quit {
		t.Error("q waits")
	}
}

func TestEnterTwiceDoesNotOpenTwoForms(t *testing.T) {
	d := newDrive(t, New, 120, 36)
	d.actAs("bob")
	typeAhead(d, "w", "enter", "enter")
	if n := len(root(d).dialogs); n != 1 {
		t.Errorf("%d dialogs are open", n)
	}
	d.sees("approved bob for ape-01")
}

func TestKeysAreNotTakenForOthersWhereTheirFormCannotOpen(t *testing.T) {
	d := newDrive(t, New, 80, 24)
	typeAhead(d, "/", "owner:erin", "enter", "t", "a", "lice", "enter")
	d.sees("no token is under the cursor")
	d.doesNotSee("Act as", "acting as")
}

func TestNoKeyIsHeldBackForLong(t *testing.T) {
	d := newDrive(t, New, 80, 24)
	_, opens := d.model.Update(keyMsg("p"))
	for range 3 * mostAhead {
		d.press("x")
	}
	if n := len(root(d).ahead); n > mostAhead {
		t.Errorf("%d messages wait", n)
	}
	d.press("ctrl+c")
	if !d.quit {
		t.Error("ctrl+c waits for a form")
	}
	d.run(opens)
	if root(d).awaited != 0 || len(root(d).ahead) != 0 {
		t.Errorf("%d commands are awaited and %d messages wait", root(d).awaited, len(root(d).ahead))
	}
}

func TestFastTypingInADialogIsSingleKeys(t *testing.T) {
	d := newDrive(t, New, 80, 24)
	d.do("alice", `{"approve":{"token_id":"ape-01","spender":"$alice"}}`)
	d.do("alice", `{"approve":{"token_id":"ape-10","spender":"$alice"}}`)
	d.press("D")
	d.send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("jj")})
	got := d.screen()
	if d.press("g", "j", "j"); d.screen() != got {
		t.Errorf("two letters at once lead elsewhere than one after the other:\n%s", got)
	}
	d.send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("kw")})
	d.sees("Why")
}
