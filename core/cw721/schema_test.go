package cw721_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"ephemera/core/cw721"
	"ephemera/core/kv/kvtest"
)

func TestTheSchemaHasEveryMessageAndEveryDefinitionThatItNames(t *testing.T) {
	type part struct {
		OneOf []struct {
			Required             []string
			AdditionalProperties *bool
		}
		Properties  map[string]any
		Definitions map[string]any
	}
	var s struct{ Instantiate, Execute, Query part }
	raw := cw721.Contract{Rules: cw721.RulesStandard, Flavour: cw721.FlavourBase}.Schema()
	kvtest.OK(t, json.Unmarshal(raw, &s))

	for _, message := range slices.Concat(s.Execute.OneOf, s.Query.OneOf) {
		if message.AdditionalProperties == nil || *message.AdditionalProperties {
			t.Errorf("the schema allows %s beside other members", message.Required)
		}
	}
	messageNames := func(p part) (names []string) {
		for _, variant := range p.OneOf {
			names = append(names, variant.Required[0])
		}
		return names
	}
	if got := messageNames(s.Execute); !slices.Equal(got, cw721.RulesStandard.ExecuteNames()) {
		t.Errorf("the schema has the execute messages %q", got)
	}
	if got := messageNames(s.Query); !slices.Equal(got, cw721.RulesStandard.QueryNames()) {
		t.Errorf("the schema has the queries %q", got)
	}
	if s.Instantiate.Properties["collection_info_extension"] == nil || s.Execute.Definitions["Expiration"] == nil {
		t.Errorf("%s", raw)
	}
	var all any
	kvtest.OK(t, json.Unmarshal(raw, &all))
	for _, kind := range []string{"instantiate", "execute", "query"} {
		part := all.(map[string]any)[kind].(map[string]any)
		definitions := part["definitions"].(map[string]any)
		forEachReference(part, func(name string) {
			if definitions[name] == nil {
				t.Errorf("%s: %s is not defined", kind, name)
			}
		})
	}
}

// forEachReference calls visit with the name of each definition to which a schema refers,
// at any depth.
func forEachReference(schema any, visit func(name string)) {
	switch schema := schema.(type) {
	case map[string]any:
		if ref, isRef := schema["$ref"].(string); isRef {
			visit(strings.TrimPrefix(ref, "#/definitions/"))
		}
		for _, value := range schema {
			forEachReference(value, visit)
		}
	case []any:
		for _, item := range schema {
			forEachReference(item, visit)
		}
	}
}
