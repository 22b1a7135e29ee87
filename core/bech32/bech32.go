// Package bech32 writes addresses as a Cosmos chain does, such as cosmos1qy…, and reads
// them back. Its errors have the texts of the chain's own.
//
// Bech32 is a text form of bytes: a prefix, a "1", the bytes in groups of five bits as
// letters and digits, and a checksum of six characters.
//
// The built-in contract and compiled contracts share this package, so it must not know
// either of them.
package bech32

import (
	"errors"
	"fmt"
	"strings"

	"github.com/btcsuite/btcd/btcutil/bech32"
)

// maxBytes is how many bytes an address may hold.
const maxBytes = 255

// Encode returns the address of the bytes raw with a prefix, such as "cosmos".
func Encode(prefix string, raw []byte) (string, error) {
	return bech32.EncodeFromBase256(prefix, raw)
}

// badChecksum has the right checksum and the one in the address.
const badChecksum = "decoding bech32 failed: invalid checksum (expected %s got %s)"

// Error is an error in the words of the VM, which can begin with a capital letter.
type Error string

func (e Error) Error() string { return string(e) }

// Decode returns the bytes of an address. It fails if the address is not bech32, has a wrong
// checksum or another prefix, or does not contain 1 to 255 bytes. The address may be in lower
// case or in upper case, but not in both.
func Decode(prefix, address string) ([]byte, error) {
	if address == "" {
		return nil, Error("Input is empty")
	}
	if strings.TrimSpace(address) == "" {
		return nil, errors.New("empty address string is not allowed")
	}

	foundPrefix, addressBytes, err := splitAddress(address)
	if err != nil {
		return nil, err
	}

	if foundPrefix != prefix {
		return nil, fmt.Errorf("invalid Bech32 prefix; expected %s, got %s", prefix, foundPrefix)
	}
	if len(addressBytes) == 0 || len(addressBytes) > maxBytes {
		return nil, fmt.Errorf("address of %d bytes, expected 1 to %d", len(addressBytes), maxBytes)
	}
	return addressBytes, nil
}

// splitAddress fails if the address is not bech32 or has a wrong checksum.
func splitAddress(address string) (prefix string, addressBytes []byte, err error) {
	// The library's own text for a wrong checksum also has the checksum of bech32m, which the
	// chain's text does not have.
	prefix, fiveBitGroups, version, err := bech32.DecodeNoLimitWithVersion(address)
	if wrongChecksum, ok := errors.AsType[bech32.ErrInvalidChecksum](err); ok {
		return "", nil, fmt.Errorf(badChecksum, wrongChecksum.Expected, wrongChecksum.Actual)
	}
	if err != nil {
		return "", nil, fmt.Errorf("decoding bech32 failed: %w", err)
	}
	const pad = false // bits left over at the end make no byte
	addressBytes, err = bech32.ConvertBits(fiveBitGroups, 5, 8, pad)
	if err != nil {
		return "", nil, fmt.Errorf("decoding bech32 failed: %w", err)
	}

	// The library also accepts bech32m, a variant with other checksums. Cosmos chains do
	// not, so its checksum is wrong.
	if version != bech32.Version0 {
		const checksumSize = 6
		correctAddress, _ := bech32.Encode(prefix, fiveBitGroups) // the groups are valid
		expectedChecksum := correctAddress[len(correctAddress)-checksumSize:]
		actualChecksum := address[len(address)-checksumSize:]
		return "", nil, fmt.Errorf(badChecksum, expectedChecksum, actualChecksum)
	}
	return prefix, addressBytes, nil
}

// Validate is [Decode], and also fails if the address is in upper case: contracts accept lower
// case alone.
func Validate(prefix, address string) ([]byte, error) {
	addressBytes, err := Decode(prefix, address)
	if err != nil {
		return nil, err
	}
	if strings.ToLower(address) != address {
		return nil, errors.New("address not normalized")
	}
	return addressBytes, nil
}
