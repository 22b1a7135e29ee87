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

// Filter is a parsed filter of a list of tokens or grants, such as "owner:alice expires<10
// laser". The list shows the rows that meet all conditions. The chain has indexes for Owner,
// Spender and limit. For the others, the rows must be searched one by one.
type Filter struct {
	Words      []string      // words in lower case; each must be in a text of the row
	Token      string        // the id of the token that a grant covers, as in "token:ape-01"; "" for any
	Owner      cw721.Address // the owner, as in "owner:alice", who gave a grant; "" for any
	Spender    cw721.Address // who was given an approval, or is an operator; "" for any
	Mover      cw721.Address // who may transfer the token, as in "can:bob"; "" for any
	IsDangling bool          // only what [explain.Dangling] finds, as in "is:dangling"
	limit      *expiryLimit  // how soon the grant must expire; nil for any expiry
}

// expiryLimit is a condition on how soon a grant expires, such as "expires<10" for less than
// ten blocks from now, or "expires<=90m" for at most 90 minutes from now.
type expiryLimit struct {
	distance    string // the text behind the sign: blocks such as "10", or a duration such as "90m"
	isInclusive bool   // the sign is "<=" and not "<"
}

// danglingCondition is the condition on grants that they dangle.
const danglingCondition = "is:dangling"

// The keys that a filter can have, which begin its conditions. "can:" is for an account that
// may transfer the token. "by:" is the same as "owner:".
var (
	TokenFilterKeys = []string{"owner:", "spender:", "can:", "expires<"}
	GrantFilterKeys = []string{"token:", "by:", "spender:", "owner:", "expires<", danglingCondition}
)

// minAddressLength is the least length of a text in a filter that is taken for an address if
// no account has it as its name.
const minAddressLength = 30

// expiryCondition matches the condition on the expiry. "ends<" is its older spelling.
var expiryCondition = regexp.MustCompile(`(?i)(^|\s)(?:expires|ends)\s*(<=?)\s*`)

// normalizeFilter rewrites the condition on the expiry as one word without spaces, and with
// its present name. For example, "ends < 10" becomes "expires<10".
func normalizeFilter(text string) string {
	return expiryCondition.ReplaceAllString(text, "${1}expires$2")
}

// ParseWords parses a filter that has words only. It never fails.
func ParseWords(text string, _ []string, _ chain.Book) (Filter, error) {
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

// ParseFilter parses a filter such as "owner:alice expires<10 laser" that can have some keys.
// Accounts can be names of the address book or addresses. A condition without a value, such as
// "owner:", is ignored, because the user may still be typing. ParseFilter fails for an unknown
// name and for a limit that is neither blocks nor a duration.
func ParseFilter(text string, keys []string, book chain.Book) (filter Filter, err error) {
	for word := range strings.FieldsSeq(normalizeFilter(text)) {
		if unknownFilterKey(word, keys) != "" {
			filter.Words = append(filter.Words, strings.ToLower(word))
			continue
		}
		if err := filter.addWord(word, book); err != nil {
			return filter, err
		}
	}
	return filter, nil
}

// addWord adds the condition that one word of a filter states, such as "owner:alice". A word
// that begins with no known key, such as "laser" or "color:red", is a text to search for.
func (f *Filter) addWord(word string, book chain.Book) (err error) {
	lowerWord := strings.ToLower(word)
	if limit, found := strings.CutPrefix(lowerWord, "expires<"); found {
		if limit == "" || limit == "=" {
			return nil // the user has not typed the limit yet
		}
		f.limit, err = parseExpiryLimit(limit)
		return err
	}

	// All other conditions have a colon, most of them with the name of an account behind it.
	key := word[:strings.IndexByte(word, ':')+1]
	value := word[len(key):]
	switch strings.ToLower(key) {
	case "token:":
		f.Token = value
	case "is:":
		f.IsDangling = value != "" // the beginning of the word is enough
		if !strings.HasPrefix(danglingCondition, lowerWord) {
			err = fmt.Errorf("is: %q is no such condition, expected %s", value, danglingCondition)
		}
	case "owner:", "by:":
		f.Owner, err = parseAccount(strings.TrimSuffix(strings.ToLower(key), ":"), value, book)
	case "spender:":
		f.Spender, err = parseAccount("spender", value, book)
	case "can:":
		f.Mover, err = parseAccount("can", value, book)
	default:
		f.Words = append(f.Words, lowerWord)
	}
	return err
}

// parseAccount returns the address of the account with a name. value can also be an address
// of an account without a name: it is taken for one if it is long enough. An empty value
// gives an empty address. field begins the text of the error.
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
	limit.distance, limit.isInclusive = strings.CutPrefix(text, "=")
	_, err := limit.momentAfter(chain.Clock{})
	if err != nil {
		return nil, fmt.Errorf(
			"expires: %q is neither blocks nor a time, expected like expires<10 or expires<90m",
			limit.distance,
		)
	}
	return limit, nil
}

// momentAfter returns the height or time that the limit is at, counted from the present of a
// clock. For example, 10 blocks after height 100 is height 110. It fails if the distance
// cannot be parsed, or if the moment is too late to be represented.
func (l *expiryLimit) momentAfter(clock chain.Clock) (cw721.Expiration, error) {
	return human.MomentParser{KeepsFraction: true}.Parse("+"+l.distance, clock.Block())
}

// IsTooLate reports whether an expiry is later than the filter allows. A grant that never
// expires is too late for every limit. To compare a height with a time, IsTooLate estimates
// the time of the height.
func (f Filter) IsTooLate(clock chain.Clock, expiration cw721.Expiration) bool {
	if f.limit == nil {
		return false
	}
	// The estimated time of "never" is the largest number.
	return EstimatedTime(clock, expiration) >= f.FirstTooLate(clock)
}

// FirstTooLate returns the first block time that is too late for the filter's limit, in
// nanoseconds since 1970. The filter must have a limit.
func (f Filter) FirstTooLate(clock chain.Clock) uint64 {
	moment, err := f.limit.momentAfter(clock)
	if err != nil {
		return math.MaxUint64 // the limit is later than any moment
	}
	firstTooLate := EstimatedTime(clock, moment)
	if f.limit.isInclusive && firstTooLate != math.MaxUint64 {
		firstTooLate++ // the limit itself is allowed
	}
	return firstTooLate
}

// HasLimit reports whether the filter limits the expiry.
func (f Filter) HasLimit() bool { return f.limit != nil }

// IsSearch reports whether rows must be searched one by one, because no index of the chain
// has all matches.
func (f Filter) IsSearch() bool {
	return len(f.Words) > 0 || f.Mover != "" || f.Token != "" || f.IsDangling
}

// IsByExpiry reports whether the filter has a condition on approvals. The matching tokens
// are then found in the index of grants by expiry, so they are listed in the order of
// expiry.
func (f Filter) IsByExpiry() bool { return f.Spender != "" || f.limit != nil }

// Narrow returns a list of grants by expiry that is reduced to what an index of the chain
// can find: the grants to the filter's spender, or if it has none, those of its owner.
// Without either, the list stays complete. Every match of the filter is in the list.
func (f Filter) Narrow(list expiry.List) expiry.List {
	// A limit on the expiry leaves out expired grants.
	list.OnlyLive = list.OnlyLive || f.limit != nil
	if f.Spender != "" {
		list.Spender = f.Spender
	} else {
		list.Owner = f.Owner
	}
	return list
}

// MatchesAccounts reports whether a grant was given by the filter's owner and to the
// filter's spender. It checks no other condition of the filter.
func (f Filter) MatchesAccounts(grant cw721.Grant) bool {
	return (f.Owner == "" || grant.Owner == f.Owner) && (f.Spender == "" || grant.Spender == f.Spender)
}

// minAddressPart is the least length of a word that is searched for in addresses. A shorter
// word would be found in too many addresses.
const minAddressPart = 6

// MatchesText reports whether a row matches the words of the filter. Each word must be in
// one of the texts, whatever the case of its letters, or be a long part of one of the
// addresses.
func (f Filter) MatchesText(texts []string, addresses ...cw721.Address) bool {
	if len(f.Words) == 0 {
		return true
	}
	joinedTexts := strings.ToLower(strings.Join(texts, "\n"))
	for _, word := range f.Words {
		isInAddress := len(word) >= minAddressPart && slices.ContainsFunc(addresses,
			func(address cw721.Address) bool { return strings.Contains(string(address), word) })
		if !isInAddress && !strings.Contains(joinedTexts, word) {
			return false
		}
	}
	return true
}

// endsWithIncompleteKey reports whether the last word of a text is an incomplete key, such as
// "own" for "owner:", which is not searched for as text while the user is typing.
func endsWithIncompleteKey(text string, keys []string) bool {
	wordStart := strings.LastIndexByte(text, ' ') + 1
	lastWord := strings.ToLower(text[wordStart:])
	return lastWord != "" && slices.ContainsFunc(keys, func(key string) bool {
		return lastWord != key && strings.HasPrefix(key, lastWord)
	})
}

// completeFilter completes the last word of a filter if it can: a key, such as "own" to
// "owner:", and behind a key the name of an account, such as "owner:al" to "owner:alice".
func completeFilter(text string, keys []string, accounts []chain.Account) string {
	wordStart := strings.LastIndexByte(text, ' ') + 1
	lastWord := strings.ToLower(text[wordStart:])
	if lastWord == "" {
		return text
	}
	for _, key := range keys {
		if strings.HasPrefix(key, lastWord) {
			return text[:wordStart] + key
		}

		// If the word begins with this key, complete the name behind it.
		name, hasKey := strings.CutPrefix(lastWord, key)
		takesAccount := strings.HasSuffix(key, ":") && key != "token:"
		if !hasKey || !takesAccount {
			continue
		}
		for _, account := range accounts {
			if strings.HasPrefix(strings.ToLower(account.Name), name) {
				return text[:wordStart] + key + account.Name
			}
		}
	}
	return text
}

// filterKey matches the beginning of a word that looks like the key of a filter, such as
// "owner:" or "expires<".
var filterKey = regexp.MustCompile(`^[a-z_]+[:<>=]`)

// unknownFilterKey returns the first thing in a filter that looks like a key but is not one
// of keys, such as "color:" in "color:red". It is empty if there is none. The beginning of
// a URI, such as "https:", does not count. The filter is still valid, because the id of a
// token may look like this.
func unknownFilterKey(text string, keys []string) string {
	for word := range strings.FieldsSeq(strings.ToLower(text)) {
		key := filterKey.FindString(word)
		isKnown := slices.ContainsFunc(keys, func(known string) bool { return strings.HasPrefix(known, key) })
		if key != "" && !isKnown && !strings.HasPrefix(word, key+"//") {
			return key
		}
	}
	return ""
}

// unknownKeyWarning returns a line which warns that a word of a filter, such as "ownr:", is no
// key, and lists the keys: the longest wording that fits into width cells, or the shortest.
func unknownKeyWarning(key string, keys []string, width int) (line widget.Line) {
	keyList := strings.Join(keys, " ")
	wordings := []string{ // the longest first
		key + " is no key here, so it is searched as text; the keys are ",
		key + " is text; keys: ",
		"no " + key + " but ",
		"keys: ",
	}
	for _, wording := range wordings {
		line = widget.Styled(themes.Warn, " "+themes.GlyphWarn+" ").Muted(wording).Text(keyList)
		if line.Width() <= width {
			break
		}
	}
	return line
}
