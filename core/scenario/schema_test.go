package scenario

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
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
	"ephemera/core/wire"
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

// check returns the mistakes in a value x, whose place is at.
func (v validator) check(s schema, at string, x any) (mistakes []string) {
	object, _ := x.(map[string]any)
	list, _ := x.([]any)
	size := float64(len(object) + len(list))
	number, isNumber := x.(float64)
	expect := func(isRight bool, what string, rule any) {
		if !isRight {
			mistakes = append(mistakes, fmt.Sprintf("%s: %v is not %s %v", at, x, what, rule))
		}
	}
	checkPart := func(rule any, name string, part any) {
		mistakes = append(mistakes, v.check(rule.(schema), at+name, part)...)
	}

	properties, _ := s["properties"].(schema)
	for name, value := range object {
		if rule, isKnown := properties[name]; isKnown {
			checkPart(rule, "."+name, value)
			continue
		}
		switch rule := s["additionalProperties"].(type) {
		case schema:
			checkPart(rule, "."+name, value)
		case bool:
			expect(rule, "without the member", name)
		}
	}
	for word, rule := range s {
		switch word {
		case "$ref":
			checkPart(v.at(rule.(string)), "", x)
		case "type":
			types, isList := rule.([]any)
			if !isList {
				types = []any{rule}
			}
			isInteger := number == float64(int64(number)) && slices.Contains(types, "integer")
			expect(slices.Contains(types, any(typeName(x))) || isNumber && isInteger, "of the type", rule)
		case "enum":
			expect(slices.Contains(rule.([]any), x), "one of", rule)
		case "pattern":
			text, isText := x.(string)
			expect(!isText || regexp.MustCompile(rule.(string)).MatchString(text), "like", rule)
		case "items":
			for i, item := range list {
				checkPart(rule, fmt.Sprintf("[%d]", i), item)
			}
		case "required":
			for _, name := range rule.([]any) {
				_, isPresent := object[name.(string)]
				expect(isPresent, "with the member", name)
			}
		case "oneOf":
			expect(v.countFitting(rule, x) == 1, "in one form of", rule)
		case "anyOf":
			expect(v.countFitting(rule, x) > 0, "in a form of", rule)
		case "allOf":
			for _, part := range rule.([]any) {
				checkPart(part, "", x)
			}
		case "not":
			expect(len(v.check(rule.(schema), at, x)) > 0, "other than", rule)
		case "if":
			if len(v.check(rule.(schema), at, x)) == 0 {
				checkPart(s["then"], "", x)
			}
		case "minItems", "minProperties":
			isCollection := object != nil || list != nil
			expect(!isCollection || size >= rule.(float64), "larger than", rule)
		case "maxItems", "maxProperties":
			expect(size <= rule.(float64), "smaller than", rule)
		case "minimum":
			expect(!isNumber || number >= rule.(float64), "above", rule)
		case "maximum":
			expect(!isNumber || number <= rule.(float64), "below", rule)
		case "$schema", "$defs", "title", "description", "examples", "then", "properties", "additionalProperties":
		default:
			panic("the test does not know the word " + word)
		}
	}
	return mistakes
}

// countFitting returns how many of some rules a value follows.
func (v validator) countFitting(rules any, x any) (count int) {
	for _, rule := range rules.([]any) {
		if len(v.check(rule.(schema), "", x)) == 0 {
			count++
		}
	}
	return count
}

// typeName returns the name that a schema has for the type of a value.
func typeName(x any) string {
	switch x.(type) {
	case nil:
		return "null"
	case bool:
		return "boolean"
	case string:
		return "string"
	case float64:
		return "number"
	case []any:
		return "array"
	}
	return "object"
}

// namesIn returns the names of the members that are read into a struct.
func namesIn[T any]() []string {
	return strings.Split(strings.Join(wire.MemberNames(new(T)), "|"), "|") // see isMessage
}

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
		"properties":                                                          append(namesIn[Header](), stepsMember),
		"properties/rules/anyOf/0/enum":                                       texts(cw721.AllRules()...),
		"properties/flavour/enum":                                             texts(cw721.FlavourBase, cw721.FlavourOnchain),
		"$defs/contracts/additionalProperties/enum":                           texts(chain.ReceiverAccepts, chain.ReceiverRejects, chain.ReceiverPlain),
		"$defs/step/properties":                                               namesIn[Step](),
		"$defs/block/properties":                                              namesIn[At](),
		step + "advance/properties":                                           namesIn[Advance](),
		step + "nobody/properties":                                            namesIn[nobodyQuestion](),
		step + "expect/anyOf/2/properties":                                    {"ok", "has", "error"},
		step + "expect/anyOf/2/properties/error/oneOf/1/properties":           namesIn[Expect](),
		step + "expect/anyOf/2/properties/error/oneOf/1/properties/kind/enum": texts(refusalKinds...),
		ask: namesIn[Ask](),
		ask + "/choices/items/oneOf/1/properties": namesIn[Choice](),
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
	whole := append(membersToWrite(h), memberValue{stepsMember, steps})
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
	if kvtest.Times() == 1 { // every fifth, of valid and of invalid messages
		i := -1
		files = slices.DeleteFunc(files, func(string) bool { i++; return i%5 > 0 })
	}
	more := kvtest.Must(filepath.Glob("testdata/*.yaml"))(t)
	for _, name := range append(files, more...) {
		t.Run(filepath.Base(name), func(t *testing.T) {
			f := kvtest.Must(os.Open(name))(t)
			defer f.Close()
			s := kvtest.Must(Load(name, f))(t)
			for _, mistake := range v.check(v.root, name, asOne(t, s.Header, s.Steps)) {
				t.Error(mistake)
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
		`{"rows":{}}`:                                                                 false,
		`{"rows":[]}`:                                                                 false,
		`{"rows":{"a":5}}`:                                                            false,
	} {
		var x any
		kvtest.OK(t, json.Unmarshal([]byte(text), &x))
		if mistakes := v.check(v.root, "file", x); (len(mistakes) == 0) != fine {
			t.Errorf("%s: %q", text, mistakes)
		}
		s, err := Load("x.yaml", strings.NewReader(text))
		if !fine && err == nil {
			t.Errorf("%s: the reader takes it: %+v", text, s)
		}
	}
}
