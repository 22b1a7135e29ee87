package cw721_test

import (
	"encoding/json"
	"fmt"
	"math/big"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/btcsuite/btcd/btcutil/bech32"

	"ephemera/core/cw721"
	"ephemera/core/cw721/cw721test"
	"ephemera/core/kv"
	"ephemera/core/wire"
)

// scenarios are the recorded scenarios, nil until seedRecordedMessages reads them.
var scenarios []cw721test.Scenario

// seedRecordedMessages adds messages that were sent to the public contract, including
// broken ones. Of messages that differ only in their digits it adds one. messageOf returns
// the message of a step, nil if the step has a message of another kind.
func seedRecordedMessages(f *testing.F, messageOf func(cw721test.Step) json.RawMessage) {
	const maxSeeds = 400
	if scenarios == nil {
		scenarios = cw721test.Scenarios(f, os.DirFS("testdata"))
	}

	shapes := map[string]bool{}
	for i := 0; i < len(scenarios); i += 7 { // a seventh has messages of all kinds
		for _, step := range scenarios[i].Steps {
			msg := messageOf(step)
			shape := digit.ReplaceAllString(string(msg), "0")
			if msg != nil && !shapes[shape] && len(shapes) < maxSeeds {
				shapes[shape] = true
				f.Add([]byte(msg))
			}
		}
	}
	if len(shapes) == 0 {
		f.Fatal("the scenarios have no such message")
	}
}

// digit matches a decimal digit.
var digit = regexp.MustCompile("[0-9]")

// seedFullMessages adds every message of a kind, with all members, under every rule set.
func seedFullMessages(f *testing.F, kind string) {
	for _, c := range contracts() {
		for _, text := range fullMessages(c)[kind] {
			f.Add([]byte(withAddresses(text)))
		}
	}
}

// fuzzDecoder checks that a decoder never panics, that every failure is a refusal of
// kind parse, and that encoded messages decode to the same message. check makes
// further checks on each text.
func fuzzDecoder(f *testing.F, kind string, check func(t *testing.T, c cw721.Contract, text []byte)) {
	f.Fuzz(func(t *testing.T, text []byte) {
		for _, c := range contracts() {
			d := decoders(c)[kind]
			msg, err := d.decode(string(text))
			if err == nil {
				encodeFull := func(m any) []byte { return full(c, m) }
				expectRoundTrip(t, d, msg, cw721.Encode)
				expectRoundTrip(t, d, msg, encodeFull)
			} else if e := cw721.AsError(err); e == nil || e.Kind != cw721.KindParse {
				t.Fatalf("%q gives %v", text, err)
			}
			check(t, c, text)
		}
	})
}

// expectRoundTrip checks that an encoded message decodes, and encodes to the same
// text again.
func expectRoundTrip(t *testing.T, d decoder, msg any, encode func(any) []byte) {
	encoded := encode(msg)
	again, err := d.decode(string(encoded))
	if err != nil || string(encode(again)) != string(encoded) {
		t.Fatalf("%q decodes to %+v, %v", encoded, again, err)
	}
}

// full encodes a message with nulls for its absent members.
func full(c cw721.Contract, m any) []byte {
	var without []string
	if !isFrom(c.Rules, cw721.RulesV021, cw721.RulesV022) {
		without = []string{"banner_url"}
	}
	body := wire.EncodeWithout(without, m)
	name := cw721.MessageName(m)
	if name == "" {
		return body
	}
	return fmt.Appendf(nil, `{"%s":%s}`, name, body)
}

func FuzzDecodeExecute(f *testing.F) {
	seedFullMessages(f, "execute")
	seedRecordedMessages(f, func(s cw721test.Step) json.RawMessage { return s.Execute })
	fuzzDecoder(f, "execute", func(t *testing.T, c cw721.Contract, text []byte) {
		w := newCollectionUnder(t, c.Rules, "1")
		w.Flavour = c.Flavour
		before := len(w.dump())
		_, err := w.execute("alice", string(text))
		if err != nil && len(w.dump()) != before {
			t.Fatalf("%q is refused and leaves records: %v", text, err)
		}
	})
}

func FuzzDecodeQuery(f *testing.F) {
	seedFullMessages(f, "query")
	seedRecordedMessages(f, func(s cw721test.Step) json.RawMessage { return s.Query })
	w := newCollectionWithGrants(f)
	fuzzDecoder(f, "query", func(t *testing.T, c cw721.Contract, text []byte) {
		w.Contract = c
		answer, err := w.query(string(text))
		if err == nil && !json.Valid(answer) {
			t.Fatalf("%q answers %q, which is no JSON", text, answer)
		}
		if err != nil && cw721.AsError(err) == nil {
			t.Fatalf("%q fails with %v", text, err)
		}
	})
}

func FuzzDecodeInstantiate(f *testing.F) {
	seedFullMessages(f, "instantiate")
	seedRecordedMessages(f, func(s cw721test.Step) json.RawMessage { return s.Instantiate })
	fuzzDecoder(f, "instantiate", func(t *testing.T, c cw721.Contract, text []byte) {
		w := newWorld(t, c.Rules, c.Flavour)
		_, err := w.instantiate("deployer", string(text))
		if err != nil {
			if len(w.dump()) > 0 {
				t.Fatalf("%q is refused and leaves records: %v", text, err)
			}
			return
		}
		if _, err := w.query(`{"get_config":{}}`); err != nil {
			t.Fatalf("%q creates a collection that cannot be queried: %v", text, err)
		}
	})
}

// FuzzParseShare compares the parser with parseShareDigitByDigit.
func FuzzParseShare(f *testing.F) {
	for _, s := range []string{"0", "0.10", "0.100000000000000001", largestShare, "340282366920938463463.374607431768211456", "1.", ".1", "+1", "0.+5", "0.+", "1e2", "1.2.3", " 1", "００"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		share, err := cw721.ParseShare(s)
		want, isValid := parseShareDigitByDigit(s)
		if isValid != (err == nil) {
			t.Fatalf("%q: %v; digit by digit it is %v, %v", s, err, want, isValid)
		}
		if err != nil {
			return
		}

		text := share.String()
		if got, ok := parseShareDigitByDigit(text); !ok || got.Cmp(want) != 0 {
			t.Fatalf("%q prints as %s", s, text)
		}
		hasTrailingZero := strings.Contains(text, ".") && strings.HasSuffix(text, "0")
		hasLeadingZero := len(text) > 1 && text[0] == '0' && text[1] != '.'
		if hasTrailingZero || hasLeadingZero {
			t.Fatalf("%q prints as %s, which is not the normal form", s, text)
		}

		// These must not panic.
		share.PortionOf(1<<64 - 1)
		share.Percentage()
	})
}

// parseShareDigitByDigit returns a decimal times 10^18. A plus sign at the start is
// ignored, and one behind the dot counts as the digit 0.
func parseShareDigitByDigit(s string) (*big.Int, bool) {
	s = strings.TrimPrefix(s, "+")
	if plus := strings.Index(s, ".+"); plus >= 0 && len(s) > plus+2 {
		s = s[:plus+1] + "0" + s[plus+2:]
	}

	ten := big.NewInt(10)
	n := new(big.Int)
	wholeDigits := 0
	fractionDigits := 0
	hasDot := false
	for _, c := range []byte(s) {
		isDigit := c >= '0' && c <= '9'
		isFirstDot := c == '.' && !hasDot && wholeDigits > 0
		switch {
		case isFirstDot:
			hasDot = true
			continue
		case !isDigit:
			return nil, false
		case hasDot:
			fractionDigits++
		default:
			wholeDigits++
		}
		n.Mul(n, ten)
		n.Add(n, big.NewInt(int64(c-'0')))
	}

	isFractionEmpty := hasDot && fractionDigits == 0
	if wholeDigits == 0 || isFractionEmpty || fractionDigits > 18 {
		return nil, false
	}
	for range 18 - fractionDigits {
		n.Mul(n, ten)
	}
	return n, n.BitLen() <= 128
}

// FuzzAddress checks that a text is valid only if encoding its bytes gives the text
// again.
func FuzzAddress(f *testing.F) {
	for _, s := range []string{addr("alice"), addr("market"), strings.ToUpper(addr("alice")), "", " ", "cosmos1", strings.Repeat("q", 300), "stars1é"} {
		f.Add(prefix, s)
	}
	f.Add("a1b", "a1b1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqq")
	f.Fuzz(func(t *testing.T, prefix, s string) {
		b, err := cw721.AddressBytes(prefix, cw721.Address(s))
		if err != nil {
			if e := cw721.AsError(err); e == nil || e.Kind != cw721.KindAddress || !strings.HasPrefix(e.Text, "Generic error: ") {
				t.Fatalf("%q gives %v", s, err)
			}
			return
		}
		again, err := cw721.NewAddress(prefix, b)
		if err != nil || string(again) != s {
			t.Fatalf("%q has the bytes % x, which spell %q, %v", s, b, again, err)
		}
		if got, ok := cw721.AddressPrefix(cw721.Address(s)); !ok || got != prefix {
			t.Fatalf("%q has the prefix %q, want %q", s, got, prefix)
		}
		groups, _ := bech32.ConvertBits(b, 8, 5, true)
		if m, err := bech32.EncodeM(prefix, groups); err == nil && cw721.ValidateAddress(prefix, cw721.Address(m)) == nil {
			t.Fatalf("%q is bech32m", m)
		}
	})
}

// FuzzURL checks the properties of URLs that need no parser (spec §10).
func FuzzURL(f *testing.F) {
	for url := range urlVectors(f) {
		f.Add(url)
	}
	const relativeURL = "relative URL without a base"
	faults := []string{
		relativeURL,
		"empty host",
		"invalid port number",
		"invalid IPv4 address",
		"invalid IPv6 address",
		"invalid domain character",
		"invalid international domain name",
		"the host is longer than 4096 bytes",
	}
	f.Fuzz(func(t *testing.T, url string) {
		url = strings.ToValidUTF8(url, "\ufffd") // as decoding a message does
		w := newWorld(t, cw721.RulesStandard, cw721.FlavourOnchain)
		_, err := w.update(func(txn kv.Txn) (cw721.Response, error) {
			return w.Instantiate(txn, w.env, cw721.Info{Sender: cw721.Address(addr("alice"))}, []byte(instantiateWithLink(url)))
		})

		fault := ""
		if err != nil {
			refusal := cw721.AsError(err)
			if refusal == nil || refusal.Kind != cw721.KindURL || !slices.Contains(faults, refusal.Text) {
				t.Fatalf("%q gives %v", url, err)
			}
			fault = refusal.Text
		}
		isRelative := fault == relativeURL
		if isRelative == hasScheme(url) {
			t.Fatalf("%q: it has a scheme: %v; the fault is %q", url, hasScheme(url), fault)
		}
	})
}

// scheme matches the scheme at the start of a URL.
var scheme = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9+.-]*:`)

// hasScheme reports whether a URL begins with a scheme, after the characters that the
// standard ignores are removed.
func hasScheme(url string) bool {
	url = strings.TrimFunc(url, func(r rune) bool { return r <= ' ' })
	url = strings.NewReplacer("\t", "", "\n", "", "\r", "").Replace(url)
	return scheme.MatchString(url)
}
