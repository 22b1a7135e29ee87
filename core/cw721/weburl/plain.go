package weburl

import (
	"regexp"
	"strings"
)

// plain tells of most links that people give to tokens that they are URLs,
// at a tenth of what the whole standard costs: a scheme, a host of plain names
// without a port, and printable ASCII behind it, where nothing can be wrong. All
// that it does not take is for [fault] to judge.
func plain(s string) bool {
	scheme, rest, ok := strings.Cut(s, "://")
	if !ok || !schemeName.MatchString(scheme) {
		return false
	}
	host := rest
	if end := strings.IndexByte(rest, '/'); end >= 0 {
		host = rest[:end]
	}
	if len(host) > maxAuthority {
		return false
	}
	for i := range len(rest) {
		c := rest[i]
		if c <= ' ' || c > '~' || i < len(host) && !plainInHost(c) {
			return false
		}
	}
	if scheme != "http" && scheme != "https" {
		return !specialURL.MatchString(s)
	}
	// Its last name must not be a number, and none be in another alphabet.
	last := host[strings.LastIndexByte(host, '.')+1:]
	return last != "" && last[0]|0x20 >= 'a' && !strings.Contains(host, "--") && !strings.Contains(host, "..") && host[0] != '.'
}

var schemeName = regexp.MustCompile(`(?i)^[a-z][a-z0-9+.-]*$`)

func plainInHost(c byte) bool {
	return 'a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9' || c == '.' || c == '-'
}
