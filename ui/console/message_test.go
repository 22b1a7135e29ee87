package console

import (
	"os"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"ephemera/core/chain/chaintest"
	"ephemera/core/cw721"
)

func TestThereIsATemplateForEachMessageAndItDecodes(t *testing.T) {
	const rules = cw721.RulesV022 // has the messages of all rule sets
	contract := cw721.Contract{Rules: rules, Flavour: cw721.FlavourOnchain, Prefix: "cosmos"}
	names := func(string) (string, bool) { return "cosmos1", true }
	c := people{me: "$alice", another: "$bob", it: "$market", tokenID: "a \"quoted\" id", soon: 1202}
	var execute, query []string
	for _, x := range executeTemplates {
		execute = append(execute, x.name)
		m, _, err := contract.DecodeExecute([]byte(x.fill(c)), names)
		if err != nil || cw721.MessageName(m) != x.name {
			t.Errorf("%s: %v", x.name, err)
		}
		if kind, _ := kindOf(rules, false, x.fill(c)); kind != executeMessage {
			t.Errorf("%s is not known as an execute message", x.name)
		}
	}
	for _, x := range queryTemplates {
		query = append(query, x.name)
		if _, _, err := contract.DecodeQuery([]byte(x.fill(c)), names); err != nil {
			t.Errorf("%s: %v", x.name, err)
		}
		if kind, _ := kindOf(rules, false, x.fill(c)); kind != queryMessage {
			t.Errorf("%s is not known as a query", x.name)
		}
	}
	if _, _, err := contract.DecodeInstantiate([]byte(instantiateTemplate.fill(c)), names); err != nil {
		t.Error(err)
	}
	for _, pair := range [][2][]string{{execute, rules.ExecuteNames()}, {query, rules.QueryNames()}} {
		slices.Sort(pair[0])
		slices.Sort(pair[1])
		if !slices.Equal(pair[0], pair[1]) {
			t.Errorf("templates %v for messages %v", pair[0], pair[1])
		}
	}
}

func TestADraftForTheEditorIsPrivateAndComesBackWhole(t *testing.T) {
	path := chaintest.Must(writeDraft("{}\n"))(t)
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

func TestThePlaceOfTheCaretIsFoundInAnyText(t *testing.T) {
	for text, want := range map[string]jsonPlace{
		`{"`:                        {inString: true, isKey: true, start: 2},
		`{"a":{"b`:                  {inString: true, isKey: true, start: 7, word: "b", path: []string{"a"}},
		`{"a":{"b":"$x`:             {inString: true, start: 11, word: "$x", path: []string{"a", "b"}},
		`{"a":{"b":"x","c":["y","z`: {inString: true, start: 24, word: "z", path: []string{"a", "c"}},
		`{"a":1`:                    {},
	} {
		got := placeAt(text, len(text))
		if got.inString != want.inString || got.isKey != want.isKey || got.word != want.word || got.inString && !slices.Equal(got.path, want.path) {
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
