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

// recordFilter chooses some of the contract's records.
type recordFilter struct {
	title   string
	matches func(key, value []byte) bool
}

// OpenStorage opens the list of the contract's records, with their keys decoded. It
// shows the records of the token of s, those that mention its account, or all.
func OpenStorage(st *app.State, s app.Subject) tea.Cmd {
	b := form.NewBrowser[widget.Row]("Raw storage", 52,
		widget.Column{Title: "KEY", Width: 20, Flex: 1},
		widget.Column{Title: "BYTES", Width: 7, AlignRight: true, Drop: 1})
	b.Table.Empty = "no record is about it"
	b.Read = func(_ *chain.View, _ app.Facts, row widget.Row) (widget.Row, error) { return row, nil }
	b.Lines = recordLines

	filters := recordFilters(st, s)
	chosen := 0
	b.Rows = recordRows(filters[chosen])
	chooseNext := func() tea.Cmd {
		chosen = (chosen + 1) % len(filters)
		b.Rows = recordRows(filters[chosen])
		b.Table.Restart()
		return nil
	}

	b.LineAbove = func(st *app.State, width int) string {
		head := widget.In(themes.Strong, filters[chosen].title)
		if len(filters) > 1 {
			next := filters[(chosen+1)%len(filters)]
			head = head.And(themes.Key, "  s ").And(themes.Muted, next.title)
		}
		return head.Fit(st.Theme, width)
	}
	b.RowCommands = func(st *app.State, row widget.Row, hasRow bool) []app.Command {
		var keys []app.Command
		if hasRow {
			record := app.CopyItem{Name: "record", Text: fmt.Sprintf("%X\n%s", row.Key, row.About)}
			keys = append(keys, app.DialogCommand("y", "copy key and value", func() tea.Cmd { return app.CopyText(st, record) }, "y"))
		}
		if len(filters) > 1 {
			keys = append(keys, app.DialogCommand("s", "other records", chooseNext, "s"))
		}
		return keys
	}
	return b.Open(st)
}

// recordFilters returns the filters for what s is about, the narrowest first; the last
// one matches all records.
func recordFilters(st *app.State, s app.Subject) []recordFilter {
	var filters []recordFilter
	if s.Token != nil {
		isOfToken := func(key, _ []byte) bool {
			parts := chain.KeyParts(key)
			return len(parts) > 1 && slices.Contains(parts[1:], *s.Token)
		}
		filters = append(filters, recordFilter{title: "token " + app.ShortTokenName(*s.Token), matches: isOfToken})
	}
	if s.Account != "" {
		address := []byte(s.Account)
		mentionsAccount := func(key, value []byte) bool {
			return bytes.Contains(key, address) || bytes.Contains(value, address)
		}
		filters = append(filters, recordFilter{title: st.DisplayName(s.Account), matches: mentionsAccount})
	}
	matchesAll := func(_, _ []byte) bool { return true }
	return append(filters, recordFilter{title: "all records", matches: matchesAll})
}

// recordRows returns the function that reads the rows of a list of records.
func recordRows(filter recordFilter) func(*chain.View, app.Facts, widget.Request) (widget.Page, error) {
	return func(v *chain.View, facts app.Facts, req widget.Request) (widget.Page, error) {
		page, err := widget.Load(req, func(part widget.Scan, yield func(string, *widget.Row) bool) error {
			for record, err := range v.RecordsFrom(app.ListWalk(part)) {
				if err != nil {
					return err
				}
				var row *widget.Row
				if filter.matches(record.Key, record.Value) {
					row = recordRow(facts, record.Key, record.Value)
				}
				if !yield(string(record.Key), row) {
					return nil
				}
			}
			return nil
		})
		return app.WithPosition(req, page), err
	}
}

// recordRow is the row of one record: its decoded key and the length of its value.
func recordRow(facts app.Facts, key, value []byte) *widget.Row {
	return &widget.Row{
		Key:   string(key),
		About: string(value),
		Cells: []widget.Line{
			widget.Plain(facts.RecordKey(key)),
			widget.In(themes.Muted, fmt.Sprint(len(value))),
		},
	}
}

// recordLines are the key of a record, decoded and in hexadecimal, and its value.
func recordLines(_ *app.State, row widget.Row, _ int) []widget.Line {
	lines := []widget.Line{widget.In(themes.Title, row.Cells[0].String())}
	if name := cw721.RecordName([]byte(row.Key)); name != "record" {
		lines = append(lines, widget.In(themes.Muted, name))
	}
	lines = append(lines, widget.In(themes.Faint, fmt.Sprintf("%X", row.Key)), widget.Plain(""))
	return append(lines, widget.JSONLines(row.About.(string))...)
}
