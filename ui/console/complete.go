package console

import (
	"slices"
	"strings"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/ui/app"
)

// place is where in a message a caret stands: in which string, and what that
// string is.
type jsonPlace struct {
	inString bool
	key      bool     // the string is the name of a member
	start    int      // where the string's text begins, in bytes
	word     string   // its text up to the caret
	path     []string // the members around it; for a value its own name last
}

// placeAt reads a message up to a caret. It takes what is there so far, as a
// message that is typed is never whole.
func placeAt(text string, caret int) (p jsonPlace) {
	type level struct {
		object, value bool
		key           string
	}
	var stack []level
	for i := 0; i < caret; i++ {
		switch c := text[i]; c {
		case '{', '[':
			stack = append(stack, level{object: c == '{'})
		case '}', ']':
			stack = stack[:max(len(stack)-1, 0)]
		case ':', ',':
			if n := len(stack); n > 0 {
				stack[n-1].value = c == ':'
			}
		case '"':
			end := closing(text[:caret], i)
			n := len(stack)
			isKey := n > 0 && stack[n-1].object && !stack[n-1].value
			if end < caret {
				if isKey {
					stack[n-1].key = text[i+1 : end]
				}
				i = end
				continue
			}
			p = jsonPlace{inString: true, key: isKey, start: i + 1, word: text[i+1 : caret]}
			for j, l := range stack {
				if l.object && (j < n-1 || !isKey) {
					p.path = append(p.path, l.key)
				}
			}
			return p
		}
	}
	return p
}

// closing is where the string ends that begins with the quote at a place; the end of
// the text or more where it does not.
func closing(text string, quote int) int {
	end := quote + 1
	for end < len(text) && text[end] != '"' {
		if text[end] == '\\' {
			end++
		}
		end++
	}
	return end
}

// addressMembers take an address, idMembers a token's id.
var (
	addressMembers = strings.Fields("recipient spender operator owner contract minter creator new_owner payment_address address withdraw_address")
	idMembers      = []string{"token_id"}
)

// offersAt gives what the string at a place may become, tokens aside.
func offersAt(st *app.State, p jsonPlace) (offers []string) {
	if !p.inString {
		return nil
	}
	begins := func(words ...string) {
		for _, w := range words {
			if strings.HasPrefix(w, p.word) && w != p.word && len(offers) < offersShown {
				offers = append(offers, w)
			}
		}
	}
	switch {
	case p.key && len(p.path) == 0:
		begins(st.Config.Rules.ExecuteNames()...)
		begins(st.Config.Rules.QueryNames()...)
	case p.key && len(p.path) == 1:
		begins(st.Config.Rules.MemberNames(p.path[0])...)
	case !p.key && len(p.path) > 0 && (strings.HasPrefix(p.word, "$") || slices.Contains(addressMembers, p.path[len(p.path)-1])):
		for _, a := range st.Accounts {
			name := "$" + a.Name
			if !strings.HasPrefix(p.word, "$") && strings.HasPrefix(a.Name, p.word) && len(offers) < offersShown {
				offers = append(offers, name)
			} else {
				begins(name)
			}
		}
	}
	return offers
}

// offersShown bounds what is offered.
const offersShown = 8

// readIDs gives the ids of tokens that begin with a text.
func readIDs(v *chain.View, begin string) (ids []string, err error) {
	tokens, _, err := app.TakeFirst(v.Tokens("", cw721.Walk{Place: &begin, Inclusive: true}), offersShown+1)
	for _, t := range tokens {
		if strings.HasPrefix(t.ID, begin) && t.ID != begin && len(ids) < offersShown {
			ids = append(ids, t.ID)
		}
	}
	return ids, err
}
