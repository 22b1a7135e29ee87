package answer

import (
	"ephemera/core/cw721"
)

// Refusal is how a refusal is written. Field names the member at fault where
// that is not the contract's own business to say.
type Refusal struct {
	Kind  cw721.Kind `wire:"kind"`
	Text  string     `wire:"text"`
	Field string     `wire:"field,optional"`
}

// RefusalOf writes why a message was refused. The contract names no field of its own refusals.
func RefusalOf(kind cw721.Kind, text, field string) Refusal {
	if kind == cw721.KindContract {
		field = ""
	}
	return Refusal{kind, text, field}
}
