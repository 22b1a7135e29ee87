package cw721

import (
	"strings"

	"ephemera/core/bech32"
	"ephemera/core/wire"
)

// Address is the address of an account or a contract, in bech32. Only the
// lower-case spelling is valid, so equal addresses are equal strings.
type Address string

// AppendWire appends the address as a JSON string.
func (a Address) AppendWire(dst []byte) []byte { return wire.AppendString(dst, string(a)) }

// DecodeWire reads any JSON string; each message validates its addresses later, in
// its own order. If the decoder has names, a string such as "$alice" is replaced
// with the address of that account, and an unknown name is a
// [*wire.UnknownNameError].
func (a *Address) DecodeWire(d *wire.Decoder) error {
	text, err := d.Text("an address in a string")
	if err != nil {
		return err
	}

	name, isName := strings.CutPrefix(text, "$")
	if isName && d.AddressOf != nil {
		address, isKnown := d.AddressOf(name)
		if !isKnown {
			return &wire.UnknownNameError{Name: name, Field: d.Path()}
		}
		d.HasNames = true
		*a = Address(address)
		return nil
	}

	if d.LiteralAddresses != nil {
		*d.LiteralAddresses = append(*d.LiteralAddresses, wire.Member{Field: d.Path(), Text: text})
	}
	*a = Address(text)
	return nil
}

// The lengths in bytes of the addresses that chains give to accounts and contracts.
const (
	AccountBytes  = 20
	ContractBytes = 32
)

// maxAddressText is the longest text that a contract can pass to the host as an
// address, in bytes.
const maxAddressText = 256

// ValidateAddress checks that address is valid on the chain with the given prefix,
// as the host of a contract does (spec §3.1). It fails with an [*Error] of kind
// address.
func ValidateAddress(prefix string, address Address) error {
	_, err := AddressBytes(prefix, address)
	return err
}

// AddressBytes decodes a valid address: 20 bytes for an account, 32 for a
// contract. It fails as [ValidateAddress] does.
func AddressBytes(prefix string, address Address) ([]byte, error) {
	if len(address) > maxAddressText {
		return nil, &Error{Kind: KindAddress, Text: "Generic error: input too long for addr_validate"}
	}

	decoded, err := bech32.Validate(prefix, string(address))
	if err != nil {
		return nil, &Error{Kind: KindAddress, Text: "Generic error: addr_validate errored: " + err.Error()}
	}
	return decoded, nil
}

// NewAddress encodes b as an address with the given prefix.
func NewAddress(prefix string, b []byte) (Address, error) {
	s, err := bech32.Encode(prefix, b)
	return Address(s), err
}

// AddressPrefix returns the part of an address that names its chain, such as "osmo" of
// "osmo1…". ok is false if the address is not valid.
func AddressPrefix(address Address) (prefix string, ok bool) {
	// The last 1 separates the prefix, which can contain a 1 itself.
	separator := strings.LastIndexByte(string(address), '1')
	if separator < 0 {
		return "", false
	}

	prefix = string(address[:separator])
	return prefix, ValidateAddress(prefix, address) == nil
}
