package wire_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"ephemera/core/wire"
)

func TestEveryRefusalSaysWhatIsWrongAndWhere(t *testing.T) {
	const eof, broken = "EOF while parsing a JSON value.", "Invalid JSON"
	for _, c := range []struct{ name, text, cause, field string }{
		{"nothing at all", ``, eof, ""},
		{"only blanks", " \t\r\n", eof, ""},
		{"an array at the top", `[]`, "Invalid type", ""},
		{"null at the top", `null`, "Invalid type", ""},
		{"a number at the top", `1`, "Invalid type", ""},
		{"a bare name at the top", `"stop"`, "Invalid type", ""},
		{"no message", `{}`, "Invalid type", ""},
		{"a message that does not exist", `{"sing":{}}`,
			"unknown variant `sing`, expected one of `send`, `stop`, `sole`, `stick`, `three`", ""},
		{"a message in upper case", `{"STOP":{}}`,
			"unknown variant `STOP`, expected one of `send`, `stop`, `sole`, `stick`, `three`", ""},
		{"two messages", `{"stop":{},"sole":{"sole":"x"}}`, "Expected this character to start a JSON value.", ""},
		{"the same message twice", `{"stop":{},"stop":{}}`, "Expected this character to start a JSON value.", ""},
		{"text after the message", `{"stop":{}} x`, "JSON has non-whitespace trailing characters after the value.", ""},
		{"a second text", `{"stop":{}}{}`, "JSON has non-whitespace trailing characters after the value.", ""},
		{"a message without fields as null", `{"stop":null}`, "Invalid type", "stop"},
		{"a message without fields as an array", `{"stop":[]}`, "Invalid type", "stop"},
		{"a message without fields as a string", `{"stop":""}`, "Invalid type", "stop"},

		{"an unknown member where there are none", `{"stop":{"x":1}}`, "unknown field `x`, there are no fields", "stop"},
		{"an unknown member beside one", `{"sole":{"x":1}}`, "unknown field `x`, expected `sole`", "sole"},
		{"an unknown member beside two", `{"stick":{"x":1}}`, "unknown field `x`, expected `motif` or `cents`", "stick"},
		{"an unknown member beside three", `{"three":{"x":1}}`, "unknown field `x`, expected one of `a`, `b`, `c`", "three"},
		{"a member in the wrong case", `{"sole":{"Sole":"x"}}`, "unknown field `Sole`, expected `sole`", "sole"},
		{"an unknown member deeper", `{"send":{"to":"a","stamp":{"motif":"m","cents":1,"x":0}}}`,
			"unknown field `x`, expected `motif` or `cents`", "send.stamp"},
		{"a missing member", `{"send":{}}`, "missing field `to`", "send"},
		{"a missing member deeper", `{"send":{"to":"a","copies":[{"motif":"m","cents":1},{"cents":1}]}}`,
			"missing field `motif`", "send.copies.1"},
		{"a required member as null", `{"send":{"to":null}}`, "Invalid type", "send.to"},
		{"a required number as null", `{"stick":{"motif":"m","cents":null}}`, "Invalid type", "stick.cents"},
		{"a duplicate", `{"send":{"to":"a","to":"a"}}`, "duplicate field `to`", "send"},
		{"a duplicate of a null", `{"send":{"to":"a","pages":null,"pages":null}}`, "duplicate field `pages`", "send"},
		{"a duplicate behind an escape", `{"sole":{"sole":"a","s\u006fle":"a"}}`, "duplicate field `sole`", "sole"},

		{"a string as a number", `{"send":{"to":1}}`, "Invalid type", "send.to"},
		{"a number as a string", `{"send":{"to":"a","pages":"1"}}`, "Invalid type", "send.pages"},
		{"a truth as a number", `{"send":{"to":"a","urgent":1}}`, "Invalid type", "send.urgent"},
		{"a truth as a string", `{"send":{"to":"a","urgent":"true"}}`, "Invalid type", "send.urgent"},
		{"a number as a truth", `{"send":{"to":"a","pages":true}}`, "Invalid type", "send.pages"},
		{"an object as an array", `{"send":{"to":"a","stamp":[]}}`, "Invalid type", "send.stamp"},
		{"an array as an object", `{"send":{"to":"a","copies":{}}}`, "Invalid type", "send.copies"},
		{"null in an array", `{"send":{"to":"a","copies":[null]}}`, "Invalid type", "send.copies.0"},
		{"an array where any object may stand", `{"send":{"to":"a","extra":[]}}`, "Invalid type", "send.extra"},

		{"a number below zero", `{"send":{"to":"a","pages":-1}}`, "Invalid number.", "send.pages"},
		{"minus zero", `{"send":{"to":"a","pages":-0}}`, "Invalid number.", "send.pages"},
		{"a fraction", `{"send":{"to":"a","pages":1.0}}`, "Invalid number.", "send.pages"},
		{"an exponent", `{"send":{"to":"a","pages":1e1}}`, "Invalid number.", "send.pages"},
		{"one more than 32 bits", `{"send":{"to":"a","pages":4294967296}}`, "Invalid number.", "send.pages"},
		{"one more than 64 bits", `{"send":{"to":"a","weight":18446744073709551616}}`, "Invalid number.", "send.weight"},
		{"a leading zero", `{"send":{"to":"a","pages":01}}`, broken, "send"},
		{"a plus sign", `{"send":{"to":"a","pages":+1}}`, broken, "send.pages"},

		{"a trailing comma in an object", `{"stop":{},}`, broken, ""},
		{"a trailing comma in an array", `{"send":{"to":"a","remarks":["x",]}}`, broken, "send.remarks.1"},
		{"a missing comma", `{"send":{"to":"a" "pages":1}}`, broken, "send"},
		{"a missing colon", `{"send" {}}`, broken, "send"},
		{"a name without quotes", `{stop:{}}`, broken, ""},
		{"single quotes", `{'stop':{}}`, broken, ""},
		{"a comment", `{"stop":{}/**/}`, broken, ""},
		{"an end too early", `{"stop":{`, eof, "stop"},
		{"an end inside a string", `{"sole":{"sole":"x`, eof, "sole.sole"},
		{"an end after the value", `{"stop":{}`, eof, ""},
		{"a byte order mark", "\ufeff{\"stop\":{}}", broken, ""},
		{"a NUL", "\x00", broken, ""},
		{"an escape that does not exist", `{"sole":{"sole":"\x"}}`, broken, "sole.sole"},
		{"half a surrogate pair", `{"sole":{"sole":"\ud83d"}}`, broken, "sole.sole"},
		{"the other half", `{"sole":{"sole":"\udc00"}}`, broken, "sole.sole"},
		{"a raw control character", "{\"sole\":{\"sole\":\"a\nb\"}}", broken, "sole.sole"},
		{"bytes that are no UTF-8", "{\"sole\":{\"sole\":\"\xff\"}}", broken, "sole.sole"},
		{"True", `{"send":{"to":"a","urgent":True}}`, broken, "send.urgent"},
		{"broken JSON where everything is passed over", `{"send":{"to":"a","extra":{"x":[1,}}}}`, broken, "send.extra.x"},
		{"a level deeper than the contract reads", `{"send":{"to":"a","extra":{"x":` + nested(125) + `}}}`, "Recursion limit exceeded.", "send.extra.x"},
		{"deeper than anyone writes", `{"send":{"to":"a","extra":{"x":` + strings.Repeat("[", 100_000), "Recursion limit exceeded.", "send.extra.x"},
	} {
		t.Run(c.name, func(t *testing.T) {
			err := wire.Decode([]byte(c.text), new(call))
			var got *wire.Error
			if !errors.As(err, &got) {
				t.Fatalf("%s: got %v, want a refusal", c.text, err)
			}
			if got.Cause != c.cause || got.Field != c.field {
				t.Errorf("%.80s:\n got %q in %q (%s)\nwant %q in %q", c.text, got.Cause, got.Field, got.Hint, c.cause, c.field)
			}
			if got.Offset < 0 || got.Offset > int64(len(c.text)) {
				t.Errorf("%.80s: offset %d is outside the text", c.text, got.Offset)
			}
		})
	}
}

// nested is an array in an array, so many of them.
func nested(levels int) string { return strings.Repeat("[", levels) + strings.Repeat("]", levels) }

func TestWhatTheContractAcceptsIsRead(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"members in any order", `{"stick":{"cents":5,"motif":"m"}}`, `{"stick":{"motif":"m","cents":5}}`},
		{"blanks everywhere", " {\n\t\"stick\" : { \"motif\" : \"m\" , \"cents\" : 5 } } \r\n", `{"stick":{"motif":"m","cents":5}}`},
		{"null for what may be absent", `{"send":{"to":"a","urgent":null,"pages":null,"weight":null,"stamp":null,"copies":null,"remarks":null,"extra":null,"nothing":null}}`, `{"send":{"to":"a"}}`},
		{"false is not absent", `{"send":{"to":"a","urgent":false,"pages":0}}`, `{"send":{"to":"a","urgent":false,"pages":0}}`},
		{"the largest numbers", `{"send":{"to":"","pages":4294967295,"weight":18446744073709551615}}`, `{"send":{"to":"","pages":4294967295,"weight":18446744073709551615}}`},
		{"an empty list is not absent", `{"send":{"to":"a","copies":[]}}`, `{"send":{"to":"a","copies":[]}}`},
		{"an empty object is not absent", `{"send":{"to":"a","nothing":{}}}`, `{"send":{"to":"a","nothing":{}}}`},
		{"members nobody knows, where they do not matter", `{"send":{"to":"a","extra":{"x":[1e400,{}],"x":null}}}`, `{"send":{"to":"a"}}`},
		{"127 levels", `{"send":{"to":"a","extra":{"x":` + nested(124) + `,"y":` + nested(124) + `}}}`, `{"send":{"to":"a"}}`},
		{"escapes", `{"sole":{"sole":"\u0000\u001f\u00e9\ud83c\udfa8\/\"\\\b\f\n\r\t"}}`, `{"sole":{"sole":"\u0000\u001Fé🎨/\"\\\b\f\n\r\t"}}`},
		{"a name behind an escape", `{"\u0073top":{}}`, `{"stop":{}}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got call
			text := []byte(c.text)
			if err := wire.Decode(text, &got); err != nil {
				t.Fatal(err)
			}
			if string(text) != c.text {
				t.Errorf("the text was changed to %s", text)
			}
			if got := string(wire.Compact(got)); got != c.want {
				t.Errorf("got %s\nwant %s", got, c.want)
			}
		})
	}
}

func TestAnErrorIsOneSentenceWithThePlaceWhereThereIsOne(t *testing.T) {
	for _, c := range []struct {
		err  wire.Error
		want string
	}{
		{wire.Error{Cause: "Invalid type"}, "Invalid type"},
		{wire.Error{Cause: "Invalid type", Hint: "expected a string, got null"}, "Invalid type (expected a string, got null)"},
		{wire.Error{Cause: "missing field `to`", Field: "send"}, "missing field `to` (in send)"},
		{wire.Error{Cause: "Invalid type", Field: "send.to", Hint: "expected a string, got null"}, "Invalid type (send.to: expected a string, got null)"},
	} {
		if got := c.err.Error(); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
	unknown := &wire.UnknownNameError{Name: "bo\"b", Field: "send.to"}
	if got, want := unknown.Error(), `send.to: no account is named "bo\"b"`; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestTheHintNamesWhatWasExpectedAndWhatCame(t *testing.T) {
	for text, want := range map[string]string{
		`{"send":{"to":null}}`:             "expected a string, got null",
		`{"send":{"to":{}}}`:               "expected a string, got an object",
		`{"send":{"to":[]}}`:               "expected a string, got an array",
		`{"send":{"to":1}}`:                "expected a string, got a number",
		`{"send":{"to":true}}`:             "expected a string, got true or false",
		`{"send":"x"}`:                     "expected an object, got a string",
		`{"send":{"to":"","pages":5e9}}`:   "expected a whole number from 0 to 4294967295",
		`{"send":{"to":"","weight":-1}}`:   "expected a whole number from 0 to 18446744073709551615",
		`{"stop":{},"sole":{}}`:            "a message has one member, and `sole` is a second",
		`{"send":{"to":"","copies":true}}`: "expected an array, got true or false",
	} {
		var got *wire.Error
		if err := wire.Decode([]byte(text), new(call)); !errors.As(err, &got) || got.Hint != want {
			t.Errorf("%s:\n got %v\nwant %s", text, err, want)
		}
	}
}

func TestReadersDoNotRememberEachOther(t *testing.T) {
	broken, whole := []byte(`{"send":{"to":{"x":`), []byte(`{"sole":{"sole":"kept"}}`)
	var first call
	if err := wire.Decode(whole, &first); err != nil {
		t.Fatal(err)
	}
	for range 20 {
		var second call
		if err := wire.Decode(broken, &second); err == nil {
			t.Fatal("half a message was read")
		}
		if err := wire.Decode(bytes.Repeat([]byte(" "), 1<<12), &second); err == nil {
			t.Fatal("blanks were read as a message")
		}
		if err := wire.Decode(whole, &second); err != nil {
			t.Fatal(err)
		}
	}
	if got := first.got.(*only).Sole; got != "kept" {
		t.Errorf("an earlier message became %q", got)
	}
	if string(whole) != `{"sole":{"sole":"kept"}}` {
		t.Errorf("a text was written over: %s", whole)
	}
}
