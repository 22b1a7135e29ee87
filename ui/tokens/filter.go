package tokens

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"

	"ephemera/core/chain"
	"ephemera/core/chain/expiry"
	"ephemera/core/cw721"
	"ephemera/core/human"
	"ephemera/ui/app"
	"ephemera/ui/form"
)

// tokenFilter is a parsed filter. A token must meet all its conditions. Indexes serve
// all of them but the words, for which tokens are searched one by one.
type tokenFilter struct {
	words   []string // in lower case
	owner   cw721.Address
	spender cw721.Address
	within  *expiryLimit
}

// expiryLimit is the time within which an approval must expire.
type expiryLimit struct {
	distance  string // blocks or a duration, as it was typed
	inclusive bool
}

// filterHelp says how a filter is typed.
const filterHelp = "text · owner:alice · spender:bob · expires<10 or <90m"

// filterKeys are the keys that a filter can have.
var filterKeys = []string{"owner:", "spender:", "expires<"}

// expiryCondition matches the condition on the expiry. "ends<" is its older spelling.
var expiryCondition = regexp.MustCompile(`(?i)(^|\s)(?:expires|ends)\s*(<=?)\s*`)

// normalizeFilter rewrites the condition on the expiry in one spelling.
func normalizeFilter(text string) string {
	return expiryCondition.ReplaceAllString(text, "${1}expires$2")
}

// parseFilter parses a filter. It takes accounts by name or address, and leaves out
// conditions whose value is not typed yet.
func parseFilter(text string, book chain.Book) (filter tokenFilter, err error) {
	for word := range strings.FieldsSeq(normalizeFilter(text)) {
		if err := filter.addWord(word, book); err != nil {
			return filter, err
		}
	}
	return filter, nil
}

// addWord adds the condition of one word.
func (f *tokenFilter) addWord(word string, book chain.Book) (err error) {
	lower := strings.ToLower(word)
	if limit, found := strings.CutPrefix(lower, "expires<"); found {
		if limit != "" && limit != "=" {
			f.within, err = parseExpiryLimit(limit)
		}
		return err
	}

	_, value, _ := strings.Cut(word, ":")
	switch {
	case strings.HasPrefix(lower, "owner:"):
		f.owner, err = parseAccount("owner", value, book)
	case strings.HasPrefix(lower, "spender:"):
		f.spender, err = parseAccount("spender", value, book)
	default:
		f.words = append(f.words, lower)
	}
	return err
}

// parseAccount returns the address of an account's name. It takes a text that is long
// enough as an address, since an owner needs no name.
func parseAccount(field, value string, book chain.Book) (cw721.Address, error) {
	if value == "" {
		return "", nil
	}
	address, err := book.Resolve(value)
	switch {
	case err == nil:
		return address, nil
	case len(value) >= form.MinAddressLength:
		return cw721.Address(value), nil
	}
	return "", fmt.Errorf("%s: nobody is called %q", field, value)
}

// parseExpiryLimit parses what follows "expires<".
func parseExpiryLimit(text string) (*expiryLimit, error) {
	limit := &expiryLimit{}
	limit.distance, limit.inclusive = strings.CutPrefix(text, "=")
	_, err := limit.momentAfter(chain.Clock{})
	if err != nil {
		return nil, fmt.Errorf("expires: %q is neither blocks nor a time, expected like expires<10 or expires<90m", limit.distance)
	}
	return limit, nil
}

// momentAfter returns the moment at the limit's distance from a clock.
func (l *expiryLimit) momentAfter(clock chain.Clock) (cw721.Expiration, error) {
	return human.MomentParser{Exact: true}.Parse("+"+l.distance, clock.Block())
}

// firstTooLate returns the estimated time, in nanoseconds, from which an expiry is too
// late.
func (l *expiryLimit) firstTooLate(clock chain.Clock) uint64 {
	moment, err := l.momentAfter(clock)
	if err != nil {
		return math.MaxUint64 // the limit is later than any moment
	}
	limit := app.EstimatedTime(clock, moment)
	if l.inclusive && limit != math.MaxUint64 {
		limit++
	}
	return limit
}

// isSearch reports whether tokens must be searched one by one.
func (f tokenFilter) isSearch() bool { return len(f.words) > 0 }

// isByExpiry reports whether the index by expiry serves the filter, in its order.
func (f tokenFilter) isByExpiry() bool { return f.spender != "" || f.within != nil }

// list returns the part of the index by expiry that serves the filter. onlyLive leaves
// expired approvals out.
func (f tokenFilter) list(onlyLive bool) expiry.List {
	list := expiry.List{Live: onlyLive || f.within != nil}
	if f.spender != "" {
		list.Spender = f.spender
	} else {
		list.Owner = f.owner
	}
	return list
}

// matchesGrant reports whether a grant is an approval by the owner and to the spender
// of the filter.
func (f tokenFilter) matchesGrant(g cw721.Grant) bool {
	isOwner := f.owner == "" || g.Owner == f.owner
	isSpender := f.spender == "" || g.Spender == f.spender
	return g.Kind == cw721.GrantApproval && isOwner && isSpender
}

// matchesWords reports whether a token has each word in its id, URI or name.
func (f tokenFilter) matchesWords(token chain.Token) bool {
	if !f.isSearch() {
		return true
	}
	text := token.ID
	if token.TokenURI != nil {
		text += "\n" + *token.TokenURI
	}
	if m := token.Extension.Metadata; m != nil && m.Name != nil {
		text += "\n" + *m.Name
	}
	text = strings.ToLower(text)
	isMissing := func(word string) bool { return !strings.Contains(text, word) }
	return !slices.ContainsFunc(f.words, isMissing)
}

// endsWithinKey reports whether a text ends with the beginning of a key. While the
// filter is typed, such a word is not searched for.
func endsWithinKey(text string) bool {
	last := strings.ToLower(text[strings.LastIndexByte(text, ' ')+1:])
	for _, key := range append(filterKeys, "ends<") {
		if last != "" && last != key && strings.HasPrefix(key, last) {
			return true
		}
	}
	return false
}

// completeFilter completes the last word of a filter to a key, or to the name of an
// account. It returns the text unchanged if there is nothing to complete.
func completeFilter(text string, accounts []chain.Account) string {
	start := strings.LastIndexByte(text, ' ') + 1
	last := strings.ToLower(text[start:])
	for _, key := range []string{"owner:", "spender:"} {
		if last != "" && strings.HasPrefix(key, last) {
			return text[:start] + key
		}
		name, found := strings.CutPrefix(last, key)
		if !found {
			continue
		}
		for _, account := range accounts {
			if strings.HasPrefix(strings.ToLower(account.Name), name) {
				return text[:start] + key + account.Name
			}
		}
	}
	return text
}
