package cw721_test

import (
	"strings"
	"testing"

	"ephemera/core/cw721"
	"ephemera/core/kv/kvtest"
)

// replaceOnce replaces old by value in a text. It ends the test unless the text contains
// old exactly once.
func replaceOnce(t *testing.T, text, old, value string) string {
	t.Helper()
	if count := strings.Count(text, old); count != 1 {
		t.Fatalf("%s is %d times in %s", old, count, text)
	}
	return strings.Replace(text, old, value, 1)
}

func TestBase64DecodesAsInTheContract(t *testing.T) {
	d := decoders(onchain)["execute"]
	const message = `{"send_nft":{"contract":"x","token_id":"1","msg":"MSG"}}`
	for text, want := range map[string]string{
		"": "", "e30=": "e30=", "e30": "e30=", "YQ==": "YQ==", "YQ=": "YQ==", "YQ": "YQ==", "YWJj": "YWJj", "+/+/": "+/+/", `YQ\u003d=`: "YQ==", "AP8=": "AP8=",
	} {
		decoded := kvtest.Must(d.decode(replaceOnce(t, message, "MSG", text)))(t)
		if got := string(cw721.Encode(decoded)); got != replaceOnce(t, message, "MSG", want) {
			t.Errorf("%q is encoded as %s", text, got)
		}
	}

	for _, text := range []string{
		"Y", "YR==", "YWK=", "YWJj=", "YWJj==", "YWI==", "YQ===", "=", "==", "====", "Y===", "Y=Q=", "YQ==YQ==", "-_-_",
		"YQ\\n", "YWJj\\r", "YQ==\\n", "Y\\nQ==", "Y\\rQ==", " YQ==", "YQ== ", "YQ\\u0000=", "é",
	} {
		expectParseError(t, d, replaceOnce(t, message, "MSG", text), "invalid base64: ")
	}
}

func TestAmountsAreIntegersOfUpTo128Bits(t *testing.T) {
	d := decoders(onchain)["execute"]
	const message = `{"withdraw_funds":{"amount":{"denom":"u","amount":"N"}}}`
	const largest = "340282366920938463463374607431768211455" // 2^128 - 1
	for text, want := range map[string]string{"0": "0", "007": "7", "+7": "7", largest: largest, "000" + largest: largest, "00": "0"} {
		decoded := kvtest.Must(d.decode(replaceOnce(t, message, `"N"`, `"`+text+`"`)))(t)
		if got := string(cw721.Encode(decoded)); got != replaceOnce(t, message, `"N"`, `"`+want+`"`) {
			t.Errorf("%s is encoded as %s", text, got)
		}
	}

	for cause, texts := range map[string][]string{
		"cannot parse integer from empty string": {""},
		"invalid digit found in string":          {"+", "-1", "-0", "++1", "1.0", "1e3", " 1", "0x10", "0b1", "1_000", "١"},
		"number too large to fit in target type": {"340282366920938463463374607431768211456", strings.Repeat("9", 10_000)},
	} {
		for _, text := range texts {
			expectParseError(t, d, replaceOnce(t, message, `"N"`, `"`+text+`"`), "invalid Uint128 '"+text+"' - "+cause)
		}
	}
}

func TestNumbersInMessagesMustFitTheirSize(t *testing.T) {
	execute := decoders(onchain)["execute"]
	expectParseError(t, execute, `{"approve_all":{"operator":"x","expires":{"at_height":18446744073709551616}}}`, "Invalid number.")
	expectParseError(t, execute, `{"approve_all":{"operator":"x","expires":{"at_height":5.0}}}`, "Expected this character to start a JSON value.")
	expectParseError(t, execute, `{"approve_all":{"operator":"x","expires":{"at_height":"5"}}}`, "Invalid type")
	expectParseError(t, execute, `{"approve_all":{"operator":"x","expires":{"at_time":"18446744073709551616"}}}`, "invalid Uint64 '18446744073709551616' - number too large to fit in target type")
	expectParseError(t, execute, `{"approve_all":{"operator":"x","expires":{"at_time":""}}}`, "invalid Uint64 '' - cannot parse integer from empty string")
	expectParseError(t, execute, `{"approve_all":{"operator":"x","expires":{"at_time":"1h"}}}`, "invalid Uint64 '1h' - invalid digit found in string")
	expectParseError(t, execute, `{"update_collection_info":{"collection_info":{"extension":{"start_trading_time":5}}}}`, "Invalid type")
	expectParseError(t, execute, `{"update_collection_info":{"collection_info":{"extension":{"royalty_info":{"payment_address":"x","share":0.05}}}}}`, "Invalid type")
	expectParseError(t, execute, `{"update_collection_info":{"collection_info":{"extension":{"royalty_info":{"payment_address":"x","share":"0.1234567890123456789"}}}}}`,
		"Error parsing decimal '0.1234567890123456789': Generic error: Cannot parse more than 18 fractional digits")
}
