package cw721

import (
	"strings"

	"github.com/nlnwa/whatwg-url/url"
)

// urls is the library with the hosts put right that it judges otherwise than
// the standard does.
var urls = url.NewParser(url.WithPreParseHostFunc(judgeable))

// judgeable gives a host with the verdict of the standard that the library gives
// that verdict too. The library takes more brackets than one pair around an IPv6
// address, and a sign for a part of a number; it takes xn-- with nothing behind
// it; and it takes punctuation in ASCII hosts alone.
func judgeable(u *url.Url, host string) string {
	if strings.HasPrefix(host, "[[") || strings.HasSuffix(host, "]]") {
		return "[x]" // no IPv6 address
	}
	if !u.IsSpecialScheme() || !strings.ContainsAny(host, "+-"+punctuation) {
		return host
	}
	ascii := inASCII(host)
	labels := strings.Split(host, ".")
	for i, label := range labels {
		switch encoded := hasFold(label, "xn--"); {
		case encoded && len(label) == len("xn--"):
			labels[i] = "xn--a" // encodes nothing either
		case !encoded:
			labels[i] = judgeableLabel(label, ascii)
		}
	}
	return strings.Join(labels, ".")
}

// judgeableLabel gives one name of a host as [judgeable] does, ascii tells of what
// kind the host is.
func judgeableLabel(label string, ascii bool) string {
	if !ascii {
		label = strings.Map(func(r rune) rune {
			if strings.ContainsRune(punctuation, r) {
				return '-' // may stand in any host
			}
			return r
		}, label)
	}
	signed := strings.ContainsAny(label, "+-") && strings.Trim(label, "0123456789abcdefABCDEFxX+-") == ""
	if signed || hasFold(label, "xn--") {
		return "g" + label // no number, and encoded no more than it was
	}
	return label
}

// punctuation is what a host may hold besides letters, digits and hyphens.
const punctuation = "!\"$&'()*+,;=_`{}~≠≮≯"

// inASCII tells whether a host is in ASCII as it stands, with nothing encoded.
func inASCII(host string) bool {
	for i := range len(host) {
		if host[i] >= 0x80 || host[i] == '%' || hasFold(host[i:], "xn--") {
			return false
		}
	}
	return true
}

func hasFold(s, prefix string) bool {
	return len(s) >= len(prefix) && strings.EqualFold(s[:len(prefix)], prefix)
}
