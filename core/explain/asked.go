package explain

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"ephemera/core/chain"
	"ephemera/core/chain/history"
	"ephemera/core/cw721"
	"ephemera/core/reach"
)

// Asked is a question for package reach as a person writes it: accounts by name
// or address, moments as [chain.WhenHelp] lists them.
type Asked struct {
	Action       cw721.Action
	Token, As    string
	Passive      []string // nil is the default of [reach.Question]
	After, Until string
	Unmoved      bool
	Depth        int
}

func wrong(field, format string, args ...any) error {
	return &reach.QuestionError{Field: field, Err: fmt.Errorf(format, args...)}
}

// NewAsked begins a question, about a token where it is not nil. It fails with a
// [*reach.QuestionError].
func NewAsked(action string, token *string) (a Asked, err error) {
	var known bool
	a.Action, known = cw721.ActionNamed(action)
	switch {
	case !known:
		return a, wrong("can", "%q is no action, expected one like transfer, burn or offer-minter", action)
	case a.Action.OnToken && token == nil:
		return a, wrong("token", "expected the id of a token, as %s is about one", action)
	case token != nil:
		a.Token = *token
	}
	return a, nil
}

// askedWord is one word of a question: what has spaces in it is quoted.
var askedWord = regexp.MustCompile(`"(?:[^"\\]|\\.)*"|\S+`)

// ParseAsked reads a question in one line, in the words of the flags of
// ephemera who-can: "transfer ape-0042 as bob after +10 unmoved". It fails with
// an [*reach.QuestionError].
func ParseAsked(line string) (a Asked, err error) {
	words := askedWord.FindAllString(line, -1)
	take := func() (word string) {
		if len(words) == 0 {
			return ""
		}
		word, words = words[0], words[1:]
		if text, err := strconv.Unquote(word); err == nil && word[0] == '"' {
			return text
		}
		return word
	}
	name := take()
	var token *string
	if action, _ := cw721.ActionNamed(name); action.OnToken && len(words) > 0 {
		id := take()
		token = &id
	}
	if a, err = NewAsked(name, token); err != nil {
		return a, err
	}
	for len(words) > 0 {
		name := strings.TrimPrefix(take(), "--")
		if name == "unmoved" {
			a.Unmoved = true
			continue
		}
		value := take()
		switch name {
		case "as":
			a.As = value
		case "passive":
			a.Passive = append(a.Passive, value)
		case "after":
			a.After = value
		case "until":
			a.Until = value
		case "depth":
			if a.Depth, err = strconv.Atoi(value); err != nil || a.Depth < 1 {
				return a, wrong(name, "expected a number of messages from 1, got %q", value)
			}
		default:
			return a, wrong(name, "expected as WHO, passive WHO, after MOMENT, until MOMENT, unmoved or depth N")
		}
		if value == "" {
			return a, wrong(name, "expected something behind it")
		}
	}
	return a, nil
}

// String writes the line that [ParseAsked] reads.
func (a Asked) String() string {
	line := a.Action.Name
	put := func(name string, values ...string) {
		for _, value := range values {
			if value != "" {
				line += name + quoted(value)
			}
		}
	}
	if a.Action.OnToken {
		line += " " + quoted(a.Token)
	}
	put(" as ", a.As)
	put(" passive ", a.Passive...)
	put(" after ", a.After)
	put(" until ", a.Until)
	if a.Unmoved {
		line += " unmoved"
	}
	if a.Depth > 0 {
		put(" depth ", strconv.Itoa(a.Depth))
	}
	return line
}

// quoted puts a word in quotes where it needs them.
func quoted(word string) string {
	if q := strconv.Quote(word); word == "" || strings.Contains(word, " ") || q != `"`+word+`"` {
		return q
	}
	return word
}

// Question looks up what the words mean in a view. It fails with a
// [*reach.QuestionError] where other words would have done.
func (a Asked) Question(v *chain.View) (q reach.Question, err error) {
	q = reach.Question{Action: a.Action, Token: a.Token, Unmoved: a.Unmoved, Depth: a.Depth}
	address := func(field, who string) (to cw721.Address) {
		if err == nil {
			to, err = v.Resolve(who)
			err = askedWrongly(field, err)
		}
		return to
	}
	moment := func(field, text string) *cw721.Block {
		if text == "" || err != nil {
			return nil
		}
		var w chain.When
		if w, err = v.WhenText(text); err == nil && w.Node != 0 {
			err = &chain.WhenError{Text: strconv.Quote(text) + " lies behind, expected now or a moment ahead"}
		}
		err = askedWrongly(field, err)
		return &w.Block
	}
	if a.As != "" {
		q.As = address("as", a.As)
	}
	if a.Passive != nil {
		q.Passive = []cw721.Address{} // an empty list is nobody, and not the default
	}
	for _, who := range a.Passive {
		q.Passive = append(q.Passive, address("passive", who))
	}
	q.After, q.Until = moment("after", a.After), moment("until", a.Until)
	return q, err
}

// askedWrongly says which words an error is about, if it is about words.
func askedWrongly(field string, err error) error {
	if cw721.AsError(err) != nil || errors.As(err, new(*chain.UnknownAccountError)) || errors.As(err, new(*chain.WhenError)) ||
		errors.As(err, new(*chain.RangeError)) || errors.As(err, new(*history.UnknownNodeError)) {
		return &reach.QuestionError{Field: field, Err: err}
	}
	return err
}
