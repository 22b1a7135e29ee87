package cw721

import (
	"reflect"
	"strings"

	"github.com/go-json-experiment/json"

	"ephemera/core/wire"
)

// object is a JSON object of a schema.
type object = map[string]any

// Schema describes the messages in JSON Schema, in the form that cosmwasm-schema
// gives a contract, so that ts-codegen and editors read it.
func (c Contract) Schema() []byte {
	root := func(title string, body object) object {
		body["$schema"], body["title"] = "http://json-schema.org/draft-07/schema#", title
		return body
	}
	whole := object{
		"contract_name": strings.TrimPrefix(c.codeName(), "crates.io:"), "contract_version": c.Version().Version,
		"idl_version": "1.0.0", "migrate": nil, "sudo": nil, "responses": object{},
		"instantiate": root("InstantiateMsg", c.described(func(d definitions) object { return d.record(reflect.TypeFor[InstantiateMsg]()) })),
		"execute":     root("ExecuteMsg", c.described(func(d definitions) object { return d.oneOf(executes) })),
		"query":       root("QueryMsg", c.described(func(d definitions) object { return d.oneOf(queries) })),
	}
	out, err := json.Marshal(whole, json.Deterministic(true))
	if err != nil {
		panic(err) // it holds nothing but texts, lists and objects
	}
	return out
}

// definitions are the types that a schema refers to, by name.
type definitions struct {
	all object
	has func(member string) bool // that the rules have a message or a member
}

// described is a schema with its definitions.
func (c Contract) described(body func(definitions) object) object {
	d := definitions{object{}, c.ruleSet().has}
	out := body(d)
	out["definitions"] = d.all
	return out
}

func (d definitions) oneOf(variants []wire.Variant) object {
	var all []any
	for _, v := range variants {
		if !d.has(v.Name) {
			continue
		}
		all = append(all, variant(v.Name, d.schema(reflect.TypeOf(v.New()).Elem())))
	}
	return object{"oneOf": all}
}

func variant(name string, body any) object {
	return object{"type": "object", "required": []string{name}, "properties": object{name: body}, "additionalProperties": false}
}

// record describes a struct by the tags that the decoder reads.
func (d definitions) record(t reflect.Type) object {
	properties, required, strict := object{}, []string{}, true
	for i := range t.NumField() {
		field := t.Field(i)
		name, options, tagged := strings.Cut(field.Tag.Get("wire"), ",")
		if field.Name == "_" || name == "" {
			strict = strict && name != "lenient"
			continue
		}
		if !d.has(name) {
			continue
		}
		properties[name] = d.schema(field.Type)
		if optional := tagged && options == "optional" || field.Type.Kind() == reflect.Pointer; !optional {
			required = append(required, name)
		}
	}
	return object{"type": "object", "properties": properties, "required": required, "additionalProperties": !strict}
}

func text(description string) object { return object{"type": "string", "description": description} }

// written are the types that are not written as Go has them.
func written(t reflect.Type) func(definitions) object {
	return map[reflect.Type]func(definitions) object{
		reflect.TypeFor[Binary]():  func(definitions) object { return text("Bytes in base64.") },
		reflect.TypeFor[Time]():    func(definitions) object { return text("Nanoseconds since 1970, in a string of digits.") },
		reflect.TypeFor[Uint128](): func(definitions) object { return text("A number below 2^128, in a string of digits.") },
		reflect.TypeFor[Share]():   func(definitions) object { return text("A decimal, such as 0.05.") },
		reflect.TypeFor[Address](): func(definitions) object { return text("An address in bech32.") },
		reflect.TypeFor[Expiration](): func(d definitions) object {
			return object{"oneOf": []any{
				variant("at_height", object{"type": "integer", "format": "uint64", "minimum": 0}),
				variant("at_time", d.schema(reflect.TypeFor[Time]())),
				variant("never", object{"type": "object", "additionalProperties": false}),
			}}
		},
		reflect.TypeFor[OwnershipAction](): func(d definitions) object {
			return object{"oneOf": []any{
				variant(actionTransfer, d.record(reflect.TypeFor[TransferOwnership]())),
				object{"type": "string", "enum": []string{actionAccept, actionRenounce}},
			}}
		},
		reflect.TypeFor[Extension](): func(d definitions) object {
			return object{"anyOf": []any{d.schema(reflect.TypeFor[Metadata]()), object{"type": "null"}}}
		},
	}[t]
}

func (d definitions) schema(t reflect.Type) object {
	if t.Kind() == reflect.Pointer {
		return object{"anyOf": []any{d.schema(t.Elem()), object{"type": "null"}}}
	}
	if t.Kind() == reflect.Struct && t.NumField() == 1 && t.Field(0).Anonymous {
		t = t.Field(0).Type // an action on one of the roles
	}
	if how := written(t); how != nil {
		if d.all[t.Name()] == nil {
			d.all[t.Name()] = object{} // it may refer to itself
			d.all[t.Name()] = how(d)
		}
		return object{"$ref": "#/definitions/" + t.Name()}
	}
	switch t.Kind() {
	case reflect.String:
		return object{"type": "string"}
	case reflect.Bool:
		return object{"type": "boolean"}
	case reflect.Uint32, reflect.Uint64:
		return object{"type": "integer", "format": t.Kind().String(), "minimum": 0}
	case reflect.Slice:
		return object{"type": "array", "items": d.schema(t.Elem())}
	}
	return d.record(t)
}
