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

// tokenFilter is a parsed filter, such as "owner:alice expires<10 laser". A token must
// meet all its conditions. Indexes of the chain serve owner, spender and limit. For the
// words, tokens are searched one by one.
type tokenFilter struct {
	words   []string      // in lower case
	owner   cw721.Address // "" for any
	spender cw721.Address // the token has an approval to this account; "" for any
	limit   *expiryLimit  // nil for any expiry
}

// expiryLimit is how soon an approval must expire, as in "expires<10" or "expires<=90m".
type expiryLimit struct {
	distance  string // as typed: blocks such as "10", or a duration such as "90m"
	inclusive bool   // typed with "<=" and not "<"
}

// filterHelp says how a filter is typed.
const filterHelp = "text · owner:alice · spender:bob · expires<10 or <90m"

// filterKeys are the keys that a filter can have.
var filterKeys = []string{"owner:", "spender:", "expires<"}

// expiryCondition matches the condition on the expiry. "ends<" is its older spelling.
var expiryCondition = regexp.MustCompile(`(?i)(^|\s)(?:expires|ends)\s*(<=?)\s*`)

// normalizeFilter writes the condition on the expiry as one word in its present spelling:
// "ends < 10" becomes "expires<10".
func normalizeFilter(text string) string {
	return expiryCondition.ReplaceAllString(text, "${1}expires$2")
}

// parseFilter parses a filter such as "owner:alice expires<10 laser". Accounts can be
// names of the address book or addresses. A condition without a value, such as "owner:",
// is ignored, because the user may still be typing. parseFilter fails for an unknown name
// and for a limit that is neither blocks nor a duration.
func parseFilter(text string, book chain.Book) (filter tokenFilter, err error) {
	for word := range strings.FieldsSeq(normalizeFilter(text)) {
		if err := filter.addWord(word, book); err != nil {
			return filter, err
		}
	}
	return filter, nil
}

// addWord adds the condition that one word of the filter states. A word without a known
// key, such as "laser" or "color:red", is text to search for.
func (f *tokenFilter) addWord(word string, book chain.Book) (err error) {
	lower := strings.ToLower(word)
	if limit, found := strings.CutPrefix(lower, "expires<"); found {
		if limit != "" && limit != "=" {
			f.limit, err = parseExpiryLimit(limit)
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

// parseExpiryLimit parses what follows "expires<", such as "10", "=10" or "90m". It fails
// if that is neither a number of blocks nor a duration.
func parseExpiryLimit(text string) (*expiryLimit, error) {
	limit := &expiryLimit{}
	limit.distance, limit.inclusive = strings.CutPrefix(text, "=")
	_, err := limit.momentAfter(chain.Clock{})
	if err != nil {
		return nil, fmt.Errorf("expires: %q is neither blocks nor a time, expected like expires<10 or expires<90m", limit.distance)
	}
	return limit, nil
}

// momentAfter returns the moment at the limit's distance after the present of a clock: a
// height for blocks, a time for a duration. It fails if the moment is out of range.
func (l *expiryLimit) momentAfter(clock chain.Clock) (cw721.Expiration, error) {
	return human.MomentParser{Exact: true}.Parse("+"+l.distance, clock.Block())
}

// firstTooLate returns the earliest block time, in nanoseconds since 1970, that an expiry
// must not have to meet the limit. The time of a height is an estimate.
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

// isByExpiry reports whether the filter is about approvals. The tokens are then read from
// the index of grants by expiry, and listed in that order.
func (f tokenFilter) isByExpiry() bool { return f.spender != "" || f.limit != nil }

// list returns the smallest part of the index of grants by expiry that holds every match
// of the filter: the grants to its spender, or else by its owner, or else all. onlyLive
// leaves expired approvals out, as does a limit on the expiry.
func (f tokenFilter) list(onlyLive bool) expiry.List {
	list := expiry.List{Live: onlyLive || f.limit != nil}
	if f.spender != "" {
		list.Spender = f.spender
	} else {
		list.Owner = f.owner
	}
	return list
}

// matchesGrant reports whether a grant is an approval of one token (not an operator) by
// the filter's owner to its spender. It checks neither words nor expiry.
func (f tokenFilter) matchesGrant(g cw721.Grant) bool {
	isOwner := f.owner == "" || g.Owner == f.owner
	isSpender := f.spender == "" || g.Spender == f.spender
	return g.Kind == cw721.GrantApproval && isOwner && isSpender
}

// matchesWords reports whether a token's id, URI or name contains each word of the
// filter, in any case.
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

// endsWithinKey reports whether the last word of a text is the beginning of a key, such
// as "own" of "owner:". While the filter is typed, such a word is not yet searched for.
func endsWithinKey(text string) bool {
	last := strings.ToLower(text[strings.LastIndexByte(text, ' ')+1:])
	for _, key := range append(filterKeys, "ends<") {
		if last != "" && last != key && strings.HasPrefix(key, last) {
			return true
		}
	}
	return false
}

// completeFilter completes the last word of a filter: "own" to "owner:", "owner:al" to
// "owner:alice". It returns the text unchanged if there is nothing to complete.
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
