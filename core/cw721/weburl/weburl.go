// Package weburl checks URLs as the parser of the compiled contract does, with the
// same error texts.
//
// A library parses URLs by the WHATWG standard. This package adds the texts and the few
// differences between the two parsers. It must not depend on what a URL is used for.
package weburl

import (
	"encoding/hex"
	"errors"
	"regexp"
	"strings"
	"unicode/utf8"

	urlerrors "github.com/nlnwa/whatwg-url/errors"
	"github.com/nlnwa/whatwg-url/url"
	"golang.org/x/net/idna"
)

// FindFault returns the contract's error text if text is not an absolute URL of the WHATWG
// standard (spec §10). It returns "" if text is such a URL.
func FindFault(text string) string {
	// The standard ignores tabs and line breaks anywhere, and blanks and control characters at
	// either end.
	text = tabsAndLineBreaks.Replace(text)
	text = strings.TrimFunc(text, func(r rune) bool { return r <= ' ' })

	// Find the start of the URL, up to the end of its host. A scheme is special if it requires
	// a host, such as https.
	match := specialURL.FindStringSubmatch(text)
	isSpecial := match != nil
	if !isSpecial {
		match = anyURL.FindStringSubmatch(text)
	}
	if match == nil {
		return findLibraryFault(text)
	}

	// A user may have any characters, but takes the library long. The library's time grows
	// with the square of the length, and a user of 64 KiB takes a second. So parse another
	// user instead. In the URL of a file an @ is a part of the host.
	urlStart, authority := match[0], match[1]
	userEnd := strings.LastIndexByte(authority, '@')
	if userEnd > 0 && !fileURL.MatchString(text) {
		hostStart := len(urlStart) - len(authority) + userEnd
		text = urlStart[:hostStart-userEnd] + "u" + text[hostStart:]
	}
	if isSpecial {
		return findLibraryFault(text)
	}

	// Unlike the standard, the contract's parser accepts a lone @ as the host.
	if urlStart == text && authority == "@" {
		return ""
	}

	// Unlike the standard, it also accepts a backslash as the end of the port.
	textWithSlash := portBeforeBackslash.ReplaceAllString(text, "$1/$2")
	return findLibraryFault(textWithSlash)
}

// emptyHost is the contract's text for a URL without a host.
const emptyHost = "empty host"

// faultTexts are the contract's texts for the library's errors.
var faultTexts = map[urlerrors.ErrorType]string{
	urlerrors.MissingSchemeNonRelativeURL: "relative URL without a base",
	urlerrors.HostMissing:                 emptyHost,
	urlerrors.InvalidCredentials:          emptyHost,
	urlerrors.PortOutOfRange:              "invalid port number",
	urlerrors.PortInvalid:                 "invalid port number",
	urlerrors.IPv4TooManyParts:            "invalid IPv4 address",
	urlerrors.IPv4NonNumericPart:          "invalid IPv4 address",
	urlerrors.IPv4OutOfRangePart:          "invalid IPv4 address",
	urlerrors.HostInvalidCodePoint:        "invalid domain character",
}

// Patterns that find the host of a URL and the forms in which parsers differ.
var (
	// specialURL matches a URL whose scheme requires a host, and captures its user,
	// host and port, which follow any number of slashes.
	specialURL = regexp.MustCompile(`(?i)^(?:https?|wss?|ftp|file):[/\\]*([^/\\?#]*)`)
	// fileURL matches the URL of a file.
	fileURL = regexp.MustCompile(`(?i)^file:`)
	// anyURL matches a URL with any scheme, and captures its user, host and port,
	// which follow two slashes.
	anyURL = regexp.MustCompile(`(?i)^[a-z][a-z0-9+.-]*:(?://([^/?#]*))?`)
	// portBeforeBackslash matches a URL whose port ends with a backslash, such as
	// "http://a.b:80\c". It captures the parts before and after the backslash. The port
	// follows the first colon of the host, which follows the last @.
	portBeforeBackslash = regexp.MustCompile(`^([^:]*://(?:[^/?#]*@)?(?:\[[^/?#\]]*\]|[^:/?#@]*):[0-9]*)\\([^@/?#]*(?:[/?#]|$))`)
)

// findLibraryFault parses text as a URL with the library and returns the contract's text for
// the library's error. It returns "" if text is valid.
func findLibraryFault(text string) string {
	_, err := parser.Parse(text)
	if err == nil {
		return ""
	}

	errorType := urlerrors.Type(err)
	if fault, ok := faultTexts[errorType]; ok {
		return fault
	}
	if ipv6Error.MatchString(string(errorType)) {
		return "invalid IPv6 address"
	}

	// Only the text of the library's error shows that nothing was left of a host when it was
	// mapped to ASCII.
	cause := errors.Unwrap(err)
	if errorType == urlerrors.DomainToASCII && cause != nil && cause.Error() == "idna toAscii returned empty string" {
		return emptyHost
	}
	return "invalid international domain name"
}

// ipv6Error matches the library's many types of errors on IPv6 addresses.
var ipv6Error = regexp.MustCompile(`^An (uncompressed )?IPv6|in an IPv6`)

// tabsAndLineBreaks removes tabs and line breaks. It is made once, since that takes longer
// than to parse a URL.
var tabsAndLineBreaks = strings.NewReplacer("\t", "", "\n", "", "\r", "")

// parser is the library's parser. It replaces each host with the one from
// [equivalentHost] before it parses it. With the original hosts, the library would refuse
// names that are only valid after they are mapped to ASCII. It would also accept several
// pairs of brackets around an IPv6 address, and signs in the parts of an IPv4 address.
var parser = url.NewParser(url.WithPreParseHostFunc(equivalentHost))

// hostNameMapper maps host names to ASCII as the URL standard does (UTS 46,
// non-transitional, without the length limits of DNS).
var hostNameMapper = idna.New(
	idna.MapForLookup(), idna.BidiRule(), idna.CheckJoiners(true),
	idna.StrictDomainName(false), idna.CheckHyphens(false), idna.Transitional(false),
)

// Hosts that the library refuses. equivalentHost returns one of them in place of a host that
// must be refused for the same reason.
const (
	invalidIPv6Address = "[x]"
	invalidDomainName  = "xn--a"
	ignoredCharacter   = "\u00ad" // a soft hyphen; nothing is left of it in ASCII
	forbiddenCharacter = "^"      // refused under every scheme
)

// equivalentHost returns an ASCII host to parse in place of the given one. The library
// accepts the result if the URL standard accepts the given host, and otherwise refuses it
// for the right reason.
func equivalentHost(parsedURL *url.Url, host string) string {
	isBracketed := strings.HasPrefix(host, "[")
	if strings.HasPrefix(host, "[[") || isBracketed && strings.HasSuffix(host, "]]") {
		return invalidIPv6Address
	}
	if host == "" || isBracketed {
		return host
	}

	// A host under another scheme than http and the like is not mapped. The library's time for
	// it grows with the square of its length, so a short one is parsed.
	if !parsedURL.IsSpecialScheme() {
		if strings.ContainsFunc(host, func(r rune) bool { return url.ForbiddenHostCodePoint.Test(uint(r)) }) {
			return forbiddenCharacter
		}
		return "g"
	}

	// Map the name to ASCII. Characters like U+2137 only become letters in the first pass. A
	// second pass applies the rule on right-to-left names to those letters.
	name := percentCode.ReplaceAllStringFunc(host, func(code string) string {
		b, _ := hex.DecodeString(code[1:]) // percentCode matches only valid hex
		return string(b)
	})
	if len(name) > maxLabel && hasLongLabel(name) {
		return invalidDomainName
	}
	asciiName, err := hostNameMapper.ToASCII(name)
	if err == nil {
		_, err = hostNameMapper.ToASCII(asciiName)
	}
	if err != nil {
		return invalidDomainName
	}
	if strings.ContainsFunc(asciiName, isForbidden) || emptyPunycode.MatchString(name) {
		return invalidDomainName
	}
	if asciiName == "" {
		return ignoredCharacter
	}

	// The library would take "+1" for a part of an IPv4 address, and a long number with a
	// letter at its end too. It would check "xn--…" again. Any name is as valid here.
	labels := strings.Split(asciiName, ".")
	for i, label := range labels {
		if !ipv4Number.MatchString(label) {
			labels[i] = "g"
		}
	}
	return strings.Join(labels, ".")
}

// maxLabel is the most characters of a label that is not ASCII, and half as many as its
// punycode may have if the URL has that. The contract refuses more.
const maxLabel = 1000

func hasLongLabel(name string) bool {
	isDot := func(r rune) bool { return strings.ContainsRune(".。．｡", r) }
	for label := range strings.FieldsFuncSeq(strings.ToLower(name), isDot) {
		punycode, isPunycode := strings.CutPrefix(label, "xn--")
		if isPunycode && len(punycode) > 2*maxLabel {
			return true
		}
	}

	// The contract counts the characters after mapping. An error is found again later.
	mappedName, _ := hostNameMapper.ToUnicode(name)
	for label := range strings.SplitSeq(mappedName, ".") {
		characters := utf8.RuneCountInString(label)
		if characters > maxLabel && characters < len(label) { // and not ASCII
			return true
		}
	}
	return false
}

// ipv4Number matches a part of an IPv4 address, which can be empty.
var ipv4Number = regexp.MustCompile(`^(?:[0-9]*|0x[0-9a-f]*)$`)

// emptyPunycode matches a label that is marked as punycode but encodes only ASCII.
// The standard refuses such labels, idna does not.
var emptyPunycode = regexp.MustCompile(`(?i)(^|[.。．｡])xn--([^.。．｡]*-)?([.。．｡]|$)`)

func isForbidden(r rune) bool { return url.ForbiddenDomainCodePoint.Test(uint(r)) }

// percentCode matches a byte that a URL writes in hex, such as "%41".
var percentCode = regexp.MustCompile("%[0-9a-fA-F]{2}")
