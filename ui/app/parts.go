package app

import (
	"ephemera/ui/widget"
)

// Part is a part of a line that can be left out: those with the highest drop go
// first, 0 never goes.
type Part struct {
	Line widget.Line
	Drop int
}

// JoinParts joins the parts that are left when none above a drop is.
func JoinParts(parts []Part, most int) (l widget.Line) {
	for _, p := range parts {
		if p.Drop <= most {
			l = append(l, p.Line...)
		}
	}
	return l
}
