package accounts

import (
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/ui/app"
	"ephemera/ui/form"
	"ephemera/ui/widget"
)

// receiverKind is a kind of account that a user can choose. The kinds differ in what
// happens to a token that is sent to the account.
type receiverKind struct {
	receiver          chain.Receiver
	indefiniteArticle string      // "a " or "an ", whichever goes before the name
	name              string      // says what the account is, such as "account"
	shortName         widget.Line // the same in one word, for a narrow column
	description       string      // says what happens to a token that is sent to it
}

// receiverKinds are the kinds that a user can choose, in the order of the list.
var receiverKinds = []receiverKind{
	{
		receiver:          chain.ReceiverPlain,
		indefiniteArticle: "an ",
		name:              "account",
		shortName:         widget.Muted("account"),
		description:       "a token sent to it is refused: there is no such contract",
	},
	{
		receiver:          chain.ReceiverAccepts,
		indefiniteArticle: "a ",
		name:              "contract that accepts tokens",
		shortName:         app.VerdictSign(true).Text("accepts"),
		description:       "takes the tokens that are sent to it",
	},
	{
		receiver:          chain.ReceiverRejects,
		indefiniteArticle: "a ",
		name:              "contract that rejects tokens",
		shortName:         app.VerdictSign(false).Text("rejects"),
		description:       "refuses every token, and the message that sends it",
	},
}

// kindOf returns the kind of an account from what is stored about it. It is a plain
// account, unless a contract is stored.
func kindOf(receiver chain.Receiver) receiverKind {
	i := slices.IndexFunc(receiverKinds, func(kind receiverKind) bool { return kind.receiver == receiver })
	return receiverKinds[max(i, 0)]
}

// newKindChooser returns the dialog that sets the kind of an account: a plain account, or
// a contract that accepts or rejects the tokens that are sent to it.
func newKindChooser(account chain.Account) *form.Chooser {
	var items []widget.Item
	for _, kind := range receiverKinds {
		items = append(items, widget.Item{
			ID:     string(kind.receiver),
			Title:  kind.name,
			Detail: kind.description,
		})
	}
	title := "What is at " + widget.Safe(account.Name) + "?"
	chooser := form.NewChooser(title, "account, accepts, rejects", items, func(state *app.State, id string) tea.Cmd {
		receiver := chain.Receiver(id)
		kind := kindOf(receiver)
		notice := account.Name + " is " + kind.indefiniteArticle + kind.name + " now"
		return app.Change(state, notice, func(engine app.Engine) error {
			_, err := engine.SetReceiver(account.Name, receiver)
			return err
		})
	})
	chooser.List.Select(string(account.Receiver))
	return chooser
}
