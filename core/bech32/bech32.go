// Package bech32 spells addresses as a Cosmos chain does, and reads them back
// with the chain's own words for what is wrong.
//
// It knows a chain's prefix and nothing of contracts: both the contract that is
// built in and compiled ones ask it.
package bech32

import (
	"errors"
	"fmt"
	"strings"

	"github.com/btcsuite/btcd/btcutil/bech32"
)

const maxBytes = 255 // of the decoded address

// Encode spells b as an address with the given prefix.
func Encode(prefix string, b []byte) (string, error) { return bech32.EncodeFromBase256(prefix, b) }

// Decode gives the bytes of an address with the given prefix, in lower case or
// in upper case.
func Decode(prefix, s string) ([]byte, error) {
	switch {
	case s == "":
		return nil, errors.New("Input is empty")
	case strings.TrimSpace(s) == "":
		return nil, errors.New("empty address string is not allowed")
	}
	hrp, data, version, err := bech32.DecodeNoLimitWithVersion(s)
	const badSum = "decoding bech32 failed: invalid checksum (expected %s got %s)"
	if err != nil {
		if sum := (bech32.ErrInvalidChecksum{}); errors.As(err, &sum) {
			return nil, fmt.Errorf(badSum, sum.Expected, sum.Actual) // the library tells of bech32m as well
		}
		return nil, fmt.Errorf("decoding bech32 failed: %w", err)
	}
	raw, err := bech32.ConvertBits(data, 5, 8, false)
	if err != nil {
		return nil, fmt.Errorf("decoding bech32 failed: %w", err)
	}
	// The library also takes bech32m, which no chain of this kind uses.
	switch {
	case version != bech32.Version0:
		again, err := bech32.Encode(hrp, data)
		if err != nil {
			return nil, fmt.Errorf("decoding bech32 failed: %w", err)
		}
		return nil, fmt.Errorf(badSum, again[len(again)-6:], s[len(s)-6:])
	case hrp != prefix:
		return nil, fmt.Errorf("invalid Bech32 prefix; expected %s, got %s", prefix, hrp)
	case len(raw) == 0 || len(raw) > maxBytes:
		return nil, fmt.Errorf("address of %d bytes, expected 1 to %d", len(raw), maxBytes)
	}
	return raw, nil
}

// Validate is [Decode] for an address that has to be in its normal form, which
// is lower case.
func Validate(prefix, s string) ([]byte, error) {
	raw, err := Decode(prefix, s)
	if err == nil && strings.ToLower(s) != s {
		return nil, errors.New("address not normalized")
	}
	return raw, err
}
