package app

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
	"ephemera/themes"
	"ephemera/ui/widget"
)

// Filter is a parsed filter of tokens or grants, such as "owner:alice expires<10 laser". A
// row of the list must meet all its conditions. Indexes of the chain serve owner, spender
// and limit. For the words and for Mover, rows are searched one by one.
type Filter struct {
	Words   []string      // in lower case; each must be in a text of the row
	Owner   cw721.Address // "" for any
	Spender cw721.Address // of an approval or an operator; "" for any
	Mover   cw721.Address // may transfer the token by any right, as in "can:bob"; "" for any
	limit   *expiryLimit  // nil for any expiry
}

// expiryLimit is how soon an approval must expire, as in "expires<10" or "expires<=90m".
type expiryLimit struct {
	distance  string // as typed: blocks such as "10", or a duration such as "90m"
	inclusive bool   // typed with "<=" and not "<"
}

// The keys that a filter can have. Only a filter of tokens has "can:".
var (
	TokenFilterKeys = []string{"owner:", "spender:", "can:", "expires<"}
	GrantFilterKeys = []string{"owner:", "spender:", "expires<"}
)

// minAddressLength is the length from which an unknown name in a filter is an address.
const minAddressLength = 30

// expiryCondition matches the condition on the expiry. "ends<" is its older spelling.
var expiryCondition = regexp.MustCompile(`(?i)(^|\s)(?:expires|ends)\s*(<=?)\s*`)

// normalizeFilter writes the condition on the expiry as one word in its present spelling:
// "ends < 10" becomes "expires<10".
func normalizeFilter(text string) string {
	return expiryCondition.ReplaceAllString(text, "${1}expires$2")
}

// ParseWords parses a filter that has words only. It never fails.
func ParseWords(text string, _ chain.Book) (Filter, error) {
	return Filter{Words: strings.Fields(strings.ToLower(text))}, nil
}

// MatchesRow reports whether each word of the filter is in a cell of a row.
func (f Filter) MatchesRow(row widget.Row) bool {
	var texts []string
	for _, cell := range row.Cells {
		texts = append(texts, cell.String())
	}
	return f.MatchesText(texts)
}

// ParseFilter parses a filter such as "owner:alice expires<10 laser". Accounts can be
// names of the address book or addresses. A condition without a value, such as "owner:",
// is ignored, because the user may still be typing. ParseFilter fails for an unknown name
// and for a limit that is neither blocks nor a duration.
func ParseFilter(text string, book chain.Book) (filter Filter, err error) {
	for word := range strings.FieldsSeq(normalizeFilter(text)) {
		if err := filter.addWord(word, book); err != nil {
			return filter, err
		}
	}
	return filter, nil
}

// addWord adds the condition that one word of the filter states. A word without a known
// key, such as "laser" or "color:red", is text to search for.
func (f *Filter) addWord(word string, book chain.Book) (err error) {
	lower := strings.ToLower(word)
	if limit, found := strings.CutPrefix(lower, "expires<"); found {
		// While the limit is typed, there is no condition yet.
		if limit != "" && limit != "=" {
			f.limit, err = parseExpiryLimit(limit)
		}
		return err
	}

	// Other conditions name an account behind a colon.
	_, value, _ := strings.Cut(word, ":")
	switch {
	case strings.HasPrefix(lower, "owner:"):
		f.Owner, err = parseAccount("owner", value, book)
	case strings.HasPrefix(lower, "spender:"):
		f.Spender, err = parseAccount("spender", value, book)
	case strings.HasPrefix(lower, "can:"):
		f.Mover, err = parseAccount("can", value, book)
	default:
		f.Words = append(f.Words, lower)
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
	case len(value) >= minAddressLength:
		return cw721.Address(value), nil
	}
	return "", fmt.Errorf("%s: no account is named %q", field, value)
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

// IsTooLate reports whether an expiry is later than the filter allows. A grant that never
// expires is too late for every limit. The time of a height is an estimate.
func (f Filter) IsTooLate(clock chain.Clock, e cw721.Expiration) bool {
	if f.limit == nil {
		return false
	}
	return e.Axis == cw721.Never || EstimatedTime(clock, e) >= f.FirstTooLate(clock)
}

// FirstTooLate returns the block time, in nanoseconds since 1970, from which on the filter
// leaves out expiries.
func (f Filter) FirstTooLate(clock chain.Clock) uint64 {
	moment, err := f.limit.momentAfter(clock)
	if err != nil {
		return math.MaxUint64 // the limit is later than any moment
	}
	limit := EstimatedTime(clock, moment)
	if f.limit.inclusive && limit != math.MaxUint64 {
		limit++
	}
	return limit
}

// HasLimit reports whether the filter limits the expiry.
func (f Filter) HasLimit() bool { return f.limit != nil }

// IsSearch reports whether rows must be searched one by one.
func (f Filter) IsSearch() bool { return len(f.Words) > 0 || f.Mover != "" }

// IsByExpiry reports whether the filter is about approvals. Tokens are then read from the
// index of grants by expiry, and listed in that order.
func (f Filter) IsByExpiry() bool { return f.Spender != "" || f.limit != nil }

// Narrow returns a list of grants by expiry with the smallest index that holds every match
// of the filter: the grants to its spender, or else by its owner, or else all. A limit on
// the expiry leaves expired grants out.
func (f Filter) Narrow(list expiry.List) expiry.List {
	list.Live = list.Live || f.limit != nil
	if f.Spender != "" {
		list.Spender = f.Spender
	} else {
		list.Owner = f.Owner
	}
	return list
}

// MatchesAccounts reports whether a grant is by the filter's owner to its spender. It checks
// no other condition.
func (f Filter) MatchesAccounts(g cw721.Grant) bool {
	isOwner := f.Owner == "" || g.Owner == f.Owner
	isSpender := f.Spender == "" || g.Spender == f.Spender
	return isOwner && isSpender
}

// minAddressPart is the length from which a word is searched for in addresses. A shorter one
// is in too many of them.
const minAddressPart = 6

// MatchesText reports whether each word of the filter is in one of the texts of a row, in
// any case, or is a long part of one of its addresses.
func (f Filter) MatchesText(texts []string, addresses ...cw721.Address) bool {
	if len(f.Words) == 0 {
		return true
	}
	text := strings.ToLower(strings.Join(texts, "\n"))
	for _, word := range f.Words {
		if !strings.Contains(text, word) && !isPartOfAny(addresses, word) {
			return false
		}
	}
	return true
}

// isPartOfAny reports whether a word is a long part of one of the addresses.
func isPartOfAny(addresses []cw721.Address, word string) bool {
	isPart := func(a cw721.Address) bool { return strings.Contains(string(a), word) }
	return len(word) >= minAddressPart && slices.ContainsFunc(addresses, isPart)
}

// endsWithinKey reports whether the last word of a text is the beginning of one of keys,
// such as "own" of "owner:". While the filter is typed, such a word is not yet searched for.
func endsWithinKey(text string, keys []string) bool {
	last := strings.ToLower(text[strings.LastIndexByte(text, ' ')+1:])
	isBeginning := func(key string) bool { return last != "" && last != key && strings.HasPrefix(key, last) }
	return slices.ContainsFunc(keys, isBeginning)
}

// completeFilter completes the last word of a filter: "own" to the key "owner:", and
// "owner:al" to "owner:alice". It returns the text unchanged if there is nothing to complete.
func completeFilter(text string, keys []string, accounts []chain.Account) string {
	start := strings.LastIndexByte(text, ' ') + 1
	last := strings.ToLower(text[start:])
	for _, key := range keys {
		if last != "" && strings.HasPrefix(key, last) {
			return text[:start] + key
		}

		// Behind a key, complete the name of an account.
		name, hasKey := strings.CutPrefix(last, key)
		takesAccount := strings.HasSuffix(key, ":")
		if !hasKey || !takesAccount {
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

// filterKey matches a word that begins like a key of a filter, such as "owner:".
var filterKey = regexp.MustCompile(`^[a-z_]+[:<>=]`)

// unknownFilterKey returns the first word of a filter that looks like a key but is none
// of keys; empty if there is none. Such a word is searched for as text, because an
// id may look like this. The scheme of a URI is not a key.
func unknownFilterKey(text string, keys []string) string {
	for word := range strings.FieldsSeq(strings.ToLower(text)) {
		key := filterKey.FindString(word)
		isScheme := strings.HasPrefix(word, key+"//")
		if key != "" && !isScheme && !slices.Contains(keys, key) {
			return key
		}
	}
	return ""
}

// unknownKeyWarning returns a line which warns that a word of a filter, such as
// "ownr:", is no key, and lists the keys. It uses the longest wording that fits into
// width cells; the shortest may be wider.
func unknownKeyWarning(key string, keys []string, width int) (line widget.Line) {
	known := strings.Join(keys, " ")
	for _, words := range []string{
		key + " is no key here, so it is searched as text; the keys are ",
		key + " is no key, so it is text; the keys are ",
		key + " is text; keys: ",
		"no " + key + " but ",
		"the keys are ",
		"keys: ",
	} {
		line = widget.In(themes.Warn, " "+themes.GlyphWarn+" ").Muted(words).Text(known)
		if line.Width() <= width {
			break
		}
	}
	return line
}
