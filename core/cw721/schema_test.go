package cw721_test

import (
	"encoding/json"
	"testing"

	"ephemera/core/cw721"
	"ephemera/core/kv/kvtest"
)

func TestTheSchemaHasEveryMessageAndEveryDefinitionThatItNames(t *testing.T) {
	type part struct {
		OneOf       []struct{ Required []string }
		Properties  map[string]any
		Definitions map[string]any
	}
	var s struct{ Instantiate, Execute, Query part }
	raw := cw721.Contract{Rules: cw721.RulesStandard, Flavour: cw721.FlavourBase}.Schema()
	kvtest.OK(t, json.Unmarshal(raw, &s))
	for _, c := range []struct {
		part  part
		names []string
	}{{s.Execute, cw721.RulesStandard.ExecuteNames()}, {s.Query, cw721.RulesStandard.QueryNames()}} {
		if len(c.part.OneOf) != len(c.names) {
			t.Fatalf("%d of %d messages", len(c.part.OneOf), len(c.names))
		}
		for i, v := range c.part.OneOf {
			if v.Required[0] != c.names[i] {
				t.Errorf("%s stands for %s", v.Required[0], c.names[i])
			}
		}
	}
	if s.Instantiate.Properties["collection_info_extension"] == nil || s.Execute.Definitions["Expiration"] == nil {
		t.Errorf("%s", raw)
	}
	var all any
	kvtest.OK(t, json.Unmarshal(raw, &all))
	for _, p := range []string{"instantiate", "execute", "query"} {
		part := all.(map[string]any)[p].(map[string]any)
		refs(part, func(name string) {
			if part["definitions"].(map[string]any)[name] == nil {
				t.Errorf("%s: %s is not defined", p, name)
			}
		})
	}
}

// refs walks the names of definitions that a schema refers to.
func refs(x any, found func(string)) {
	switch x := x.(type) {
	case map[string]any:
		if ref, ok := x["$ref"].(string); ok {
			found(ref[len("#/definitions/"):])
		}
		for _, v := range x {
			refs(v, found)
		}
	case []any:
		for _, v := range x {
			refs(v, found)
		}
	}
}
