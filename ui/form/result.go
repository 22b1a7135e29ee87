package form

import (
	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/ui/app"
	"ephemera/ui/widget"
)

// Problem is why a form cannot be made into a message yet.
type Problem struct {
	Field, Text string
	Adds        string // the name that enter adds to the accounts; empty for none
}

// Result is what a form has made of what was typed, or what is wrong with that;
// and notes to put under fields.
type Result struct {
	Problems []Problem
	Notes    map[string][]widget.Line
	// Said stands below the fields; empty leaves it to the preview.
	Said []widget.Line

	// Msg is the message that it comes to, to be shown. [Result.Fill] makes it one that
	// enter sends.
	Msg   []byte
	typed cw721.ExecuteMsg // that Msg encodes; nil where enter does something else

	// Preview says what would come of it, and Outcome puts that in words. A message
	// that is sent needs neither.
	Preview func(app.Engine) (chain.Receipt, error)
	Outcome func(chain.Receipt) []widget.Line

	// Do is what enter does, behind all writes that wait; Read the same where it
	// only reads. The form stays open until it is done. With Then, or none of
	// them, the form closes at once.
	Do, Read func(app.Engine) Done
	Then     func(*app.State) tea.Cmd
}

// Done says what became of what a form does. It runs on another goroutine than
// the form, and knows only what it captured.
type Done struct {
	// Err keeps the form open and is shown: under Field, or the one that its text
	// begins with, or below all fields.
	Err   error
	Field string
	Show  string  // the hidden field that an error brings up
	Then  tea.Cmd // what follows where it was done
}

// Fail says what is wrong with a field.
func (out *Result) Fail(field, text string) {
	out.Problems = append(out.Problems, Problem{Field: field, Text: text})
}

// Note puts lines under a field.
func (out *Result) Note(field string, lines ...widget.Line) {
	if out.Notes == nil {
		out.Notes = map[string][]widget.Line{}
	}
	out.Notes[field] = append(out.Notes[field], lines...)
}

// Fill makes a result that has no problems one that sends a message.
func (out *Result) Fill(msg cw721.ExecuteMsg) Result {
	if len(out.Problems) == 0 {
		out.Msg, out.typed = cw721.Encode(msg), msg
	}
	return *out
}
