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
	Field   string
	Text    string
	NewName string // a typed name that no account has, about which enter asks; empty for none
}

// Result is what a form makes of the typed values. With problems, nothing is
// previewed and enter does nothing.
type Result struct {
	Problems []Problem
	// Notes are shown under the fields of their names.
	Notes map[string][]widget.Line
	// Effect is shown below the fields in place of the preview, if it is not nil.
	Effect []widget.Line
	// Consequences, which can be nil, reads what else enter would bring about. It runs in
	// a command, and its lines are shown below Effect.
	Consequences func(app.Engine) ([]widget.Line, error)

	// Msg is shown as JSON. [Result.SendMessage] also lets enter send it.
	Msg   []byte
	typed cw721.ExecuteMsg // the message in Msg that enter sends; nil for none

	// Preview tries what enter would do, and Outcome describes it. A message that
	// enter sends needs neither.
	Preview func(app.Engine) (chain.Receipt, error)
	Outcome func(chain.Receipt) []widget.Line

	// At most one of these is set, for a form that sends no message. Do writes,
	// after the writes that wait. Read only reads. Both run in a command, and the
	// form stays open until they are done. Then runs in Update, and the form closes
	// at once, as it does if none is set.
	Do   func(app.Engine) Done
	Read func(app.Engine) Done
	Then func(*app.State) tea.Cmd
}

// Done is the outcome of what enter started in a form: of [Result.Do] or [Result.Read].
type Done struct {
	// Err keeps the form open. It is shown under Field, or under the field that its
	// text begins with, or below all fields.
	Err       error
	Field     string
	ShowField string  // a hidden field that the error makes visible
	Then      tea.Cmd // runs if there was no error
}

// Fail adds a problem of a field.
func (out *Result) Fail(field, text string) {
	out.Problems = append(out.Problems, Problem{Field: field, Text: text})
}

// Note adds lines under a field.
func (out *Result) Note(field string, lines ...widget.Line) {
	if out.Notes == nil {
		out.Notes = map[string][]widget.Line{}
	}
	out.Notes[field] = append(out.Notes[field], lines...)
}

// SendMessage sets the message that enter sends, unless there are problems.
func (out *Result) SendMessage(msg cw721.ExecuteMsg) Result {
	if len(out.Problems) == 0 {
		out.Msg = cw721.Encode(msg)
		out.typed = msg
	}
	return *out
}

// hasPreview reports whether there is something to show before enter does it.
func (out *Result) hasPreview() bool {
	return out.typed != nil || out.Preview != nil || out.Consequences != nil
}

// preview reads what enter would do, and changes nothing. A form about the clock or the like
// reads its Consequences, a form that sends no message tries its Preview, and any other form
// tries its message. If that would be refused because sender lacks a permission, preview
// also reads which one.
func (out *Result) preview(e app.Engine, sender cw721.Address) (msg previewMsg) {
	switch {
	case out.Consequences != nil:
		msg.consequences, msg.err = out.Consequences(e)
	case out.typed == nil:
		msg.receipt, msg.err = out.Preview(e)
	default:
		msg.receipt, msg.err = e.Preview(sender, out.Msg)
		if msg.err == nil {
			msg.refused, msg.err = readRefusal(e, sender, out.typed, msg.receipt.Refusal)
		}
	}
	return msg
}
