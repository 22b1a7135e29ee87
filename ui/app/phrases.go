package app

import (
	"cmp"
	"strconv"
	"strings"

	"ephemera/core/cw721"
	"ephemera/core/explain"
	"ephemera/core/human"
	"ephemera/themes"
	"ephemera/ui/widget"
)

// Brief shortens an id that would crowd out what stands beside it.
func Brief(id string) string {
	const most = 24
	id = TokenName(id)
	if safe := widget.Safe(id); widget.Width(safe) > most {
		return widget.ElideMiddle(safe, most)
	}
	return id
}

// ShortAddress is how wide an address stands beside its name, in cells.
const ShortAddress = 11

// Decimal writes a number without separators, as a program would.
func Decimal(n uint64) string { return strconv.FormatUint(n, 10) }

// actionName gives the name of a message, as far as its text shows one.
func actionName(msg []byte) string {
	parts := strings.SplitN(string(msg), `"`, 3)
	if len(parts) < 3 {
		return "message"
	}
	return parts[1]
}

// SecondsOf writes a time to the second.
func SecondsOf(t cw721.Time) string {
	text := human.Time(t)
	if len(text) > 19 {
		text = text[:19]
	}
	return text
}

// ActionOf finds the question that a message asks.
func ActionOf(msg []byte) string {
	name := actionName(msg)
	for _, a := range cw721.AllActions() {
		if cw721.MessageName(a.Message("", "")) == name {
			return a.Name
		}
	}
	return ""
}

// Indented moves lines two cells to the right, in place.
func Indented(lines []widget.Line) []widget.Line {
	for i, l := range lines {
		lines[i] = append(widget.Plain("  "), l...)
	}
	return lines
}

// TokenName is the id of a token among other words, where the empty text, which
// is an id too, would not be seen.
func TokenName(id string) string { return cmp.Or(id, `""`) }

// Plural counts things: "1 token", "1,204 tokens".
func Plural(n int, what string) string { return human.Plural(n, what) }

// Verdict is the sign of a yes or a no, before a text.
func Verdict(allowed bool) widget.Line {
	sign, role := SignOf(allowed)
	return widget.In(role, sign+" ")
}

// SignOf is the sign and the colour of a yes or a no.
func SignOf(allowed bool) (string, themes.Role) {
	if allowed {
		return themes.GlyphYes, themes.Good
	}
	return themes.GlyphNo, themes.Bad
}

// Candidates offers the accounts whose name or address begins with a text, for
// fields that take an address.
func (st *State) Candidates() func(string) []widget.Candidate {
	accounts := st.Accounts
	return func(text string) (out []widget.Candidate) {
		for _, a := range accounts {
			if strings.HasPrefix(a.Name, text) || text != "" && strings.HasPrefix(string(a.Address), text) {
				out = append(out, widget.Candidate{Value: a.Name, Detail: widget.ElideMiddle(string(a.Address), AddressWidth)})
			}
		}
		return out
	}
}

// InputText is how an account can be typed: its name, or its address.
func (st *State) InputText(a cw721.Address) string {
	if name, ok := st.Names[a]; ok {
		return name
	}
	return string(a)
}

// RuleLines lists the rules in the order in which the contract tried them.
func RuleLines(w explain.Explanation) (lines []widget.Line) {
	d := w.Decision
	head := "The rules, the first that passes decides"
	if d.RequiresAll {
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
