package explain

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/human"
	"ephemera/core/reach"
)

// WhoCouldQuestion is a [reach.Question] as a person writes it: accounts by name or
// address, moments in the forms of [ParseMoment]. Empty texts are options that were not
// given.
type WhoCouldQuestion struct {
	Action       cw721.Action
	Token, As    string
	Passive      []string // nil is the default of [reach.Question]
	After, Until string
	Unmoved      bool
	Depth        int // 0 is the default of [reach.Question]
}

// questionError returns a [*reach.QuestionError] about one part of a question.
func questionError(field, format string, args ...any) error {
	return &reach.QuestionError{Field: field, Err: fmt.Errorf(format, args...)}
}

// NewWhoCouldQuestion returns a question about an action without any options. token is
// nil if no token was given. NewWhoCouldQuestion fails with a [*reach.QuestionError] if
// there is no such action, or if the action is on a token and token is nil.
func NewWhoCouldQuestion(actionName string, token *string) (WhoCouldQuestion, error) {
	action, isKnown := cw721.ActionNamed(actionName)
	switch {
	case !isKnown:
		return WhoCouldQuestion{}, questionError("can", "%q is no action, expected one like transfer, burn or offer-minter", actionName)
	case action.NeedsToken && token == nil:
		return WhoCouldQuestion{Action: action}, questionError("token", "expected the id of a token, as %s is about one", actionName)
	case token == nil:
		return WhoCouldQuestion{Action: action}, nil
	}
	return WhoCouldQuestion{Action: action, Token: *token}, nil
}

// wordPattern matches one word of a line. A word with spaces stands in quotes.
var wordPattern = regexp.MustCompile(`"(?:[^"\\]|\\.)*"|\S+`)

// Words are the words of a line that have not been read, in quotes if they were written so.
type Words []string

// SplitWords returns the words of a line.
func SplitWords(line string) Words { return wordPattern.FindAllString(line, -1) }

// Next removes the first word and returns it without quotes. It returns an empty text
// if there is none.
func (w *Words) Next() string {
	if len(*w) == 0 {
		return ""
	}
	word := (*w)[0]
	*w = (*w)[1:]
	if !strings.HasPrefix(word, `"`) {
		return word
	}
	text, err := strconv.Unquote(word)
	if err != nil {
		return word
	}
	return text
}

// ParseWhoCouldQuestion reads a question in one line: the name of an action, its token,
// and options in the words of the flags of ephemera who-can, with or without dashes.
// For example "transfer ape-0042 as bob after +10 unmoved". It fails with a
// [*reach.QuestionError].
func ParseWhoCouldQuestion(line string) (WhoCouldQuestion, error) {
	words := SplitWords(line)
	actionName := words.Next()
	var token *string
	if action, _ := cw721.ActionNamed(actionName); action.NeedsToken && len(words) > 0 {
		token = new(words.Next())
	}
	question, err := NewWhoCouldQuestion(actionName, token)
	if err != nil {
		return question, err
	}

	for len(words) > 0 {
		option := strings.TrimPrefix(words.Next(), "--")
		if option == "unmoved" {
			question.Unmoved = true
			continue
		}
		if err := question.setOption(option, words.Next()); err != nil {
			return question, err
		}
	}
	return question, nil
}

// setOption sets the option that a word names to a value. It fails with a
// [*reach.QuestionError] if there is no such option, or if the value is empty or no
// depth.
func (a *WhoCouldQuestion) setOption(option, value string) error {
	switch option {
	case "as":
		a.As = value
	case "after":
		a.After = value
	case "until":
		a.Until = value
	case "passive":
		a.Passive = append(a.Passive, value)
	case "depth":
		depth, err := strconv.Atoi(value)
		if err != nil || depth < 1 {
			return questionError(option, "expected a number of messages from 1, got %q", value)
		}
		a.Depth = depth
	default:
		return questionError(option, "expected as WHO, passive WHO, after MOMENT, until MOMENT, unmoved or depth N")
	}
	if value == "" {
		return questionError(option, "expected something behind it")
	}
	return nil
}

// String writes the line that [ParseWhoCouldQuestion] reads.
func (a WhoCouldQuestion) String() string {
	words := []string{a.Action.Name}
	if a.Action.NeedsToken {
		words = append(words, quoteIfNeeded(a.Token))
	}
	if a.As != "" {
		words = append(words, "as", quoteIfNeeded(a.As))
	}
	for _, who := range a.Passive {
		if who != "" {
			words = append(words, "passive", quoteIfNeeded(who))
		}
	}
	if a.After != "" {
		words = append(words, "after", quoteIfNeeded(a.After))
	}
	if a.Until != "" {
		words = append(words, "until", quoteIfNeeded(a.Until))
	}
	if a.Unmoved {
		words = append(words, "unmoved")
	}
	if a.Depth > 0 {
		words = append(words, "depth", strconv.Itoa(a.Depth))
	}
	return strings.Join(words, " ")
}

// quoteIfNeeded quotes a word that is empty or *, or contains a space or a character that
// quotes escape.
func quoteIfNeeded(word string) string {
	quoted := strconv.Quote(word)
	hasEscapes := quoted != `"`+word+`"`
	if word == "" || word == "*" || strings.Contains(word, " ") || hasEscapes {
		return quoted
	}
	return word
}

// Question resolves the accounts and moments of the question in a view. It fails with a
// [*reach.QuestionError] if one of them means nothing there, so that another text could
// succeed, and with the errors of the store.
func (a WhoCouldQuestion) Question(v *chain.View) (reach.Question, error) {
	question := reach.Question{Action: a.Action, Token: a.Token, Unmoved: a.Unmoved, Depth: a.Depth}
	if a.As != "" {
		address, err := v.Resolve(a.As)
		if err != nil {
			return question, blameField("as", err)
		}
		question.As = address
	}

	if a.Passive != nil {
		question.Passive = []cw721.Address{} // an empty list means nobody; nil means the default
	}
	for _, who := range a.Passive {
		address, err := v.Resolve(who)
		if err != nil {
			return question, blameField("passive", err)
		}
		question.Passive = append(question.Passive, address)
	}

	var err error
	question.After, err = resolveFutureBlock(v, "after", a.After)
	if err != nil {
		return question, err
	}
	question.Until, err = resolveFutureBlock(v, "until", a.Until)
	return question, err
}

// blameField returns an error about the text of one field as a [*reach.QuestionError],
// and any other error as it is.
func blameField(field string, err error) error {
	if IsNameError(err) {
		return &reach.QuestionError{Field: field, Err: err}
	}
	return err
}

// resolveFutureBlock returns the block of a moment that is now or ahead; nil for an
// empty text. It fails with a [*reach.QuestionError] for a moment in the past.
func resolveFutureBlock(v *chain.View, field, text string) (*cw721.Block, error) {
	if text == "" {
		return nil, nil
	}
	moment, err := ParseMoment(v, text)
	if err != nil {
		return nil, blameField(field, err)
	}
	if moment.Node != 0 {
		return nil, blameField(field, &human.MomentError{Text: strconv.Quote(text) + " lies behind, expected now or a moment ahead"})
	}
	return &moment.Block, nil
}
