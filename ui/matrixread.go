package ui

import (
	"errors"
	"strings"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/themes"
	"ephemera/ui/widget"
)

func matrixRows(v *chain.View, s widget.Scan, accounts []chain.Account, w words, owners bool) ([]widget.Row, error) {
	walk := cw721.Walk{Reverse: s.Back}
	if s.Bound && s.Inclusive {
		walk.From = &s.From
	} else if s.Bound {
		walk.After = &s.From
	}
	var rows []widget.Row
	for t, err := range v.Tokens("", walk) {
		if err != nil {
			return nil, err
		}
		row := widget.Row{Key: t.ID, Cells: []widget.Line{widget.Plain(t.ID)}}
		if owners {
			row.Cells = append(row.Cells, widget.In(themes.Muted, w.call(t.Owner)))
		}
		for _, a := range accounts {
			rights, by, err := rightsOver(v, a.Address, t.ID)
			if err != nil {
				return nil, err
			}
			row.Cells = append(row.Cells, rightsCell(rights, by))
		}
		if rows = append(rows, row); len(rows) == s.N {
			break
		}
	}
	return rows, nil
}

// rightsOver asks the contract what an account may do with a token: a letter
// for each yes, a dot for each no, and the rule that gave it.
func rightsOver(v *chain.View, who cw721.Address, token string) (letters string, by cw721.Rule, err error) {
	for _, q := range questions {
		action, _ := cw721.ActionNamed(q.action)
		d, err := v.Decide(who, action.Message(token, who))
		var none *cw721.Error
		if errors.As(err, &none) {
			return "   ", "", nil // there is no such token then
		}
		if err != nil {
			return "", "", err
		}
		if !d.Allowed {
			letters += themes.GlyphDot
			continue
		}
		letters += q.letter
		for _, c := range d.Checks {
			if c.Passed {
				by = c.Rule
			}
		}
	}
	return letters, by, nil
}

func rightsCell(letters string, by cw721.Rule) widget.Line {
	role, mark := themes.Faint, " "
	switch by {
	case cw721.RuleOwner:
		role, mark = themes.Strong, "="
	case cw721.RuleApproval:
		role, mark = themes.Live, "a"
	case cw721.RuleOperator:
		role, mark = themes.Accent, "o"
	}
	return widget.In(role, letters+" "+mark)
}

// compareRows shows what is the same now as at a height as "=", and the rest as
// earlier → later.
func compareRows(v *chain.View, at cw721.Height, rows []widget.Row, accounts []chain.Account) error {
	for _, row := range rows {
		for i, a := range accounts {
			letters, by, err := rightsOver(v, a.Address, row.Key)
			if err != nil {
				return err
			}
			cell := &row.Cells[len(row.Cells)-len(accounts)+i]
			there := cell.String()
			if there == rightsCell(letters, by).String() {
				*cell = widget.In(themes.Faint, "=")
				continue
			}
			earlier, later := string([]rune(there)[:3]), letters
			if at > v.Clock.Height {
				earlier, later = later, earlier
			}
			role := themes.Bad
			if gained(earlier, later) {
				role = themes.Good
			}
			*cell = widget.In(role, earlier+themes.GlyphArrow+later)
		}
	}
	return nil
}

// gained tells that a right is there later and was not earlier.
func gained(earlier, later string) bool {
	for _, q := range questions {
		if strings.Contains(later, q.letter) && !strings.Contains(earlier, q.letter) {
			return true
		}
	}
	return false
}
