package console

import (
	"os"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"ephemera/core/chain"
	"ephemera/core/chain/chaintest"
	"ephemera/core/cw721"
	"ephemera/ui/app"
)

func TestThereIsATemplateForEachMessageAndItDecodes(t *testing.T) {
	const rules = cw721.RulesV022 // has the messages of all rule sets
	contract := cw721.Contract{Rules: rules, Flavour: cw721.FlavourOnchain, Prefix: "cosmos"}
	resolve := func(string) (string, bool) { return "cosmos1", true }
	st := new(app.State)
	st.Actor = "cosmos1alice"
	st.Names = map[cw721.Address]string{"cosmos1alice": "alice"}
	st.Accounts = []chain.Account{{Name: "alice", Address: st.Actor}, {Name: "bob"}, {Name: "market", Receiver: chain.ReceiverAccepts}}
	st.LastSelection.Token = new(`a "quoted" id`)
	st.Clock.Height = 1102
	names := map[string][]string{}
	all := chain.MessageNames{Execute: rules.ExecuteNames(), Query: rules.QueryNames()}
	for _, x := range templatesOf(all, false) {
		names[x.kind] = append(names[x.kind], x.name)
		msg := []byte(templateFiller(st).Replace(x.text))
		var err error
		switch x.kind {
		case "execute":
			_, _, err = contract.DecodeExecute(msg, resolve)
		case "query":
			_, _, err = contract.DecodeQuery(msg, resolve)
		default:
			_, _, err = contract.DecodeInstantiate(msg, resolve)
		}
		if err != nil {
			t.Errorf("%s: %v", x.name, err)
		}
	}
	for kind, want := range map[string][]string{"execute": rules.ExecuteNames(), "query": rules.QueryNames(), "preview only": {"instantiate"}} {
		slices.Sort(want)
		if got := slices.Sorted(slices.Values(names[kind])); !slices.Equal(got, want) {
			t.Errorf("%s: templates %v for messages %v", kind, got, want)
		}
	}
}

func TestAMessageWithoutAnExampleHasATemplateWithoutMembers(t *testing.T) {
	names := chain.MessageNames{Execute: []string{"freeze", "burn", "extension"}, Query: []string{"extension", "frozen"}}
	want := []template{
		{"burn", "execute", `{"burn":{"token_id":ID}}`},
		{"extension", "either", `{"extension":{"msg":{}}}`},
		{"freeze", "execute", `{"freeze":{}}`},
		{"frozen", "query", `{"frozen":{}}`},
	}
	if got := templatesOf(names, true); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
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
	t.Setenv("VISUAL", "")
	t.Setenv("EDITOR", "vi -n")
	if got := editorCommand(); !slices.Equal(got, []string{"vi", "-n"}) {
		t.Fatalf("the editor is %v", got)
	}
}

func TestThePlaceOfTheCaretIsFoundInAnyText(t *testing.T) {
	for text, want := range map[string]caretContext{
		`{"`:                        {isInString: true, isKey: true},
		`{"a":{"b`:                  {isInString: true, isKey: true, word: "b", path: []string{"a"}},
		`{"a":{"b":"$x`:             {isInString: true, word: "$x", path: []string{"a", "b"}},
		`{"a":{"b":"x","c":["y","z`: {isInString: true, word: "z", path: []string{"a", "c"}},
		`{"a":1`:                    {},
	} {
		got := findCaretContext(text, len(text))
		if got.isInString != want.isInString || got.isKey != want.isKey || got.word != want.word || got.isInString && !slices.Equal(got.path, want.path) {
			t.Errorf("%s: %+v", text, got)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOfN(rapid.SampledFrom([]rune(`{}[]":,\ab$1 `)), 0, 60, -1).Draw(t, "text")
		at := rapid.IntRange(0, len(text)).Draw(t, "caret")
		if p := findCaretContext(text, at); p.isInString && !strings.HasSuffix(text[:at], p.word) {
			t.Fatalf("%q is not before the caret", p.word)
		}
	})
}

func TestTheNameOfAnAccountIsCompletedUntilItIsAWholeReference(t *testing.T) {
	st := new(app.State)
	st.Accounts = []chain.Account{{Name: "alice"}, {Name: "bob"}}
	for word, want := range map[string][]string{
		"al":     {"$alice"},
		"alice":  {"$alice"},
		"$al":    {"$alice"},
		"$alice": nil,
		"x":      nil,
	} {
		text := `{"burn":{"owner":"` + word
		if got := findCompletions(st, chain.MessageNames{}, findCaretContext(text, len(text))); !slices.Equal(got, want) {
			t.Errorf("%s: %q", word, got)
		}
	}
}
