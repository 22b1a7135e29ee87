package form

import (
	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/ui/app"
	"ephemera/ui/widget"
)

// Input holds the values that a user typed into a form, and the Result of them, to which the
// methods that read a field add problems and notes.
type Input struct {
	State  *app.State        // the sender of the message is its actor
	Values map[string]string // by the names of the fields
	Result
}

// Problem is a reason why a form cannot be submitted yet.
type Problem struct {
	Field       string // the name of the field with the mistake; empty for the whole form
	Text        string // a sentence for the user
	UnknownName string // a typed name that no account has, about which enter asks; empty for none
}

// Result is what a form makes of the typed values. While it has problems, there is no
// preview, and enter does nothing but point to a problem.
type Result struct {
	Problems []Problem
	Notes    map[string][]widget.Line // are shown under the fields of their names
	Effect   []widget.Line            // if not nil, is shown below the fields in place of the preview
	// Consequences reads what else enter would bring about, such as what would expire. It
	// runs in a command, and its lines are shown below Effect. It can be nil.
	Consequences func(app.Engine) ([]widget.Line, error)

	Msg       []byte           // is shown as JSON
	msgToSend cw721.ExecuteMsg // the message in Msg that enter sends; nil for none

	// Preview tries what enter would do, and Outcome describes the receipt. A form that
	// sends a message needs neither, because the message itself is tried.
	Preview func(app.Engine) (chain.Receipt, error)
	Outcome func(chain.Receipt) []widget.Line

	// A form that sends no message sets at most one of the following functions. Enter
	// calls it. If none is set, enter only closes the form.

	// Do writes to the chain. It runs in a command, after the writes that were asked for
	// before. The form stays open until Do returns.
	Do func(app.Engine) WorkOutcome
	// Read only reads. It runs in a command. The form stays open until Read returns.
	Read func(app.Engine) WorkOutcome
	// Then runs in Update, and the form closes at once.
	Then func(*app.State) tea.Cmd
}

// WorkOutcome is the outcome of what enter started in a form: of [Result.Do] or
// [Result.Read].
type WorkOutcome struct {
	// Err says why the work failed; nil if it did not. An error keeps the form open. It
	// is shown under the field that it names, or else under Field.
	Err       error
	Field     string  // the name of a field; empty shows Err below all fields
	ShowField string  // the name of a hidden field that an error makes visible; empty for none
	Then      tea.Cmd // is run if there was no error, such as to show a notice
}

// Fail adds a problem of a field.
func (r *Result) Fail(field, text string) {
	r.Problems = append(r.Problems, Problem{Field: field, Text: text})
}

// Note adds lines under a field.
func (r *Result) Note(field string, lines ...widget.Line) {
	if r.Notes == nil {
		r.Notes = map[string][]widget.Line{}
	}
	r.Notes[field] = append(r.Notes[field], lines...)
}
