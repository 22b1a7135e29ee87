package weburl

import (
	"regexp"
	"strings"
)

// isPlainURL reports whether s is a URL of a simple form: a scheme, a host of ASCII
// names without a port, and printable ASCII behind it. Most links of tokens are, and
// recognising them costs a tenth of parsing. A text that is not plain may still be a
// URL, which [parseFault] finds out.
func isPlainURL(s string) bool {
	scheme, hostAndPath, ok := strings.Cut(s, "://")
	if !ok || !schemeName.MatchString(scheme) {
		return false
	}

	host, path, _ := strings.Cut(hostAndPath, "/")
	isPrintable := strings.Trim(path, printableASCII) == ""
	if len(host) > maxAuthority || strings.Trim(host, hostCharacters) != "" || !isPrintable {
		return false
	}

	if scheme == "http" || scheme == "https" {
		return isPlainHost(host)
	}
	return !specialURL.MatchString(s)
}

const (
	hostCharacters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-"
	printableASCII = hostCharacters + "!\"#$%&'()*+,/:;<=>?@[\\]^_`{|}~" // without the blank
)

var schemeName = regexp.MustCompile(`(?i)^[a-z][a-z0-9+.-]*$`)

// isPlainHost reports whether a host of hostCharacters is valid because it cannot be
// an IPv4 address or punycode and has no empty label.
func isPlainHost(host string) bool {
	lastLabel := host[strings.LastIndexByte(host, '.')+1:]
	if lastLabel == "" {
		return false
	}

	startsWithLetter := lastLabel[0]|0x20 >= 'a'
	hasEmptyLabel := host[0] == '.' || strings.Contains(host, "..")
	canBePunycode := strings.Contains(host, "--")
	return startsWithLetter && !hasEmptyLabel && !canBePunycode
}
