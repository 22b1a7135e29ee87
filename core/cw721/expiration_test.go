package cw721_test

import (
	"math"
	"testing"

	"ephemera/core/cw721"
	"ephemera/core/wire"
)

func TestAnExpirationHasTheContractsText(t *testing.T) {
	for want, e := range map[string]cw721.Expiration{
		"expiration height: 20001":                cw721.UntilHeight(20001),
		"expiration time: 1600000000.000000001":   cw721.UntilTime(1_600_000_000_000_000_001),
		"expiration time: 0.000000000":            cw721.UntilTime(0),
		"expiration time: 18446744073.709551615":  cw721.UntilTime(math.MaxUint64),
		"expiration: never":                       {},
		"expiration height: 18446744073709551615": cw721.UntilHeight(math.MaxUint64),
	} {
		if got := e.String(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestOtherFormsOfExpirationsDoNotDecode(t *testing.T) {
	for _, text := range []string{
		`null`, `{}`, `[]`, `"never"`, `1`, `{"never":null}`, `{"never":[]}`, `{"never":{"x":1}}`, `{"Never":{}}`,
		`{"at_height":"100"}`, `{"at_height":-1}`, `{"at_height":1.0}`, `{"at_height":1e3}`, `{"at_height":null}`,
		`{"at_height":18446744073709551616}`, `{"at_height":007}`, `{"at_height":1,"never":{}}`, `{"at_height":1,"at_height":1}`,
		`{"at_time":100}`, `{"at_time":""}`, `{"at_time":"+"}`, `{"at_time":"++1"}`, `{"at_time":"-1"}`, `{"at_time":" 1"}`, `{"at_time":"1 "}`,
		`{"at_time":"1.0"}`, `{"at_time":"1e3"}`, `{"at_time":"0x1"}`, `{"at_time":"1_0"}`, `{"at_time":"١"}`, `{"at_time":"18446744073709551616"}`, `{"at_time":null}`,
		`{"at_block":1}`, `{"at_height":{}}`,
	} {
		if err := wire.Decode([]byte(text), new(cw721.Expiration)); err == nil {
			t.Errorf("%s decodes", text)
		}
	}
}
