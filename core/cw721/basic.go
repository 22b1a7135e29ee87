package cw721

import (
	"encoding/base64"
	"strconv"
	"strings"

	"ephemera/core/wire"
)

// Height is a block height, counted in blocks.
type Height uint64

// Time is a block time: nanoseconds since the Unix epoch, in UTC.
type Time uint64

// Block is the block that a message runs in. The contract knows no other
// clock.
type Block struct {
	Height Height
	Time   Time
}

// Env is what the chain tells a contract about where it runs.
type Env struct {
	Block Block
	// Self is the contract's own address.
	Self Address
	// Instantiator is whoever created the contract (get_all_info, spec §11).
	Instantiator Address
}

// Info is what the chain tells a contract about who calls it.
type Info struct{ Sender Address }

// AppendWire writes a height as a JSON integer.
func (h Height) AppendWire(dst []byte) []byte { return strconv.AppendUint(dst, uint64(h), 10) }

// DecodeWire reads a height: a JSON integer, never a string (spec §2 rule 6).
func (h *Height) DecodeWire(d *wire.Decoder) error {
	n, err := d.Uint(64)
	*h = Height(n)
	return err
}

// AppendWire writes a time as a string of digits.
func (t Time) AppendWire(dst []byte) []byte {
	dst = append(dst, '"')
	dst = strconv.AppendUint(dst, uint64(t), 10)
	return append(dst, '"')
}

// DecodeWire reads a time: nanoseconds as a string of digits, a plus sign and
// leading zeros allowed (spec §2 rule 7).
func (t *Time) DecodeWire(d *wire.Decoder) error {
	s, err := d.Text("nanoseconds as a string of digits")
	if err != nil {
		return err
	}
	n, err := strconv.ParseUint(strings.TrimPrefix(s, "+"), 10, 64)
	if err != nil {
		return d.Fail("invalid Uint64 '"+s+"' - "+integerFault(s), "expected nanoseconds as a string of digits")
	}
	*t = Time(n)
	return nil
}

// integerFault says in Rust's words why a text is no number of the size that is wanted.
func integerFault(s string) string {
	switch {
	case s == "":
		return "cannot parse integer from empty string"
	case !isDigits(strings.TrimPrefix(s, "+")):
		return "invalid digit found in string"
	}
	return "number too large to fit in target type"
}

// Binary is bytes that travel as base64 (spec §2 rule 9).
type Binary []byte

// AppendWire writes padded base64.
func (b Binary) AppendWire(dst []byte) []byte {
	dst = append(dst, '"')
	dst = base64.StdEncoding.AppendEncode(dst, b)
	return append(dst, '"')
}

var rawBase64 = base64.RawStdEncoding.Strict()

// DecodeWire reads base64: standard alphabet, padding optional, nothing loose.
func (b *Binary) DecodeWire(d *wire.Decoder) error {
	s, err := d.Text("base64 in a string")
	if err != nil {
		return err
	}
	// Padding can be left out, half of it too, but not overdone.
	raw := strings.TrimRight(s, "=")
	last, padding := len(raw)%4, len(s)-len(raw)
	fits := padding == 0 || last >= 2 && last+padding <= 4
	// Go's reader passes over line breaks; the contract's does not.
	out, err := rawBase64.DecodeString(raw)
	if err != nil || !fits || strings.ContainsAny(s, "\r\n") {
		return d.Fail("invalid base64: "+s, "expected standard base64")
	}
	*b = out
	return nil
}

// Uint128 is a whole number of up to 128 bits that travels as a string of
// digits, kept in its normal form.
type Uint128 string

// AppendWire writes the digits as a string.
func (u Uint128) AppendWire(dst []byte) []byte { return wire.AppendString(dst, string(u)) }

// Empty is an object whose members do not matter: cw721-base's token extension
// and extension.msg (spec §2 rule 2).
type Empty struct {
	_ struct{} `wire:"lenient"`
}

// DecodeWire reads a string of digits below 2^128.
func (u *Uint128) DecodeWire(d *wire.Decoder) error {
	s, err := d.Text("an amount as a string of digits")
	if err != nil {
		return err
	}
	n, ok := parseUint128(s)
	if !ok {
		return d.Fail("invalid Uint128 '"+s+"' - "+integerFault(s), "expected an amount as a string of digits")
	}
	*u = Uint128(n.String())
	return nil
}
