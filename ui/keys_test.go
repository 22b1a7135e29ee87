package ui

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/chain/chaintest"
	"ephemera/core/kv"
	"ephemera/ui/app"
	"ephemera/ui/uitest"
)

func TestFastTypingIsSplitIntoKeysAndAPasteIsIgnored(t *testing.T) {
	d := uitest.New(t, New, 120, 36)
	d.Send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("...")})
	d.Sees("height 1,105")
	d.Send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("..."), Paste: true})
	d.Sees("height 1,105")
}

func TestNoTwoCommandsShareAKeyOnAnyScreenOrInALesson(t *testing.T) {
	d := uitest.New(t, New, 120, 36)
	sharesNoKey(d)
	d.Press("7", "enter", "esc")
	sharesNoKey(d)
}

// sharesNoKey goes over all screens.
func sharesNoKey(d *uitest.Driver) {
	d.T.Helper()
	for i, s := range root(d).screens.all {
		d.Press(fmt.Sprint(i + 1))
		taken := map[string]string{}
		for _, c := range root(d).Commands() {
			for _, k := range c.Binding.Keys() {
				if other, ok := taken[k]; ok {
					d.T.Errorf("on %s the key %s is both %q and %q", s.Name(), k, other, c.Binding.Help().Desc)
				}
				taken[k] = c.Binding.Help().Desc
			}
		}
	}
}

// readmeKeys has the keys that the README lists, with words that are in its line about the
// key and in the description of the command.
var readmeKeys = map[string]string{
	".": "one block on", ">": "ten", "e": "next expiry", "E": "just before",
	"p": "approve", "t": "transfer", "r": "revoke", "b": "burn", "d": "send", "m": "mint",
	"a": "act as", "w": "why", "W": "who can", "u": "undo", "U": "redo",
	"/": "filter", ":": "everything by name", "?": "keys", "q": "quit",
}

func TestTheKeysInTheReadmeDoWhatItSays(t *testing.T) {
	readme, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	d := uitest.New(t, New, 120, 36)
	descriptions := map[string]string{}
	for _, c := range root(d).Commands() {
		for _, key := range c.Binding.Keys() {
			descriptions[key] = strings.ToLower(c.Name + " " + c.Binding.Help().Desc)
		}
	}

	listed := 0
	for _, row := range regexp.MustCompile("(?m)^\\| (`[^|]+`) \\| (.*) \\|$").FindAllStringSubmatch(string(readme), -1) {
		for _, key := range strings.Fields(strings.ReplaceAll(row[1], "`", "")) {
			listed++
			words := readmeKeys[key]
			if words == "" || !strings.Contains(strings.ToLower(row[2]), words) || !strings.Contains(descriptions[key], words) {
				t.Errorf("%s: the README says %q, the program %q, want both with %q", key, row[2], descriptions[key], words)
			}
		}
	}
	if listed != len(readmeKeys) {
		t.Errorf("the README lists %d keys, want %d", listed, len(readmeKeys))
	}
}

func TestHelpAndPaletteListEveryCommand(t *testing.T) {
	d := uitest.New(t, New, 120, 200) // so high that nothing needs scrolling
	for i := range root(d).screens.all {
		d.Press(fmt.Sprint(i + 1))
		commands := root(d).Commands()
		d.Press("?")
		help := d.Screen()
		var named []string
		for _, c := range commands {
			if h := c.Binding.Help(); h.Key != "" && c.Binding.Enabled() && !helpLists(help, h.Key) {
				t.Errorf("help on %s has no line for %q:\n%s", root(d).screens.all[i].Name(), h.Key, help)
			}
			if c.Name != "" && c.Do == nil {
				named = append(named, c.Name+"  "+c.Reason())
			} else {
				named = append(named, c.Name)
			}
		}
		d.Press("esc", ":")
		d.SeesIn(uitest.Dialog, named...)

		d.Press("esc")
	}
}

// helpLists tells whether a line of the help begins with a key.
func helpLists(help, key string) bool {
	for line := range strings.SplitSeq(help, "\n") {
		if strings.Contains(line, "│ "+key+" ") {
			return true // in the first of the columns, or the second
		}
	}
	return false
}

func TestADisabledCommandIsInThePaletteWithItsReasonAndNotInHelp(t *testing.T) {
	for _, size := range uitest.AllSizes {
		d := uitest.New(t, New, size[0], size[1])
		root(d).state.Import = func(string, chain.Genesis, func(int)) ([]string, error) { return nil, nil }
		d.Keys(":", "import")
		d.Sees("Import a contract")

		d.Press("enter")
		d.Sees("needs an empty database: ephemera")
		d.Fits()

		d.To("History")
		d.Press("?")
		if strings.Contains(d.Reads(), "Rename this snapshot") {
			t.Error("help lists a key that does nothing")
		}

		d.Press("esc", "r") // the key says it too
		d.Sees("this moment has no name")
		d.DoesNotSee("r rename")
		d.Fits()
	}
}

func TestEveryKeyOnAnEmptyListSaysWhyItDoesNothing(t *testing.T) {
	c := emptyCollection(t)
	d := uitest.On(t, New, c, 80, 24)
	for screen, keys := range map[string]string{"1": "tprdbi", "2": "rp", "3": "Or", "4": "c"} {
		d.Press(screen)
		for _, key := range strings.Split(keys, "") {
			root(d).notices.show(root(d).state, app.LevelInfo, "before "+key)
			d.Press(key)
			if note, _ := root(d).notices.log.Current(); !strings.HasPrefix(note.Text, "no ") && !strings.HasPrefix(note.Text, "there is no ") {
				t.Errorf("on screen %s, %s says %q", screen, key, note.Text)
			}
		}
	}
	d.Press("N")
	d.Sees("no lesson is played: 7 lists them")
	d.Fits()
}

// emptyCollection has no token, no grant and no royalty.
func emptyCollection(t *testing.T) *chain.Chain {
	t.Helper()
	c := chaintest.Must(chain.Open(kv.NewMemory()))(t)
	g := chain.Genesis{Accounts: []chain.Account{{Name: "alice", Address: chaintest.Address("alice")}}}
	chaintest.Must(c.Create(g, chaintest.Address("alice"), []byte(`{"name":"Nothing","symbol":"NIL"}`)))(t)
	return c
}

func TestAPasteBehindAKeyGoesToTheDialogThatTheKeyOpens(t *testing.T) {
	d := uitest.New(t, New, 80, 24)
	paste := tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("bob"), Paste: true}

	var cmds []tea.Cmd
	for _, msg := range []tea.Msg{uitest.Key("t"), paste, uitest.Key("enter")} {
		_, cmd := d.Model.Update(msg)
		cmds = append(cmds, cmd)
	}
	d.Sees("owned by alice")
	for _, cmd := range cmds {
		d.Run(cmd)
	}

	d.Sees("✓ ape-01 went to bob")
}

// typeAhead types all keys before it runs the first command.
func typeAhead(d *uitest.Driver, keys ...string) {
	d.T.Helper()
	var cmds []tea.Cmd
	for _, k := range keys {
		_, cmd := d.Model.Update(uitest.Key(k))
		cmds = append(cmds, cmd)
	}
	for _, cmd := range cmds {
		d.Run(cmd)
	}
	nothingWaits(d)
}

// nothingWaits fails the test if a command counts as under way, or a key waits.
func nothingWaits(d *uitest.Driver) {
	d.T.Helper()
	if keys := root(d).keys; keys.runningCounts != [3]int{} || len(keys.waiting) > 0 {
		d.T.Errorf("%v commands are under way and %d keys wait", keys.runningCounts, len(keys.waiting))
	}
}

func TestKeysTypedBeforeTheDatabaseIsOpenWaitForIt(t *testing.T) {
	d := uitest.Start(t, New, uitest.Fixture(t), 120, 36)
	opening := d.Model.Init()
	d.Press("j", "t", "a", "lice", "enter")
	d.Run(opening)
	d.Sees("Transfer ape-02 as alice", "transfer_nft was refused")
}

func TestQuittingDoesNotWaitForTheDatabase(t *testing.T) {
	d := uitest.Start(t, New, uitest.Fixture(t), 80, 24)
	d.Model.Init()
	d.Press("q")
	if !d.Quit {
		t.Error("q waits")
	}
}

func TestARefusedKeyDropsTheKeysTypedForItsForm(t *testing.T) {
	d := uitest.New(t, New, 80, 24)
	typeAhead(d, "/", "owner:erin", "enter", "t", "a", "lice", "enter")
	d.Sees("no token is under the cursor")
	d.DoesNotSee("Act as", "acting as")
}

func TestWaitingKeysAreBoundedAndCtrlCNeverWaits(t *testing.T) {
	d := uitest.New(t, New, 80, 24)
	_, opens := d.Model.Update(uitest.Key("p"))
	for range 3 * maxTypedAhead {
		d.Press("x")
	}
	if n := len(root(d).keys.waiting); n > maxTypedAhead {
		t.Errorf("%d messages wait", n)
	}

	d.Press("ctrl+c")
	if !d.Quit {
		t.Error("ctrl+c waits for a form")
	}

	d.Run(opens)
	nothingWaits(d)
}

func TestCtrlCAsksOnceWhereSomethingIsLostAndQuitsTheSecondTime(t *testing.T) {
	for name, keys := range map[string][]string{
		"a form in which something was typed": {"p", "bo"},
		"a collection in memory":              {"."},
		"a dialog over it":                    {".", "w"},
		"a question about quitting":           {".", "q", "esc"},
		"a message in the console":            {"6", "enter", `{"burn`},
		"a message of the console, elsewhere": {"6", "enter", `{"burn`, "esc", "1"},
	} {
		d := uitest.New(t, New, 80, 24)
		d.Keys(keys...)
		before := d.Screen()
		d.Press("ctrl+c")
		if d.Quit {
			t.Errorf("%s: ctrl+c quits at once", name)
			continue
		}
		d.SeesIn(uitest.Dialog, "Quit", "ctrl+c again quits")
		d.Press("esc")
		if after := d.Screen(); after != before {
			t.Errorf("%s was\n%s\nand is\n%s", name, before, after)
		}
		d.Press("ctrl+c", "ctrl+c")
		if !d.Quit {
			t.Errorf("%s: the second ctrl+c does not quit", name)
		}
	}

	for name, keys := range map[string][]string{
		"nothing was done":      {},
		"a form without input":  {"p"},
		"a dialog without text": {"w"},
		"a query":               {"6", "enter", `{"num_tokens":{}}`},
		"the palette":           {":", "bur"},
		"a filter":              {"/", "ape"},
	} {
		d := uitest.New(t, New, 80, 24)
		d.Keys(keys...)
		d.Press("ctrl+c")
		if !d.Quit {
			t.Errorf("%s: ctrl+c asks:\n%s", name, d.Screen())
		}
	}
}

func TestCtrlCAsksWhileABatchIsSent(t *testing.T) {
	typist := newTypist(t, uitest.Fixture(t))
	for _, key := range []string{"*", "b", "o"} {
		typist.send(uitest.Key(key))
		typist.runAll()
	}
	typist.send(uitest.Key("enter"))
	typist.send(uitest.Key("ctrl+c"))
	if _, isQuestion := typist.model.dialogs.top().(quitQuestion); !isQuestion {
		t.Error("ctrl+c does not ask")
	}
	typist.runAll()
	typist.send(uitest.Key("ctrl+c"))
	if !typist.model.isQuitting {
		t.Error("the second ctrl+c does not quit")
	}
}

func TestTheQuestionOfCtrlCComesAndGoesWhileAllKeysWait(t *testing.T) {
	d := uitest.New(t, New, 80, 24)
	d.Press(".")
	_, opens := d.Model.Update(uitest.Key("p"))
	d.Types("y") // it waits for the form, and must not answer the question
	d.Press("ctrl+c")
	d.Sees("ctrl+c again quits")

	d.Run(opens) // the form opens over the question
	if d.Quit {
		t.Fatal("a key that was typed before answered the question")
	}
	d.Press("ctrl+c")
	if !d.Quit {
		t.Errorf("the second ctrl+c does not quit:\n%s", d.Screen())
	}
}

func TestANoticeEndsWithTheNextActAndNewsDoesNot(t *testing.T) {
	const refused = "transfer_nft was refused"
	for name, keys := range map[string][]string{
		"another screen":  {"2"},
		"a dialog":        {"w"},
		"another form":    {"m"},
		"a setting":       {"x"},
		"the next screen": {"]"},
	} {
		d := uitest.New(t, New, 120, 36)
		d.Press("j", "t")
		d.Keys("bob", "enter", "esc") // ape-02 is not alice's
		d.SeesIn(uitest.News, refused)
		d.Press("j", "k", "G")
		d.SeesIn(uitest.News, refused)
		d.Press(keys...)
		d.DoesNotSeeIn(uitest.News, refused)
		if t.Failed() {
			t.Fatalf("after %s", name)
		}

		d = uitest.New(t, New, 120, 36)
		d.Press("e")
		d.SeesIn(uitest.News, "ape-04 expired")
		d.Press(keys[0])
		if keys[0] != "x" { // which says something else
			d.Sees("ape-04 expired")
		}
	}

	d := uitest.New(t, New, 120, 36)
	d.Press("a")
	d.Keys("bob", "enter")
	d.SeesIn(uitest.News, "acting as bob")
	d.Click("2 Approvals", 0)
	d.DoesNotSeeIn(uitest.News, "acting as bob")
}

func TestAKeyWaitsOnlyForTheFirstPartOfASearch(t *testing.T) {
	chain := uitest.Fixture(t)
	for i := range 4000 {
		uitest.Execute1(t, chain, "minter", fmt.Sprintf(`{"mint":{"token_id":"%d","owner":"$bob"}}`, i))
	}
	typist := newTypist(t, chain)
	typist.send(uitest.Key("/"))
	typist.runAll()
	typist.send(uitest.Key("!"))
	typist.send(uitest.Key("enter"))
	list := typist.model.screen().(app.Lister).List()
	searched := list.IsSearching()
	for len(typist.model.keys.waiting) > 0 {
		searched = list.IsSearching()
		typist.runOne()
	}
	if !searched {
		t.Error("enter waits until the search is over, or for no part of it")
	}
}
