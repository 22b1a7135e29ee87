package wire_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"ephemera/core/wire"
)

func TestControlCharactersAreWrittenAsTheContractWritesThem(t *testing.T) {
	short := map[int]string{'\b': `\b`, '\t': `\t`, '\n': `\n`, '\f': `\f`, '\r': `\r`, '"': `\"`, '\\': `\\`}
	for c := range 0x80 {
		want := string(rune(c))
		if s, ok := short[c]; ok {
			want = s
		} else if c < 0x20 {
			want = fmt.Sprintf(`\u%04X`, c)
		}
		if got := string(wire.AppendString(nil, string(rune(c)))); got != `"`+want+`"` {
			t.Errorf("character %#x is written as %s, want %q", c, got, want)
		}
	}
}

func TestOtherCharactersAreWrittenAsTheyAre(t *testing.T) {
	for _, s := range []string{"", "é", "日本", "🎨", "\u2028\u2029", "<&>", "/", "\x7f", "\u0080", "\ufeff", "a\u0301"} {
		if got := string(wire.AppendString(nil, s)); got != `"`+s+`"` {
			t.Errorf("%q is written as %s", s, got)
		}
	}
}

func TestBytesThatAreNoTextBecomeReplacementCharacters(t *testing.T) {
	for in, want := range map[string]string{
		"\xff":         `"` + "\ufffd" + `"`,
		"a\xc3":        `"a` + "\ufffd" + `"`,
		"\xffb\xff\"c": `"` + "\ufffd" + `b` + "\ufffd" + `\"c"`,
		"\ufffd":       `"` + "\ufffd" + `"`,
	} {
		if got := string(wire.AppendString(nil, in)); got != want {
			t.Errorf("%q is written as %s, want %s", in, got, want)
		}
	}
}

func TestAnyStringComesBackFromItsJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.String().Draw(t, "s")
		var back string
		if err := json.Unmarshal(wire.AppendString(nil, s), &back); err != nil || back != s {
			t.Fatalf("%q came back as %q, %v", s, back, err)
		}
	})
}

func TestMembersAreWrittenInFieldOrderWithNulls(t *testing.T) {
	const want = `{"to":"a","urgent":null,"pages":null,"weight":null,"stamp":null,"copies":null,"remarks":[],"extra":{},"nothing":null}`
	if got := string(wire.Encode(letter{To: "a"})); got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
	yes, pages, weight := true, uint32(1<<32-1), uint64(1<<64-1)
	full := &letter{"a", &yes, &pages, &weight, &stamp{"m", 1}, &[]stamp{{"n", 2}, {"o", 3}}, []string{"x", "y"}, anything{}, &struct{}{}}
	const all = `{"to":"a","urgent":true,"pages":4294967295,"weight":18446744073709551615,"stamp":{"motif":"m","cents":1},` +
		`"copies":[{"motif":"n","cents":2},{"motif":"o","cents":3}],"remarks":["x","y"],"extra":{},"nothing":{}}`
	if got := string(wire.Encode(full)); got != all {
		t.Errorf("got %s\nwant %s", got, all)
	}
}

func TestCompactLeavesOutWhatIsAbsentEverywhere(t *testing.T) {
	no, zero := false, uint32(0)
	for _, c := range []struct {
		value any
		want  string
	}{
		{letter{To: "a"}, `{"to":"a"}`},
		{letter{To: "", Urgent: &no, Pages: &zero}, `{"to":"","urgent":false,"pages":0}`},
		{letter{To: "a", Copies: &[]stamp{}, Remarks: []string{}}, `{"to":"a","copies":[]}`},
		{call{&letter{To: "a"}}, `{"send":{"to":"a"}}`},
		{[]letter{{To: "a"}, {To: "b"}}, `[{"to":"a"},{"to":"b"}]`},
		{three{}, `{}`},
		{(*letter)(nil), `null`},
		{nil, `null`},
	} {
		if got := string(wire.Compact(c.value)); got != c.want {
			t.Errorf("got %s, want %s", got, c.want)
		}
	}
}

func TestAppendKeepsWhatIsThere(t *testing.T) {
	if got := string(wire.Append([]byte("x="), only{"y"})); got != `x={"sole":"y"}` {
		t.Errorf("got %s", got)
	}
}

func TestRawJSONIsCarriedAsItIs(t *testing.T) {
	type parcel struct {
		Inside wire.Raw `wire:"inside"`
	}
	for _, inside := range []string{`{"a":[1,2.50,{"b":null}]}`, `"x"`, `1e3`, `null`, `[]`} {
		text := `{"inside":` + inside + `}`
		var p parcel
		if err := wire.Decode([]byte(text), &p); err != nil {
			t.Fatal(err)
		}
		if got := string(wire.Encode(p)); got != text {
			t.Errorf("got %s, want %s", got, text)
		}
	}
	if got := string(wire.Encode(parcel{})); got != `{"inside":null}` {
		t.Errorf("nothing is written as %s", got)
	}
	if err := wire.Decode([]byte(`{"inside":{"a":}}`), new(parcel)); err == nil {
		t.Error("broken JSON was carried")
	}
}

func TestAnIntIsWrittenAsANumber(t *testing.T) {
	v := struct {
		Int   int   `wire:"int"`
		Int64 int64 `wire:"int64"`
	}{-7, 1 << 40}
	if got := string(wire.Encode(v)); got != `{"int":-7,"int64":1099511627776}` {
		t.Errorf("got %s", got)
	}
}
