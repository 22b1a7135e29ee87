package explain

import (
	"fmt"
	"strings"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/kv"
	"ephemera/core/wire"
)

// describeInfo says what changes of the collection itself; ok is false for a
// record of another kind.
func describeInfo(c kv.Change, call func(cw721.Address) string) (out []string, ok bool) {
	before, had := infoFields(c.Key, c.Old, call)
	after, has := infoFields(c.Key, c.New, call)
	if !had && !has {
		return nil, false
	}
	names := after
	if !has {
		names = before
	}
	for i, f := range names {
		was, is := nothing, nothing
		if had {
			was = before[i].value
		}
		if has {
			is = after[i].value
		}
		if was != is {
			out = append(out, fmt.Sprintf("%s: %s → %s", f.name, was, is))
		}
	}
	return out, true
}

const nothing = "none"

type infoField struct{ name, value string }

// infoFields reads a record of the collection itself as people do.
func infoFields(key, value []byte, call func(cw721.Address) string) ([]infoField, bool) {
	if info, ok := cw721.InfoIn(key, value); ok {
		return []infoField{{"name", info.Name}, {"symbol", info.Symbol}}, true
	}
	if a, ok := cw721.WithdrawIn(key, value); ok {
		return []infoField{{"withdraw address", call(a)}}, true
	}
	if v, ok := cw721.VersionIn(key, value); ok {
		return []infoField{{cw721.RecordName(key), v.Contract + " " + v.Version}}, true
	}
	if a, ok := cw721.AttributeIn(key, value); ok {
		return []infoField{{strings.ReplaceAll(a.Key, "_", " "), attribute(a, call)}}, true
	}
	return nil, false
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
		return chain.InUTC(*at)
	case wire.Decode(a.Value, &text) != nil:
		return brief(a.Value)
	case text == "":
		return "empty"
	}
	return shortened(text)
}
