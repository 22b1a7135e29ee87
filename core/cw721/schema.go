package cw721

import (
	"reflect"

	"github.com/go-json-experiment/json"

	"ephemera/core/wire"
)

// jsonObject is a JSON object in a JSON Schema.
type jsonObject = map[string]any

// Schema returns a JSON document with a JSON Schema of every message that the contract's
// rule set knows. The document has the form of the tool cosmwasm-schema, which ts-codegen
// and editors read.
func (c Contract) Schema() []byte {
	document := jsonObject{
		"contract_name":    c.Version().CodeName(),
		"contract_version": c.Version().Number,
		"idl_version":      "1.0.0",
		"migrate":          nil,
		"sudo":             nil,
		"responses":        jsonObject{},
		"instantiate": c.messageSchema("InstantiateMsg", func(w *schemaWriter) jsonObject {
			return w.structSchema(reflect.TypeFor[InstantiateMsg]())
		}),
		"execute": c.messageSchema("ExecuteMsg", func(w *schemaWriter) jsonObject {
			return w.unionSchema(executeVariants)
		}),
		"query": c.messageSchema("QueryMsg", func(w *schemaWriter) jsonObject {
			return w.unionSchema(queryVariants)
		}),
	}

	encoded, err := json.Marshal(document, json.Deterministic(true))
	if err != nil {
		panic(err) // the document holds only strings, numbers, booleans, slices and maps
	}
	return encoded
}

func (c Contract) messageSchema(title string, write func(*schemaWriter) jsonObject) jsonObject {
	writer := &schemaWriter{rules: c.ruleSet(), definitions: jsonObject{}}
	schema := write(writer)
	schema["$schema"] = "http://json-schema.org/draft-07/schema#"
	schema["title"] = title
	schema["definitions"] = writer.definitions
	return schema
}

// schemaWriter builds schemas from Go types. It leaves out messages and members that the
// rule set does not know.
type schemaWriter struct {
	rules *ruleSet
	// definitions are the schemas that other schemas refer to. The keys are the names of
	// their Go types.
	definitions jsonObject
}

// unionSchema returns the schema of a message that is one of the variants.
func (w *schemaWriter) unionSchema(variants []wire.Variant) jsonObject {
	var schemas []any
	for _, variant := range variants {
		if !w.rules.has(variant.Name) {
			continue
		}
		messageType := reflect.TypeOf(variant.New()).Elem()
		body := w.typeSchema(messageType)
		schemas = append(schemas, variantSchema(variant.Name, body))
	}
	return jsonObject{"oneOf": schemas}
}

// variantSchema returns the schema of an object with exactly one member, whose value has the
// schema body.
func variantSchema(name string, body any) jsonObject {
	return jsonObject{
		"type":                 "object",
		"required":             []string{name},
		"properties":           jsonObject{name: body},
		"additionalProperties": false,
	}
}

// structSchema follows the same plan as the decoder, so the schema accepts what that does.
func (w *schemaWriter) structSchema(structType reflect.Type) jsonObject {
	plan := wire.PlanOf(structType)
	properties := jsonObject{}
	required := []string{} // not nil, which would be null in JSON
	for _, member := range plan.Fields {
		if !w.rules.has(member.Name) {
			continue
		}
		properties[member.Name] = w.typeSchema(structType.Field(member.Index).Type)
		if !member.IsOptional {
			required = append(required, member.Name)
		}
	}
	return jsonObject{
		"type":                 "object",
		"properties":           properties,
		"required":             required,
		"additionalProperties": plan.IsLenient,
	}
}

// typeSchema returns the schema of any type. For one with an encoding of its own, such as
// [Time], it is a reference to its definition.
func (w *schemaWriter) typeSchema(goType reflect.Type) jsonObject {
	if goType.Kind() == reflect.Pointer {
		return nullable(w.typeSchema(goType.Elem()))
	}

	// The messages on roles only embed an action, and are encoded as the action is.
	hasOneField := goType.Kind() == reflect.Struct && goType.NumField() == 1
	if hasOneField && goType.Field(0).Anonymous {
		return w.typeSchema(goType.Field(0).Type)
	}

	isDefined := w.defineType(goType)
	if isDefined {
		return jsonObject{"$ref": "#/definitions/" + goType.Name()}
	}

	switch goType.Kind() {
	case reflect.String:
		return jsonObject{"type": "string"}
	case reflect.Bool:
		return jsonObject{"type": "boolean"}
	case reflect.Uint32, reflect.Uint64:
		return jsonObject{"type": "integer", "format": goType.Kind().String(), "minimum": 0}
	case reflect.Slice:
		return jsonObject{"type": "array", "items": w.typeSchema(goType.Elem())}
	}
	return w.structSchema(goType)
}

func nullable(schema jsonObject) jsonObject {
	return jsonObject{"anyOf": []any{schema, jsonObject{"type": "null"}}}
}

func stringSchema(description string) jsonObject {
	return jsonObject{"type": "string", "description": description}
}

// defineType adds the schema of a type to the definitions if the type has an encoding of its
// own, such as [Time], and reports whether it has.
func (w *schemaWriter) defineType(goType reflect.Type) bool {
	var schema jsonObject
	switch goType {
	case reflect.TypeFor[Binary]():
		schema = stringSchema("Bytes in base64.")
	case reflect.TypeFor[Time]():
		schema = stringSchema("Nanoseconds since 1970, in a string of digits.")
	case reflect.TypeFor[Uint128]():
		schema = stringSchema("A number below 2^128, in a string of digits.")
	case reflect.TypeFor[Share]():
		schema = stringSchema("A decimal, such as 0.05.")
	case reflect.TypeFor[Address]():
		schema = stringSchema("An address in bech32.")

	case reflect.TypeFor[Expiration]():
		schema = jsonObject{"oneOf": []any{
			variantSchema("at_height", jsonObject{"type": "integer", "format": "uint64", "minimum": 0}),
			variantSchema("at_time", w.typeSchema(reflect.TypeFor[Time]())),
			variantSchema("never", jsonObject{"type": "object", "additionalProperties": false}),
		}}

	case reflect.TypeFor[OwnershipAction]():
		schema = jsonObject{"oneOf": []any{
			variantSchema(actionTransfer, w.structSchema(reflect.TypeFor[TransferOwnership]())),
			jsonObject{"type": "string", "enum": []string{actionAccept, actionRenounce}},
		}}

	case reflect.TypeFor[Extension]():
		schema = nullable(w.typeSchema(reflect.TypeFor[Metadata]()))

	default:
		return false
	}
	w.definitions[goType.Name()] = schema
	return true
}
