package cw721

import (
	"math/big"
	"strings"

	"lukechampine.com/uint128"

	"ephemera/core/wire"
)

// Share is a royalty share as an exact count of 10^-18: the whole is
// 1,000,000,000,000,000,000. Comparing shares as floating point numbers would
// let 10 % plus a little pass (spec §7).
type Share struct{ atomics uint128.Uint128 }

const shareDigits = 18

// Percent gives n hundredths.
func Percent(n uint64) Share { return Share{uint128.From64(n * 1e16)} }

// MaxShare is the largest royalty that a collection may ask: 0.10.
var MaxShare = Percent(10)

// Cmp compares two shares: -1, 0 or +1.
func (s Share) Cmp(t Share) int { return s.atomics.Cmp(t.atomics) }

// Sub gives s - t; it must not be negative.
func (s Share) Sub(t Share) Share { return Share{s.atomics.Sub(t.atomics)} }

// Of gives the share of an amount of coins, rounded down as contracts do. The
// amount is in the coin's smallest unit.
func (s Share) Of(amount uint64) uint64 {
	whole := uint128.From64(1e18)
	if s.Cmp(Share{whole}) > 0 {
		s.atomics = whole
	}
	return s.atomics.Mul64(amount).Div(whole).Lo
}

// String gives the share as the contract prints it: no trailing zeros, no dot
// for a whole number.
func (s Share) String() string {
	digits := s.atomics.String()
	if len(digits) <= shareDigits {
		digits = strings.Repeat("0", shareDigits+1-len(digits)) + digits
	}
	whole, rest := digits[:len(digits)-shareDigits], strings.TrimRight(digits[len(digits)-shareDigits:], "0")
	if rest == "" {
		return whole
	}
	return whole + "." + rest
}

// Percentage gives the share in hundredths, for people: "5" for 0.05.
func (s Share) Percentage() string {
	if s.atomics.Hi != 0 { // of eighteen times the price and more
		return s.String() + " × 100"
	}
	return Share{s.atomics.Mul64(100)}.String()
}

// ParseShare reads a decimal: digits, and after a dot 1 to 18 more. No minus, no
// exponent, no blanks; a plus before either part passes, as in the contract. It
// fails with an [*Error] in the contract's words (spec §7).
func ParseShare(s string) (Share, error) {
	share, cause := parseShare(s)
	if cause != "" {
		return share, refuse("Error parsing decimal '" + s + "': Generic error: " + cause)
	}
	return share, nil
}

// parseShare goes through the parts in the contract's order, so that a share
// with several faults is refused for the same one.
func parseShare(s string) (Share, string) {
	const tooBig = "Value too big"
	whole, rest, dotted := strings.Cut(s, ".")
	frac, _, dots := strings.Cut(rest, ".")
	n, ok := parseUint128(whole)
	if !ok {
		return Share{}, "Error parsing whole"
	}
	if n.Mul(n, power10(shareDigits)).BitLen() > 128 {
		return Share{}, tooBig
	}
	if dotted {
		f, ok := parseUint128(frac)
		switch {
		case !ok:
			return Share{}, "Error parsing fractional"
		case len(frac) > shareDigits: // a plus counts as a digit
			return Share{}, "Cannot parse more than 18 fractional digits"
		case n.Add(n, f.Mul(f, power10(shareDigits-len(frac)))).BitLen() > 128:
			return Share{}, tooBig
		}
	}
	if dots {
		return Share{}, "Unexpected number of dots"
	}
	return Share{uint128.FromBig(n)}, ""
}

func power10(n int) *big.Int { return new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(n)), nil) }

const maxDigits = 39 // of 2^128

// parseUint128 reads digits as Rust's u128 does, a plus sign before them
// allowed; ok is false for anything else and past 128 bits.
func parseUint128(s string) (n *big.Int, ok bool) {
	digits := strings.TrimPrefix(s, "+")
	if !digitsOnly(digits) {
		return nil, false
	}
	// A reader of big numbers would take seconds over a megabyte.
	if digits = strings.TrimLeft(digits, "0"); len(digits) > maxDigits {
		return nil, false
	}
	n, ok = new(big.Int).SetString("0"+digits, 10)
	return n, ok && n.BitLen() <= 128
}

func digitsOnly(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

// AppendWire writes the share as a decimal in a string.
func (s Share) AppendWire(dst []byte) []byte { return wire.AppendString(dst, s.String()) }

// DecodeWire reads a decimal in a string.
func (s *Share) DecodeWire(d *wire.Decoder) error {
	text, err := d.Text(`a decimal in a string, like "0.05"`)
	if err != nil {
		return err
	}
	if *s, err = ParseShare(text); err != nil {
		return d.Fail(err.Error(), `expected a decimal like "0.05"`)
	}
	return nil
}
