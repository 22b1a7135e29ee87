package explain

import (
	"fmt"

	"ephemera/core/cw721"
	"ephemera/core/human"
	"ephemera/core/kv"
	"ephemera/core/wire"
)

const none = "none"

// infoField is one field of a record about the collection itself, such as its symbol.
type infoField struct {
	name  string // such as "symbol"
	value string // as text for people
}

// describeInfo describes how the fields of a record about the collection itself have changed,
// such as "symbol: APE → APES". isInfo is false for a record of another kind.
func (d describer) describeInfo(change kv.Change) (sentences []string, isInfo bool) {
	before := d.infoFields(change.Key, change.OldValue)
	after := d.infoFields(change.Key, change.NewValue)

	// Both sides list the same fields in the same order. If the record is new or was removed,
	// one of the sides is nil.
	fields := after
	if fields == nil {
		fields = before
	}
	for i, field := range fields {
		oldValue := valueAt(before, i)
		newValue := valueAt(after, i)
		if oldValue != newValue {
			sentences = append(sentences, fmt.Sprintf("%s: %s → %s", field.name, oldValue, newValue))
		}
	}
	return sentences, fields != nil
}

func valueAt(fields []infoField, index int) string {
	if fields == nil {
		return none
	}
	return fields[index].value
}

// infoFields decodes the fields of a record about the collection itself. Two records with the
// same key have the same fields in the same order. The result is nil for a record of another
// kind, and for a nil value.
func (d describer) infoFields(key, value []byte) []infoField {
	name := d.layout.RecordName(key)
	content, _ := d.layout.DecodeRecord(key, value)
	switch content := content.(type) {
	case cw721.CollectionInfo:
		return []infoField{
			{name: "name", value: content.Name},
			{name: "symbol", value: content.Symbol},
		}
	case cw721.Address:
		return []infoField{{name: name, value: d.displayName(content)}}
	case cw721.Version:
		return []infoField{{name: name, value: content.Contract + " " + content.Number}}
	case cw721.Attribute:
		return []infoField{{name: name, value: d.attributeText(content)}}
	}
	return nil
}

// attributeText shows the value of an attribute of the collection. Other JSON values than
// strings are shown as JSON.
func (d describer) attributeText(attribute cw721.Attribute) string {
	if string(attribute.Value) == "null" {
		return none
	}

	switch attribute.Key {
	case "royalty_info":
		var royalty *cw721.RoyaltyInfo
		if wire.Decode(attribute.Value, &royalty) == nil && royalty != nil {
			return royaltyText(royalty, d.displayName)
		}
	case "start_trading_time":
		var startTime *cw721.Time
		if wire.Decode(attribute.Value, &startTime) == nil && startTime != nil {
			return human.TimeUTC(*startTime)
		}
	}

	var text string
	if wire.Decode(attribute.Value, &text) != nil {
		return recordText(attribute.Value)
	}
	if text == "" {
		return "empty"
	}
	return truncate(text, maxValueRunes)
}
