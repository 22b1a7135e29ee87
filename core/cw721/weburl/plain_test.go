package weburl

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// What is taken on its looks must be what the whole standard takes.
func TestAPlainURLIsAURL(t *testing.T) {
	taken := 0
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.StringMatching(`(https?|ipfs|ar|ws|FTP|[a-z][a-z0-9+.-]{0,4})://[a-zA-Z0-9.x_-]{0,12}(\.(io|com|[0-9a-fx]{1,4}|xn--[a-z]{2}))?(/{1,4}[!-~]{0,12})?`).Draw(t, "text")
		if plain(s) {
			taken++
			if text := fault(s); text != "" {
				t.Errorf("%q: %s", s, text)
			}
		}
	})
	if taken == 0 {
		t.Error("none of them was plain")
	}
}

func TestTheLinksThatPeopleGiveArePlain(t *testing.T) {
	for s, want := range map[string]bool{
		"ipfs://bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi/1.json": true,
		"https://example.com/a/b.png?size=2#x":                                      true, "ar://x_y": false, "https://apes.io": true, "http://a.b/%zz": true,
		"https://1.2.3.4/": false, "https://a.0x1": false, "https://xn--a.io": false, "https://a..b": false, "https://.a": false,
		"https://u@a.io": false, "https://a.io:80": false, "https:///a": false, "https://": false, "ftp://a.io": false, "HTTPS://a.io": false,
		"a b://c": false, "://a": false, "https://a.io/ü": false, " https://a.io": false, "https://a.io\\b": false, "https://a.io?x": false, "ipfs://": true,
		"https://" + strings.Repeat("a", maxAuthority) + ".io": false, "ipfs://" + strings.Repeat("a", maxAuthority+1) + "/1": false,
	} {
		if got := plain(s); got != want {
			t.Errorf("%q: %t", s, got)
		}
	}
}
