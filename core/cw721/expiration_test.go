package cw721_test

import (
	"testing"

	"ephemera/core/cw721"
	"ephemera/core/wire"
)

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
