package inspect

import (
	"fmt"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/form"
	"ephemera/ui/widget"
)

// storage is the dialog that lists the records in the contract's storage, with their keys
// decoded.
type storage struct {
	browser *form.Browser[widget.Row]
	// subjects are a token, an account, and the empty subject, which means all records. The
	// list has the records about the first of them. The key s moves that one to the end.
	subjects []app.Subject
}

// OpenStorage opens the list of the records that are about the token of subject, or else
// about the account of subject. If subject has neither, the list has all records. The key
// s shows other records.
func OpenStorage(state *app.State, subject app.Subject) tea.Cmd {
	const listShare = 52 // percent of the width
	browser := form.NewBrowser[widget.Row]("Raw storage", listShare,
		widget.Column{Title: "KEY", Width: 20, Flex: 1},
		widget.Column{Title: "BYTES", Width: 7, AlignRight: true, DropRank: 1})
	s := &storage{browser: browser}
	browser.Table.EmptyText = "no record is about it"
	browser.ReadDetail = func(_ *chain.View, _ app.Facts, row widget.Row) (widget.Row, error) { return row, nil }
	browser.DetailLines = recordLines
	browser.AddFilter("a part of a key or a value", s.heading)
	browser.RowCommands = s.commands

	// Begin with the subject that has the fewest records, and end with all records.
	var subjects []app.Subject
	if subject.Token != nil {
		subjects = append(subjects, app.Subject{Token: subject.Token})
	}
	if subject.Account != "" {
		subjects = append(subjects, app.Subject{Account: subject.Account})
	}
	s.listRecords(append(subjects, app.Subject{}))
	return browser.Open(state)
}

// listRecords sets the subjects, and lists the records of the first one, as far as the table
// asks for them.
func (s *storage) listRecords(subjects []app.Subject) {
	s.subjects = subjects
	subject := subjects[0]
	s.browser.ReadRows = func(
		view *chain.View,
		facts app.Facts,
		filter app.Filter,
		req widget.Request,
	) (widget.Page, error) {
		return widget.Load(req, func(part widget.ListPart, yield func(string, *widget.Row) bool) error {
			for record, err := range view.RecordsFrom(app.ListWalk(part)) {
				if err != nil {
					return err
				}
				row := recordRow(subject, facts, filter, string(record.Key), string(record.Value))
				if !yield(string(record.Key), row) {
					return nil
				}
			}
			return nil
		})
	}
	s.browser.Table.Restart()
}

// recordRow returns the row of a record. It returns nil for a record that is not about
// subject, or that does not match the filter.
func recordRow(subject app.Subject, facts app.Facts, filter app.Filter, key, value string) *widget.Row {
	name := facts.RecordKey([]byte(key))
	if !isRecordOf(subject, key, value) || !filter.MatchesText([]string{name, value}) {
		return nil
	}
	size := widget.Muted(fmt.Sprint(len(value)))
	return &widget.Row{Key: key, OwnerData: value, Cells: []widget.Line{widget.Plain(name), size}}
}

// isRecordOf reports whether a record is about the token or the account of a subject. A
// record is about a token if its key has the token's id, and about an account if its key or
// value mentions the address. Every record is about the empty subject.
func isRecordOf(subject app.Subject, key, value string) bool {
	if subject.Token != nil {
		parts := chain.KeyParts([]byte(key)) // the first part is the kind of record
		return len(parts) > 1 && slices.Contains(parts[1:], *subject.Token)
	}
	address := string(subject.Account)
	return strings.Contains(key, address) || strings.Contains(value, address)
}

// heading returns the line above the list. It names the records that the list shows, and
// those that the key s shows next.
func (s *storage) heading(state *app.State) widget.Line {
	line := widget.Styled(themes.Strong, recordsTitle(state, s.subjects[0]))
	if len(s.subjects) > 1 {
		line = line.Append(themes.Key, "  s ").Muted(recordsTitle(state, s.subjects[1]))
	}
	return line
}

// recordsTitle names the records of a subject, such as "token ape-01".
func recordsTitle(state *app.State, subject app.Subject) string {
	switch {
	case subject.Token != nil:
		return "token " + app.ShortTokenName(*subject.Token)
	case subject.Account != "":
		return state.DisplayName(subject.Account)
	}
	return "all records"
}

// commands returns the command that copies the record under the cursor, if there is one, and
// the command that lists the records of the next subject.
func (s *storage) commands(state *app.State, row widget.Row, hasRow bool) (commands []app.Command) {
	if hasRow {
		record := app.CopyItem{Name: "record", Text: fmt.Sprintf("%X\n%s", row.Key, row.OwnerData)}
		commands = append(commands, app.DialogCommand("y", "copy key and value",
			func() tea.Cmd { return app.CopyText(state, record) }))
	}
	if len(s.subjects) > 1 {
		commands = append(commands, app.DialogCommand("s", "other records", func() tea.Cmd {
			s.listRecords(append(s.subjects[1:], s.subjects[0]))
			return nil
		}))
	}
	return commands
}

// recordLines returns the detail of a record: its key, decoded and in hexadecimal, its
// kind, and its value as indented JSON.
func recordLines(state *app.State, row widget.Row, _ int) []widget.Line {
	lines := []widget.Line{widget.Styled(themes.Title, row.Cells[0].String())}
	kind := state.Layout.RecordName([]byte(row.Key))
	if kind != "record" { // the name of an unknown kind
		lines = append(lines, widget.Muted(kind))
	}
	lines = append(lines, widget.Faint(fmt.Sprintf("%X", row.Key)), nil)
	return append(lines, widget.JSONLines(row.OwnerData.(string))...)
}
