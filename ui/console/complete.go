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

// caretContext says where a caret is in the JSON text of a message. It is zero if the
// caret is not in a string. For example, if the caret is at the end of
// {"approve":{"spender":"$al then word is "$al" and path has "approve" and "spender".
type caretContext struct {
	isInString bool   // the caret is in a string
	isKey      bool   // the string is the name of a member, and not a value
	word       string // the text of the string from its start to the caret
	// path has the names of the members that contain the string, the outermost first. For a
	// value, its own name is the last.
	path []string
}

// findCaretContext returns the place of a caret, an offset in bytes, in a text. If the text before
// it is not the beginning of valid JSON, the result is zero.
func findCaretContext(text string, caret int) caretContext {
	text = text[:caret]
	decoder := jsontext.NewDecoder(strings.NewReader(text), jsontext.AllowDuplicateNames(true))
	var err error
	for err == nil {
		_, err = decoder.ReadToken()
	}

	// The caret is in a string if the decoder stopped at a string without an end.
	unread := strings.TrimLeft(text[decoder.InputOffset():], " \t\r\n,:")
	word, isString := strings.CutPrefix(unread, `"`)
	if !isString || !errors.Is(err, io.ErrUnexpectedEOF) {
		return caretContext{}
	}

	// The decoder counts each name and each value of an object. After an even number it
	// expects a name.
	container, count := decoder.StackIndex(decoder.StackDepth())
	isKey := container == '{' && count%2 == 0

	// The pointer is the path of what was read last. In {"a":{"b":"x that is the name b, so
	// a.b is the path of the string itself. In {"a":{"b":"x","c it is the member b before
	// the string, so the path of the string is the parent of that.
	path := decoder.StackPointer()
	if count > 0 && (isKey || container == '[') {
		path = path.Parent()
	}
	return caretContext{isInString: true, isKey: isKey, word: word, path: slices.Collect(path.Tokens())}
}

// addressMembers has the names of the message members whose values are addresses. Such a
// value is completed with the names of accounts.
var addressMembers = []string{
	"address", "contract", "creator", "minter", "new_owner", "operator", "owner",
	"payment_address", "recipient", "spender", "withdraw_address",
}

// maxCompletions is the largest number of completions that are offered for a word.
const maxCompletions = 8

// updateCompletions finds the completions of the word under the caret while a text is typed. The
// IDs of tokens are read by [Screen.NextRead].
func (s *Screen) updateCompletions(state *app.State) {
	s.completions = nil
	s.request.idToComplete = nil
	if !s.isTyping {
		return
	}
	s.caretContext = findCaretContext(s.editor.value(), s.editor.caret())
	if s.caretContext.memberName() == "token_id" {
		s.request.idToComplete = &s.caretContext.word
		return
	}
	s.completions = findCompletions(state, s.names, s.caretContext)
}

// memberName returns the name of the member whose value is the string under the caret, or "".
func (p caretContext) memberName() string {
	if !p.isInString || p.isKey || len(p.path) == 0 {
		return ""
	}
	return p.path[len(p.path)-1]
}

// findCompletions returns the completions at a place of a message: names of messages, names of
// the members of a message, or references to accounts, such as "$alice".
func findCompletions(state *app.State, names chain.MessageNames, caret caretContext) []string {
	member := caret.memberName()
	switch {
	case !caret.isInString:
		return nil
	case caret.isKey && len(caret.path) == 0:
		return wordsWithPrefix(slices.Concat(names.Execute, names.Query), caret.word)
	case caret.isKey && len(caret.path) == 1:
		return wordsWithPrefix(state.Config.Rules.MemberNames(caret.path[0]), caret.word)
	case member == "":
		return nil
	case strings.HasPrefix(caret.word, "$"), slices.Contains(addressMembers, member):
		return referencesWithPrefix(state.Accounts, caret.word)
	}
	return nil
}

// referencesWithPrefix returns at most maxCompletions references to accounts that begin with a
// word. A word without "$" is the beginning of a name, and even a whole name lacks the "$".
func referencesWithPrefix(accounts []chain.Account, word string) []string {
	var references []string
	typedName := strings.TrimPrefix(word, "$")
	for _, account := range accounts {
		reference := "$" + account.Name
		if strings.HasPrefix(account.Name, typedName) && reference != word && len(references) < maxCompletions {
			references = append(references, reference)
		}
	}
	return references
}

// wordsWithPrefix returns at most maxCompletions words that begin with prefix and are longer.
func wordsWithPrefix(words []string, prefix string) []string {
	var matches []string
	for _, word := range words {
		if strings.HasPrefix(word, prefix) && word != prefix && len(matches) < maxCompletions {
			matches = append(matches, word)
		}
	}
	return matches
}

// readTokenIDs is [wordsWithPrefix] for the IDs of tokens.
func readTokenIDs(view *chain.View, prefix string) ([]string, error) {
	// IDs are sorted, so those with the prefix come next to each other, from prefix on. Read
	// one more, because the first may be prefix itself.
	fromPrefix := view.Tokens("", cw721.Walk{Place: &prefix, Inclusive: true})
	tokens, _, err := app.ReadAtMost(fromPrefix, maxCompletions+1)
	if err != nil {
		return nil, err
	}
	var ids []string
	for _, token := range tokens {
		ids = append(ids, token.ID)
	}
	return wordsWithPrefix(ids, prefix), nil
}

// acceptCompletion is the tab key: it replaces the word under the caret by its first completion,
// or inserts two blanks outside of strings.
func (s *Screen) acceptCompletion(state *app.State) {
	switch {
	case len(s.completions) > 0:
		// Escape the completion as JSON requires, but leave out the quotes, which the text
		// has already.
		quotedText := string(wire.AppendString(nil, s.completions[0]))
		s.editor.replaceBeforeCaret(len(s.caretContext.word), quotedText[1:len(quotedText)-1])
	case s.caretContext.isInString:
		return
	default:
		s.editor.replaceBeforeCaret(0, "  ")
	}
	s.textChanged(state)
}
