package explain

import (
	"fmt"

	"ephemera/core/cw721"
	"ephemera/core/human"
	"ephemera/core/kv"
	"ephemera/core/wire"
)

// describeInfo says what changes of the collection itself; ok is false for a
// record of another kind.
func describeInfo(c kv.Change, call func(cw721.Address) string) (out []string, ok bool) {
	before, after := infoFields(c.Key, c.Old, call), infoFields(c.Key, c.New, call)
	for i := range max(len(before), len(after)) {
		name, was, is := "", nothing, nothing
		if before != nil {
			name, was = before[i].name, before[i].value
		}
		if after != nil {
			name, is = after[i].name, after[i].value
		}
		if was != is {
			out = append(out, fmt.Sprintf("%s: %s → %s", name, was, is))
		}
	}
	return out, before != nil || after != nil
}

const nothing = "none"

type infoField struct{ name, value string }

// infoFields reads a record of the collection itself as people do; nil for a
// record of another kind.
func infoFields(key, value []byte, call func(cw721.Address) string) []infoField {
	name := cw721.RecordName(key)
	switch content := cw721.DecodeRecord(key, value).(type) {
	case cw721.CollectionInfo:
		return []infoField{{"name", content.Name}, {"symbol", content.Symbol}}
	case cw721.Address:
		return []infoField{{name, call(content)}}
	case cw721.Version:
		return []infoField{{name, content.Contract + " " + content.Version}}
	case cw721.Attribute:
		return []infoField{{name, attribute(content, call)}}
	}
	return nil
}

// attribute writes a member of the collection's extension.
func attribute(a cw721.Attribute, call func(cw721.Address) string) string {
	var text string
	var royalty *cw721.RoyaltyInfo
	var at *cw721.Time
	switch {
	case string(a.Value) == "null":
		return nothing
	case a.Key == "royalty_info" && wire.Decode(a.Value, &royalty) == nil && royalty != nil:
		return fmt.Sprintf("%s %% to %s", royalty.Share.Percentage(), call(royalty.PaymentAddress))
	case a.Key == "start_trading_time" && wire.Decode(a.Value, &at) == nil && at != nil:
		return human.TimeUTC(*at)
	case wire.Decode(a.Value, &text) != nil:
		return brief(a.Value)
	case text == "":
		return "empty"
	}
	return shortened(text)
}
