package cw721

import (
	"errors"
	"fmt"
	"strings"

	"github.com/btcsuite/btcd/btcutil/bech32"

	"ephemera/core/wire"
)

// Address is an account or a contract on the chain, spelled in bech32. Equal
// addresses have equal spellings: only the lower-case one is valid.
type Address string

// AppendWire writes the address as a string.
func (a Address) AppendWire(dst []byte) []byte { return wire.AppendString(dst, string(a)) }

// DecodeWire reads any string: whether it is an address is checked later, in
// the order that each message has. "$name" stands for an account's address
// where the reader was given names.
func (a *Address) DecodeWire(d *wire.Decoder) error {
	s, err := d.Text("an address in a string")
	if err != nil {
		return err
	}
	if name, ok := strings.CutPrefix(s, "$"); ok && d.Names != nil {
		found, ok := d.Names(name)
		if !ok {
			return &wire.UnknownNameError{Name: name, Field: d.Path()}
		}
		s, d.Named = found, true
	}
	*a = Address(s)
	return nil
}

// Lengths of addresses in practice, in bytes.
const (
	AccountBytes  = 20
	ContractBytes = 32
)

const (
	maxAddressBytes = 255 // of the decoded address
	maxAddressText  = 256 // of the spelling
)

// ValidateAddress checks that s is an address of the chain with the given
// prefix, as the host of a contract does (spec §3.1). It fails with an
// [*Error] of kind address.
func ValidateAddress(prefix string, s Address) error {
	if _, err := addressBytes(prefix, string(s)); err != nil {
		return err
	}
	return nil
}

// AddressBytes gives the bytes that a valid address stands for; their number
// tells an account (20) from a contract (32).
func AddressBytes(prefix string, s Address) ([]byte, error) {
	b, err := addressBytes(prefix, string(s))
	if err != nil {
		return nil, err
	}
	return b, nil
}

// NewAddress spells b as an address with the given prefix.
func NewAddress(prefix string, b []byte) (Address, error) {
	s, err := bech32.EncodeFromBase256(prefix, b)
	return Address(s), err
}

// PrefixOf gives the prefix of a valid address.
func PrefixOf(s Address) (prefix string, ok bool) {
	end := strings.LastIndexByte(string(s), '1') // a prefix can hold a 1 itself
	if end < 0 {
		return "", false
	}
	prefix = string(s[:end])
	return prefix, ValidateAddress(prefix, s) == nil
}

func addressBytes(prefix, s string) ([]byte, *Error) {
	refused := func(format string, args ...any) *Error {
		return &Error{Kind: KindAddress, Text: "Generic error: addr_validate errored: " + fmt.Sprintf(format, args...)}
	}
	switch {
	case s == "":
		return nil, refused("Input is empty")
	case len(s) > maxAddressText:
		return nil, &Error{Kind: KindAddress, Text: "Generic error: input too long for addr_validate"}
	case strings.TrimSpace(s) == "":
		return nil, refused("empty address string is not allowed")
	}
	hrp, data, version, err := bech32.DecodeNoLimitWithVersion(s)
	const badSum = "decoding bech32 failed: invalid checksum (expected %s got %s)"
	if err != nil {
		if sum := (bech32.ErrInvalidChecksum{}); errors.As(err, &sum) {
			return nil, refused(badSum, sum.Expected, sum.Actual) // the library tells of bech32m as well
		}
		return nil, refused("decoding bech32 failed: %s", err)
	}
	raw, err := bech32.ConvertBits(data, 5, 8, false)
	if err != nil {
		return nil, refused("decoding bech32 failed: %s", err)
	}
	// The library also takes bech32m, which no chain of this kind uses, and
	// upper case.
	switch {
	case version != bech32.Version0:
		again, err := bech32.Encode(hrp, data)
		if err != nil {
			return nil, refused("decoding bech32 failed: %s", err)
		}
		return nil, refused(badSum, again[len(again)-6:], s[len(s)-6:])
	case hrp != prefix:
		return nil, refused("invalid Bech32 prefix; expected %s, got %s", prefix, hrp)
	case len(raw) == 0 || len(raw) > maxAddressBytes:
		return nil, refused("address of %d bytes, expected 1 to %d", len(raw), maxAddressBytes)
	case strings.ToLower(s) != s:
		return nil, refused("address not normalized")
	}
	return raw, nil
}
