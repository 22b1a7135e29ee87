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
	"ephemera/ui/app"
	"ephemera/ui/form"
)

// tokenFilter is what was typed behind "/", understood. Its parts all must
// hold. Those but words are answered by an index; words must be looked for.
type tokenFilter struct {
	words   []string // in lower case
	owner   cw721.Address
	spender cw721.Address
	within  *expiresWithin
}

// expiresWithin is how soon an approval must expire.
type expiresWithin struct {
	far       string // blocks or a time, as it was typed
	inclusive bool
}

// filterHelp is how a filter can be typed.
const filterHelp = "text · owner:alice · spender:bob · expires<10 or <90m"

// tokenKeys are the keys that a filter has.
var tokenKeys = []string{"owner:", "spender:", "expires<"}

// expiresForm is the filter by expiry; "ends<" is its older spelling.
var expiresForm = regexp.MustCompile(`(?i)(^|\s)(?:expires|ends)\s*(<=?)\s*`)

// respelled gives a filter with its condition on the expiry in one spelling.
func respelled(text string) string {
	return expiresForm.ReplaceAllString(text, "${1}expires$2")
}

// parseFilter reads a filter. Accounts are names or addresses.
func parseFilter(text string, accounts []chain.Account) (f tokenFilter, err error) {
	for _, word := range strings.Fields(respelled(text)) {
		key, value, found := strings.Cut(word, ":")
		switch key = strings.ToLower(key); {
		case found && value == "" && (key == "owner" || key == "spender"), key == "expires<", key == "expires<=":
			// not typed to its end yet
		case found && (key == "owner" || key == "spender"):
			a, err := accountNamed(key, value, accounts)
			if err != nil {
				return f, err
			}
			if key == "owner" {
				f.owner = a
			} else {
				f.spender = a
			}
		case strings.HasPrefix(key, "expires<"):
			if f.within, err = parseWithin(strings.ToLower(word[len("expires<"):])); err != nil {
				return f, err
			}
		default:
			f.words = append(f.words, strings.ToLower(word))
		}
	}
	return f, nil
}

// accountNamed finds an account by name; what looks like an address is taken as
// it is, because an owner need not have a name.
func accountNamed(field, value string, accounts []chain.Account) (cw721.Address, error) {
	a := app.Address(accounts, value)
	named := slices.ContainsFunc(accounts, func(x chain.Account) bool { return x.Address == a })
	if !named && len(a) < form.MinAddressLength {
		return "", fmt.Errorf("%s: nobody is called %q", field, value)
	}
	return a, nil
}

func parseWithin(text string) (*expiresWithin, error) {
	w := &expiresWithin{}
	w.far, w.inclusive = strings.CutPrefix(text, "=")
	if _, err := w.end(chain.Clock{}); err != nil {
		return nil, fmt.Errorf("expires: %q is neither blocks nor a time, expected like expires<10 or expires<90m", w.far)
	}
	return w, nil
}

// end is the moment that is so far ahead of a clock.
func (w *expiresWithin) end(c chain.Clock) (cw721.Expiration, error) {
	return chain.MomentParser{Exact: true}.Parse("+"+w.far, c)
}

// before is the estimated time, in nanoseconds, from which an expiry is too late.
func (w *expiresWithin) before(c chain.Clock) uint64 {
	far := uint64(math.MaxUint64) // where that is beyond what a clock holds
	if e, err := w.end(c); err == nil {
		far = app.Estimate(c, e)
	}
	if w.inclusive && far != math.MaxUint64 {
		far++
	}
	return far
}

// scans tells that tokens must be read one by one.
func (f tokenFilter) scans() bool { return len(f.words) > 0 }

// byExpiry tells that what is left of the filter without its words is answered
// from the index by expiry, in its order.
func (f tokenFilter) byExpiry() bool { return f.spender != "" || f.within != nil }

// list is the part of the index that answers the filter.
func (f tokenFilter) list(live bool) expiry.List {
	l := expiry.List{Live: live || f.within != nil}
	if f.spender != "" {
		l.Spender = f.spender
	} else {
		l.Owner = f.owner
	}
	return l
}

// asksFor tells whether a grant is one that the filter is about.
func (f tokenFilter) asksFor(g cw721.Grant) bool {
	return g.Kind == cw721.GrantApproval &&
		(f.owner == "" || g.Owner == f.owner) && (f.spender == "" || g.Spender == f.spender)
}

// matches tells whether a token holds all words: in its id, its URI or its name.
func (f tokenFilter) matches(t chain.Token) bool {
	text := t.ID
	if t.TokenURI != nil {
		text += "\n" + *t.TokenURI
	}
	if m := t.Extension.Metadata; m != nil && m.Name != nil {
		text += "\n" + *m.Name
	}
	text = strings.ToLower(text)
	return !slices.ContainsFunc(f.words, func(word string) bool { return !strings.Contains(text, word) })
}

// begun tells whether a text ends with the beginning of a word that has a
// meaning, so that it is no text to look for while it is being typed.
func begun(text string) bool {
	word := strings.ToLower(text[strings.LastIndexByte(text, ' ')+1:])
	for _, key := range append(tokenKeys, "ends<") {
		if word != "" && word != key && strings.HasPrefix(key, word) {
			return true
		}
	}
	return false
}

// completeFilter gives the text with its last word, an account that is being
// typed, completed; the same text when there is nothing to complete.
func completeFilter(text string, accounts []chain.Account) string {
	cut := strings.LastIndexByte(text, ' ') + 1
	word := text[cut:]
	for _, key := range []string{"owner:", "spender:"} {
		if word != "" && strings.HasPrefix(key, strings.ToLower(word)) {
			return text[:cut] + key
		}
		value, ok := strings.CutPrefix(strings.ToLower(word), key)
		if !ok {
			continue
		}
		for _, a := range accounts {
			if strings.HasPrefix(strings.ToLower(a.Name), value) {
				return text[:cut] + key + a.Name
			}
		}
	}
	return text
}
