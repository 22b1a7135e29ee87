package cw721

import (
	"bytes"
	"strconv"

	"ephemera/core/kv"
	"ephemera/core/wire"
)

// What nearly every message and query reads is read here by the form in which
// the contract writes it, several times faster than as any JSON. A record in
// another form is read as JSON.

// storedNumber is [StoredJSON] of a number, which is all digits.
var storedNumber = kv.Codec[uint64]{
	Encode: func(n uint64) []byte { return strconv.AppendUint(nil, n, 10) },
	Decode: func(b []byte) (uint64, error) {
		if n, err := strconv.ParseUint(string(b), 10, 64); err == nil && (b[0] != '0' || len(b) == 1) {
			return n, nil
		}
		return StoredJSON[uint64]().Decode(b)
	},
}

// storedToken is [StoredJSON] of a token.
var storedToken = kv.Codec[Token]{
	Encode: StoredJSON[Token]().Encode,
	Decode: func(b []byte) (Token, error) {
		if t, ok := plainToken(b); ok {
			return t, nil
		}
		return StoredJSON[Token]().Decode(b)
	},
}

// plainToken reads a token without an extension and without characters that
// JSON or UTF-8 could spell otherwise.
func plainToken(value []byte) (t Token, ok bool) {
	owner, approvals, rest, ok := beginning(value)
	if !ok {
		return t, false
	}
	t = Token{Owner: owner, Approvals: approvals}
	if rest, ok = bytes.CutPrefix(rest, []byte(`,"token_uri":"`)); ok {
		end := plainText(rest)
		uri := string(rest[:end])
		t.TokenURI = &uri
		rest, ok = bytes.CutPrefix(rest[end:], []byte(`"`))
	} else {
		rest, ok = bytes.CutPrefix(rest, []byte(`,"token_uri":null`))
	}
	return t, ok && string(rest) == `,"extension":null}`
}

// beginning reads the owner and the approvals of a token's record without the
// metadata behind them, which can be a hundred times longer. ok is false for a
// record that does not begin as the contract writes it.
func beginning(value []byte) (owner Address, approvals []Approval, rest []byte, ok bool) {
	rest, ok = bytes.CutPrefix(value, []byte(`{"owner":"`))
	if !ok {
		return "", nil, nil, false
	}
	end := plainText(rest)
	owner = Address(rest[:end])
	if rest, ok = bytes.CutPrefix(rest[end:], []byte(`","approvals":`)); !ok {
		return "", nil, nil, false
	}
	if after, none := bytes.CutPrefix(rest, []byte("[]")); none {
		return owner, []Approval{}, after, bytes.HasPrefix(after, []byte(`,"token_uri":`))
	}
	end = bytes.Index(rest, []byte(`],"token_uri":`)) + 1
	if end < 1 {
		return "", nil, nil, false
	}
	ok = wire.Decode(rest[:end], &approvals) == nil
	return owner, approvals, rest[end:], ok
}

// plainText gives how many bytes stand for themselves in a JSON string.
func plainText(b []byte) int {
	for i, c := range b {
		if c < ' ' || c > '~' || c == '"' || c == '\\' {
			return i
		}
	}
	return len(b)
}
