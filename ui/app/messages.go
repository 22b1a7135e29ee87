package app

import (
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain/expiry"
	"ephemera/core/cw721"
	"ephemera/core/scenario"
	"ephemera/ui/widget"
)

// ShowGrantMsg asks for an operator grant to be shown, from another screen.
type ShowGrantMsg struct{ Grant cw721.Grant }

// QueriedMsg says that a query was answered: a lesson may ask for one.
type QueriedMsg struct{ Msg []byte }

// OpenedMsg brings the engine.
type OpenedMsg struct {
	Engine   Engine
	Err      error
	InMemory bool          // what happens to it is not kept, whatever was opened first
	Actor    cw721.Address // who acts first; empty leaves it to the facts
}

// OperatorFormMsg asks for a form about operators to be opened.
type OperatorFormMsg struct {
	What  operatorAction
	Entry expiry.Entry // the grant in question; of a new one, what is known
}

type operatorAction int

// What a form about operators does: it grants one, gives a grant another expiry, or
// revokes it.
const (
	GrantOperator operatorAction = iota
	ExtendOperator
	RevokeOperator
)

// ContinueMsg goes on with what a key does, in Update, after its command has read
// what was missing for it.
type ContinueMsg struct {
	Engine Engine
	Do     func() tea.Cmd
}

// The stack of dialogs.
type (
	OpenDialogMsg struct {
		Dialog Dialog
		Then   tea.Cmd // what it reads first
	}
	// OpenAnsweredMsg opens a dialog together with the answer to what it asks
	// first, so that it does not change its shape right after it opens.
	OpenAnsweredMsg struct {
		Dialog Dialog
		Answer Answer
	}
	ShowScreenMsg Kind
	// ActAsMsg changes the acting account. Name is what it is called if the facts
	// don't know yet.
	ActAsMsg struct {
		Address cw721.Address
		Name    string
	}
)

// OpenDialog gives the command that opens a dialog.
func OpenDialog(d Dialog) tea.Cmd { return OpenDialogThen(d, nil) }

// OpenDialogThen does so for one that reads something first.
func OpenDialogThen(d Dialog, then tea.Cmd) tea.Cmd {
	return func() tea.Msg { return OpenDialogMsg{Dialog: d, Then: then} }
}

// Subject is what is under the cursor of a screen: what "why", the probe and
// copying are about.
type Subject struct {
	// Token is the id of a token, nil when there is none: any text is an id,
	// the empty one too.
	Token *string
	// Account is an account, empty when there is none.
	Account cw721.Address
	// Action is what the account wanted to do, empty when nobody knows.
	Action string
	// Giver gave the account a grant, until Expires; empty when there is none.
	Giver   cw721.Address
	Expires cw721.Expiration
}

// Empty tells that nothing is under the cursor.
func (s Subject) Empty() bool { return s.Token == nil && s.Account == "" }

// RecordMsg asks for a part of what happened to be written to a file.
type RecordMsg scenario.HistoryPart

// WhyMsg asks for the decision about a subject, rule by rule.
type WhyMsg Subject

// ShowTokenMsg asks for a token to be shown, or for the first of a filter, from
// another screen.
type ShowTokenMsg struct{ ID, Filter string }

// ShowToken gives the command that goes to a token on the first screen.
func ShowToken(id string) tea.Cmd {
	return GoTo(KindTokens, ShowTokenMsg{ID: id})
}

// ShowAccountMsg asks the screen of the accounts for the account of a name,
// ConsoleMsg asks the console for the template of a message, or for a text.
type (
	ShowAccountMsg struct{ Name string }
	ConsoleMsg     struct{ Template, Text string }
)

// ShowHistoryMsg asks the history for what fits a filter.
type ShowHistoryMsg struct{ Filter string }

// LinkToAccount gives the command that goes to an account; nil for one without a name.
func (st *State) LinkToAccount(a cw721.Address) tea.Cmd {
	name, named := st.Names[a]
	if !named {
		return nil
	}
	return GoTo(KindAccounts, ShowAccountMsg{name})
}

// LinkToGrant gives the command that goes to a grant: to the token of an approval, to
// an operator among the others, to the role of an offer.
func LinkToGrant(g cw721.Grant) tea.Cmd {
	switch g.Kind {
	case cw721.GrantApproval:
		return ShowToken(g.Token)
	case cw721.GrantOperator:
		return GoTo(KindOperators, ShowGrantMsg{g})
	}
	return func() tea.Msg { return ShowScreenMsg(KindCollection) }
}

// GoTo gives the command that goes to a screen and hands it a message.
func GoTo(k Kind, msg tea.Msg) tea.Cmd {
	return tea.Sequence(func() tea.Msg { return ShowScreenMsg(k) }, func() tea.Msg { return msg })
}

// ChooseLessonMsg asks for the list of the lessons.
type ChooseLessonMsg struct{}

// The levels of notices.
const (
	LevelInfo = widget.Info
	LevelGood = widget.Done
	LevelWarn = widget.Warn
	LevelBad  = widget.Fail
)

// NoticeMsg shows a notice.
type NoticeMsg struct {
	Level widget.Level
	Text  string
}

// Notify gives the command that shows a notice.
func Notify(l widget.Level, text string) tea.Cmd {
	return func() tea.Msg { return NoticeMsg{l, text} }
}

// BackgroundMsg carries a command that keys don't wait for.
type BackgroundMsg struct{ Cmd tea.Cmd }

// Background returns a command that runs cmd and lets keys through meanwhile. It
// is for work that goes on by itself after its first part. Keys wait for every
// other command; see the root's keys.go.
func Background(cmd tea.Cmd) tea.Cmd {
	if cmd == nil {
		return nil
	}
	return func() tea.Msg { return BackgroundMsg{cmd} }
}

// TimerMsg asks for a message after a delay.
type TimerMsg struct {
	Delay time.Duration
	Msg   tea.Msg
}

// After returns a command that brings a message after a delay. Keys don't wait
// for it.
func After(delay time.Duration, msg tea.Msg) tea.Cmd {
	return func() tea.Msg { return TimerMsg{Delay: delay, Msg: msg} }
}
