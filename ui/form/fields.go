package form

import (
	"fmt"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
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

// ReadAddress reads an account from a form; what is wrong with it is among the problems
// of the result.
func ReadAddress(st *app.State, values map[string]string, field string, out *Result) cw721.Address {
	a, problems := readAddress(st, values, field)
	out.Problems = append(out.Problems, problems...)
	return a
}

// readAddress reads an account. What is neither a name nor an
// address of this chain is a problem, and so never sent; where it can be a name,
// the problem offers to add it.
func readAddress(st *app.State, values map[string]string, field string) (cw721.Address, []Problem) {
	text, prefix := strings.TrimSpace(values[field]), st.Config.Prefix
	if text == "" {
		return "", []Problem{{Field: field, Text: field + ": a name or an address is missing"}}
	}
	a := app.Address(st.Accounts, text)
	err := cw721.ValidateAddress(prefix, a)
	if err == nil {
		return a, nil
	}
	name := strings.TrimPrefix(text, "$")
	_, foreign := cw721.PrefixOf(a)
	_, bad := chain.Account{Name: name}.Addressed(prefix)
	begins := func(a chain.Account) bool { return strings.HasPrefix(a.Name, name) }
	switch at := slices.IndexFunc(st.Accounts, begins); {
	case foreign || bad != nil || len(text) >= ShortestAddress || strings.HasPrefix(text, prefix+"1"):
		return "", []Problem{{Field: field, Text: fmt.Sprintf("neither a name nor an address of this chain: %v", err)}}
	case at >= 0:
		return "", []Problem{{Field: field, Text: fmt.Sprintf("nobody is called %q here: tab takes %s", name, st.Accounts[at].Name)}}
	}
	return "", []Problem{{Field: field, Text: fmt.Sprintf("nobody is called %q here: enter adds %s", name, name), Adds: name}}
}

// add gives the command that adds the first name that the problems offer to add.
// The form looks again once the facts have it.
func (f *Action) add(st *app.State) tea.Cmd {
	at := slices.IndexFunc(f.result.Problems, func(p Problem) bool { return p.Adds != "" })
	if at < 0 {
		return nil
	}
	name := f.result.Problems[at].Adds
	return app.Change(st, name+" has an address now", func(e app.Engine) error {
		_, err := e.AddAccount(name, "", chain.ReceiverDefault)
		return err
	})
}

// ExpiryField is a field that takes an expiry.
func ExpiryField(st *app.State, name string) widget.Field {
	return widget.Field{Name: name, Label: "Expires", Value: "", Placeholder: "never", Hint: "never · " + Examples(st.Clock)}
}

// ReadExpiry reads an expiry from a form; nil is never, and left out of the message.
func ReadExpiry(st *app.State, values map[string]string, field string, out *Result) *cw721.Expiration {
	e, err := parseExpiry(values[field], st.Clock)
	if err != nil {
		out.Fail(field, err.Error())
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
