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

// RefusalOf writes why a message was refused, nil where it was not. The contract
// names no field of its own refusals.
func RefusalOf(e *cw721.Error) *Refusal {
	switch {
	case e == nil:
		return nil
	case e.Kind == cw721.KindContract:
		return &Refusal{Kind: e.Kind, Text: e.Text}
	}
	return &Refusal{e.Kind, e.Text, e.Field}
}
