package form

import (
	"fmt"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/wire"
	"ephemera/ui/app"
	"ephemera/ui/widget"
)

// AccountField returns a field that takes an account by name or an address.
func AccountField(state *app.State, name, label string) widget.Field {
	return widget.Field{
		Name:        name,
		Label:       label,
		Placeholder: "a name or an address",
		Complete:    state.AccountCompleter(),
	}
}

// FilledAccountField returns an AccountField that is filled in with an account.
func FilledAccountField(state *app.State, name, label string, address cw721.Address) widget.Field {
	field := AccountField(state, name, label)
	field.Value = state.InputText(address)
	return field
}

// minAddressLength is the length from which a text is taken for an address and
// not for a name, in bytes.
const minAddressLength = 30

// ReadAddress returns the address of the account that was typed into a field: a name such as
// "alice" or "$alice", or an address. For any other text it adds a problem to the input and
// returns "". If the text could be the name of a new account, enter asks whether to add it.
func (input *Input) ReadAddress(field string) cw721.Address {
	text := strings.TrimSpace(input.Values[field])
	if text == "" {
		input.Fail(field, field+": a name or an address is missing")
		return ""
	}
	addressBook := chain.NewBook(input.State.Config.Prefix, input.State.Accounts)
	address, err := addressBook.Resolve(text)
	if err != nil {
		input.failAddress(field, text, err)
		return ""
	}
	for _, account := range input.State.NewAccounts {
		if account.Address == address {
			input.Note(field, widget.Muted("a new account, made when the message is sent"))
		}
	}
	return address
}

// failAddress adds the problem of a text that is no known name and no address. err is the
// error of [chain.Book.Resolve].
func (input *Input) failAddress(field, text string, err error) {
	// A text that cannot be a name is a mistake.
	name := strings.TrimPrefix(text, "$")
	looksLikeAddress := cw721.AsError(err) != nil || len(text) >= minAddressLength
	if looksLikeAddress || !chain.IsValidName(name) {
		input.Fail(field, err.Error())
		return
	}

	// Any other text may be the name of a new account, or the beginning of a known name.
	problemText := fmt.Sprintf("no account is named %q: enter asks for a new account", name)
	for _, account := range input.State.Accounts {
		if strings.HasPrefix(account.Name, name) {
			problemText += ", tab takes " + account.Name
			break
		}
	}
	input.Problems = append(input.Problems, Problem{Field: field, Text: problemText, UnknownName: name})
}

// askForNewAccount returns the command that asks what to do about the first typed name that no
// account has, or nil if there is none.
//
// The user can choose a new account with that name, which is made when the message is sent,
// or one of the known names that are most like it. Those that begin with the typed text come
// first.
func (a *Action) askForNewAccount(state *app.State) tea.Cmd {
	i := slices.IndexFunc(a.result.Problems, func(p Problem) bool { return p.UnknownName != "" })
	if i < 0 {
		return nil
	}
	problem := a.result.Problems[i]
	newName := problem.UnknownName

	newItem := widget.Item{
		ID:     newName,
		Title:  "new account " + newName,
		Detail: "its address is made of the name",
	}
	var items, otherItems []widget.Item
	for _, name := range nearestNames(newName, state.Accounts) {
		item := widget.Item{ID: name, Title: name, Detail: "is known"}
		if strings.HasPrefix(name, newName) {
			items = append(items, item)
		} else {
			otherItems = append(otherItems, item)
		}
	}
	items = slices.Concat(items, []widget.Item{newItem}, otherItems)

	title := fmt.Sprintf("A new account? Nobody is called %q", newName)
	const prompt = "esc goes back to the form"
	return app.OpenDialog(NewChooser(title, prompt, items, func(st *app.State, name string) tea.Cmd {
		if name != newName { // a known name replaces what was typed
			a.Form.SetValue(problem.Field, name)
			return a.Review(st)
		}
		account, err := chain.Account{Name: newName}.WithAddress(st.Config.Prefix)
		if err != nil {
			return app.Notify(app.LevelWarn, err.Error())
		}
		a.Form.SetValue(problem.Field, newName) // without a dollar sign
		a.newAccounts = append(a.newAccounts, account)
		return a.Review(st)
	}))
}

// nearestNames returns the names of the accounts that a misspelt name may mean, at most
// three, the likeliest first.
func nearestNames(misspelt string, accounts []chain.Account) (nearest []string) {
	const maxNames = 3
	var candidates []string
	for _, account := range accounts {
		candidates = append(candidates, account.Name)
	}
	for len(nearest) < maxNames {
		name := wire.NearestName(misspelt, candidates)
		if name == "" {
			break
		}
		nearest = append(nearest, name)
		candidates = slices.DeleteFunc(candidates, func(other string) bool { return other == name })
	}
	return nearest
}
