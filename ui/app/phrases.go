package app

import (
	"cmp"
	"fmt"
	"math"
	"strconv"
	"strings"

	"ephemera/core/chain/history"
	"ephemera/core/cw721"
	"ephemera/core/explain"
	"ephemera/core/human"
	"ephemera/themes"
	"ephemera/ui/widget"
)

// shortTokenWidth is the width of a token's id in a sentence, in cells.
const shortTokenWidth = 24

// ShortTokenName returns the id of a token for a sentence, in at most 24 cells. It leaves
// out the middle of a longer id.
func ShortTokenName(id string) string {
	return widget.Shorten(human.TokenID(id), shortTokenWidth)
}

// Decimal writes a number without separators between its digits.
func Decimal(n uint64) string { return strconv.FormatUint(n, 10) }

// messageNameIn returns the name of a message in JSON, which is the first string in it, such
// as "mint" of {"mint":{}}. For a text without a string it returns "message".
func messageNameIn(msg []byte) string {
	parts := strings.SplitN(string(msg), `"`, 3)
	if len(parts) < 3 {
		return "message"
	}
	return parts[1]
}

// TimeToSecond writes a time in UTC without fractions of a second, such as
// "2026-11-21 12:40:00".
func TimeToSecond(blockTime cw721.Time) string {
	text := human.Time(blockTime)
	const lengthToSecond = len("2026-11-21 12:40:00")
	return text[:min(len(text), lengthToSecond)]
}

// ActionNameOf returns the name of the [cw721.Action] that a message in JSON carries out,
// such as "transfer". It is empty if the message carries out none.
func ActionNameOf(msg []byte) string {
	name := messageNameIn(msg)
	for _, action := range cw721.AllActions() {
		if cw721.MessageName(action.Message("", "")) == name {
			return action.Name
		}
	}
	return ""
}

// Indent moves lines two cells to the right. It changes the slice and returns it.
func Indent(lines []widget.Line) []widget.Line {
	for i, line := range lines {
		lines[i] = append(widget.Plain("  "), line...)
	}
	return lines
}

// VerdictSign returns a coloured sign for yes or no, followed by a space.
func VerdictSign(isAllowed bool) widget.Line {
	sign, role := SignOf(isAllowed)
	return widget.Styled(role, sign+" ")
}

// SignOf returns the sign for yes or no, and the role to draw it in.
func SignOf(isAllowed bool) (string, themes.Role) {
	if isAllowed {
		return themes.GlyphYes, themes.Good
	}
	return themes.GlyphNo, themes.Bad
}

// AccountCompleter returns a function for [widget.Field.Complete] that returns the accounts
// whose name or address begins with the typed text.
func (st *State) AccountCompleter() func(string) []widget.Candidate {
	accounts := st.Accounts
	return func(text string) (candidates []widget.Candidate) {
		for _, account := range accounts {
			hasAddress := strings.HasPrefix(string(account.Address), text)
			if strings.HasPrefix(account.Name, text) || hasAddress {
				address := widget.Shorten(string(account.Address), AddressWidth)
				candidates = append(candidates, widget.Candidate{Value: account.Name, Detail: address})
			}
		}
		return candidates
	}
}

// InputText returns what a user can type for an account: its name, or its address if
// it has none.
func (st *State) InputText(address cw721.Address) string {
	return cmp.Or(st.Names[address], string(address))
}

// RuleLines lists, under a heading, the rules by which the contract has decided about a message,
// in the order in which it tried them: passed or failed, the name, and what was compared.
func RuleLines(explanation explain.Explanation) (lines []widget.Line) {
	heading := "The rules, the first that passes decides"
	if explanation.Decision.RequiresAll {
		heading = "The rules, all must pass"
	}
	lines = append(lines, widget.Header(heading))

	const nameWidth = 14 // cells
	for i, rule := range explanation.Rules {
		line := widget.Muted(fmt.Sprintf("  %d ", i+1))
		line = append(line, VerdictSign(rule.Check.Passed)...)
		name := widget.Fit(string(rule.Check.Rule), nameWidth)
		lines = append(lines, line.Muted(name).Text(rule.Text))
	}
	return lines
}

// DescribeNode describes a node of the history, which is one message or one move of the
// clock, in a short phrase, such as "transfer ape-0001 → bob"; see [explain.DescribeNode].
func (f Facts) DescribeNode(node history.Node) string {
	return explain.DescribeNode(f.Config.Contract(), node, f.DisplayName)
}

// SubjectOfMessage returns the token that an execute message is about, and the account whose
// grant it gives or revokes. Both are empty if the message does not decode.
func (f Facts) SubjectOfMessage(raw []byte) Subject {
	msg, _, err := f.Config.Contract().DecodeExecute(raw, nil)
	if err != nil {
		return Subject{}
	}
	subject := cw721.SubjectOf(msg)
	return Subject{Token: subject.TokenID, Account: subject.Spender}
}

// TimeForm is a form in which moments are written. One key changes it to the next.
type TimeForm int

// The forms of a time.
const (
	Relative      TimeForm = iota // "in 8 blocks", "in 2h 05m"
	Calendar                      // "height 1,110", "2026-11-21 12:40:00 UTC"
	Exact                         // "1110", "1795264800000000000 ns"
	timeFormCount                 // the number of forms
)

// Next returns the form after this one, and the first form after the last.
func (f TimeForm) Next() TimeForm { return (f + 1) % timeFormCount }

// String returns the name of the form, for a sentence.
func (f TimeForm) String() string {
	return [...]string{"relative times", "UTC", "nanoseconds"}[f]
}

// Format writes an expiry in this form, seen from a block.
func (f TimeForm) Format(expiration cw721.Expiration, block cw721.Block) string {
	switch f {
	case Calendar:
		return human.Expiry(expiration)
	case Exact:
		return ExactTime(expiration)
	}
	return human.ExpiresIn(expiration, block)
}

// When writes an expiry in the form that the user chose, such as "in 8 blocks".
func (st *State) When(expiration cw721.Expiration) string {
	return st.Times.Format(expiration, st.Block())
}

// WithoutToday removes the date from the beginning of a time, such as "2026-11-21 12:40:00
// UTC", if it is the present date of the clock.
func (f Facts) WithoutToday(text string) string {
	clockText := human.Time(f.Clock.Time)
	today := strings.SplitAfter(clockText, " ")[0] // with the space after the date
	return strings.TrimPrefix(text, today)
}

// ExpiryInSentence writes an expiry to follow a noun: "in 8 blocks", or "at height
// 1,110" unless the user chose relative times.
func (st *State) ExpiryInSentence(expiration cw721.Expiration) string {
	if st.Times == Relative {
		return st.When(expiration)
	}
	return "at " + st.When(expiration)
}

// ExactTime writes an expiry as the contract stores it: a height, such as "height 1110", or
// nanoseconds, such as "1795264800000000000 ns". For a grant that never expires, it is
// "never".
func ExactTime(expiration cw721.Expiration) string {
	switch expiration.Axis {
	case cw721.AtHeight:
		return "height " + Decimal(expiration.Value)
	case cw721.AtTime:
		return Decimal(expiration.Value) + " ns"
	}
	return "never"
}

// AllForms writes an expiry in all its forms, for the line below a field, such as "height
// 1,110 · in 8 blocks · about 2026-11-21 12:40:00 UTC". The time of a height is an estimate.
func (st *State) AllForms(expiration cw721.Expiration) string {
	if expiration.Axis == cw721.Never {
		return "never expires"
	}
	forms := []string{human.Expiry(expiration), human.ExpiresIn(expiration, st.Block())}
	switch {
	case expiration.Axis == cw721.AtHeight:
		blockTime := st.Clock.EstimateTimeAt(cw721.Height(expiration.Value))
		wholeSecond := blockTime - blockTime%1e9
		forms = append(forms, "about "+human.TimeUTC(wholeSecond))
	case expiration.Value <= math.MaxInt64: // after 2262 the first form has the nanoseconds already
		forms = append(forms, ExactTime(expiration))
	}
	return strings.Join(forms, " · ")
}
