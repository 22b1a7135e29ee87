package console_test

import (
	"fmt"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"pgregory.net/rapid"

	"ephemera/core/chain"
	"ephemera/core/chain/chaintest"
	"ephemera/core/cw721"
	"ephemera/ui"
	"ephemera/ui/uitest"
)

func TestAnErrorIsShownBelowItsPlace(t *testing.T) {
	d := uitest.New(t, ui.New, 120, 36)
	d.To("Console")
	d.Press("i")
	under := func(text, mark, sentence string) {
		t.Helper()
		d.Press("esc", "c", "i")
		d.Types(text)
		lines := strings.Split(d.Screen(), "\n")
		for i, l := range lines {
			if at := strings.Index(l, "▴ "); at >= 0 && strings.Contains(l, sentence[:min(len(sentence), 30)]) {
				column := len([]rune(l[:at]))
				above := []rune(lines[i-1])
				if !strings.HasPrefix(string(above[column:]), mark) {
					t.Fatalf("the error of %s stands under %q:\n%s", text, string(above[column:min(column+20, len(above))]), d.Screen())
				}
				return
			}
		}
		t.Fatalf("no line points at an error of %s:\n%s", text, d.Screen())
	}
	under(`{"burnt":{}}`, "burnt", `no message is named "burnt"`)
	under(`{"burn":{"token":"ape-01"}}`, `"token"`, "unknown field")
	under(`{"burn":{"token_id":7}}`, `"token_id"`, "Invalid type")
	under(`{"burn":{"token_id":"nobody"}}`, "token_id", `token "nobody" not found`)
	under(`{"approve":{"spender":"$zed","token_id":"ape-01"}}`, "$zed", "approve.spender: no account")
	d.Fits()
}

func TestTheCaretOfALongTextStaysInView(t *testing.T) {
	d := uitest.New(t, ui.New, 120, 24)
	d.To("Console")
	d.Press("i")
	for i := range 40 {
		d.Keys(fmt.Sprint("line ", i), "enter")
	}
	d.Sees("line 39")
	d.DoesNotSee("line 10")
	for range 31 {
		d.Press("up")
	}
	d.Sees("line 10")
	d.DoesNotSee("line 39")
}

func TestTheConsoleFitsAnySizeWithAnyTextInIt(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		d := uitest.New(t, ui.New, rapid.IntRange(40, 150).Draw(rt, "w"), rapid.IntRange(12, 45).Draw(rt, "h"))
		d.To("Console")
		d.Press("i")
		text := rapid.OneOf(rapid.String(), rapid.Just("日本{\"\u202e\x1b[31m\":\n"), rapid.Just(strings.Repeat("{\"a\"", 300))).Draw(rt, "text")
		d.Send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(text), Paste: true})
		for _, k := range []string{"up", "left", "x", "日", "enter", "tab", "ctrl+p", "esc"} {
			d.Press(k)
			if why := uitest.Misfit(d.Model.View(), d.Size); why != "" {
				rt.Fatalf("%s:\n%s", why, d.Screen())
			}
		}
	})
}

func TestAMessageReachesTheHistoryAsItWasTyped(t *testing.T) {
	d := uitest.New(t, ui.New, 80, 24)
	d.To("Console")
	d.Keys("i", `{"revoke":{"spender":"$bob","token_id":"ape-04"}}`, "ctrl+s")
	if err := d.Chain.View(func(v *chain.View) error {
		n, err := v.Node(v.Head)
		if !strings.Contains(n.Message, `"revoke"`) || n.Sender != chaintest.Address("alice") {
			t.Errorf("the head is %+v", n)
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	d.Fits()
}

func TestIgnoredMembersAreNamed(t *testing.T) {
	for _, size := range [][2]int{{60, 23}, {120, 36}} {
		d := uitest.On(t, ui.New, uitest.WithRules(t, cw721.RulesV022), size[0], size[1])
		d.Do("creator", `{"mint":{"token_id":"1","owner":"$alice"}}`)
		d.To("Console")
		d.Press("i")
		d.Types(`{"approve":{"spender":"$creator","token_id":"1","expirse":{"never":{}},"\u001b]0;x\u0007":1}}`)
		d.Sees("will work", "▲ approve.expirse: ignored by v0.22.0: did you mean")
		if reads := d.Reads(); strings.ContainsAny(reads, "\x1b\a") || !strings.Contains(reads, `▲ approve.\x1b]0;x\a: ignored`) {
			t.Errorf("an ignored member reaches the terminal as it is:\n%q", reads)
		}
		d.Press("ctrl+s")
		d.Sees("carried out", "did you mean")
		d.Fits()
	}
}

func TestTemplatesAndCompletionsAreThoseOfTheRuleSet(t *testing.T) {
	for rules, has := range map[cw721.Rules]bool{cw721.RulesV019: false, cw721.RulesV022: true} {
		d := uitest.On(t, ui.New, uitest.WithRules(t, rules), 120, 36)
		d.To("Console")
		d.Keys("i", `{"add_`)
		if strings.Contains(d.Screen(), "tab add_minter") != has {
			t.Errorf("completions under %s:\n%s", rules, d.Screen())
		}
		d.Keys("esc", "t", "get_additional_minters")
		if strings.Contains(d.Screen(), "nothing matches") == has {
			t.Errorf("templates under %s:\n%s", rules, d.Screen())
		}
	}
}

func TestAnEmptyConsoleListsEarlierMessagesAndTemplates(t *testing.T) {
	for _, size := range [][2]int{{60, 23}, {120, 36}} {
		d := uitest.New(t, ui.New, size[0], size[1])
		d.Press("6")
		d.Sees("▸ a message of your own", "offer the minter role to carol", "earlier")
		d.Press("j", "j")
		d.Sees(`"operator":`) // written out before it is chosen
		d.Press("enter")
		d.Sees("execute, as alice", "ctrl+s sends", "will work")
		d.Press("esc", "c")
		d.Sees("▸ make erin an operator")
		d.Press("G", "k", "k", "enter")
		d.Sees("get_collection_extension", "answered at height 1,102")
		d.Press("esc", "c", "g", "enter", "{", "esc", "c")
		d.Click("make dave an operator", 0)
		d.Sees("▸ make dave an operator")
		d.Fits()
	}
}
