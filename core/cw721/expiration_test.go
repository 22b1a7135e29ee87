package cw721_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"ephemera/core/cw721"
	"ephemera/core/wire"
)

func TestAnEndIsOverAtItsValueAndNotBefore(t *testing.T) {
	const most = math.MaxUint64
	for _, c := range []struct {
		name  string
		end   cw721.Expiration
		block cw721.Block
		over  bool
	}{
		{"one block before", cw721.UntilHeight(100), cw721.Block{Height: 99, Time: most}, false},
		{"at the height", cw721.UntilHeight(100), cw721.Block{Height: 100}, true},
		{"one block after", cw721.UntilHeight(100), cw721.Block{Height: 101}, true},
		{"one nanosecond before", cw721.UntilTime(100), cw721.Block{Height: most, Time: 99}, false},
		{"at the time", cw721.UntilTime(100), cw721.Block{Time: 100}, true},
		{"one nanosecond after", cw721.UntilTime(100), cw721.Block{Time: 101}, true},
		{"never", cw721.Expiration{}, cw721.Block{Height: most, Time: most}, false},
		{"height zero", cw721.UntilHeight(0), cw721.Block{}, true},
		{"time zero", cw721.UntilTime(0), cw721.Block{}, true},
		{"the last height", cw721.UntilHeight(most), cw721.Block{Height: most - 1}, false},
		{"at the last height", cw721.UntilHeight(most), cw721.Block{Height: most}, true},
		{"seconds taken for nanoseconds", cw721.UntilTime(1_700_000_000), cw721.Block{Time: 1_600_000_000_000_000_000}, true},
	} {
		if got := c.end.Expired(c.block); got != c.over {
			t.Errorf("%s: over is %v", c.name, got)
		}
	}
}

func TestTheTextOfAnEndIsTheContracts(t *testing.T) {
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

func TestAnEndIsReadInItsThreeForms(t *testing.T) {
	for _, c := range []struct{ text, again string }{
		{`{"at_height":0}`, ``},
		{`{"at_height":18446744073709551615}`, ``},
		{`{"at_time":"0"}`, ``},
		{`{"at_time":"18446744073709551615"}`, ``},
		{`{"at_time":"+17"}`, `{"at_time":"17"}`},
		{`{"at_time":"00017"}`, `{"at_time":"17"}`},
		{`{"at_time":"+00"}`, `{"at_time":"0"}`},
		{`{"never":{}}`, ``},
	} {
		if c.again == "" {
			c.again = c.text
		}
		var e cw721.Expiration
		if err := wire.Decode([]byte(c.text), &e); err != nil {
			t.Errorf("%s: %v", c.text, err)
		} else if got := string(wire.Encode(e)); got != c.again {
			t.Errorf("%s is written as %s", c.text, got)
		}
	}
}

func TestNothingElseIsAnEnd(t *testing.T) {
	for _, text := range []string{
		`null`, `{}`, `[]`, `"never"`, `1`, `{"never":null}`, `{"never":[]}`, `{"never":{"x":1}}`, `{"Never":{}}`,
		`{"at_height":"100"}`, `{"at_height":-1}`, `{"at_height":1.0}`, `{"at_height":1e3}`, `{"at_height":null}`,
		`{"at_height":18446744073709551616}`, `{"at_height":007}`, `{"at_height":1,"never":{}}`, `{"at_height":1,"at_height":1}`,
		`{"at_time":100}`, `{"at_time":""}`, `{"at_time":"+"}`, `{"at_time":"++1"}`, `{"at_time":"-1"}`, `{"at_time":" 1"}`, `{"at_time":"1 "}`,
		`{"at_time":"1.0"}`, `{"at_time":"1e3"}`, `{"at_time":"0x1"}`, `{"at_time":"1_0"}`, `{"at_time":"١"}`, `{"at_time":"18446744073709551616"}`, `{"at_time":null}`,
		`{"at_block":1}`, `{"at_height":{}}`,
	} {
		if err := wire.Decode([]byte(text), new(cw721.Expiration)); err == nil {
			t.Errorf("%s was read", text)
		}
	}
}

func TestAnyEndComesBackFromItsJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e := drawEnd(t)
		var back cw721.Expiration
		if err := wire.Decode(wire.Encode(e), &back); err != nil || back != e {
			t.Fatalf("%v came back as %v, %v", e, back, err)
		}
	})
}

func drawEnd(t *rapid.T) cw721.Expiration {
	value := rapid.Uint64().Draw(t, "value")
	return rapid.SampledFrom([]cw721.Expiration{
		{}, cw721.UntilHeight(cw721.Height(value)), cw721.UntilTime(cw721.Time(value)),
	}).Draw(t, "end")
}
