package explain

import (
	"fmt"
	"strconv"
	"strings"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/human"
	"ephemera/core/whocan"
)

// WhoCanQuestion asks who could do an action by any sequence of messages, as a person
// writes the question. Accounts are names or addresses, and moments have the forms of
// [ParseMoment]. An empty text means that the option was not given. [whocan.Question]
// explains the options.
type WhoCanQuestion struct {
	Action          cw721.Action
	Token           string   // the id of the token
	Actor           string   // the account that is to do it
	PassiveAccounts []string // accounts that send nothing, besides the default of [whocan.Question]
	ActiveAccounts  []string // accounts that act although they are that default
	OnlySenders     []string // accounts that alone send messages; nil for everybody who is not passive
	After           string   // the moment from which the action counts
	Until           string   // the moment from which the action does not count any more
	TokenMustStay   bool     // whether the token stays where it is until then
	Depth           int      // the largest number of messages; 0 for the default of [whocan.Question]
}

func questionError(field, format string, args ...any) error {
	return &whocan.QuestionError{Field: field, Err: fmt.Errorf(format, args...)}
}

// NewWhoCanQuestion returns a question about an action, without options. It fails with a
// [*whocan.QuestionError] if there is no such action, or if it needs a token and token is nil.
func NewWhoCanQuestion(actionName string, token *string) (WhoCanQuestion, error) {
	action, isKnown := cw721.ActionNamed(actionName)
	if actionName == cw721.OwnAction.Name {
		action = cw721.OwnAction
		isKnown = true
	}

	question := WhoCanQuestion{Action: action}
	switch {
	case !isKnown:
		return question, questionError("can",
			"%q is no action, expected one like transfer, burn or offer-minter", actionName)
	case action.NeedsToken && token == nil:
		return question, questionError("token",
			"expected the id of a token, as %s is about one", actionName)
	case token != nil:
		question.Token = *token
	}
	return question, nil
}

// String writes the question as a line, such as "transfer ape-0042 as bob after +10
// unmoved", with options named like the flags of ephemera who-can. Options that are not set are left out.
func (q WhoCanQuestion) String() string {
	words := []string{q.Action.Name}
	if q.Action.NeedsToken {
		words = append(words, quoteIfNeeded(q.Token))
	}

	words = appendOption(words, "as", q.Actor)
	words = appendOption(words, "passive", q.PassiveAccounts...)
	words = appendOption(words, "active", q.ActiveAccounts...)
	for _, account := range q.OnlySenders {
		words = append(words, "only", quoteIfNeeded(account))
	}
	words = appendOption(words, "after", q.After)
	words = appendOption(words, "until", q.Until)
	if q.TokenMustStay {
		words = append(words, "unmoved")
	}
	if q.Depth > 0 {
		words = append(words, "depth", strconv.Itoa(q.Depth))
	}
	return strings.Join(words, " ")
}

// appendOption appends an option with each value that is not empty to words.
func appendOption(words []string, name string, values ...string) []string {
	for _, value := range values {
		if value != "" {
			words = append(words, name, quoteIfNeeded(value))
		}
	}
	return words
}

// Resolve resolves the accounts and moments of the question in a view. It fails with a
// [*whocan.QuestionError] if the view has no such account or moment, and with the errors of
// the store.
func (q WhoCanQuestion) Resolve(view *chain.View) (whocan.Question, error) {
	question := whocan.Question{
		Action:        q.Action,
		Token:         q.Token,
		TokenMustStay: q.TokenMustStay,
		Depth:         q.Depth,
	}

	if q.Actor != "" {
		address, err := view.Resolve(q.Actor)
		if err != nil {
			return question, blameField("as", err)
		}
		question.Actor = address
	}
	lists := []struct {
		field     string
		accounts  []string
		addresses *[]cw721.Address
	}{
		{"passive", q.PassiveAccounts, &question.PassiveAccounts},
		{"active", q.ActiveAccounts, &question.ActiveAccounts},
		{"only", q.OnlySenders, &question.OnlySenders},
	}
	for _, list := range lists {
		if list.accounts != nil { // not the default, but perhaps nobody
			*list.addresses = []cw721.Address{}
		}
		for _, account := range list.accounts {
			address, err := view.Resolve(account)
			if err != nil {
				return question, blameField(list.field, err)
			}
			*list.addresses = append(*list.addresses, address)
		}
	}
	for i, account := range question.ActiveAccounts {
		if question.IsPassive(account) {
			return question, questionError("active", "%s sends nothing in this question, by only or passive", q.ActiveAccounts[i])
		}
	}

	var err error
	question.After, err = resolveFutureBlock(view, "after", q.After)
	if err != nil {
		return question, err
	}
	question.Until, err = resolveFutureBlock(view, "until", q.Until)
	return question, err
}

// blameField returns an error that says which field of a question is wrong, if it is an
// [IsNameError]. Other errors, such as those of the store, are returned unchanged.
func blameField(field string, err error) error {
	if IsNameError(err) {
		return &whocan.QuestionError{Field: field, Err: err}
	}
	return err
}

// resolveFutureBlock returns the block of a moment that is now or later; nil for an empty
// text. It fails with a [*whocan.QuestionError].
func resolveFutureBlock(view *chain.View, field, text string) (*cw721.Block, error) {
	if text == "" {
		return nil, nil
	}
	moment, err := ParseMoment(view, text)
	if err != nil {
		return nil, blameField(field, err)
	}
	if moment.Node != 0 { // the moment is that of a node in the history
		reason := strconv.Quote(text) + " is in the past, expected now or a later moment"
		return nil, blameField(field, &human.MomentError{Text: reason})
	}
	return &moment.Block, nil
}
