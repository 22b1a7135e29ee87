package explain

import (
	"cmp"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/human"
	"ephemera/core/reach"
)

// WhoCouldQuestion is a question for package reach as a person writes it: accounts by name
// or address, moments as [ParseMoment] lists them.
type WhoCouldQuestion struct {
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

// NewWhoCouldQuestion begins a question, about a token where it is not nil. It fails with a
// [*reach.QuestionError].
func NewWhoCouldQuestion(action string, token *string) (a WhoCouldQuestion, err error) {
	var known bool
	a.Action, known = cw721.ActionNamed(action)
	switch {
	case !known:
		return a, wrong("can", "%q is no action, expected one like transfer, burn or offer-minter", action)
	case a.Action.NeedsToken && token == nil:
		return a, wrong("token", "expected the id of a token, as %s is about one", action)
	case token != nil:
		a.Token = *token
	}
	return a, nil
}

// askedWord is one word of a question: what has spaces in it is quoted.
var askedWord = regexp.MustCompile(`"(?:[^"\\]|\\.)*"|\S+`)

// ParseWhoCouldQuestion reads a question in one line, in the words of the flags of
// ephemera who-can: "transfer ape-0042 as bob after +10 unmoved". It fails with
// an [*reach.QuestionError].
func ParseWhoCouldQuestion(line string) (a WhoCouldQuestion, err error) {
	words := askedWord.FindAllString(line, -1)
	take := func() (word string) {
		if len(words) > 0 {
			word, words = words[0], words[1:]
		}
		if text, err := strconv.Unquote(word); err == nil && word[0] == '"' {
			return text
		}
		return word
	}
	name := take()
	var token *string
	if action, _ := cw721.ActionNamed(name); action.NeedsToken && len(words) > 0 {
		token = new(take())
	}
	if a, err = NewWhoCouldQuestion(name, token); err != nil {
		return a, err
	}
	texts := map[string]*string{"as": &a.As, "after": &a.After, "until": &a.Until}
	for len(words) > 0 {
		name := strings.TrimPrefix(take(), "--")
		if name == "unmoved" {
			a.Unmoved = true
			continue
		}
		value := take()
		switch text := texts[name]; {
		case text != nil:
			*text = value
		case name == "passive":
			a.Passive = append(a.Passive, value)
		case name == "depth":
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

// String writes the line that [ParseWhoCouldQuestion] reads.
func (a WhoCouldQuestion) String() string {
	line := a.Action.Name
	put := func(name string, values ...string) {
		for _, value := range values {
			if value != "" {
				line += name + quoted(value)
			}
		}
	}
	if a.Action.NeedsToken {
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
func (a WhoCouldQuestion) Question(v *chain.View) (q reach.Question, err error) {
	q = reach.Question{Action: a.Action, Token: a.Token, Unmoved: a.Unmoved, Depth: a.Depth}
	blame := func(field string) {
		if IsNameError(err) {
			err = &reach.QuestionError{Field: field, Err: err}
		}
	}
	address := func(field, who string) (to cw721.Address) {
		if err == nil {
			to, err = v.Resolve(who)
			blame(field)
		}
		return to
	}
	moment := func(field, text string) *cw721.Block {
		if text == "" || err != nil {
			return nil
		}
		w, failed := ParseMoment(v, text)
		if err = failed; err == nil && w.Node != 0 {
			err = &human.MomentError{Text: strconv.Quote(text) + " lies behind, expected now or a moment ahead"}
		}
		blame(field)
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

// WhoCould says in one sentence what a search has come to: "carol can transfer
// rose at height 1,200 or later, by 2 messages". Where it has found no way, the
// sentence names those who were left out.
func WhoCould(v *chain.View, q reach.Question, a reach.Answer) string {
	what := actionPhrase(q.Action.Name, &q.Token)
	at := func(b *cw721.Block) string {
		return fmt.Sprintf("height %s (%s)", human.Thousands(uint64(b.Height)), human.TimeUTC(b.Time))
	}
	if q.After != nil {
		what += " at " + at(q.After) + " or later"
	}
	if q.Until != nil {
		what += " before " + at(q.Until)
	}
	if a.Verdict == reach.Way {
		way := a.Ways[0]
		return fmt.Sprintf("%s can %s, by %s", v.DisplayName(way[len(way)-1].As), what, human.Plural(len(way), "message"))
	}

	nobody := "nobody"
	passive := namePassive(v, q, a.Passive)
	switch {
	case q.As != "":
		nobody = "there is no way in which " + v.DisplayName(q.As)
		if passive != "" {
			what += " without " + passive
		}
	case passive != "":
		nobody += " but " + passive
	}
	if a.Verdict == reach.None {
		return fmt.Sprintf("%s can %s, by any number of messages", nobody, what)
	}
	return fmt.Sprintf("%s can %s by at most %s; %s", nobody, what, human.Plural(a.Depth, "message"), cmp.Or(a.Cut, "more were not tried"))
}

// namePassive names those who send nothing, and by what right each could do what
// is asked about: "alice (owner, sends nothing here)". Who is called as the role
// that he holds is "the creator". It is empty where there is nobody.
func namePassive(v *chain.View, q reach.Question, passive []cw721.Address) string {
	var names []string
	for _, who := range passive {
		name, right := v.DisplayName(who), ""
		d, err := v.Decide(who, q.Action.Message(q.Token, who))
		if err == nil && d.Allowed && d.GrantingCheck().Rule != cw721.RuleAnyone {
			right = string(d.GrantingCheck().Rule)
		}
		switch right {
		case name:
			name = "the " + name
		case "":
			name += " (sends nothing here)"
		default:
			name += " (" + right + ", sends nothing here)"
		}
		names = append(names, name)
	}
	return joinWithAnd(names)
}

// DescribeStep says one step of a way: "bob sends {…}", where names stand for
// addresses as they may in a message that is typed, and by what he may:
// "operator until height 1,100".
func DescribeStep(v *chain.View, a reach.Answer, s reach.Step) (sends, may string) {
	msg := string(cw721.Encode(s.Message))
	for _, who := range a.Actors {
		if name := v.NameOf(who); name != "" && who != a.Anyone {
			msg = strings.ReplaceAll(msg, `"`+string(who)+`"`, `"$`+name+`"`)
		}
	}
	return fmt.Sprintf("%s sends %s", v.DisplayName(s.As), msg), checkLabel(s.Decision.GrantingCheck())
}

// RefusedWay says where a compiled contract does otherwise than the rules: which
// message of a way it refuses.
func RefusedWay(v *chain.View, a reach.Answer, i int) string {
	way := a.Refused[i]
	last := way[len(way)-1]
	sends, may := DescribeStep(v, a, last)
	return fmt.Sprintf("the compiled contract does otherwise: it refuses message %d of a way, where %s, allowed: %s: “%s”", len(way), sends, may, last.Refusal.Text)
}

// RealEnd says until when a grant lasts, by itself and really: "the approval for
// bob on rose: until height 1,100, really without expiry".
func RealEnd(v *chain.View, g cw721.Grant, really cw721.Expiration) string {
	text := grantName(v, g) + ": " + until(g.Expires)
	if really != g.Expires {
		text += ", really " + until(really)
	}
	return text
}
