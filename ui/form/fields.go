package form

import (
	"fmt"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/ui/app"
	"ephemera/ui/widget"
)

// AccountField returns a field that takes an account by name or an address.
func AccountField(st *app.State, name, label string) widget.Field {
	return widget.Field{Name: name, Label: label, Placeholder: "a name or an address", Complete: st.Candidates()}
}

// FilledAccountField returns an AccountField that is filled in with an account.
func FilledAccountField(st *app.State, name, label string, a cw721.Address) widget.Field {
	f := AccountField(st, name, label)
	f.Value = st.InputText(a)
	return f
}

// MinAddressLength is the length from which a text is taken for an address and
// not for a name, in bytes.
const MinAddressLength = 30

// Address returns the address of the account that was typed into a field, as a name
// such as "alice" or "$alice", or as an address. A text that is neither a known name nor
// an address of this chain is a problem, which it adds to the input. If the text could be
// a name, the problem suggests a known name that begins with it, or offers to add the name.
func (input *Input) Address(field string) cw721.Address {
	text := strings.TrimSpace(input.Values[field])
	if text == "" {
		input.Fail(field, field+": a name or an address is missing")
		return ""
	}
	address, err := chain.NewBook(input.State.Config.Prefix, input.State.Accounts).Resolve(text)
	if err == nil {
		return address
	}

	name := strings.TrimPrefix(text, "$")
	looksLikeAddress := cw721.AsError(err) != nil || len(text) >= MinAddressLength
	if looksLikeAddress || !chain.IsValidName(name) {
		input.Fail(field, err.Error())
		return ""
	}
	problem := Problem{Field: field, Text: fmt.Sprintf("nobody is called %q here: enter adds %s", name, name), AddsName: name}
	for _, account := range input.State.Accounts {
		if strings.HasPrefix(account.Name, name) {
			problem = Problem{Field: field, Text: fmt.Sprintf("nobody is called %q here: tab takes %s", name, account.Name)}
			break
		}
	}
	input.Problems = append(input.Problems, problem)
	return ""
}

// addName returns the command that adds an account for a typed name that nobody has yet,
// if a problem of the form offers that; otherwise nil. When the account is there, the
// form is checked and previewed again.
func (f *Action) addName(st *app.State) tea.Cmd {
	i := slices.IndexFunc(f.result.Problems, func(p Problem) bool { return p.AddsName != "" })
	if i < 0 {
		return nil
	}
	name := f.result.Problems[i].AddsName
	return app.Change(st, name+" has an address now", func(e app.Engine) error {
		_, err := e.AddAccount(name, "", chain.ReceiverDefault)
		return err
	})
}

// ExpiryField returns a field that takes an expiry.
func ExpiryField(st *app.State, name string) widget.Field {
	return widget.Field{Name: name, Label: "Expires", Placeholder: "never", Hint: "never · " + Examples(st.Clock)}
}

// Expiry reads an expiry from a field, and notes it in all its forms. It returns nil for
// never, which messages leave out.
func (input *Input) Expiry(field string) *cw721.Expiration {
	moment, err := parseExpiry(input.Values[field], input.State.Clock)
	if err != nil {
		input.Fail(field, err.Error())
		return nil
	}
	input.noteMoment(field, input.State.AllForms(moment.Expiration), moment.Warning)
	if moment.Axis == cw721.Never {
		return nil
	}
	return &moment.Expiration
}

// TokenTitle returns the title of a form about a token.
func TokenTitle(what, id string) string { return what + " " + widget.Safe(app.TokenName(id)) }
