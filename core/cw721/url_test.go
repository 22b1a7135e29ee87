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
		w := newWorld(t, cw721.RulesStandard, cw721.FlavourOnchain)
		msg := `{"name":"N","symbol":"S","collection_info_extension":{"external_link":` + string(wire.AppendString(nil, url)) + `}}`
		if verdict == "ok" {
			w.mustInstantiate(msg)
			// The URL is stored unchanged, with its outer blanks.
			e, err := extension(w)
			if err != nil || e.ExternalLink == nil || *e.ExternalLink != url {
				t.Errorf("%q is stored as %+v, %v", url, e, err)
			}
			continue
		}
		got := w.expectInstantiateRefusal(msg, cw721.KindURL, verdict)
		if got.Field != "collection_info_extension.external_link" {
			t.Errorf("%q is blamed on %s", url, got.Field)
		}
	}
}

func TestAHostInTooManyBracketsOrWithASignInItsNumbersIsRefused(t *testing.T) {
	for url, verdict := range map[string]string{
		"http://[[::1]/": "invalid IPv6 address", "http://[::1]]:80/": "invalid IPv6 address", "ipfs://u@[[::1]]": "invalid IPv6 address",
		`https:\\[[::1]`: "invalid IPv6 address", "http://+1.2.3/": "invalid IPv4 address", "ws:1.+2.0x3:80": "invalid IPv4 address",
		"http://-1.2.3.4": "invalid IPv4 address", "http://a-b.3": "invalid IPv4 address",
		"http://u@1.2.+3.": "ok", "http://a-1.b": "ok", "https://ex-1.io/1-2.3": "ok", "ipfs://a-b.3": "ok", "http://1.+2.3.": "invalid IPv4 address",
		"http://[::1]/[[x]]": "ok", "http://a+b/": "ok", "http://a.com/+1": "ok", "ipfs://+1.2.3": "ok", "data:+1,[[": "ok",
		"file:////[[x": "ok", "http://[[@a/": "ok", "http://a:80/?q=]]": "ok", "http://[::1]:80/+": "ok", "http://u+@1.2.3": "ok", "urn:[[": "ok",
		"ipfs:///[[x": "ok", "ipfs:////[[é": "ok", "file://+1.2.3/x": "invalid IPv4 address", "http://0x-1.2": "invalid IPv4 address",
		"http://a.-1": "ok", "https://a.1+/": "ok", "http://a.0-1.": "ok", "http://99999999999999999999-": "ok", "http://1.2.3.4.5-": "ok",
	} {
		expectURLFault(t, url, verdict)
	}
}

func TestABackslashEndsAPortUnderAnyScheme(t *testing.T) {
	for url, verdict := range map[string]string{
		`ipfs://a:\`: "ok", `ipfs://a:80\x?`: "ok", `ar://[::1]:1\/`: "ok", " ip\tfs://u@a:\\": "ok", `ipfs://u:p@a:8\b`: "ok",
		`ipfs://:1\@a`: "ok", `ipfs://u:\@a`: "ok", `ipfs://a/:1\x`: "ok", `ipfs:a:1\x`: "ok", `http://a:1\x`: "ok",
		`ipfs://:\`: "empty host", `ipfs://:80\`: "empty host", `ipfs://a:65536\`: "invalid port number", `ipfs://a:1\b@`: "empty host",
		`ipfs://a:x\`: "invalid port number", `ipfs://a\`: "invalid domain character", `ipfs://a\:1\`: "invalid domain character",
	} {
		expectURLFault(t, url, verdict)
	}
}

func TestAHostIsMappedToASCIIBeforeItIsChecked(t *testing.T) {
	const international = "invalid international domain name"
	for url, verdict := range map[string]string{
		"https://a＆b": "ok", "https://⒢": "ok", "http://xn--1ch": "ok", "https://ＡＢ。io": "ok", "https://%E2%92%A2": "ok", "https://1．2．3．4": "ok",
		"https://ℷ": "ok", "https://ℷa": international, "https://a.1ℷ": international, "https://xn--abc-": international, "https://xn--。io": international,
		"https://a％": international, "https://％41": international, "https://é<": international, "https://%ff": international, "https://⒈": international,
		"https://\u00ad": "empty host", "https://１．２．３．２５６": "invalid IPv4 address", "ipfs://ℷa": "ok",
	} {
		expectURLFault(t, url, verdict)
	}
}

// expectURLFault compares the fault of a URL in a message; "ok" is none.
func expectURLFault(t *testing.T, url, verdict string) {
	t.Helper()
	w := newWorld(t, cw721.RulesStandard, cw721.FlavourOnchain)
	msg := `{"name":"N","symbol":"S","collection_info_extension":{"image":` + string(wire.AppendString(nil, url)) + `}}`
	if verdict == "ok" {
		w.mustInstantiate(msg)
	} else {
		w.expectInstantiateRefusal(msg, cw721.KindURL, verdict)
	}
}

func TestAHostMayHavePunctuationInAnyAlphabet(t *testing.T) {
	const international = "invalid international domain name"
	for url, verdict := range map[string]string{
		"https://my_é.com": "ok", "https://_a.é.com/x": "ok", "https://a!b.xn--nxasmq6b": "ok", "http://日本,a:80": "ok", "wss://é'(~)`{}*.x": "ok", "http://é.x.;1": "ok",
		"https://xn__é": "ok", "http://é≠": "ok", "http://a≮b": "ok", "http://a.xn--nxasmq6b_b": international, "http://é<": international, "http://é_ b": international,
		"http://xn--": international, "http://a.xn--./": international, "http://XN--.b": international, "ipfs://xn--": "ok", "http://a.b/xn--": "ok",
		"http:////@": "empty host", `https:\\//@`: "empty host", "ftp:/@": "empty host", "a://@": "ok", " a:/\n/@ ": "ok", "a:////@": "ok",
	} {
		expectURLFault(t, url, verdict)
	}
}

func urlVectors(t testing.TB) map[string]string {
	vectors := map[string]string{}
	for line := range strings.Lines(urlVectorFiles(t)) {
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		var url string
		d := json.NewDecoder(strings.NewReader(line))
		if err := d.Decode(&url); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		vectors[url] = strings.TrimSpace(line[d.InputOffset():])
	}
	if len(vectors) < 500 {
		t.Fatalf("only %d URLs were read", len(vectors))
	}
	return vectors
}

func urlVectorFiles(t testing.TB) (text string) {
	for _, name := range []string{"testdata/url-vectors.txt", "testdata/url-vectors-2.txt"} {
		b := kvtest.Must(os.ReadFile(name))(t)
		text += string(b) + "\n"
	}
	return text
}

func extension(w *world) (e *cw721.CollectionExtension, err error) {
	w.read(func(r kv.Reader) error {
		e, err = cw721.LoadExtension(r)
		return nil
	})
	return e, err
}

func TestALongURLIsRefusedOnlyIfItsHostIsTooLong(t *testing.T) {
	long := strings.Repeat("x", 60_000)
	for _, url := range []string{"data:," + long, "ipfs://h/" + long, "https://h?" + long, `https:\\h\` + long, "a:" + long, "https://h#" + strings.Repeat("@", 60_000),
		"urn:" + strings.Repeat("%", 60_000), "https:" + strings.Repeat("/", 60_000) + "h", "https://" + strings.Repeat("x", 4096)} {
		newWorld(t, cw721.RulesStandard, cw721.FlavourOnchain).mustInstantiate(`{"name":"N","symbol":"S","collection_info_extension":{"image":` + string(wire.AppendString(nil, url)) + `}}`)
	}
	for _, url := range []string{"http://" + strings.Repeat("@", 1<<18), "a://" + strings.Repeat("%", 1<<18), "https:" + long, `HTTPS:\/` + long + `\p`, " a\t:\n//" + long + "/", "wss://" + long + "@h"} {
		newWorld(t, cw721.RulesStandard, cw721.FlavourOnchain).expectInstantiateRefusal(`{"name":"N","symbol":"S","collection_info_extension":{"image":`+string(wire.AppendString(nil, url))+`}}`,
			cw721.KindURL, "the host is longer than 4096 bytes")
	}
	for _, url := range []string{"//" + long, "//x://" + long, "1a://" + strings.Repeat("@", 1<<18), "://" + long} {
		newWorld(t, cw721.RulesStandard, cw721.FlavourOnchain).expectInstantiateRefusal(`{"name":"N","symbol":"S","collection_info_extension":{"image":`+string(wire.AppendString(nil, url))+`}}`,
			cw721.KindURL, "relative URL without a base")
	}
}
