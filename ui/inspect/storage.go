package inspect

import (
	"bytes"
	"fmt"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/form"
	"ephemera/ui/widget"
)

// scope is which of the contract's records are shown.
type scope struct {
	name  string
	keeps func(key, value []byte) bool
}

// OpenStorage lists the contract's records as they are, with their keys taken apart:
// those of the token of s, those that name its account, or all of them.
func OpenStorage(st *app.State, s app.Subject) tea.Cmd {
	b := form.NewBrowser[widget.Row]("Raw storage", 52,
		widget.Column{Title: "KEY", Width: 20, Flex: 1}, widget.Column{Title: "BYTES", Width: 7, Right: true, Drop: 1})
	b.Table.Empty = "no record is about it"
	b.Read = func(_ *chain.View, _ app.Facts, row widget.Row) (widget.Row, error) { return row, nil }
	b.Lines = recordLines
	scopes, at := scopesOf(st, s), 0
	show := func(next int) {
		at = next % len(scopes)
		b.Rows = recordRows(scopes[at].keeps)
		b.Table.Restart()
	}
	show(0)
	b.Over = func(st *app.State, w int) string {
		head := widget.In(themes.Strong, scopes[at].name)
		if len(scopes) > 1 {
			head = head.And(themes.Key, "  s ").And(themes.Muted, scopes[(at+1)%len(scopes)].name)
		}
		return head.Fit(st.Theme, w)
	}
	b.Keys = func(st *app.State, row widget.Row, some bool) (keys []app.Command) {
		if some {
			record := app.CopyItem{Name: "record", Text: fmt.Sprintf("%X\n%s", row.Key, row.About)}
			keys = append(keys, app.Key("y", "copy key and value", func() tea.Cmd { return app.CopyText(st, record) }, "y"))
		}
		if len(scopes) > 1 {
			keys = append(keys, app.Key("s", "other records", func() tea.Cmd { show(at + 1); return nil }, "s"))
		}
		return keys
	}
	return b.Open(st)
}

func scopesOf(st *app.State, s app.Subject) (all []scope) {
	if s.Token != nil {
		all = append(all, scope{"token " + app.Brief(*s.Token), func(key, _ []byte) bool {
			parts := chain.KeyParts(key)
			return len(parts) > 1 && slices.Contains(parts[1:], *s.Token)
		}})
	}
	if s.Account != "" {
		all = append(all, scope{st.DisplayName(s.Account), func(key, value []byte) bool {
			return bytes.Contains(key, []byte(s.Account)) || bytes.Contains(value, []byte(s.Account))
		}})
	}
	return append(all, scope{"all records", func(_, _ []byte) bool { return true }})
}

// recordRows answers requests of a list of some records.
func recordRows(keeps func(key, value []byte) bool) func(*chain.View, app.Facts, widget.Request) (widget.Page, error) {
	return func(v *chain.View, f app.Facts, req widget.Request) (widget.Page, error) {
		page, err := widget.Load(req, func(part widget.Scan, yield func(string, *widget.Row) bool) error {
			for r, err := range v.RecordsFrom(app.ListWalk(part)) {
				if err != nil {
					return err
				}
				var row *widget.Row
				if keeps(r.Key, r.Value) {
					row = &widget.Row{Key: string(r.Key), About: string(r.Value), Cells: []widget.Line{
						widget.Plain(f.RecordKey(r.Key)), widget.In(themes.Muted, fmt.Sprint(len(r.Value))),
					}}
				}
				if !yield(string(r.Key), row) {
					return nil
				}
			}
			return nil
		})
		return app.WithPosition(req, page), err
	}
}

// recordLines are a record's key, as it is read and as it is, and its value.
func recordLines(_ *app.State, r widget.Row, _ int) []widget.Line {
	lines := []widget.Line{widget.In(themes.Title, r.Cells[0].String())}
	if name := cw721.RecordName([]byte(r.Key)); name != "record" {
		lines = append(lines, widget.In(themes.Muted, name))
	}
	lines = append(lines, widget.In(themes.Faint, fmt.Sprintf("%X", r.Key)), widget.Plain(""))
	return append(lines, widget.JSONLines(r.About.(string))...)
}
