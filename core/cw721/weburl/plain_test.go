package weburl

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestAPlainURLHasNoFault(t *testing.T) {
	plainCount := 0
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.StringMatching(`(https?|ipfs|ar|ws|FTP|[a-z][a-z0-9+.-]{0,4})://[a-zA-Z0-9.x_-]{0,12}(\.(io|com|[0-9a-fx]{1,4}|xn--[a-z]{2}))?(/{1,4}[!-~]{0,12})?`).Draw(t, "text")
		if !isPlainURL(s) {
			return
		}
		plainCount++
		if fault := parseFault(s); fault != "" {
			t.Errorf("%q is plain and has the fault %s", s, fault)
		}
	})

	if plainCount == 0 {
		t.Error("no text was a plain URL")
	}
}

func TestOnlySimpleLinksArePlain(t *testing.T) {
	longHost := strings.Repeat("a", maxAuthority+1)
	for _, s := range []string{
		"ipfs://bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi/1.json", "ipfs://",
		"https://example.com/a/b.png?size=2#x", "https://apes.io", "http://a.b/%zz",
	} {
		if !isPlainURL(s) {
			t.Errorf("%q is not plain", s)
		}
	}
	for _, s := range []string{
		"https://1.2.3.4/", "https://a.0x1", "https://xn--a.io", "https://a..b", "https://.a", "ar://x_y",
		"https://u@a.io", "https://a.io:80", "https:///a", "https://", "ftp://a.io", "HTTPS://a.io",
		"a b://c", "://a", "https://a.io/ü", " https://a.io", "https://a.io\\b", "https://a.io?x",
		"https://" + longHost + ".io", "ipfs://" + longHost + "/1",
	} {
		if isPlainURL(s) {
			t.Errorf("%q is plain", s)
		}
	}
}
