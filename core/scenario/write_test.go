package scenario_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"ephemera/core/chain"
	"ephemera/core/chain/chaintest"
	"ephemera/core/cw721"
	"ephemera/core/scenario"
	"ephemera/core/wire"
)

// anyText draws texts that are difficult for a format.
func anyText() *rapid.Generator[string] {
	return rapid.OneOf(
		rapid.StringN(1, 20, -1),
		rapid.StringOfN(rapid.RuneFrom([]rune("\n\r\t\"'\\:#-{}[],&*!|>%@` ~?=<\u0000\u007f\u0085\u00a0\u2028\ufeff\uffff😀日1eE.+_$")), 1, 12, -1),
		rapid.SampledFrom([]string{"null", "true", "~", "1", "-0", "1e5", "0x1F", "2026-01-01", "yes", "<<", "...", "---", "=", ""}),
	)
}

// anyJSON draws JSON, also with two members of one name.
func anyJSON(depth int) *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		kinds := 3
		if depth > 0 {
			kinds = 5
		}
		switch rapid.IntRange(1, kinds).Draw(t, "kind") {
		case 1:
			return string(wire.Encode(anyText().Draw(t, "text")))
		case 2:
			return rapid.StringMatching(`-?(0|[1-9][0-9]{0,25})(\.[0-9]{1,5})?([eE][-+]?[0-9]{1,3})?`).Draw(t, "number")
		case 3:
			return rapid.SampledFrom([]string{"null", "true", "false", "[]", "{}", `"\ud83d\ude00\u0041\/"`}).Draw(t, "word")
		}
		var items []string
		object := rapid.Bool().Draw(t, "object")
		for range rapid.IntRange(0, 3).Draw(t, "n") {
			item := anyJSON(depth-1).Draw(t, "item")
			if object {
				item = string(wire.Encode(anyText().Draw(t, "name"))) + ":" + item
			}
			items = append(items, item)
		}
		if object {
			return "{" + strings.Join(items, ",") + "}"
		}
		return "[" + strings.Join(items, ",") + "]"
	})
}

func anyStep() *rapid.Generator[scenario.Step] {
	return rapid.Custom(func(t *rapid.T) (s scenario.Step) {
		switch rapid.IntRange(0, 2).Draw(t, "clock") {
		case 1:
			h, at := cw721.Height(rapid.Uint64().Draw(t, "height")), cw721.Time(rapid.Uint64().Draw(t, "time"))
			s.At = &scenario.At{Height: &h, Time: &at}
		case 2:
			s.Advance = &scenario.Advance{Blocks: rapid.Uint64().Draw(t, "blocks"), Time: time.Duration(rapid.Int64Range(0, 1<<62).Draw(t, "ns"))}
		}
		text := func(label string) string { return rapid.OneOf(rapid.Just(""), anyText()).Draw(t, label) }
		s.Note = text("note")
		s.Hints = rapid.SliceOfN(anyText().Filter(func(s string) bool { return s != "" }), 0, 3).Draw(t, "hints")
		if rapid.Bool().Draw(t, "asks") {
			s.Ask = &scenario.Ask{Question: text("question"), Answer: text("answer"), Why: text("why")}
			for _, c := range rapid.SliceOfN(anyText(), 0, 2).Draw(t, "choices") {
				s.Ask.Choices = append(s.Ask.Choices, scenario.Choice{Text: c, Why: text("choice why"), Misconception: text("believes")})
			}
		}
		if rapid.Bool().Draw(t, "talks") {
			return s
		}
		s.Kind = scenario.Query
		if rapid.Bool().Draw(t, "executes") {
			s.Kind, s.Sender = scenario.Execute, rapid.SampledFrom([]string{"alice", "1", "null", "日本"}).Draw(t, "as")
		}
		s.Message, s.Ignored = []byte(anyJSON(3).Draw(t, "message")), true
		s.Expect = &scenario.Expect{Refused: true}
		refused := text("text")
		switch rapid.IntRange(0, 3).Draw(t, "expect") {
		case 1:
			s.Expect.TextPart = &refused
		case 2:
			s.Expect.Kind, s.Expect.Text = cw721.KindParse, &refused
		case 3:
			s.Expect.Kind, s.Expect.TextPart = cw721.KindURL, &refused
		}
		return s
	})
}

func TestAWrittenScenarioIsReadBackUnchangedInEveryFormat(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := cw721.Height(rapid.Uint64().Draw(t, "height"))
		in := &scenario.Scenario{
			Header: scenario.Header{
				Name: anyText().Draw(t, "name"), About: anyText().Draw(t, "about"), Rules: cw721.RulesV022,
				Accounts:  []chain.Account{{Name: "null"}, {Name: "1", Address: "cosmos1"}, {Name: anyText().Draw(t, "account")}},
				Contracts: []chain.Account{{Name: "m", Receiver: chain.ReceiverRejects}},
				Start:     scenario.At{Height: &h}, Undelivered: scenario.Undelivered(rapid.Bool().Draw(t, "record")),
			},
			Steps: rapid.SliceOfN(anyStep(), 0, 4).Draw(t, "steps"),
		}
		for i, a := range in.Accounts[:2] {
			if in.Accounts[2].Name == a.Name {
				in.Accounts[2].Name = fmt.Sprintf("other %d", i)
			}
		}
		for _, name := range []string{"x.yaml", "x.jsonl", "x.jsonl.gz"} {
			out, text := throughFile(t, name, in)
			same := cmp.FilterValues(func(a, b wire.Raw) bool { return len(a)+len(b) > 0 },
				cmp.Comparer(func(a, b wire.Raw) bool { return scenario.Respell(a) == scenario.Respell(b) }))
			if diff := cmp.Diff(in, out, cmpopts.EquateEmpty(), cmpopts.IgnoreFields(scenario.Step{}, "Line", "FromYAML"), cmpopts.IgnoreUnexported(scenario.At{}, scenario.Advance{}), same); diff != "" {
				t.Fatalf("%s\n%s\n%s", name, text, diff)
			}
		}
	})
}

// throughFile writes a scenario and reads it back. It also returns the text.
func throughFile(t rapid.TB, name string, in *scenario.Scenario) (*scenario.Scenario, string) {
	f := chaintest.Must(scenario.FormatOf(name))(t)
	var w bytes.Buffer
	chaintest.OK(t, in.Write(&w, f))
	text := w.String()
	out, err := scenario.Load(name, &w)
	if err != nil {
		t.Fatalf("%s\n%v", text, err)
	}
	return out, text
}

func TestAMessageOfJSONLinesKeepsItsSpelling(t *testing.T) {
	message := `{"mint":{"token_id":"\u0031","n":1.0E+2,"token_id":18446744073709551615}}`
	s, err := scenario.Load("x.jsonl", strings.NewReader("{}\n"+`{"as":"a","expect":"error","execute":`+message+"}"))
	if err != nil || string(s.Steps[0].Message) != message {
		t.Fatalf("got %s, %v", s.Steps[0].Message, err)
	}
	again, _ := throughFile(t, "x.jsonl", s)
	if string(again.Steps[0].Message) != message {
		t.Errorf("got %s", again.Steps[0].Message)
	}
}

func TestAScenarioThatIsTooLargeForYAMLIsNotWritten(t *testing.T) {
	s := &scenario.Scenario{}
	for range 2 {
		s.Steps = append(s.Steps, scenario.Step{Note: strings.Repeat("a", scenario.MaxYAML/2)})
	}
	var w bytes.Buffer
	err := s.Write(&w, scenario.YAML)
	if err == nil || !strings.Contains(err.Error(), "use .jsonl") || w.Len() > 0 {
		t.Errorf("got %v, and %d bytes", err, w.Len())
	}
}
