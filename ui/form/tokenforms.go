package form

import (
	"ephemera/core/cw721"
	"ephemera/ui/widget"
)

// Note puts a line under a field.
func (out *Result) Note(field string, l widget.Line) {
	if out.Notes == nil {
		out.Notes = map[string][]widget.Line{}
	}
	out.Notes[field] = append(out.Notes[field], l)
}

// Fill puts a message into a draft that has no problems.
func (out *Result) Fill(msg cw721.ExecuteMsg) Result {
	if len(out.Problems) == 0 {
		out.msg = cw721.Encode(msg)
	}
	return *out
}
