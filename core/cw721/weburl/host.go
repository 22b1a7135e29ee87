package weburl

import (
	"encoding/hex"
	"regexp"
	"strings"

	"github.com/nlnwa/whatwg-url/url"
	"golang.org/x/net/idna"
)

// urls is the library with hosts judged by [standardHost] first: on its own it
// refuses names that only become good once they are mapped to ASCII, takes more
// than one pair of brackets around an IPv6 address, and takes a sign for a part
// of a number.
var urls = url.NewParser(url.WithPreParseHostFunc(standardHost))

// hostNames maps the names of hosts to ASCII as the URL standard asks
// (UTS 46, non-transitional, without the limits of DNS).
var hostNames = idna.New(
	idna.MapForLookup(), idna.BidiRule(), idna.CheckJoiners(true),
	idna.StrictDomainName(false), idna.CheckHyphens(false), idna.Transitional(false),
)

// Hosts with a verdict that the library and the contract share.
const (
	noIPv6Address = "[x]"
	noDomainName  = "xn--a"
	noName        = "\u00ad" // maps to nothing
)

// standardHost gives a plain ASCII host that the library judges as the URL
// standard judges the given one.
func standardHost(u *url.Url, host string) string {
	switch {
	case strings.HasPrefix(host, "[[") || strings.HasSuffix(host, "]]"):
		return noIPv6Address
	case !u.IsSpecialScheme() || host == "" || host[0] == '[':
		return host
	}
	name := percentDecoded(host)
	ascii, err := hostNames.ToASCII(name)
	if err == nil {
		// Only now are the letters there that characters like U+2137 stand for,
		// so that the rule on right-to-left names can be applied to them.
		_, err = hostNames.ToASCII(ascii)
	}
	switch {
	case err != nil || strings.ContainsFunc(ascii, forbidden) || encodesNothing.MatchString(name):
		return noDomainName
	case ascii == "":
		return noName
	}
	labels := strings.Split(ascii, ".")
	for i, label := range labels {
		if strings.ContainsAny(label, "+-") {
			labels[i] = "g" // neither a number nor encoded, and nor is this
		}
	}
	return strings.Join(labels, ".")
}

// encodesNothing finds a label that is marked as encoded and holds only ASCII,
// which the standard refuses and idna does not.
var encodesNothing = regexp.MustCompile(`(?i)(^|[.。．｡])xn--([^.。．｡]*-)?([.。．｡]|$)`)

func forbidden(r rune) bool { return url.ForbiddenDomainCodePoint.Test(uint(r)) }

var percentCode = regexp.MustCompile("%[0-9a-fA-F]{2}")

// percentDecoded puts the bytes in place that %41 and the like stand for; a %
// that begins no code stays.
func percentDecoded(s string) string {
	return percentCode.ReplaceAllStringFunc(s, func(code string) string {
		b, _ := hex.DecodeString(code[1:]) // the pattern lets nothing else pass
		return string(b)
	})
}
