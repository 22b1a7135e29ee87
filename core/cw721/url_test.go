package cw721_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"ephemera/core/cw721"
	"ephemera/core/kv"
	"ephemera/core/kv/kvtest"
	"ephemera/core/wire"
)

func TestEveryURLGetsTheContractsVerdict(t *testing.T) {
	for url, verdict := range urlVectors(t) {
		expectURLVerdict(t, url, verdict)
	}
}

func TestALongURLIsJudgedLikeAShortOne(t *testing.T) {
	long := strings.Repeat("x", 60_000)
	manyAt := strings.Repeat("@", 60_000)
	for verdict, urls := range map[string][]string{
		"ok": {
			"data:," + long, "ipfs://h/" + long, "https://h?" + long, `https:\\h\` + long, "a:" + long, "https://h#" + manyAt,
			"urn:" + strings.Repeat("%", 60_000), "https:" + strings.Repeat("/", 60_000) + "h", "https://" + strings.Repeat("x", 4096),
			"a://" + strings.Repeat("%", 60_000), "https:" + long, `HTTPS:\/` + long + `\p`, " a\t:\n//" + long + "/", "wss://" + long + "@h",
			"http://" + manyAt + "h", "x://" + long + ":" + manyAt[:9_000] + "h:80/p", "http://h:" + strings.Repeat("0", 60_000) + "80", "http://" + strings.Repeat("a.", 30_000) + "b",
			"http://" + strings.Repeat("é", 1000), "http://1111111111111111111111a", "http://a.0x11111111111111111111g/", "http://" + strings.Repeat("\u00ad", 30_000) + "é.b",
			"http://" + strings.Repeat("é.", 10_000) + "b", "http://" + strings.Repeat("1", 2000) + "a",
		},
		"empty host":                  {"http://" + manyAt, "http://" + long + "@", "wss://" + long + "@/p", "a://" + long + "@/p"},
		"invalid port number":         {"http://h:" + strings.Repeat("9", 60_000), "x://" + long + "@h:" + long},
		"invalid domain character":    {"x://" + long + "^", "x://" + long + "[", "x://" + long + "@<"},
		"invalid IPv6 address":        {"http://[" + strings.Repeat("1:", 30_000) + "]"},
		"relative URL without a base": {"//" + long, "//x://" + long, "1a://" + manyAt, "://" + long},
		"invalid international domain name": {
			"http://" + strings.Repeat("é", 1001), "http://é" + long, "http://a.b." + strings.Repeat("é", 60_000) + "/p", "file://" + long + "@a/p",
			"http://xn--" + long,
		},
	} {
		for _, url := range urls {
			expectURLVerdict(t, url, verdict)
		}
	}
}

// instantiateWithLink returns an instantiate message with a URL as external link.
func instantiateWithLink(url string) string {
	return `{"name":"N","symbol":"S","collection_info_extension":{"external_link":` + string(wire.AppendString(nil, url)) + `}}`
}

// expectURLVerdict compares the contract's verdict about a URL in a message: "ok", or the
// text of the refusal. A URL that is accepted is stored unchanged, with its outer blanks.
func expectURLVerdict(t *testing.T, url, verdict string) {
	t.Helper()
	w := newWorld(t, cw721.RulesStandard, cw721.FlavourOnchain)
	msg := instantiateWithLink(url)
	if verdict != "ok" {
		refusal := w.expectInstantiateRefusal(msg, cw721.KindURL, verdict)
		if refusal.Field != "collection_info_extension.external_link" {
			t.Errorf("%.80q: the member at fault is %s", url, refusal.Field)
		}
		return
	}

	w.mustInstantiate(msg)
	e, err := extension(w)
	if err != nil || e.ExternalLink == nil || *e.ExternalLink != url {
		t.Errorf("%.80q is stored as %.200v, %v", url, e, err)
	}
}

// urlVectors reads URLs and the public contract's verdicts about them: "ok", or the text
// of the refusal.
func urlVectors(t testing.TB) map[string]string {
	files := ""
	for _, name := range []string{"url-vectors.txt", "url-vectors-2.txt", "url-vectors-own.txt"} {
		files += string(kvtest.Must(os.ReadFile("testdata/"+name))(t)) + "\n"
	}

	vectors := map[string]string{}
	for line := range strings.Lines(files) {
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		var url string
		d := json.NewDecoder(strings.NewReader(line))
		kvtest.OK(t, d.Decode(&url))
		vectors[url] = strings.TrimSpace(line[d.InputOffset():])
	}
	if len(vectors) < 500 {
		t.Fatalf("only %d URLs were read", len(vectors))
	}
	return vectors
}

// extension reads the extension of the world's collection, nil if there is none.
func extension(w *world) (e *cw721.CollectionExtension, err error) {
	w.read(func(r kv.Reader) error {
		e, err = cw721.LoadExtension(r)
		return nil
	})
	return e, err
}
