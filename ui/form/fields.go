package form

import (
	"ephemera/core/cw721"
	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/widget"
)

// Who is a field that takes an account by name or an address.
func Who(st *app.State, name, label string) widget.Field {
	return widget.Field{Name: name, Label: label, Placeholder: "a name or an address", Complete: st.Candidates()}
}

// WhoFrom is the same, filled in with an account.
func WhoFrom(st *app.State, name, label string, a cw721.Address) widget.Field {
	f := Who(st, name, label)
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

// Until is a field that takes an end.
func Until(name string) widget.Field {
	return widget.Field{Name: name, Label: "Expires", Value: "", Placeholder: "never", Hint: ExpiryHelp}
}

// ReadExpiry reads an end from a form; nil is never, and left out of the message.
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
