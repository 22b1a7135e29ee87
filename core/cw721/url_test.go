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

func TestALongURLIsRefusedOnlyIfItsHostIsTooLong(t *testing.T) {
	long := strings.Repeat("x", 60_000)
	manyAt := strings.Repeat("@", 1<<18)
	for verdict, urls := range map[string][]string{
		"ok": {
			"data:," + long, "ipfs://h/" + long, "https://h?" + long, `https:\\h\` + long, "a:" + long, "https://h#" + strings.Repeat("@", 60_000),
			"urn:" + strings.Repeat("%", 60_000), "https:" + strings.Repeat("/", 60_000) + "h", "https://" + strings.Repeat("x", 4096),
		},
		"the host is longer than 4096 bytes": {
			"http://" + manyAt, "a://" + strings.Repeat("%", 1<<18), "https:" + long, `HTTPS:\/` + long + `\p`, " a\t:\n//" + long + "/", "wss://" + long + "@h",
		},
		"relative URL without a base": {"//" + long, "//x://" + long, "1a://" + manyAt, "://" + long},
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
			t.Errorf("%q: the member at fault is %s", url, refusal.Field)
		}
		return
	}

	w.mustInstantiate(msg)
	e, err := extension(w)
	if err != nil || e.ExternalLink == nil || *e.ExternalLink != url {
		t.Errorf("%q is stored as %+v, %v", url, e, err)
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
