package cw721

import (
	"encoding/base64"
	"strconv"
	"strings"

	"ephemera/core/bech32"
	"ephemera/core/wire"
)

// Height is a block height, counted in blocks. It is a number in JSON (spec §2 rule 6).
type Height uint64

// Time is a block time: nanoseconds since the Unix epoch, in UTC.
type Time uint64

// Block is the block in which a message runs, the contract's only clock.
type Block struct {
	Height Height
	Time   Time
}

// Env is what the chain tells a contract about the chain and about the contract.
type Env struct {
	Block        Block   // the block in which the message runs
	Self         Address // the contract's own address
	Instantiator Address // the account that created the contract (get_all_info, spec §11)
}

// Info is what the chain passes to a contract about the account that sent a message.
type Info struct{ Sender Address }

// DecodeWire reads a JSON integer of up to 64 bits.
func (h *Height) DecodeWire(decoder *wire.Decoder) error {
	height, err := decoder.Uint(64)
	*h = Height(height)
	return err
}

// AppendWire appends a JSON string of digits.
func (t Time) AppendWire(dst []byte) []byte {
	dst = append(dst, '"')
	dst = strconv.AppendUint(dst, uint64(t), 10)
	return append(dst, '"')
}

// DecodeWire reads a JSON string of digits, which may begin with a plus sign and zeros (spec §2
// rule 7).
func (t *Time) DecodeWire(decoder *wire.Decoder) error {
	text, err := decoder.Text("nanoseconds as a string of digits")
	if err != nil {
		return err
	}

	nanoseconds, err := strconv.ParseUint(strings.TrimPrefix(text, "+"), 10, 64)
	if err != nil {
		cause := "invalid Uint64 '" + text + "' - " + integerFault(text)
		return decoder.Fail(cause, "expected nanoseconds as a string of digits")
	}
	*t = Time(nanoseconds)
	return nil
}

// integerFault returns the error text of Rust, in which the public contract is written, for a
// text that could not be parsed as an integer.
func integerFault(text string) string {
	if text == "" {
		return "cannot parse integer from empty string"
	}
	if !isDigits(strings.TrimPrefix(text, "+")) {
		return "invalid digit found in string"
	}
	return "number too large to fit in target type"
}

// Binary holds bytes that are base64 in JSON (spec §2 rule 9).
type Binary []byte

// AppendWire appends a JSON string of padded base64.
func (b Binary) AppendWire(dst []byte) []byte {
	dst = append(dst, '"')
	dst = base64.StdEncoding.AppendEncode(dst, b)
	return append(dst, '"')
}

// strictBase64 fails for padding, and if the last character has bits beyond the last byte.
var strictBase64 = base64.RawStdEncoding.Strict()

// DecodeWire reads standard base64. The padding may be missing or incomplete. Line breaks and
// non-zero trailing bits are refused.
func (b *Binary) DecodeWire(decoder *wire.Decoder) error {
	text, err := decoder.Text("base64 in a string")
	if err != nil {
		return err
	}

	// The padding fills up the last group of four characters, which has at least two others.
	unpadded := strings.TrimRight(text, "=")
	paddingLength := len(text) - len(unpadded)
	lastGroupLength := len(unpadded) % 4
	hasWrongPadding := paddingLength > 0 && (lastGroupLength < 2 || lastGroupLength+paddingLength > 4)

	// Unlike the contract, Go's decoder skips line breaks.
	hasLineBreak := strings.ContainsAny(text, "\r\n")
	decoded, err := strictBase64.DecodeString(unpadded)
	if err != nil || hasWrongPadding || hasLineBreak {
		return decoder.Fail("invalid base64: "+text, "expected standard base64")
	}
	*b = decoded
	return nil
}

// Uint128 is an integer of up to 128 bits in decimal digits, without leading
// zeros. It is a string of digits in JSON.
type Uint128 string

// DecodeWire reads a string of digits below 2^128, which may begin with a plus sign and zeros.
func (u *Uint128) DecodeWire(decoder *wire.Decoder) error {
	text, err := decoder.Text("an amount as a string of digits")
	if err != nil {
		return err
	}

	n, ok := parseUint128(text)
	if !ok {
		cause := "invalid Uint128 '" + text + "' - " + integerFault(text)
		return decoder.Fail(cause, "expected an amount as a string of digits")
	}
	*u = Uint128(n.String())
	return nil
}

// Empty is a JSON object whose members are ignored: cw721-base's token extension
// and extension.msg (spec §2 rule 2).
type Empty struct {
	_ struct{} `wire:"lenient"`
}

// Address is the address of an account or a contract, in bech32. Only the
// lower-case spelling is valid, so equal addresses are equal strings.
type Address string

// DecodeWire reads any JSON string, because each message validates its addresses later, in its
// own order. It replaces a string such as "$alice" if the decoder can look up names, and fails
// with a [*wire.UnknownNameError] for an unknown one.
func (a *Address) DecodeWire(decoder *wire.Decoder) error {
	text, err := decoder.Text("an address in a string")
	if err != nil {
		return err
	}

	name, isName := strings.CutPrefix(text, "$")
	if isName && decoder.AddressOf != nil {
		address, isKnown := decoder.AddressOf(name)
		if !isKnown {
			return &wire.UnknownNameError{Name: name, Field: decoder.Path()}
		}
		decoder.HasNames = true
		*a = Address(address)
		return nil
	}

	*a = Address(text)
	if decoder.LiteralAddresses != nil {
		member := wire.Member{Field: decoder.Path(), Text: text}
		*decoder.LiteralAddresses = append(*decoder.LiteralAddresses, member)
	}
	return nil
}

// The lengths in bytes of the addresses that chains give to accounts and contracts.
const (
	AccountBytes  = 20
	ContractBytes = 32
)

// maxAddressText is the length in bytes of the longest text that a chain validates as an
// address for a contract.
const maxAddressText = 256

// ValidateAddress checks an address as the host of a contract does (spec §3.1). It fails with an
// [*Error] of kind address.
func ValidateAddress(prefix string, address Address) error {
	_, err := AddressBytes(prefix, address)
	return err
}

// AddressBytes returns the bytes that an address encodes, usually [AccountBytes] or
// [ContractBytes]. It fails as [ValidateAddress] does.
func AddressBytes(prefix string, address Address) ([]byte, error) {
	if len(address) > maxAddressText {
		return nil, &Error{Kind: KindAddress, Text: "Generic error: input too long for addr_validate"}
	}

	decoded, err := bech32.Validate(prefix, string(address))
	if err != nil {
		text := "Generic error: addr_validate errored: " + err.Error()
		return nil, &Error{Kind: KindAddress, Text: text}
	}
	return decoded, nil
}

// NewAddress encodes bytes as an address with the given prefix.
func NewAddress(prefix string, addressBytes []byte) (Address, error) {
	text, err := bech32.Encode(prefix, addressBytes)
	return Address(text), err
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
