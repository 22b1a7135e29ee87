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

// AskedError says which part of a question is wrong, by the word for it.
type AskedError struct {
	Field string
	Err   error
}

func (e *AskedError) Error() string { return e.Field + ": " + e.Err.Error() }

// Unwrap gives what is wrong with the part.
func (e *AskedError) Unwrap() error { return e.Err }

func askedError(field, format string, args ...any) error {
	return &AskedError{field, fmt.Errorf(format, args...)}
}

// askedWord is one word of a question: what has spaces in it is quoted.
var askedWord = regexp.MustCompile(`"(?:[^"\\]|\\.)*"|\S+`)

// ParseAsked reads a question in one line, in the words of the flags of
// ephemera who-can: "transfer ape-0042 as bob after +10 unmoved". It fails with
// an [*AskedError].
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
	var known bool
	if a.Action, known = cw721.ActionNamed(name); !known {
		return a, askedError("action", "%q is none, expected one like transfer, burn or offer-minter", name)
	}
	if a.Action.OnToken && len(words) == 0 {
		return a, askedError("token", "expected the id of a token, as %s is about one", name)
	}
	if a.Action.OnToken {
		a.Token = take()
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
				return a, askedError(name, "expected a number of messages from 1, got %q", value)
			}
		default:
			return a, askedError(name, "expected as WHO, passive WHO, after MOMENT, until MOMENT, unmoved or depth N")
		}
		if value == "" {
			return a, askedError(name, "expected something behind it")
		}
	}
	return a, nil
}

// String writes the line that [ParseAsked] reads.
func (a Asked) String() string {
	line := a.Action.Name
	put := func(name, value string) {
		if quoted := strconv.Quote(value); value == "" || strings.Contains(value, " ") || quoted != `"`+value+`"` {
			value = quoted
		}
		line += name + " " + value
	}
	if a.Action.OnToken {
		put("", a.Token)
	}
	if a.As != "" {
		put(" as", a.As)
	}
	for _, who := range a.Passive {
		put(" passive", who)
	}
	if a.After != "" {
		put(" after", a.After)
	}
	if a.Until != "" {
		put(" until", a.Until)
	}
	if a.Unmoved {
		line += " unmoved"
	}
	if a.Depth > 0 {
		put(" depth", strconv.Itoa(a.Depth))
	}
	return line
}

// Question looks up what the words mean in a view. It fails with an
// [*AskedError] where other words would have done.
func (a Asked) Question(v *chain.View) (q reach.Question, err error) {
	q = reach.Question{Action: a.Action, Token: a.Token, Unmoved: a.Unmoved, Depth: a.Depth}
	fail := func(field string, cause error) {
		switch {
		case err != nil || cause == nil:
		case cw721.AsError(cause) != nil, errors.As(cause, new(*chain.UnknownAccountError)), errors.As(cause, new(*chain.WhenError)),
			errors.As(cause, new(*chain.RangeError)), errors.As(cause, new(*history.UnknownNodeError)):
			err = &AskedError{field, cause}
		default: // nothing is wrong with the words
			err = cause
		}
	}
	address := func(field, who string) cw721.Address {
		to, cause := v.Resolve(who)
		fail(field, cause)
		return to
	}
	moment := func(field, text string) *cw721.Block {
		if text == "" {
			return nil
		}
		w, cause := v.WhenText(text)
		fail(field, cause)
		if err == nil && w.Node != 0 {
			err = askedError(field, "%q lies behind, expected now or a moment ahead", text)
		}
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
