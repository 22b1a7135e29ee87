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

func TestTheResultSaysWhatIsWrongWithTheText(t *testing.T) {
	d := uitest.New(t, ui.New, 120, 36)
	d.To("Console")
	d.Press("i")
	for text, problem := range map[string]string{
		`{"burnt":{}}`:                                       `no message is named "burnt"`,
		`{"burn":{"token":"ape-01"}}`:                        "unknown field",
		`{"burn":{"token_id":7}}`:                            "Invalid type",
		`{"burn":{"token_id":"nobody"}}`:                     `token "nobody" not found`,
		`{"approve":{"spender":"$zed","token_id":"ape-01"}}`: "approve.spender: no account",
	} {
		d.Press("esc", "c", "i")
		d.Types(text)
		d.SeesIn(uitest.Detail, problem)
		d.Fits()
	}
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
	for _, size := range uitest.Sizes {
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

func TestAnEmptyConsoleSaysWhatCanBeTypedAndRecallsEarlierMessages(t *testing.T) {
	for _, size := range uitest.Sizes {
		d := uitest.New(t, ui.New, size[0], size[1])
		d.Press("6")
		d.Sees("Any message of the contract, as JSON")
		d.Press("t")
		d.Types("burn")
		d.Press("enter")
		d.Sees("execute, as alice", "ctrl+s sends", "will work")
		d.Press("esc", "c", "ctrl+p")
		d.Sees("update_minter_ownership")
		d.Press("ctrl+n")
		d.Sees("Any message of the contract, as JSON")
		d.Fits()
	}
}
