package app

import (
	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain/expiry"
	"ephemera/core/cw721"
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
	InMemory bool // what happens to it is not kept, whatever was opened first
}

// OperatorFormMsg asks for a form about operators to be opened.
type OperatorFormMsg struct {
	What  operatorAction
	Entry expiry.Entry // the grant in question; of a new one, what is known
}

type operatorAction int

const (
	GrantOperator operatorAction = iota
	ExtendOperator
	RevokeOperator
)

// ThenMsg goes on with what a key does, in Update, after its command has read
// what was missing for it.
type ThenMsg struct {
	Engine Engine
	Do     func() tea.Cmd
}

// The stack of dialogs.
type (
	OpenDialogMsg struct {
		Dialog Dialog
		Engine Engine  // that it was read from; nil where nothing was
		Then   tea.Cmd // what it reads first
	}
	CloseDialogMsg struct{}
	ShowScreenMsg  Kind
	ActAsMsg       string
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
}

// Empty tells that nothing is under the cursor.
func (s Subject) Empty() bool { return s.Token == nil && s.Account == "" }

// WhyMsg asks for the decision about a subject, rule by rule.
type WhyMsg Subject

// ShowTokenMsg asks for a token to be shown, from another screen.
type ShowTokenMsg struct{ ID string }

// ShowToken gives the command that goes to a token on the first screen.
func ShowToken(id string) tea.Cmd {
	return tea.Sequence(
		func() tea.Msg { return ShowScreenMsg(KindTokens) },
		func() tea.Msg { return ShowTokenMsg{id} })
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

// SayMsg shows a notice.
type SayMsg struct {
	Level widget.Level
	Text  string
}

// Say gives the command that shows a notice.
func Say(l widget.Level, text string) tea.Cmd {
	return func() tea.Msg { return SayMsg{l, text} }
}
