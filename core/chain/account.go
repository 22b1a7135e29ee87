package chain

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"ephemera/core/cw721"
)

// Receiver is what a chain finds at an address to which a contract sends a message.
type Receiver string

// The kinds of receiver. The default stands for one of the others, which
// [Account.ResolveReceiver] finds by the length of the address.
const (
	ReceiverDefault Receiver = ""        // accepts at an address of 32 bytes, else plain
	ReceiverPlain   Receiver = "plain"   // an account without a contract, so messages to it fail
	ReceiverAccepts Receiver = "accepts" // a contract that accepts every message
	ReceiverRejects Receiver = "rejects" // a contract that refuses every message
)

// Account is an address to which the user has given a name, such as "alice".
type Account struct {
	Name     string        `wire:"name"`
	Address  cw721.Address `wire:"address"`
	Receiver Receiver      `wire:"receiver"`
}

// FieldError reports that one field of an account or of a new chain is invalid.
type FieldError struct {
	Field string // such as "name" or "height"
	Text  string // what is wrong, and what was expected
}

func fieldErrorf(field, format string, args ...any) error {
	return &FieldError{Field: field, Text: fmt.Sprintf(format, args...)}
}

func (e *FieldError) Error() string { return e.Field + ": " + e.Text }

// ValidNames describes the names for which [IsValidName] is true, as the end of a sentence.
const ValidNames = "1 to 32 letters, digits, dots, dashes or underscores"

// IsValidName reports whether a text has 1 to 32 characters and consists of letters,
// digits, dots, dashes and underscores, with a letter or a digit first. It does not use
// a regular expression: compiling one with all letters would add a millisecond to every
// start of the program.
func IsValidName(name string) bool {
	length := 0
	for _, r := range name {
		isAlphanumeric := unicode.IsLetter(r) || unicode.IsNumber(r)
		if !isAlphanumeric && (length == 0 || !strings.ContainsRune("_.-", r)) {
			return false
		}
		length++
	}
	return 1 <= length && length <= 32
}

func looksLikeAddress(prefix, text string) bool {
	return strings.HasPrefix(strings.ToLower(text), prefix+"1")
}

// checkNewName returns a [*FieldError] for the field "name" if a text cannot be the name of a
// new account. A text that begins like an address of the chain is a mistyped address.
func checkNewName(prefix, name string) error {
	if looksLikeAddress(prefix, name) {
		return fieldErrorf("name", "%q looks like an address and is none, expected another name, or a whole address", name)
	}
	return checkName(name)
}

// checkName is [checkNewName] for the name of a stored account, which may look like an
// address.
func checkName(name string) error {
	if IsValidName(name) {
		return nil
	}
	return fieldErrorf("name", "%q cannot name an account, expected %s", name, ValidNames)
}

// Distinct removes from a slice the items that repeat an earlier one, and zero values
// such as "". It keeps the order, and overwrites the array of the slice.
func Distinct[T comparable](items []T) []T {
	var zero T
	seen := map[T]bool{zero: true}
	return slices.DeleteFunc(items, func(item T) bool {
		isRepeated := seen[item]
		seen[item] = true
		return isRepeated
	})
}

// AddressFor derives the address of an account that has none from a hash of its name, so the
// same name gives the same address on every chain with the prefix. size is
// [cw721.AccountBytes] or [cw721.ContractBytes]. AddressFor fails with a [*FieldError] if no
// address can begin with the prefix.
func AddressFor(prefix, name string, size int) (cw721.Address, error) {
	nameHash := sha256.Sum256([]byte("ephemera/account/" + name))
	address, encodeErr := cw721.NewAddress(prefix, nameHash[:size])
	err := cmp.Or(encodeErr, cw721.ValidateAddress(prefix, address))
	if err != nil {
		return "", fieldErrorf(
			"prefix",
			"%q cannot begin an address, expected lower-case letters such as cosmos",
			prefix,
		)
	}
	return address, nil
}

// WithAddress returns the account with its address. If it has none yet, WithAddress derives
// one from the name; see [AddressFor]. If the receiver accepts or rejects messages, the
// address is as long as a contract's. WithAddress fails with a [*FieldError] if the name or
// the prefix is invalid.
func (a Account) WithAddress(prefix string) (Account, error) {
	if a.Address != "" {
		return a, nil
	}
	if err := checkNewName(prefix, a.Name); err != nil {
		return a, err
	}
	size := cw721.AccountBytes
	if a.Receiver == ReceiverAccepts || a.Receiver == ReceiverRejects {
		size = cw721.ContractBytes
	}
	address, err := AddressFor(prefix, a.Name, size)
	a.Address = address
	return a, err
}

// ResolveReceiver returns what is at the account's address. If the receiver is
// [ReceiverDefault], an address of 32 bytes is a contract that accepts messages, and any other
// address is a plain account (spec §5). ResolveReceiver fails with a [*cw721.Error] if the
// receiver is the default and the address is invalid.
func (a Account) ResolveReceiver(prefix string) (Receiver, error) {
	if a.Receiver != ReceiverDefault {
		return a.Receiver, nil
	}
	raw, err := cw721.AddressBytes(prefix, a.Address)
	if err != nil {
		return "", err
	}
	if len(raw) == cw721.ContractBytes {
		return ReceiverAccepts, nil
	}
	return ReceiverPlain, nil
}
