package app

import (
	"ephemera/core/explain"
	"ephemera/themes"
	"ephemera/ui/widget"
)

// RuleLines lists the rules in the order in which the contract tried them.
func RuleLines(w explain.Explanation) (lines []widget.Line) {
	d := w.Decision
	head := "The rules, the first that passes decides"
	if d.All {
		head = "The rules, all must pass"
	}
	lines = append(lines, widget.In(themes.Header, head))
	for i, r := range w.Rules {
		l := widget.In(themes.Muted, "  "+Decimal(uint64(i+1))+" ")
		l = append(l, Verdict(r.Check.Passed)...)
		lines = append(lines, l.And(themes.Muted, widget.Fit(string(r.Check.Rule), 14)).And(themes.Text, r.Text))
	}
	return lines
}
