// Package weburl tells URLs as the compiled contract's parser does, in its words.
//
// A library judges by the WHATWG standard; what is here are the texts, the few
// points in which the parser and the library differ, and a quick way for plain
// links. The package must never know what a URL is for.
package weburl

import (
	stderrors "errors"
	"regexp"
	"strings"

	"github.com/nlnwa/whatwg-url/errors"
)

// Fault says in the words of the contract's parser why a text is no URL of the
// WHATWG standard, without a base (spec §10); "" for one that is.
func Fault(s string) string {
	if plain(s) {
		return ""
	}
	return fault(s)
}

const emptyHost = "empty host"

// faults puts the contract's text to what the library finds.
var faults = map[errors.ErrorType]string{
	errors.MissingSchemeNonRelativeURL: "relative URL without a base",
	errors.HostMissing:                 emptyHost,
	errors.InvalidCredentials:          emptyHost,
	errors.PortOutOfRange:              "invalid port number",
	errors.PortInvalid:                 "invalid port number",
	errors.IPv4TooManyParts:            "invalid IPv4 address",
	errors.IPv4NonNumericPart:          "invalid IPv4 address",
	errors.IPv4OutOfRangePart:          "invalid IPv4 address",
	errors.HostInvalidCodePoint:        "invalid domain character",
}

// maxAuthority bounds what stands between the slashes and the path, in bytes.
// The library's time grows with the square of it: a quarter of a megabyte takes
// minutes. No host has a name of this length.
const maxAuthority = 4096

var (
	// specialURL begins with a scheme that needs a host, which stands behind any
	// number of slashes, with its user and its port.
	specialURL = regexp.MustCompile(`(?i)^(?:https?|wss?|ftp|file):[/\\]*([^/\\?#]*)`)
	// otherURL begins with any other scheme, and may have a host behind two.
	otherURL = regexp.MustCompile(`(?i)^[a-z][a-z0-9+.-]*:(?://([^/?#]*))?`)
	// portBefore finds the port that a backslash ends: behind the first colon of
	// the host, which stands behind the last @.
	portBefore = regexp.MustCompile(`^([^:]*://(?:[^/?#]*@)?(?:\[[^/?#\]]*\]|[^:/?#@]*):[0-9]*)\\([^@/?#]*(?:[/?#]|$))`)
)

func fault(s string) string {
	s = stripped(s)
	parts, special := specialURL.FindStringSubmatch(s), true
	if parts == nil {
		parts, special = otherURL.FindStringSubmatch(s), false
	}
	if parts != nil && len(parts[1]) > maxAuthority {
		return "the host is longer than 4096 bytes"
	}
	// In two cases the contract's parser disagrees with the standard: it lets a
	// host pass that is a lone @, and a backslash end the port.
	if !special && parts != nil {
		if parts[0] == s && parts[1] == "@" {
			return ""
		}
		s = portBefore.ReplaceAllString(s, "$1/$2")
	}
	_, err := urls.Parse(s)
	if err == nil {
		return ""
	}
	kind := errors.Type(err)
	if text, ok := faults[kind]; ok {
		return text
	}
	switch {
	case strings.HasPrefix(string(kind), "An IPv6"), strings.HasPrefix(string(kind), "An uncompressed IPv6"), strings.Contains(string(kind), "in an IPv6"):
		return "invalid IPv6 address"
	case kind == errors.DomainToASCII && nothingLeft(err):
		return emptyHost
	}
	return "invalid international domain name"
}

// stripped takes off what the standard does not look at.
func stripped(s string) string {
	s = strings.NewReplacer("\t", "", "\n", "", "\r", "").Replace(s)
	return strings.TrimFunc(s, func(r rune) bool { return r <= ' ' })
}

// nothingLeft tells whether a host vanished when it was put into ASCII, which
// the library does not tell from other faults by type.
func nothingLeft(err error) bool {
	cause := stderrors.Unwrap(err)
	return cause != nil && cause.Error() == "idna toAscii returned empty string"
}
