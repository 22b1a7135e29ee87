package inspect

import (
	"bytes"
	"fmt"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/form"
	"ephemera/ui/widget"
)

// recordFilter chooses some of the records in the contract's storage.
type recordFilter struct {
	title   string // shown above the list, such as "token ape-01"
	matches func(key, value []byte) bool
}

// OpenStorage opens the list of the records in the contract's storage, with their keys
// decoded. It begins with the records of the token of s, or of its account; the key s
// switches to other records, all of them in the end.
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
			head = head.And(themes.Key, "  s ").Muted(next.title)
		}
		return head.Fit(st.Theme, width)
	}
	b.RowCommands = func(st *app.State, row widget.Row, hasRow bool) []app.Command {
		var keys []app.Command
		if hasRow {
			record := app.CopyItem{Name: "record", Text: fmt.Sprintf("%X\n%s", row.Key, row.OwnerData)}
			keys = append(keys, app.DialogCommand("y", "copy key and value", func() tea.Cmd { return app.CopyText(st, record) }, "y"))
		}
		if len(filters) > 1 {
			keys = append(keys, app.DialogCommand("s", "other records", chooseNext, "s"))
		}
		return keys
	}
	return b.Open(st)
}

// recordFilters returns the filters that the list can show one after the other: the
// records of the token of s, those that mention its account, and all records. A filter
// is left out if s has no token or no account.
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

// recordRows returns the function that reads the part of the list that is in view. A
// record that the filter leaves out gives a nil row, so that the table knows how far it
// has come.
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

// recordRow returns the row of one record: its decoded key and the length of its value
// in bytes.
func recordRow(facts app.Facts, key, value []byte) *widget.Row {
	return &widget.Row{
		Key:       string(key),
		OwnerData: string(value),
		Cells: []widget.Line{
			widget.Plain(facts.RecordKey(key)),
			widget.Muted(fmt.Sprint(len(value))),
		},
	}
}

// recordLines returns the detail of a record: its key, decoded and in hexadecimal, its
// kind, and its value as indented JSON.
func recordLines(st *app.State, row widget.Row, _ int) []widget.Line {
	lines := []widget.Line{widget.In(themes.Title, row.Cells[0].String())}
	if name := st.Layout.RecordName([]byte(row.Key)); name != "record" { // of a known kind
		lines = append(lines, widget.Muted(name))
	}
	lines = append(lines, widget.Faint(fmt.Sprintf("%X", row.Key)), nil)
	return append(lines, widget.JSONLines(row.OwnerData.(string))...)
}
