package console

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/wire"
	"ephemera/ui/app"
	"ephemera/ui/form"
)

// messageKind is what a text in the console is.
type messageKind int

const (
	noMessage messageKind = iota
	executeMessage
	queryMessage
	instantiateMessage
	compiledMessage // of a compiled contract, which alone knows what it is
)

func (k messageKind) String() string {
	return [...]string{"", "execute", "query", "instantiate", "message"}[k]
}

// kindOf tells what a text is under a rule set by its first member: a message
// has exactly one key. A compiled contract may know any other as well. problem
// says where it can be nothing at all.
func kindOf(rules cw721.Rules, compiled bool, text string) (kind messageKind, problem *note) {
	if strings.TrimSpace(text) == "" {
		return noMessage, nil
	}
	d := jsontext.NewDecoder(strings.NewReader(text))
	open, err := d.ReadToken()
	if err != nil || open.Kind() != '{' {
		return noMessage, &note{int(len(text) - len(strings.TrimLeft(text, " \t\r\n"))), "a message is an object with one key: {\"burn\":{…}}"}
	}
	name, err := d.ReadToken()
	if err != nil || name.Kind() != '"' {
		return noMessage, &note{min(int(d.InputOffset()), len(text)), "the name of a message is missing here; tab offers them, ctrl+t shows templates"}
	}
	key := name.String()
	switch {
	case compiled:
		return compiledMessage, nil
	case slices.Contains(rules.ExecuteNames(), key):
		return executeMessage, nil
	case slices.Contains(rules.QueryNames(), key):
		return queryMessage, nil
	case slices.Contains(wire.MemberNames(new(cw721.InstantiateMsg)), key):
		return instantiateMessage, nil
	}
	at := max(int(d.InputOffset())-len(key)-1, 0)
	return noMessage, &note{at, fmt.Sprintf("no message is named %q; tab offers those that begin like it", key)}
}

// outcome is what a text would do, or what it answers.
type outcome struct {
	text    string
	kind    messageKind
	receipt *chain.Receipt // of a preview
	answer  []byte         // of a query
	refusal *cw721.Error
	problem *note
	fault   string
	other   *chain.Difference // to what the built-in contract does; nil where none
}

// try asks what the text would do: a preview for what changes something, the
// answer of a query.
func (c *Screen) try(st *app.State) {
	text := c.edit.value()
	c.kind, c.problem = kindOf(st.Config.Rules, st.Compiled, text)
	if c.tries = &text; c.kind == noMessage {
		c.tries, c.outcome = nil, nil
		c.show(st)
	}
}

// tryMessage tries a text in a view.
func tryMessage(v *chain.View, f app.Facts, text string, asks bool) *outcome {
	kind, _ := kindOf(f.Config.Rules, f.Compiled, text)
	var r chain.Receipt
	var err error
	if kind == compiledMessage {
		kind = kindIn(v, text, asks)
	}
	o := &outcome{text: text, kind: kind, receipt: &r}
	switch kind {
	case executeMessage:
		r, err = v.Preview(f.SeenBy, []byte(text))
	case instantiateMessage:
		r, err = chain.PreviewInstantiate(chain.Genesis{Config: f.Config, Clock: f.Clock, Accounts: f.Accounts}, f.SeenBy, []byte(text))
	default:
		o.answer, err = v.Query([]byte(text))
		r.Debug = v.Debug
	}
	o.other = r.Difference
	o.explain(r.Refusal, err, text)
	return o
}

// kindIn asks a compiled contract what a text is: a query where it takes it as
// one, and not as a message that changes something.
// What it takes as both is a query if asks says so.
func kindIn(v *chain.View, text string, asks bool) messageKind {
	if _, err := v.Query([]byte(text)); isParse(err) {
		return executeMessage
	}
	if asks {
		return queryMessage
	}
	if r, err := v.Preview(v.Self, []byte(text)); err == nil && (r.Refusal == nil || !isParse(r.Refusal)) {
		return executeMessage
	}
	return queryMessage
}

func isParse(err error) bool {
	e := cw721.AsError(err)
	return e != nil && e.Kind == cw721.KindParse
}

// explain finds the place in the text that an error is about.
func (o *outcome) explain(refusal *cw721.Error, err error, text string) {
	var unknown *wire.UnknownNameError
	var differs *chain.DifferenceError
	switch {
	case err == nil:
	case errors.As(err, &differs):
		o.other = &differs.Difference
		compiled, _ := o.other.Refusals()
		if o.answer == nil {
			o.fault = compiled
		}
		return
	case errors.As(err, &refusal):
	case errors.As(err, &unknown):
		o.problem = &note{placeOf(text, unknown.Field, "$"+unknown.Name), err.Error()}
		return
	default:
		o.fault = err.Error()
		return
	}
	if o.refusal = refusal; refusal == nil {
		return
	}
	switch {
	case refusal.Kind == cw721.KindParse:
		o.problem = &note{tokenAt(text, int(refusal.Offset)), causeOf(refusal.Text)}
	case refusal.Field != "":
		o.problem = &note{placeOf(text, refusal.Field, ""), refusal.Text}
	}
}

// tokenAt gives where the token begins that a reader had just read at an
// offset, or the offset where that is not known.
func tokenAt(text string, offset int) int {
	offset = max(0, min(offset, len(text)))
	d := jsontext.NewDecoder(strings.NewReader(text), jsontext.AllowDuplicateNames(true))
	for {
		before := int(d.InputOffset())
		if _, err := d.ReadToken(); err != nil || int(d.InputOffset()) > offset {
			return offset
		}
		if int(d.InputOffset()) == offset {
			return before + len(text[before:offset]) - len(strings.TrimLeft(text[before:offset], " \t\r\n,:"))
		}
	}
}

// causeOf drops the name of a type that the contract puts in front.
func causeOf(text string) string {
	if rest, ok := strings.CutPrefix(text, "Error parsing into type "); ok {
		if _, cause, found := strings.Cut(rest, ": "); found {
			return cause
		}
	}
	return text
}

// placeOf finds the value of a member by its dotted path, or by what it holds.
func placeOf(text, path, holds string) int {
	if holds != "" {
		if i := strings.Index(text, `"`+holds+`"`); i >= 0 {
			return i + 1
		}
	}
	last := form.LastPart(path)
	for i := 0; i < len(text); i++ {
		if text[i] != '"' {
			continue
		}
		end := closing(text, i)
		p := placeAt(text, min(end, len(text)))
		if p.key && p.word == last {
			return i + 1
		}
		i = end
	}
	return 0
}
