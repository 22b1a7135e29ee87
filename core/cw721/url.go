package cw721

import (
	stderrors "errors"
	"regexp"
	"slices"
	"strings"

	"github.com/nlnwa/whatwg-url/errors"
)

// checkURL holds s to the WHATWG URL standard, without a base, and refuses
// with the contract's parser's text (spec §10).
func checkURL(s, field string) error {
	if plainURL(s) {
		return nil
	}
	if text := urlFault(s); text != "" {
		return &Error{Kind: KindURL, Text: text, Field: field}
	}
	return nil
}

const emptyHost = "empty host"

// urlFaults puts the contract's text to what the library finds.
var urlFaults = map[errors.ErrorType]string{
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

func urlFault(s string) string {
	if len(s) > maxAuthority && len(authority(stripped(s))) > maxAuthority {
		return "the host is longer than 4096 bytes"
	}
	_, err := urls.Parse(portEnded(s))
	if err == nil {
		return ""
	}
	kind := errors.Type(err)
	if text, ok := urlFaults[kind]; ok {
		if text == emptyHost && bareAt(s) {
			return ""
		}
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

// special are the schemes that need a host.
var special = []string{"http:", "https:", "ws:", "wss:", "ftp:", "file:"}

// portBefore finds the port of a URL that a backslash ends: behind the first
// colon of the host, which stands behind the last @.
var portBefore = regexp.MustCompile(`^([^:]*://(?:[^/?#]*@)?(?:\[[^/?#\]]*\]|[^:/?#@]*):[0-9]*)\\([^@/?#]*(?:[/?#]|$))`)

// portEnded puts a slash where a backslash ends the port. The contract's parser
// takes it for an end under every scheme, the standard only under some.
func portEnded(s string) string {
	if plain := stripped(s); !isSpecial(plain[:schemeEnd(plain)]) {
		return portBefore.ReplaceAllString(plain, "$1/$2")
	}
	return s
}

// bareAt tells whether an authority is a lone @ and the text ends there. The
// contract's parser lets that pass where the scheme needs no host, against the
// standard; it is the one case in which the two disagree.
func bareAt(s string) bool {
	s = stripped(s)
	end := schemeEnd(s)
	return s[end:] == "//@" && !isSpecial(s[:end])
}

// isSpecial tells whether a scheme, colon included, needs a host.
func isSpecial(scheme string) bool {
	return slices.ContainsFunc(special, func(name string) bool { return strings.EqualFold(name, scheme) })
}

// stripped takes off what the standard does not look at.
func stripped(s string) string {
	s = strings.NewReplacer("\t", "", "\n", "", "\r", "").Replace(s)
	return strings.TrimFunc(s, func(r rune) bool { return r <= ' ' })
}

// authority gives what stands between the slashes and the path, where there is
// such a thing: user, host and port. Without a scheme there is none.
func authority(s string) string {
	end := schemeEnd(s)
	rest, slashes, ok := s[end:], "/", true
	if end == 0 {
		return ""
	}
	if isSpecial(s[:end]) {
		slashes = `/\` // any number of them, also none
		rest = strings.TrimLeft(rest, slashes)
	} else if rest, ok = strings.CutPrefix(rest, "//"); !ok {
		return ""
	}
	if end := strings.IndexAny(rest, slashes+"?#"); end >= 0 {
		return rest[:end]
	}
	return rest
}

// schemeEnd gives where the scheme ends, its colon included; 0 where there is
// none.
func schemeEnd(s string) int {
	for i, c := range []byte(s) {
		letter := 'a' <= c|0x20 && c|0x20 <= 'z'
		switch {
		case c == ':' && i > 0:
			return i + 1
		case letter, i > 0 && ('0' <= c && c <= '9' || c == '+' || c == '-' || c == '.'):
		default:
			return 0
		}
	}
	return 0
}

// nothingLeft tells whether a host vanished when it was put into ASCII, which
// the library does not tell from other faults by type.
func nothingLeft(err error) bool {
	cause := stderrors.Unwrap(err)
	return cause != nil && cause.Error() == "idna toAscii returned empty string"
}
