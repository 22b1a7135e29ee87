package wire_test

import (
	"errors"
	"strings"
	"testing"

	"ephemera/core/wire"
)

func TestEveryRefusalSaysWhatIsWrongAndWhere(t *testing.T) {
	const eof, eofObject, eofList, eofString = "EOF while parsing a JSON value.", "EOF while parsing an object.", "EOF while parsing a list.", "EOF while parsing a string."
	const broken, ident, start = "Invalid JSON", "Expected to parse either a `true`, `false`, or a `null`.", "Expected this character to start a JSON value."
	const comma, item = "Expected this character to be either a `','` or a `'}'`.", "Expected this character to be either a `','` or a `']'`."
	const colon, name, trailing = "Expected this character to be a `':'`.", "Object key is not a string.", "JSON has a comma after the last value in an array or map."
	const surrogate = "Found a lone surrogate, which can exist in JSON but cannot be encoded to UTF-8."
	for _, c := range []struct{ name, text, cause, field string }{
		{"nothing at all", ``, eof, ""},
		{"only blanks", " \t\r\n", eof, ""},
		{"an array at the top", `[]`, ident, ""},
		{"null at the top", `null`, ident, ""},
		{"a number at the top", `1`, ident, ""},
		{"a bare name at the top", `"stop"`, "Invalid type", ""},
		{"a bare name that does not exist", `"sing"`, "unknown variant `sing`, expected one of `send`, `stop`, `sole`, `stick`, `three`, `count`, `counts`", ""},
		{"no message", `{}`, "Invalid type", ""},
		{"a message that does not exist", `{"sing":{}}`,
			"unknown variant `sing`, expected one of `send`, `stop`, `sole`, `stick`, `three`, `count`, `counts`", ""},
		{"a message in upper case", `{"STOP":{}}`,
			"unknown variant `STOP`, expected one of `send`, `stop`, `sole`, `stick`, `three`, `count`, `counts`", ""},
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
		{"a fraction", `{"send":{"to":"a","pages":1.0}}`, comma, "send.pages"},
		{"an exponent", `{"send":{"to":"a","pages":1e1}}`, comma, "send.pages"},
		{"a fraction of too large a number", `{"send":{"to":"a","pages":4294967296.5}}`, "Invalid number.", "send.pages"},
		{"a fraction below zero", `{"send":{"to":"a","pages":-1.5}}`, "Invalid number.", "send.pages"},
		{"a fraction as the message itself", `{"count":1.5}`, start, "count"},
		{"a fraction in a list", `{"counts":[1.5]}`, item, "counts.0"},
		{"one more than 32 bits", `{"send":{"to":"a","pages":4294967296}}`, "Invalid number.", "send.pages"},
		{"one more than 64 bits", `{"send":{"to":"a","weight":18446744073709551616}}`, "Invalid number.", "send.weight"},
		{"a leading zero", `{"send":{"to":"a","pages":01}}`, comma, "send"},
		{"a plus sign", `{"send":{"to":"a","pages":+1}}`, broken, "send.pages"},

		{"a comma after the message", `{"stop":{},}`, start, ""},
		{"a trailing comma in an object", `{"sole":{"sole":"x",}}`, trailing, "sole"},
		{"a comma and no name", `{"sole":{"sole":"x",1}}`, name, "sole"},
		{"two commas", `{"sole":{"sole":"x",,}}`, name, "sole"},
		{"a comma in the place of a member", `{"sole":{,}}`, name, "sole"},
		{"a missing comma in a list", `{"send":{"to":"a","remarks":["x" "y"]}}`, item, "send.remarks.1"},
		{"two commas in a list", `{"send":{"to":"a","remarks":["x",,"y"]}}`, broken, "send.remarks.1"},
		{"a trailing comma in an array", `{"send":{"to":"a","remarks":["x",]}}`, trailing, "send.remarks.1"},
		{"a missing comma", `{"send":{"to":"a" "pages":1}}`, comma, "send"},
		{"a missing colon", `{"send" {}}`, colon, "send"},
		{"a name without quotes", `{stop:{}}`, "Invalid type", ""},
		{"a member without quotes", `{"sole":{sole:1}}`, name, "sole"},
		{"single quotes", `{'stop':{}}`, "Invalid type", ""},
		{"a comment", `{"stop":{}/**/}`, start, ""},
		{"an end before the message", ` {`, eof, ""},
		{"an end inside its name", `{"sto`, eofString, ""},
		{"an end behind its name", `{"stop" `, eofObject, "stop"},
		{"an end before its value", `{"stop": `, eof, "stop"},
		{"an end after its value", `{"stop":{}`, eof, ""},
		{"an end before a member", `{"stop":{`, eofObject, "stop"},
		{"an end inside a name", `{"sole":{"so`, eofString, "sole"},
		{"an end behind a name", `{"sole":{"sole"`, eofObject, "sole.sole"},
		{"an end before a value", `{"sole":{"sole":`, eof, "sole.sole"},
		{"an end inside a string", `{"sole":{"sole":"x`, eofString, "sole.sole"},
		{"an end inside an escape", `{"sole":{"sole":"\u12`, eofString, "sole.sole"},
		{"an end inside a word", `{"send":{"to":"a","urgent":tr`, ident, "send.urgent"},
		{"a word that goes on", `{"send":{"to":"a","urgent":nulx}}`, ident, "send.urgent"},
		{"a minus and no number", `{"send":{"to":"a","pages":-}}`, "Invalid number.", "send.pages"},
		{"an end after a value", `{"sole":{"sole":"x"`, eofObject, "sole"},
		{"an end after a comma", `{"sole":{"sole":"x", `, eof, "sole"},
		{"an end in a list", `{"send":{"to":"a","remarks":[`, eofList, "send.remarks.0"},
		{"an end after an item", `{"send":{"to":"a","remarks":["x"`, eofList, "send.remarks.1"},
		{"an end after a comma in a list", `{"send":{"to":"a","remarks":["x",`, eof, "send.remarks.1"},
		{"a byte order mark", "\ufeff{\"stop\":{}}", broken, ""},
		{"a NUL", "\x00", broken, ""},
		{"an escape that does not exist", `{"sole":{"sole":"\x"}}`, "Invalid escape sequence.", "sole.sole"},
		{"half a surrogate pair", `{"sole":{"sole":"\ud83d"}}`, surrogate, "sole.sole"},
		{"the other half", `{"sole":{"sole":"\udc00"}}`, surrogate, "sole.sole"},
		{"a raw control character", "{\"sole\":{\"sole\":\"a\nb\"}}", broken, "sole.sole"},
		{"bytes that are no UTF-8", "{\"sole\":{\"sole\":\"\xff\"}}", "Invalid unicode code point.", "sole.sole"},
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

func TestTextOfAnyKindIsCarriedOnlyWhereItIsAskedFor(t *testing.T) {
	type parcel struct {
		Inside wire.Raw `wire:"inside"`
	}
	for _, text := range []string{`{"inside":{"a":"\ud800"}}`, "{\"inside\":\"\xff\"}"} {
		if err := wire.Decode([]byte(text), new(parcel)); err == nil {
			t.Errorf("%q was read", text)
		}
		var p parcel
		if _, err := wire.DecodeWith(wire.Options{AllowsInvalidUnicode: true}, []byte(text), &p); err != nil {
			t.Error(err)
		}
		if got := string(wire.Encode(p)); got != text {
			t.Errorf("%q is carried as %q", text, got)
		}
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
