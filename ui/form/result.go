package form

import (
	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/ui/app"
	"ephemera/ui/widget"
)

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
	// Notes are shown under the fields of their names.
	Notes map[string][]widget.Line
	// Effect is shown below the fields in place of the preview, if it is not nil.
	Effect []widget.Line
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

// hasPreview reports whether there is something to show before enter does it.
func (r *Result) hasPreview() bool {
	return r.msgToSend != nil || r.Preview != nil || r.Consequences != nil
}

// readPreview reads what enter would do, and changes nothing. It calls Consequences if
// that is set. Otherwise it tries the message that enter sends, or calls Preview if enter
// sends none. If the message would be refused because sender has no permission for it, it
// also reads which rules decide that.
func (r *Result) readPreview(engine app.Engine, sender cw721.Address) (msg previewMsg) {
	switch {
	case r.Consequences != nil:
		msg.consequences, msg.err = r.Consequences(engine)
		return msg
	case r.msgToSend == nil:
		msg.receipt, msg.err = r.Preview(engine)
		return msg
	}

	// Preview the message, and find out why its sender may not send it.
	msg.receipt, msg.err = engine.Preview(sender, r.Msg)
	if msg.err != nil {
		return msg
	}
	msg.denial, msg.err = readDenial(engine, sender, r.msgToSend, msg.receipt.Refusal)
	return msg
}
