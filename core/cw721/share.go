package cw721

import (
	"bytes"
	"math/big"
	"strings"

	"ephemera/core/wire"
)

// Share is a part of a sale, such as 0.05, that is paid as a royalty. It is an exact
// multiple of 10^-18, as in the contract. A floating point number would let a share slightly
// over 10 % pass as 10 % (spec §7). The zero Share is 0. Shares can be compared with ==.
type Share struct {
	atomics [16]byte // the share times 10^18, as a big-endian number
}

// shareDigits is how many digits a share has after the dot.
const shareDigits = 18

// shareOf returns the share of count × 10^-18. It panics if count is negative or has more
// than 128 bits.
func shareOf(count *big.Int) Share {
	if count.Sign() < 0 {
		panic("cw721: negative share")
	}

	var share Share
	count.FillBytes(share.atomics[:])
	return share
}

func (s Share) count() *big.Int { return new(big.Int).SetBytes(s.atomics[:]) }

// Percent returns a share of n hundredths.
func Percent(n uint64) Share { return shareOf(new(big.Int).SetUint64(n * 1e16)) }

// MaxShare is the largest royalty share that a collection may set: 0.10.
var MaxShare = Percent(10)

// Cmp returns -1, 0 or +1 as s is less than, equal to or greater than t.
func (s Share) Cmp(t Share) int { return bytes.Compare(s.atomics[:], t.atomics[:]) }

// Sub returns s - t. It panics if t is greater than s.
func (s Share) Sub(t Share) Share {
	return shareOf(new(big.Int).Sub(s.count(), t.count()))
}

// PortionOf returns the share of an amount of coins, rounded down as contracts do. For
// example, a share of 0.05 of 110 is 5. The amount is in the coin's smallest unit. A share
// above 1 counts as 1.
func (s Share) PortionOf(amount uint64) uint64 {
	one := Percent(100)
	if s.Cmp(one) > 0 {
		return amount
	}

	product := new(big.Int).Mul(s.count(), new(big.Int).SetUint64(amount))
	return product.Div(product, one.count()).Uint64()
}

// String returns the share as the contract prints it: without trailing zeros, and
// without a dot if the share is a whole number.
func (s Share) String() string { return decimalText(s.count()) }

// Percentage returns the share in hundredths, for people: "5" for 0.05.
func (s Share) Percentage() string {
	count := s.count()
	return decimalText(count.Mul(count, big.NewInt(100)))
}

// decimalText returns count × 10^-18 as a decimal without trailing zeros: "0.05".
func decimalText(count *big.Int) string {
	text := new(big.Rat).SetFrac(count, powerOf10(shareDigits)).FloatString(shareDigits)
	return strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
}

// ParseShare parses a decimal such as "0.05": digits, then optionally a dot and 1 to 18
// more digits. As in the contract, either part may begin with a plus sign. Minus signs,
// exponents and blanks are refused. ParseShare fails with an [*Error] that has the
// contract's error text if text is no such decimal, or does not fit in 128 bits (spec
// §7).
func ParseShare(text string) (Share, error) {
	count, cause := parseShareCount(text)
	if cause != "" {
		return Share{}, newRefusal("Error parsing decimal '" + text + "': Generic error: " + cause)
	}
	return shareOf(count), nil
}

// parseShareCount parses a decimal and returns it times 10^18. cause is "", or the
// contract's reason for refusing text. The parts of text are checked in the contract's
// order, so that the cause is the same if text has several faults.
func parseShareCount(text string) (count *big.Int, cause string) {
	const tooBig = "Value too big"
	whole, afterDot, hasDot := strings.Cut(text, ".")
	fraction, _, hasSecondDot := strings.Cut(afterDot, ".")

	// The whole part comes first, and must not be too large on its own.
	count, ok := parseUint128(whole)
	if !ok {
		return nil, "Error parsing whole"
	}
	count.Mul(count, powerOf10(shareDigits))
	if count.BitLen() > 128 {
		return nil, tooBig
	}

	if !hasDot {
		return count, ""
	}

	// Then comes the fraction. In its length, a plus sign counts as a digit.
	fractionCount, ok := parseUint128(fraction)
	if !ok {
		return nil, "Error parsing fractional"
	}
	if len(fraction) > shareDigits {
		return nil, "Cannot parse more than 18 fractional digits"
	}

	// "05" means five hundredths, so add zeros up to 18 digits.
	missingDigits := shareDigits - len(fraction)
	fractionCount.Mul(fractionCount, powerOf10(missingDigits))
	count.Add(count, fractionCount)
	if count.BitLen() > 128 {
		return nil, tooBig
	}

	// The contract notices a second dot last.
	if hasSecondDot {
		return nil, "Unexpected number of dots"
	}
	return count, ""
}

func powerOf10(exponent int) *big.Int {
	return new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(exponent)), nil)
}

// parseUint128 parses decimal digits as Rust does for a u128. A plus sign may come before
// them. ok is false for any other text and for numbers of more than 128 bits.
func parseUint128(text string) (n *big.Int, ok bool) {
	const maxDigits = 39 // the number of digits of 2^128
	digits := strings.TrimPrefix(text, "+")
	if !isDigits(digits) {
		return nil, false
	}

	// Refuse long numbers early, because big.Int takes seconds to parse a megabyte of digits.
	significantDigits := strings.TrimLeft(digits, "0")
	if len(significantDigits) > maxDigits {
		return nil, false
	}

	// The "0" stands for a number that was all zeros.
	n, ok = new(big.Int).SetString("0"+significantDigits, 10)
	return n, ok && n.BitLen() <= 128
}

// isDigits reports whether s holds at least one character and only decimal digits.
func isDigits(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

// AppendWire appends the share as a decimal in a JSON string.
func (s Share) AppendWire(dst []byte) []byte { return wire.AppendString(dst, s.String()) }

// DecodeWire reads a decimal in a JSON string, as [ParseShare] parses it.
func (s *Share) DecodeWire(decoder *wire.Decoder) error {
	text, err := decoder.Text(`a decimal in a string, like "0.05"`)
	if err != nil {
		return err
	}

	share, err := ParseShare(text)
	if err != nil {
		return decoder.Fail(err.Error(), `expected a decimal like "0.05"`)
	}
	*s = share
	return nil
}
