package app

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"ephemera/core/cw721"
	"ephemera/core/explain"
	"ephemera/core/human"
	"ephemera/themes"
	"ephemera/ui/widget"
)

// ShortTokenName returns [TokenName] in at most 24 cells, without the middle of a
// longer id.
func ShortTokenName(id string) string {
	const maxWidth = 24
	name := TokenName(id)
	safe := widget.Safe(name)
	if widget.Width(safe) > maxWidth {
		return widget.ElideMiddle(safe, maxWidth)
	}
	return name
}

// ShortAddressWidth is the width of an address beside its name, in cells.
const ShortAddressWidth = 11

// Decimal writes a number without separators between its digits.
func Decimal(n uint64) string { return strconv.FormatUint(n, 10) }

// messageNameIn returns the name of a message in JSON, which is its first string;
// "message" for a text without one.
func messageNameIn(msg []byte) string {
	parts := strings.SplitN(string(msg), `"`, 3)
	if len(parts) < 3 {
		return "message"
	}
	return parts[1]
}

// TimeToSecond writes a time in UTC without fractions of a second, such as
// "2026-11-21 12:40:00".
func TimeToSecond(t cw721.Time) string {
	text := human.Time(t)
	const toSecond = len("2026-11-21 12:40:00")
	if len(text) > toSecond {
		text = text[:toSecond]
	}
	return text
}

// ActionNameOf returns the name of the [cw721.Action], such as "transfer", that a message
// in JSON carries out; empty if there is no such action.
func ActionNameOf(msg []byte) string {
	name := messageNameIn(msg)
	for _, a := range cw721.AllActions() {
		if cw721.MessageName(a.Message("", "")) == name {
			return a.Name
		}
	}
	return ""
}

// Indent moves lines two cells to the right. It changes the slice and returns it.
func Indent(lines []widget.Line) []widget.Line {
	for i, l := range lines {
		lines[i] = append(widget.Plain("  "), l...)
	}
	return lines
}

// TokenName returns the id of a token for a sentence. The empty text, which is an id
// too, becomes two quotation marks.
func TokenName(id string) string { return cmp.Or(id, `""`) }

// Plural returns a number with a noun: "1 token", "1,204 tokens".
func Plural(n int, what string) string { return human.Plural(n, what) }

// VerdictSign returns the sign of a yes or a no, and a space.
func VerdictSign(allowed bool) widget.Line {
	sign, role := SignOf(allowed)
	return widget.In(role, sign+" ")
}

// SignOf returns the sign of a yes or a no, and the role to draw it in.
func SignOf(allowed bool) (string, themes.Role) {
	if allowed {
		return themes.GlyphYes, themes.Good
	}
	return themes.GlyphNo, themes.Bad
}

// Candidates returns a function that completes a typed text to accounts: it returns those
// whose name or address begins with the text, and all for an empty text. It is meant for
// [widget.Field.Complete].
func (st *State) Candidates() func(string) []widget.Candidate {
	accounts := st.Accounts
	return func(text string) (candidates []widget.Candidate) {
		for _, a := range accounts {
			hasAddress := text != "" && strings.HasPrefix(string(a.Address), text)
			if strings.HasPrefix(a.Name, text) || hasAddress {
				address := widget.ElideMiddle(string(a.Address), AddressWidth)
				candidates = append(candidates, widget.Candidate{Value: a.Name, Detail: address})
			}
		}
		return candidates
	}
}

// InputText returns what a user can type for an account: its name, or its address if
// it has none.
func (st *State) InputText(a cw721.Address) string {
	if name, ok := st.Names[a]; ok {
		return name
	}
	return string(a)
}

// RuleLines lists the rules that the contract tried to decide about a message, in order
// and under a heading. Each line has the number, a sign for passed or failed, the name
// of the rule, and what the rule compared.
func RuleLines(w explain.Explanation) (lines []widget.Line) {
	heading := "The rules, the first that passes decides"
	if w.Decision.RequiresAll {
		heading = "The rules, all must pass"
	}
	lines = append(lines, widget.Header(heading))

	const nameWidth = 14 // cells
	for i, r := range w.Rules {
		line := widget.Muted(fmt.Sprintf("  %d ", i+1))
		line = append(line, VerdictSign(r.Check.Passed)...)
		name := widget.Fit(string(r.Check.Rule), nameWidth)
		lines = append(lines, line.Muted(name).Text(r.Text))
	}
	return lines
}
