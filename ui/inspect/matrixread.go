package inspect

import (
	"cmp"
	"slices"
	"strings"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/explain"
	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/widget"
)

// letters are the permissions in the order in which the matrix shows them, each by
// its first letter. The last is one only where others than the minter may mint.
var letters = []string{"transfer", "burn", "approve", "mint"}

// matrixReader is what reading the matrix needs, captured for a command.
type matrixReader struct {
	engine   app.Engine
	picks    []string // the moment in view, or the two that are compared
	accounts []chain.Account
	words    app.Words
	owners   bool
	letters  []string
}

// matrixToken is a token in one moment.
type matrixToken struct {
	owner  cw721.Address
	access []explain.Access // in the order of the accounts
}

// resolve finds the moments, the earlier one first.
func (l matrixReader) resolve() (at []chain.Moment, err error) {
	err = l.engine.View(func(v *chain.View) error {
		for _, text := range l.picks {
			w, err := v.ParseMoment(text)
			if err != nil {
				return err
			}
			at = append(at, w)
		}
		return nil
	})
	return at, err
}

// rows reads tokens of both moments from a place on, and what everyone may do
// with them.
func (l matrixReader) rows(at []chain.Moment, s widget.Scan) ([]widget.Row, error) {
	var seen []map[string]matrixToken
	var ids []string
	for _, w := range at {
		there := map[string]matrixToken{}
		err := l.engine.ViewAtMoment(w, func(v *chain.View) error {
			return l.read(v, s, func(id string, t matrixToken) {
				there[id] = t
				if !slices.ContainsFunc(seen, func(m map[string]matrixToken) bool { _, ok := m[id]; return ok }) {
					ids = append(ids, id)
				}
			})
		})
		if err != nil {
			return nil, err
		}
		seen = append(seen, there)
	}
	slices.Sort(ids)
	if s.Back {
		slices.Reverse(ids)
	}
	var rows []widget.Row
	for _, id := range ids[:min(len(ids), s.N)] {
		rows = append(rows, l.row(id, seen))
	}
	return rows, nil
}

// read walks the tokens of a moment.
func (l matrixReader) read(v *chain.View, s widget.Scan, each func(id string, t matrixToken)) error {
	tokens, _, err := app.TakeFirst(v.Tokens("", app.ListWalk(s)), s.N)
	if err != nil {
		return err
	}
	for _, t := range tokens {
		token := matrixToken{owner: t.Owner}
		for _, a := range l.accounts {
			access, err := explain.AccessTo(v, a.Address, t.ID)
			if err != nil {
				return err
			}
			token.access = append(token.access, access)
		}
		each(t.ID, token)
	}
	return nil
}

// row draws a token: as it is in one moment, or what differs between two.
func (l matrixReader) row(id string, seen []map[string]matrixToken) widget.Row {
	about := accesses{}
	row := widget.Row{Key: id, About: about, Cells: []widget.Line{widget.Plain(id)}}
	before, had := seen[0][id]
	after, has := seen[len(seen)-1][id]
	if l.owners {
		row.Cells = append(row.Cells, widget.In(themes.Muted, l.words.Call(cmp.Or(after.owner, before.owner))))
	}
	for i, a := range l.accounts {
		if len(seen) == 1 {
			about[a.Address] = []explain.Access{after.access[i]}
			row.Cells = append(row.Cells, l.accessCell(after.access[i]))
			continue
		}
		was := explain.Access{Missing: true, Because: explain.NoToken}
		is := was
		if had {
			was = before.access[i]
		}
		if has {
			is = after.access[i]
		}
		about[a.Address] = []explain.Access{was, is}
		row.Cells = append(row.Cells, l.difference(was, is))
	}
	return row
}

// write writes what is allowed: a letter for each yes, a dot for each
// no, nothing where there is no token.
func (l matrixReader) write(a explain.Access) string {
	if a.Missing {
		return strings.Repeat(" ", len(l.letters))
	}
	var b strings.Builder
	may := a.Actions()
	for _, q := range l.letters {
		if slices.Contains(may, q) {
			b.WriteString(strings.ToUpper(q[:1]))
		} else {
			b.WriteString(themes.GlyphDot)
		}
	}
	return b.String()
}

func (l matrixReader) accessCell(a explain.Access) widget.Line {
	role, mark := accessRole(a)
	return widget.In(role, l.write(a)+" "+mark)
}

// accessRole gives the colour and the sign of the rule that gives a permission.
func accessRole(a explain.Access) (themes.Role, string) {
	switch a.By {
	case cw721.RuleOwner:
		return themes.Strong, "="
	case cw721.RuleApproval:
		return themes.Live, "a"
	case cw721.RuleOperator:
		return themes.Accent, "o"
	case cw721.RuleMinter, cw721.RuleAdditionalMinter:
		return themes.Accent, "m"
	}
	return themes.Faint, " "
}

// difference shows what is the same in both moments as "=", and the rest as
// earlier → later.
func (l matrixReader) difference(was, is explain.Access) widget.Line {
	gained, lost := is.Since(was)
	role := themes.Muted
	switch {
	case len(gained) > 0:
		role = themes.Good
	case len(lost) > 0:
		role = themes.Bad
	case was.Missing == is.Missing && was.By == is.By:
		return widget.In(themes.Faint, "=")
	}
	return widget.In(role, l.write(was)+themes.GlyphArrow+l.write(is))
}
