package weburl

import (
	"encoding/hex"
	"regexp"
	"strings"

	"github.com/nlnwa/whatwg-url/url"
	"golang.org/x/net/idna"
)

// parser is the library's parser with hosts replaced by [equivalentHost]. Without it
// the library refuses names that are only valid after they are mapped to ASCII,
// accepts several pairs of brackets around an IPv6 address, and accepts signs in the
// parts of an IPv4 address.
var parser = url.NewParser(url.WithPreParseHostFunc(equivalentHost))

// hostNames maps host names to ASCII as the URL standard does (UTS 46,
// non-transitional, without the length limits of DNS).
var hostNames = idna.New(
	idna.MapForLookup(), idna.BidiRule(), idna.CheckJoiners(true),
	idna.StrictDomainName(false), idna.CheckHyphens(false), idna.Transitional(false),
)

// Hosts that the library refuses with the error that the contract gives too.
const (
	invalidIPv6Address = "[x]"
	invalidDomainName  = "xn--a"
	ignoredCharacter   = "\u00ad" // becomes an empty host
)

// equivalentHost returns an ASCII host that the library accepts or refuses as the URL
// standard does the given one.
func equivalentHost(u *url.Url, host string) string {
	if strings.HasPrefix(host, "[[") || strings.HasSuffix(host, "]]") {
		return invalidIPv6Address
	}
	if !u.IsSpecialScheme() || host == "" || host[0] == '[' {
		return host
	}

	name := decodePercent(host)
	ascii, err := hostNames.ToASCII(name)
	if err == nil {
		// Characters like U+2137 only become letters in the first pass. The second
		// one applies the rule on right-to-left names to those letters.
		_, err = hostNames.ToASCII(ascii)
	}
	if err != nil || strings.ContainsFunc(ascii, isForbidden) || emptyPunycode.MatchString(name) {
		return invalidDomainName
	}
	if ascii == "" {
		return ignoredCharacter
	}

	labels := strings.Split(ascii, ".")
	for i, label := range labels {
		if strings.ContainsAny(label, "+-") {
			labels[i] = "g" // like label, neither a number nor punycode
		}
	}
	return strings.Join(labels, ".")
}

// emptyPunycode matches a label that is marked as punycode but encodes only ASCII.
// The standard refuses such labels, idna does not.
var emptyPunycode = regexp.MustCompile(`(?i)(^|[.。．｡])xn--([^.。．｡]*-)?([.。．｡]|$)`)

func isForbidden(r rune) bool { return url.ForbiddenDomainCodePoint.Test(uint(r)) }

var percentCode = regexp.MustCompile("%[0-9a-fA-F]{2}")

// decodePercent replaces codes such as %41 with their bytes. A % that does not begin
// a code is kept.
func decodePercent(s string) string {
	return percentCode.ReplaceAllStringFunc(s, func(code string) string {
		b, _ := hex.DecodeString(code[1:]) // percentCode matches only valid hex
		return string(b)
	})
}
