package app

import (
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain/expiry"
	"ephemera/core/cw721"
	"ephemera/core/scenario"
	"ephemera/ui/widget"
)

// The messages between the rooms, by what they do. Model.handle of package ui handles what
// concerns all rooms, and hands every other message to all screens and dialogs. Those about the
// outcomes of writes are in write.go.

// These messages carry work to Update: engines, functions, commands and delays.
type (
	// OpenedMsg brings the engine of a database or a demo that was opened.
	OpenedMsg struct {
		Engine   Engine
		Err      error         // why it could not be opened
		InMemory bool          // the engine is only in memory
		Actor    cw721.Address // the first actor; empty for that of [Options]
	}
	// ContinueMsg goes on with what a key does, after a command has read the data for it.
	// Do is called in Update, unless the explorer shows another engine by then.
	ContinueMsg struct {
		Engine Engine
		Do     func() tea.Cmd
	}
	// PlayMsg shows a chain, such as that of a lesson, in place of the user's own. A chain that
	// another PlayMsg has shown is closed. Then is called once the new chain is shown.
	PlayMsg struct {
		Session Session
		Then    func() tea.Cmd
	}
	// LeaveMsg closes the chain that [PlayMsg] has shown, and goes back to the user's own. Then
	// is called first.
	LeaveMsg struct{ Then func() }
	// QueriedMsg says that the query Msg was answered. The task of a lesson may be to make
	// such a query.
	QueriedMsg struct{ Msg []byte }
	// BackgroundMsg carries a command that keys don't wait for.
	BackgroundMsg struct{ Cmd tea.Cmd }
	// TimerMsg asks for a message after a delay.
	TimerMsg struct {
		Delay time.Duration
		Msg   tea.Msg
	}
)

// Send returns the command that brings a message to the explorer's model.
func Send(msg tea.Msg) tea.Cmd {
	return func() tea.Msg { return msg }
}

// Background returns a command that runs cmd without letting typed keys wait for it. Keys
// wait for every other command, so that they reach what the command opens. Background is
// for the later parts of long work, such as a search, whose first part the user sees
// already. It returns nil if cmd is nil.
func Background(cmd tea.Cmd) tea.Cmd {
	if cmd == nil {
		return nil
	}
	return Send(BackgroundMsg{Cmd: cmd})
}

// After returns a command that brings a message after a delay. Keys don't wait
// for it.
func After(delay time.Duration, msg tea.Msg) tea.Cmd {
	return Send(TimerMsg{Delay: delay, Msg: msg})
}

// These messages open dialogs.
type (
	// OpenDialogMsg opens a dialog, and then runs the command Then, which reads what the
	// dialog shows. Then is nil if there is nothing to read.
	OpenDialogMsg struct {
		Dialog Dialog
		Then   tea.Cmd
	}
	// OpenAnsweredMsg opens a dialog together with its first answer, so that the
	// dialog does not change its shape right after it opens.
	OpenAnsweredMsg struct {
		Dialog Dialog
		Answer Answer
	}
	// ChooseLessonMsg opens the list of the lessons.
	ChooseLessonMsg struct{}
	// RecordMsg opens the form that records a part of the history as a scenario.
	RecordMsg scenario.HistoryPart
	// WhyMsg opens a dialog that explains, rule by rule, what the contract decides about a
	// subject.
	WhyMsg Subject
	// ClockFormMsg opens the form of the clock, with a moment as a user types it.
	ClockFormMsg struct{ Moment string }
	// GrantFormMsg opens a form about an operator or an approval.
	GrantFormMsg struct {
		Action grantAction
		Entry  expiry.Entry // the grant; for a new operator, only the known fields are set
	}
)

// grantAction is what a form about a grant does.
type grantAction int

// The actions of a form about a grant. Extending gives the grant another expiry. A new
// approval has a form of its own, on the screen of tokens.
const (
	GrantOperator grantAction = iota
	ExtendGrant
	RevokeGrant
)

// OperatorCommands returns the commands that name an operator of the actor, and that withdraw
// one. operator is filled into their forms; "" leaves it to the user.
func OperatorCommands(state *State, operator cw721.Address) []Command {
	grant := expiry.Entry{Grant: cw721.Grant{Kind: cw721.GrantOperator, Owner: state.Actor, Spender: operator}}
	open := func(action grantAction) func() tea.Cmd {
		return func() tea.Cmd { return Send(GrantFormMsg{Action: action, Entry: grant}) }
	}
	return []Command{
		ScreenCommand("o", "grant", "Grant an operator", open(GrantOperator)).
			FoundBy("approve_all, setapprovalforall, approve for all, add operator, marketplace, full access, opensea"),
		ScreenCommand("O", "withdraw", "Revoke an operator", open(RevokeGrant)).
			FoundBy("revoke_all, remove operator, take back, forbid, revoke all"),
	}
}

// OpenDialog returns the command that opens a dialog over the screen.
func OpenDialog(dialog Dialog) tea.Cmd { return OpenDialogThen(dialog, nil) }

// OpenDialogThen returns the command that opens a dialog and runs then, which
// reads what the dialog shows.
func OpenDialogThen(dialog Dialog, then tea.Cmd) tea.Cmd {
	return Send(OpenDialogMsg{Dialog: dialog, Then: then})
}

// Subject is what is under the cursor, such as a token and an account. Commands such as
// "why" and "copy" are about it.
type Subject struct {
	// Token is the id of a token; nil for none. Every text is an id, even the empty
	// one.
	Token   *string
	Account cw721.Address    // an account; empty for none
	Action  string           // what the account wanted to do; empty if that is unknown
	Giver   cw721.Address    // who gave the account a grant; empty if there is no grant
	Expires cw721.Expiration // when that grant expires
	// Expiries are the expiries of all grants of what is under the cursor. The clock
	// highlights them in its chart.
	Expiries []cw721.Expiration
}

// SubjectOfGrant returns the account that received a grant and its token, if it has one.
func SubjectOfGrant(grant cw721.Grant) Subject {
	subject := Subject{
		Account:  grant.Spender,
		Giver:    grant.Owner,
		Expires:  grant.Expires,
		Expiries: []cw721.Expiration{grant.Expires},
	}
	if grant.Kind == cw721.GrantApproval {
		subject.Token = &grant.Token
	}
	return subject
}

// Empty reports whether the subject names neither a token nor an account.
func (s Subject) Empty() bool { return s.Token == nil && s.Account == "" }

// These messages show a screen, or ask a screen to show something.
type (
	// ShowScreenMsg shows a screen. The user can go back to the present one.
	ShowScreenMsg Kind
	// ShowTokenMsg asks the screen Tokens to show a token, or the first one of a filter.
	ShowTokenMsg struct{ ID, Filter string }
	// ShowAccountMsg asks the screen Accounts to show the account with a name.
	ShowAccountMsg struct{ Name string }
	// ShowGrantMsg asks the screen Approvals or Operators to show a grant, or what a filter
	// finds.
	ShowGrantMsg struct {
		Grant  cw721.Grant
		Filter string
	}
	// ShowHistoryMsg asks the screen History to show what a filter finds.
	ShowHistoryMsg struct{ Filter string }
	// ConsoleMsg asks the console to show the template of a message, or a text.
	ConsoleMsg struct{ Template, Text string }
	// ActAsMsg makes an account the actor. Name is the account's name if the account is
	// new, so that the name is not in the facts yet; otherwise it can be empty.
	ActAsMsg struct {
		Address cw721.Address
		Name    string
	}
)

// GoTo returns the command that shows a screen and hands it a message.
func GoTo(k Kind, msg tea.Msg) tea.Cmd {
	return tea.Sequence(Send(ShowScreenMsg(k)), Send(msg))
}

// ShowToken returns the command that goes to a token.
func ShowToken(id string) tea.Cmd {
	return GoTo(KindTokens, ShowTokenMsg{ID: id})
}

// LinkToAccount returns the command that goes to the screen Accounts and shows an account.
// It returns nil if the account has no name, because the screen lists only accounts with
// names.
func (st *State) LinkToAccount(address cw721.Address) tea.Cmd {
	name, hasName := st.Names[address]
	if !hasName {
		return nil
	}
	return GoTo(KindAccounts, ShowAccountMsg{Name: name})
}

// LinkToGrant returns the command that goes to the screen of a grant. For an approval it
// shows the token, for an operator the grant itself, and for the offer of a role the
// collection.
func LinkToGrant(grant cw721.Grant) tea.Cmd {
	switch grant.Kind {
	case cw721.GrantApproval:
		return ShowToken(grant.Token)
	case cw721.GrantOperator:
		return GoTo(KindOperators, ShowGrantMsg{Grant: grant})
	}
	return Send(ShowScreenMsg(KindCollection))
}

// The levels of notices decide their sign and colour.
const (
	LevelInfo = widget.Info // the user should know
	LevelGood = widget.Done // something was done
	LevelWarn = widget.Warn // something was not done, or needs a look
	LevelBad  = widget.Fail // something failed or was refused
)

// NoticeMsg shows a notice.
type NoticeMsg struct {
	Level widget.Level
	Text  string
}

// Notify returns the command that shows a notice.
func Notify(level widget.Level, text string) tea.Cmd {
	return Send(NoticeMsg{Level: level, Text: text})
}
