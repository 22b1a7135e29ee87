package console

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"ephemera/core/cw721"
	"ephemera/core/wire"
)

// messageKind says what sort of message a text in the editor is.
type messageKind int

// The kinds of messages.
const (
	noMessage          messageKind = iota // the text is no message
	executeMessage                        // a message that changes the chain
	queryMessage                          // a question, which changes nothing
	instantiateMessage                    // the message that creates a collection
	undecidedMessage                      // for a compiled contract, until a trial shows what kind it is
)

// String returns the word that the title shows for a kind; "" for no message.
func (k messageKind) String() string {
	return [...]string{"", "execute", "query", "instantiate", "message"}[k]
}

// findKind returns the kind of a text by the name of its first member. Every message of a compiled
// contract is undecided, because only the contract itself knows its messages. If the text is
// no message, textProblem says why; it is nil for a blank text.
func findKind(rules cw721.Rules, isCompiled bool, text string) (kind messageKind, textProblem *problem) {
	if strings.TrimSpace(text) == "" {
		return noMessage, nil
	}

	name, offset, textProblem := messageName(text)
	switch {
	case textProblem != nil:
		return noMessage, textProblem
	case isCompiled:
		return undecidedMessage, nil
	case slices.Contains(rules.ExecuteNames(), name):
		return executeMessage, nil
	case slices.Contains(rules.QueryNames(), name):
		return queryMessage, nil
	case slices.Contains(wire.MemberNames(new(cw721.InstantiateMsg)), name):
		return instantiateMessage, nil
	}
	reason := fmt.Sprintf("no message is named %q; tab offers those that begin like it", name)
	return noMessage, &problem{offset: offset, text: reason}
}

// messageName returns the name of the first member of a JSON object, such as "burn" in
// {"burn":…}, and the offset of that name in the text, in bytes. If there is no such name,
// textProblem says why.
func messageName(text string) (name string, offset int, textProblem *problem) {
	decoder := jsontext.NewDecoder(strings.NewReader(text))
	brace, err := decoder.ReadToken()
	if err != nil || brace.Kind() != '{' {
		blanks := len(text) - len(strings.TrimLeft(text, " \t\r\n"))
		return "", 0, &problem{
			offset: blanks,
			text:   "a message is an object with one key: {\"burn\":{…}}",
		}
	}
	key, err := decoder.ReadToken()
	keyEnd := int(decoder.InputOffset()) // behind the closing quote
	if err != nil || key.Kind() != '"' {
		return "", 0, &problem{
			offset: min(keyEnd, len(text)),
			text:   "the name of a message is missing here; tab offers them, ctrl+t shows templates",
		}
	}
	name = key.String()
	keyStart := keyEnd - len(name) - 1 // behind the opening quote
	return name, max(keyStart, 0), nil
}
