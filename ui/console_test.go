package ui

import (
	"os"
	"slices"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"pgregory.net/rapid"

	"ephemera/core/chain"
	"ephemera/core/cw721"
)

func TestThereIsATemplateForEachMessageAndItDecodes(t *testing.T) {
	contract := cw721.Contract{Rules: cw721.RulesStandard, Flavour: cw721.FlavourOnchain, Prefix: "cosmos"}
	names := func(string) (string, bool) { return "cosmos1", true }
	c := cast{"$alice", "$bob", "$market", "a \"quoted\" id"}
	var execute, query []string
	for _, x := range executeTemplates {
		execute = append(execute, x.name)
		m, _, err := contract.DecodeExecute([]byte(x.fill(c)), names)
		if err != nil || cw721.NameOf(m) != x.name {
			t.Errorf("%s: %v", x.name, err)
		}
		if kind, _ := kindOf(x.fill(c)); kind != executeMessage {
			t.Errorf("%s is not known as an execute message", x.name)
		}
	}
	for _, x := range queryTemplates {
		query = append(query, x.name)
		if _, _, err := contract.DecodeQuery([]byte(x.fill(c)), names); err != nil {
			t.Errorf("%s: %v", x.name, err)
		}
		if kind, _ := kindOf(x.fill(c)); kind != queryMessage {
			t.Errorf("%s is not known as a query", x.name)
		}
	}
	if _, _, err := contract.DecodeInstantiate([]byte(instantiateTemplate.fill(c)), names); err != nil {
		t.Error(err)
	}
	for _, pair := range [][2][]string{{execute, cw721.ExecuteNames()}, {query, cw721.QueryNames()}} {
		slices.Sort(pair[0])
		slices.Sort(pair[1])
		if !slices.Equal(pair[0], pair[1]) {
			t.Errorf("templates %v for messages %v", pair[0], pair[1])
		}
	}
}

func TestAMessageIsPreviewedWhileItIsTypedAndSentByOneKey(t *testing.T) {
	d := newDrive(t, New, 120, 36)
	d.to("Console")
	d.press(".") // no field has the focus on arrival
	d.sees("height 1,103")
	d.press("enter")
	d.types(`{"burn":{"token_id":"ape-01"}}`)
	d.sees("execute, as alice", "will work; ctrl+s sends it", `token "ape-01" is gone`, `"action"`)
	d.press("ctrl+s")
	d.sees("23 tokens", "carried out, step #")
	d.press("backspace")
	d.types("}")
	d.sees("would be refused (not_found)")
	d.press("esc", "u")
	d.sees("24 tokens", "will work")
	d.fits()
}

func TestAQueryIsAnsweredWhileItIsTyped(t *testing.T) {
	d := newDrive(t, New, 120, 36)
	d.to("Console")
	d.press("i")
	d.types(`{"owner_of":{"token_id":"ape-04"}}`)
	d.sees("query", "answered at height 1,102", `"approvals": [`, `"at_height": 1110`)
	d.press("ctrl+s")
	d.sees("a query is answered while it is typed")
}

func TestErrorsStandUnderThePlaceWhereTheyAre(t *testing.T) {
	d := newDrive(t, New, 120, 36)
	d.to("Console")
	d.press("i")
	under := func(text, mark, sentence string) {
		t.Helper()
		d.press("esc", "c", "i")
		d.types(text)
		lines := strings.Split(d.screen(), "\n")
		for i, l := range lines {
			if at := strings.Index(l, "▴ "); at >= 0 && strings.Contains(l, sentence[:min(len(sentence), 30)]) {
				column := len([]rune(l[:at]))
				above := []rune(lines[i-1])
				if !strings.HasPrefix(string(above[column:]), mark) {
					t.Fatalf("the error of %s stands under %q:\n%s", text, string(above[column:min(column+20, len(above))]), d.screen())
				}
				return
			}
		}
		t.Fatalf("no line points at an error of %s:\n%s", text, d.screen())
	}
	under(`{"burnt":{}}`, "burnt", `no message is named "burnt"`)
	under(`{"burn":{"token":"ape-01"}}`, `"token"`, "unknown field")
	under(`{"burn":{"token_id":7}}`, `"token_id"`, "Invalid type")
	under(`{"burn":{"token_id":"nobody"}}`, "token_id", `token "nobody" not found`)
	under(`{"approve":{"spender":"$zed","token_id":"ape-01"}}`, "$zed", "approve.spender: no account")
	d.fits()
}

func TestNamesIdsAndMessagesAreCompleted(t *testing.T) {
	d := newDrive(t, New, 120, 36)
	d.to("Console")
	d.press("i")
	d.types(`{"appro`)
	d.sees("tab approve")
	d.press("tab")
	d.types(`":{"sp`)
	d.sees("tab spender")
	d.press("tab")
	d.types(`":"bo`)
	d.sees("tab $bob")
	d.press("tab")
	d.types(`","token_id":"ape-2`)
	d.sees("tab ape-20  ape-21")
	d.press("tab")
	d.types(`"}}`)
	d.sees(`{"approve":{"spender":"$bob","token_id":"ape-20"}}`, "would be refused") // bob's own
	d.fits()
}

func TestEarlierMessagesComeBackAndTheDraftIsNotLost(t *testing.T) {
	d := newDrive(t, New, 120, 36)
	d.to("Console")
	d.press("i")
	d.types(`{"draft`)
	d.press("up")
	d.sees("update_minter_ownership") // the youngest of the history
	d.press("ctrl+p")
	d.sees("approve_all")
	d.press("ctrl+n", "ctrl+n")
	d.sees(`{"draft`)
	d.press("ctrl+n")
	d.sees("there is no later message")
}

func TestAnInstantiateMessageIsOnlyPreviewed(t *testing.T) {
	d := newDrive(t, New, 120, 36)
	d.to("Console")
	d.press("t")
	d.types("instantiate")
	d.press("enter", "ctrl+s")
	d.sees("would create this collection", "there is a collection already: an instantiate message")
	d.fits()
}

func TestADraftForTheEditorIsPrivateAndComesBackWhole(t *testing.T) {
	path, err := writeDraft("{}\n")
	if err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Fatalf("%v %v", info.Mode(), err)
	}
	msg := readDraft(path, nil).(editedMsg)
	if msg.text != "{}\n" || msg.err != nil {
		t.Fatalf("%+v", msg)
	}
	if _, err := os.Stat(path); !os.IsNotExist(err) {
		t.Fatal("the draft was left behind")
	}
	if got := editorCommand(func(k string) string { return map[string]string{"EDITOR": "vi -n"}[k] }); !slices.Equal(got, []string{"vi", "-n"}) {
		t.Fatalf("the editor is %v", got)
	}
}

func TestWhatTheEditorWroteComesBackIntoTheConsole(t *testing.T) {
	d := newDrive(t, New, 120, 36)
	d.to("Console")
	d.send(editedMsg{text: `{"num_tokens":{}}` + "\n"})
	d.sees(`"count": 24`)
}

func TestAPlaceIsFoundInAnyText(t *testing.T) {
	for text, want := range map[string]jsonPlace{
		`{"`:                        {inString: true, key: true, start: 2},
		`{"a":{"b`:                  {inString: true, key: true, start: 7, word: "b", path: []string{"a"}},
		`{"a":{"b":"$x`:             {inString: true, start: 11, word: "$x", path: []string{"a", "b"}},
		`{"a":{"b":"x","c":["y","z`: {inString: true, start: 24, word: "z", path: []string{"a", "c"}},
		`{"a":1`:                    {},
	} {
		got := placeAt(text, len(text))
		if got.inString != want.inString || got.key != want.key || got.word != want.word || got.inString && !slices.Equal(got.path, want.path) {
			t.Errorf("%s: %+v", text, got)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOfN(rapid.SampledFrom([]rune(`{}[]":,\ab$1 `)), 0, 60, -1).Draw(t, "text")
		at := rapid.IntRange(0, len(text)).Draw(t, "caret")
		if p := placeAt(text, at); p.inString && !strings.HasSuffix(text[:at], p.word) {
			t.Fatalf("%q is not before the caret", p.word)
		}
	})
}

func TestTheConsoleFitsAnySizeWithAnyTextInIt(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		d := newDrive(t, New, rapid.IntRange(40, 150).Draw(rt, "w"), rapid.IntRange(12, 45).Draw(rt, "h"))
		d.to("Console")
		d.press("i")
		text := rapid.OneOf(rapid.String(), rapid.Just("日本{\"\u202e\x1b[31m\":\n"), rapid.Just(strings.Repeat("{\"a\"", 300))).Draw(rt, "text")
		d.send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(text), Paste: true})
		for _, k := range []string{"up", "left", "x", "日", "enter", "tab", "ctrl+p", "esc"} {
			d.press(k)
			if why := misfit(d.model.View(), d.size); why != "" {
				rt.Fatalf("%s:\n%s", why, d.screen())
			}
		}
	})
}

func TestWhatWasSentIsWhatTheHistoryHas(t *testing.T) {
	d := newDrive(t, New, 80, 24)
	d.to("Console")
	d.press("i")
	d.types(`{"revoke":{"spender":"$bob","token_id":"ape-04"}}`)
	d.press("ctrl+s")
	if err := d.chain.View(func(v *chain.View) error {
		n, err := v.Node(v.Head)
		if !strings.Contains(n.Message, `"revoke"`) || n.Sender != addressOf(t, "alice") {
			t.Errorf("the head is %+v", n)
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	d.fits()
}
