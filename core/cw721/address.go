package cw721

import (
	"strings"

	"ephemera/core/bech32"
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
	} else if d.Addresses != nil {
		*d.Addresses = append(*d.Addresses, wire.Member{Field: d.Path(), Text: s})
	}
	*a = Address(s)
	return nil
}

// Lengths of addresses in practice, in bytes.
const (
	AccountBytes  = 20
	ContractBytes = 32
)

const maxAddressText = 256 // letters that a contract may hand to the host

// ValidateAddress checks that s is an address of the chain with the given
// prefix, as the host of a contract does (spec §3.1). It fails with an
// [*Error] of kind address.
func ValidateAddress(prefix string, s Address) error {
	_, err := AddressBytes(prefix, s)
	return err
}

// AddressBytes gives the bytes that a valid address stands for; their number
// tells an account (20) from a contract (32). It fails as ValidateAddress does.
func AddressBytes(prefix string, s Address) ([]byte, error) {
	if len(s) > maxAddressText {
		return nil, &Error{Kind: KindAddress, Text: "Generic error: input too long for addr_validate"}
	}
	raw, err := bech32.Validate(prefix, string(s))
	if err != nil {
		return nil, &Error{Kind: KindAddress, Text: "Generic error: addr_validate errored: " + err.Error()}
	}
	return raw, nil
}

// NewAddress spells b as an address with the given prefix.
func NewAddress(prefix string, b []byte) (Address, error) {
	s, err := bech32.Encode(prefix, b)
	return Address(s), err
}

// AddressPrefix gives the prefix of a valid address.
func AddressPrefix(s Address) (prefix string, ok bool) {
	end := strings.LastIndexByte(string(s), '1') // a prefix can hold a 1 itself
	if end < 0 {
		return "", false
	}
	prefix = string(s[:end])
	return prefix, ValidateAddress(prefix, s) == nil
}
