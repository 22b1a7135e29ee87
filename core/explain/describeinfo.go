package explain

import (
	"fmt"

	"ephemera/core/cw721"
	"ephemera/core/human"
	"ephemera/core/kv"
	"ephemera/core/wire"
)

// none stands in place of a value that there is not.
const none = "none"

// infoField is one field of a record about the collection itself.
type infoField struct{ name, value string }

// describeInfo describes the changed fields of a record about the collection itself:
// "symbol: APE → APES". isInfo is false for a record of another kind.
func describeInfo(c kv.Change, call func(cw721.Address) string) (sentences []string, isInfo bool) {
	before := infoFields(c.Key, c.Old, call)
	after := infoFields(c.Key, c.New, call)
	for i := range max(len(before), len(after)) {
		name := ""
		oldValue := none
		newValue := none
		if before != nil {
			name = before[i].name
			oldValue = before[i].value
		}
		if after != nil {
			name = after[i].name
			newValue = after[i].value
		}
		if oldValue != newValue {
			sentences = append(sentences, fmt.Sprintf("%s: %s → %s", name, oldValue, newValue))
		}
	}
	return sentences, before != nil || after != nil
}

// infoFields returns the fields of a record about the collection itself, always in the
// same number and order for one key. It returns nil for a record of another kind, and
// for one that does not exist.
func infoFields(key, value []byte, call func(cw721.Address) string) []infoField {
	name := cw721.RecordName(key)
	switch content := cw721.DecodeRecord(key, value).(type) {
	case cw721.CollectionInfo:
		return []infoField{
			{name: "name", value: content.Name},
			{name: "symbol", value: content.Symbol},
		}
	case cw721.Address:
		return []infoField{{name: name, value: call(content)}}
	case cw721.Version:
		return []infoField{{name: name, value: content.Contract + " " + content.Version}}
	case cw721.Attribute:
		return []infoField{{name: name, value: attributeText(content, call)}}
	}
	return nil
}

// attributeText shows the value of an attribute of the collection. A royalty and the
// start of trading have forms of their own, any other value is shown as text, or as
// JSON if it is none.
func attributeText(attribute cw721.Attribute, call func(cw721.Address) string) string {
	if string(attribute.Value) == "null" {
		return none
	}

	switch attribute.Key {
	case "royalty_info":
		var royalty *cw721.RoyaltyInfo
		if wire.Decode(attribute.Value, &royalty) == nil && royalty != nil {
			return fmt.Sprintf("%s %% to %s", royalty.Share.Percentage(), call(royalty.PaymentAddress))
		}
	case "start_trading_time":
		var start *cw721.Time
		if wire.Decode(attribute.Value, &start) == nil && start != nil {
			return human.TimeUTC(*start)
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
