package form

import (
	"ephemera/core/cw721"
	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/widget"
)

// AccountField is a field that takes an account by name or an address.
func AccountField(st *app.State, name, label string) widget.Field {
	return widget.Field{Name: name, Label: label, Placeholder: "a name or an address", Complete: st.Candidates()}
}

// AccountFieldOf is the same, filled in with an account.
func AccountFieldOf(st *app.State, name, label string, a cw721.Address) widget.Field {
	f := AccountField(st, name, label)
	f.Value = st.Typed(a)
	return f
}

// ReadAddress reads an account from a form.
func ReadAddress(st *app.State, values map[string]string, field string) (cw721.Address, []Problem) {
	if values[field] == "" {
		return "", []Problem{{field, field + ": a name or an address is missing"}}
	}
	return app.Address(st.Accounts, values[field]), nil
}

// ExpiryField is a field that takes an expiry.
func ExpiryField(st *app.State, name string) widget.Field {
	return widget.Field{Name: name, Label: "Expires", Value: "", Placeholder: "never", Hint: "never · " + Examples(st.Clock)}
}

// ReadExpiry reads an expiry from a form; nil is never, and left out of the message.
func ReadExpiry(st *app.State, values map[string]string, field string, out *Result) *cw721.Expiration {
	e, err := parseExpiry(values[field], st.Clock)
	if err != nil {
		out.Problems = append(out.Problems, Problem{field, err.Error()})
		return nil
	}
	out.Note(field, widget.In(themes.Muted, st.Forms(e.Expiration)))
	if e.Warning != "" {
		out.Note(field, widget.In(themes.Warn, themes.GlyphWarn+" "+e.Warning))
	}
	if e.Axis == cw721.Never {
		return nil
	}
	return &e.Expiration
}

// Title names a token in the title of a form.
func Title(what, id string) string { return what + " " + widget.Safe(app.TokenName(id)) }

// ShortestAddress is what a text must measure to be taken for an address.
const ShortestAddress = 30

// Note puts a line under a field.
func (out *Result) Note(field string, l widget.Line) {
	if out.Notes == nil {
		out.Notes = map[string][]widget.Line{}
	}
	out.Notes[field] = append(out.Notes[field], l)
}

// Fill puts a message into a draft that has no problems.
func (out *Result) Fill(msg cw721.ExecuteMsg) Result {
	if len(out.Problems) == 0 {
		out.msg, out.typed = cw721.Encode(msg), msg
	}
	return *out
}
