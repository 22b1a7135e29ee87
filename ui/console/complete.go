package console

import (
	"errors"
	"io"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/wire"
	"ephemera/ui/app"
)

// jsonPlace says where a caret is in the JSON text of a message. It is zero outside of
// strings. In {"approve":{"spender":"$al with the caret at the end, the word is "$al" and the
// path is approve, spender.
type jsonPlace struct {
	inString bool
	isKey    bool   // the string is the name of a member
	word     string // the string's text up to the caret
	// path are the names of the members around the string, the outermost first. For a
	// value its own name is the last.
	path []string
}

// placeAt returns the place of a caret, an offset in bytes. The text behind the caret does
// not count, so it need not be complete JSON. If the text before the caret is wrong, the
// result is zero.
func placeAt(text string, caret int) jsonPlace {
	text = text[:caret]
	decoder := jsontext.NewDecoder(strings.NewReader(text), jsontext.AllowDuplicateNames(true))
	var err error
	for err == nil {
		_, err = decoder.ReadToken()
	}

	// The caret is in a string if the text ends inside one.
	unread := strings.TrimLeft(text[decoder.InputOffset():], " \t\r\n,:")
	word, isString := strings.CutPrefix(unread, `"`)
	if !isString || !errors.Is(err, io.ErrUnexpectedEOF) {
		return jsonPlace{}
	}

	// Names and values each count, so an object expects a name after an even number.
	container, count := decoder.StackIndex(decoder.StackDepth())
	isKey := container == '{' && count%2 == 0

	// The pointer leads to what was read last. In {"a":{"b":"x it is a.b, which is the path of
	// the string itself. In {"a":{"b":"x","c it is a.b as well, which is beside the string.
	path := decoder.StackPointer()
	isBeside := count > 0 && (isKey || container == '[')
	if isBeside {
		path = path.Parent()
	}
	return jsonPlace{inString: true, isKey: isKey, word: word, path: slices.Collect(path.Tokens())}
}

// addressMembers are the members of messages whose values are addresses. Their values
// are completed with the names of accounts.
var addressMembers = []string{
	"address", "contract", "creator", "minter", "new_owner", "operator", "owner",
	"payment_address", "recipient", "spender", "withdraw_address",
}

// maxCompletions is how many completions of a word are offered at most.
const maxCompletions = 8

// complete finds the completions of the word under the caret while a message is typed. For
// the ID of a token it only notes the word: Needs reads the IDs that begin with the word in
// the background.
func (c *Screen) complete(st *app.State) {
	c.completions = nil
	c.wanted.idToComplete = nil
	if !c.isTyping {
		return
	}
	c.place = placeAt(c.editor.value(), c.editor.caret())
	if c.place.memberName() == "token_id" {
		c.wanted.idToComplete = &c.place.word
		return
	}
	c.completions = completionsAt(st, c.names, c.place)
}

// memberName returns the name of the member whose value is the string under the caret.
// It is "" if the caret is in no such string.
func (p jsonPlace) memberName() string {
	if !p.inString || p.isKey || len(p.path) == 0 {
		return ""
	}
	return p.path[len(p.path)-1]
}

// completionsAt returns the completions at a place of a message: the names of the contract's
// messages and of their members, and, where an address stands or behind a "$", references to
// accounts, such as "$alice". It has none for the IDs of tokens, which [readTokenIDs] reads.
func completionsAt(st *app.State, names chain.MessageNames, place jsonPlace) []string {
	member := place.memberName()
	switch {
	case !place.inString:
		return nil
	case place.isKey && len(place.path) == 0:
		return withPrefix(slices.Concat(names.Execute, names.Query), place.word)
	case place.isKey && len(place.path) == 1:
		return withPrefix(st.Config.Rules.MemberNames(place.path[0]), place.word)
	case member == "":
		return nil
	}

	// What is left is a value in a string, which may be the name of an account.
	typedName, isReference := strings.CutPrefix(place.word, "$")
	mayBeAddress := isReference || slices.Contains(addressMembers, member)
	if !mayBeAddress {
		return nil
	}
	var references []string
	for _, account := range st.Accounts {
		reference := "$" + account.Name
		isTyped := reference == place.word // a name typed without "$" is still completed
		if strings.HasPrefix(account.Name, typedName) && !isTyped && len(references) < maxCompletions {
			references = append(references, reference)
		}
	}
	return references
}

// withPrefix returns the words that begin with prefix and are longer, at most
// maxCompletions, in the same order.
func withPrefix(words []string, prefix string) []string {
	var found []string
	for _, word := range words {
		if strings.HasPrefix(word, prefix) && word != prefix && len(found) < maxCompletions {
			found = append(found, word)
		}
	}
	return found
}

// readTokenIDs reads the first token IDs, at most maxCompletions, that begin with prefix and
// are longer. It reads one ID more, since the first may be prefix itself.
func readTokenIDs(v *chain.View, prefix string) ([]string, error) {
	tokens, _, err := app.TakeFirst(v.Tokens("", cw721.Walk{Place: &prefix, Inclusive: true}), maxCompletions+1)
	var ids []string
	for _, token := range tokens {
		ids = append(ids, token.ID)
	}
	return withPrefix(ids, prefix), err
}

// acceptCompletion replaces the word under the caret by its first completion. Outside
// of strings, where the tab key cannot complete, it inserts two blanks. A completion is
// escaped as JSON requires, but without the quotes, which are there already.
func (c *Screen) acceptCompletion(st *app.State) {
	switch {
	case len(c.completions) > 0:
		quoted := string(wire.AppendString(nil, c.completions[0]))
		c.editor.replaceBeforeCaret(len(c.place.word), quoted[1:len(quoted)-1])
	case c.place.inString:
		return
	default:
		c.editor.replaceBeforeCaret(0, "  ")
	}
	c.textChanged(st)
}
