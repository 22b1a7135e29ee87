package scenario

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/kv/kvtest"
)

type schema = map[string]any

// validator checks values by the words of JSON Schema that the file uses.
type validator struct{ root schema }

func newValidator(t *testing.T) validator {
	t.Helper()
	var root schema
	kvtest.OK(t, json.Unmarshal(Schema, &root))
	return validator{root}
}

// at returns the value at a path of names and indexes.
func (v validator) at(path string) any {
	var found any = v.root
	for part := range strings.SplitSeq(strings.TrimPrefix(path, "#/"), "/") {
		if list, ok := found.([]any); ok {
			found = list[part[0]-'0']
		} else {
			found = found.(schema)[part]
		}
	}
	return found
}

// check returns the first mistake in a value, or "".
func (v validator) check(s schema, at string, x any) string {
	object, _ := x.(map[string]any)
	list, _ := x.([]any)
	for word, rule := range s {
		wrong := ""
		switch word {
		case "$ref":
			wrong = v.check(v.at(rule.(string)).(schema), at, x)
		case "type":
			wrong = v.checkType(rule, x)
		case "enum":
			if !slices.Contains(rule.([]any), x) {
				wrong = fmt.Sprintf("%v is none of %v", x, rule)
			}
		case "pattern":
			if text, isText := x.(string); isText && !regexp.MustCompile(rule.(string)).MatchString(text) {
				wrong = text + " has another form"
			}
		case "properties":
			for name, sub := range rule.(schema) {
				if value, ok := object[name]; ok && wrong == "" {
					wrong = v.check(sub.(schema), at+"."+name, value)
				}
			}
		case "additionalProperties":
			known, _ := s["properties"].(schema)
			for name, value := range object {
				if _, ok := known[name]; ok || wrong != "" {
					continue
				}
				if sub, ok := rule.(schema); ok {
					wrong = v.check(sub, at+"."+name, value)
				} else {
					wrong = name + " is no member"
				}
			}
		case "items":
			for i, item := range list {
				if wrong == "" {
					wrong = v.check(rule.(schema), fmt.Sprintf("%s[%d]", at, i), item)
				}
			}
		case "required":
			for _, name := range rule.([]any) {
				if _, ok := object[name.(string)]; !ok {
					wrong = name.(string) + " is missing"
				}
			}
		case "oneOf", "anyOf":
			if n := v.fitting(rule, x); n == 0 || word == "oneOf" && n > 1 {
				wrong = fmt.Sprintf("it fits %d of %s", n, word)
			}
		case "allOf":
			for _, sub := range rule.([]any) {
				if wrong == "" {
					wrong = v.check(sub.(schema), at, x)
				}
			}
		case "not":
			if v.check(rule.(schema), at, x) == "" {
				wrong = "it is what it must not be"
			}
		case "if":
			if v.check(rule.(schema), at, x) == "" {
				wrong = v.check(s["then"].(schema), at, x)
			}
		case "minItems", "minProperties":
			if n := float64(len(object) + len(list)); (object != nil || list != nil) && n < rule.(float64) {
				wrong = "too few"
			}
		case "maxItems", "maxProperties":
			if n := float64(len(object) + len(list)); (object != nil || list != nil) && n > rule.(float64) {
				wrong = "too many"
			}
		case "minimum":
			if n, ok := x.(float64); ok && n < rule.(float64) {
				wrong = "too small"
			}
		case "maximum":
			if n, ok := x.(float64); ok && n > rule.(float64) {
				wrong = "too large"
			}
		case "$schema", "$defs", "title", "description", "examples", "then":
		default:
			panic("the test does not know the word " + word)
		}
		if wrong != "" && !strings.Contains(wrong, ": ") {
			return at + ": " + wrong
		}
		if wrong != "" {
			return wrong
		}
	}
	return ""
}

func (v validator) fitting(rules any, x any) (n int) {
	for _, sub := range rules.([]any) {
		if v.check(sub.(schema), "", x) == "" {
			n++
		}
	}
	return n
}

func (v validator) checkType(rule any, x any) string {
	types, ok := rule.([]any)
	if !ok {
		types = []any{rule}
	}
	got := map[bool]string{}
	switch n := x.(type) {
	case nil:
		got[true] = "null"
	case bool:
		got[true] = "boolean"
	case string:
		got[true] = "string"
	case float64:
		if got[true] = "number"; n == float64(int64(n)) {
			got[true] = "integer"
		}
	case []any:
		got[true] = "array"
	default:
		got[true] = "object"
	}
	if !slices.Contains(types, any(got[true])) {
		return fmt.Sprintf("expected %v, got %s", rule, got[true])
	}
	return ""
}

// namesIn returns the names of the members that are read into a struct.
func namesIn[T any]() []string { return membersOf(reflect.TypeFor[T]()).names }

func texts[S ~string](words ...S) (all []string) {
	for _, w := range words {
		all = append(all, string(w))
	}
	return all
}

func TestTheSchemaHasTheMembersAndWordsThatTheReaderKnows(t *testing.T) {
	v := newValidator(t)
	const step, ask = "$defs/step/properties/", "$defs/step/properties/ask/oneOf/1/properties"
	for path, read := range map[string][]string{
		"properties":                                                          append(namesIn[Header](), rowsMember, stepsMember),
		"properties/rules/anyOf/0/enum":                                       texts(cw721.AllRules()...),
		"properties/flavour/enum":                                             texts(cw721.FlavourBase, cw721.FlavourOnchain),
		"$defs/contracts/additionalProperties/enum":                           texts(chain.ReceiverAccepts, chain.ReceiverRejects, chain.ReceiverPlain),
		"$defs/step/properties":                                               namesIn[Step](),
		"$defs/block/properties":                                              namesIn[At](),
		step + "advance/properties":                                           namesIn[Advance](),
		step + "nobody/properties":                                            namesIn[nobodyQuestion](),
		step + "expect/anyOf/2/properties":                                    {"ok", "has", "error"},
		step + "expect/anyOf/2/properties/error/oneOf/1/properties":           namesIn[Expect](),
		step + "expect/anyOf/2/properties/error/oneOf/1/properties/kind/enum": texts(kinds...),
		ask: namesIn[question](),
		ask + "/choices/items/oneOf/1/properties": namesIn[choice](),
	} {
		var described []string
		switch found := v.at(path).(type) {
		case schema:
			described = slices.Collect(maps.Keys(found))
		case []any:
			for _, word := range found {
				if text, ok := word.(string); ok { // null is a word as well
					described = append(described, text)
				}
			}
		}
		if diff := cmp.Diff(slices.Sorted(slices.Values(read)), slices.Sorted(slices.Values(described))); diff != "" {
			t.Errorf("%s: %s", path, diff)
		}
	}
}

// asOne returns a scenario as the value that the schema describes.
func asOne(t *testing.T, h Header, steps []Step) any {
	t.Helper()
	whole := append(memberValues(h), memberValue{stepsMember, steps})
	var x any
	// A message may have two members of one name on purpose.
	kvtest.OK(t, json.Unmarshal(appendObject(nil, whole), &x, jsontext.AllowDuplicateNames(true)))
	return x
}

func TestEveryScenarioOfTheRepositoryMatchesTheSchema(t *testing.T) {
	v := newValidator(t)
	files, err := filepath.Glob("../cw721/testdata/conformance/*.jsonl.gz")
	if err != nil || len(files) == 0 {
		t.Fatal(err)
	}
	more := kvtest.Must(filepath.Glob("testdata/*.yaml"))(t)
	for _, name := range append(files, more...) {
		t.Run(filepath.Base(name), func(t *testing.T) {
			f := kvtest.Must(os.Open(name))(t)
			defer f.Close()
			s := kvtest.Must(Load(name, f))(t)
			if wrong := v.check(v.root, name, asOne(t, s.Header, s.Steps)); wrong != "" {
				t.Error(wrong)
			}
		})
	}
}

func TestTheSchemaAndTheReaderRefuseTheSameFiles(t *testing.T) {
	v := newValidator(t)
	for text, fine := range map[string]bool{
		`{"name":"x","steps":[{"as":"a","execute":{},"expect":"ok"}]}`:                true,
		`{"steps":[{"query":{},"expect":{"ok":5}}]}`:                                  true,
		`{"steps":[{"note":"n","hint":["a"],"ask":"why?"}]}`:                          true,
		`{"steps":[{"ask":{"choices":["a",{"text":"b","why":"c","believes":"d"}]}}]}`: true,
		`{"steps":[{"ask":{"choices":[{"txt":"b"}]}}]}`:                               false,
		`{"steps":[{"ask":{"choices":[5]}}]}`:                                         false,
		`{"nmae":"x"}`:                                                                false,
		`{"rules":"v1"}`:                                                              false,
		`{"steps":{}}`:                                                                false,
		`{"steps":[{"exeucte":{}}]}`:                                                  false,
		`{"steps":[{"execute":{}}]}`:                                                  false,
		`{"steps":[{"as":"a","execute":{},"query":{}}]}`:                              false,
		`{"steps":[{"expect":"ok"}]}`:                                                 false,
		`{"steps":[{"query":{},"expect":"fine"}]}`:                                    false,
		`{"steps":[{"query":{},"expect":{}}]}`:                                        false,
		`{"steps":[{"query":{},"expect":{"ok":1,"has":1}}]}`:                          false,
		`{"steps":[{"query":{},"expect":{"error":{"kind":"odd"}}}]}`:                  false,
		`{"steps":[{"as":"a","execute":{},"expect":{"ok":{"attribute":[]}}}]}`:        false,
		`{"steps":[{"as":"a","execute":{},"expect":{"ok":{"attributes":{}}}}]}`:       false,
		`{"steps":[{"at":{"height":-1}}]}`:                                            false,
		`{"steps":[{"at":{"time":5}}]}`:                                               false,
		`{"steps":[{"at":{},"advance":{}}]}`:                                          false,
		`{"steps":[{"state":[["61"]]}]}`:                                              false,
		`{"contracts":{"m":"maybe"}}`:                                                 false,
	} {
		var x any
		kvtest.OK(t, json.Unmarshal([]byte(text), &x))
		if wrong := v.check(v.root, "file", x); (wrong == "") != fine {
			t.Errorf("%s: %q", text, wrong)
		}
		s, err := Load("x.yaml", strings.NewReader(text))
		if !fine && err == nil {
			t.Errorf("%s: the reader takes it: %+v", text, s)
		}
	}
}
