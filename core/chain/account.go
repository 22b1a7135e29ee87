package chain

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"strings"
	"unicode"

	"ephemera/core/cw721"
	"ephemera/core/kv"
)

// Receiver tells what a chain finds at an address when it delivers a message.
type Receiver string

// The kinds of receiver.
const (
	ReceiverDefault Receiver = ""        // by the address: 32 bytes accept, others are plain
	ReceiverPlain   Receiver = "plain"   // an account: there is no such contract
	ReceiverAccepts Receiver = "accepts" // a contract that takes what it gets
	ReceiverRejects Receiver = "rejects" // a contract that refuses
)

// Account is an address that has a name here.
type Account struct {
	Name     string        `wire:"name"`
	Address  cw721.Address `wire:"address"`
	Receiver Receiver      `wire:"receiver"`
}

// UnknownAccountError says that a text is neither a name nor an address.
type UnknownAccountError struct{ Who string }

func (e *UnknownAccountError) Error() string {
	return fmt.Sprintf("no account is named %q, and it is not an address of this chain", e.Who)
}

// AccountError says why an account cannot be kept.
type AccountError struct{ Text string }

func (e *AccountError) Error() string { return e.Text }

// IsValidName tells whether a name is one of 1 to 32 letters, digits, dots, dashes
// and underscores that begins with a letter or a digit. (A regular expression
// with so many letters would take a millisecond of every start.)
func IsValidName(name string) bool {
	n := 0
	for _, r := range name {
		if !unicode.IsLetter(r) && !unicode.IsNumber(r) && (n == 0 || !strings.ContainsRune("_.-", r)) {
			return false
		}
		n++
	}
	return 1 <= n && n <= 32
}

// AddressFor gives the address that a new name gets: the first bytes of a hash
// of the name, so that it is the same on every chain with the prefix. bytes is
// [cw721.AccountBytes] or [cw721.ContractBytes]. It fails for what cannot be a
// prefix.
func AddressFor(prefix, name string, bytes int) (cw721.Address, error) {
	sum := sha256.Sum256([]byte("ephemera/account/" + name))
	a, err := cw721.NewAddress(prefix, sum[:bytes])
	if err == nil {
		err = cw721.ValidateAddress(prefix, a) // whatever it is spelled with
	}
	if err != nil {
		return "", fmt.Errorf("prefix: %q cannot be the prefix of an address: %w", prefix, err)
	}
	return a, nil
}

// Addressed gives an account without an address the one that its name stands
// for: that of a contract where tokens are taken or refused. It fails for what
// cannot be a prefix, and with an [*AccountError] for what cannot be a name.
func (a Account) Addressed(prefix string) (Account, error) {
	if a.Address != "" {
		return a, nil
	}
	if !IsValidName(a.Name) {
		return a, badName(a.Name)
	}
	size := cw721.AccountBytes
	if a.Receiver == ReceiverAccepts || a.Receiver == ReceiverRejects {
		size = cw721.ContractBytes
	}
	var err error
	a.Address, err = AddressFor(prefix, a.Name, size)
	return a, err
}

// Found tells what a chain finds at the account's address: what was said of
// it, or else what the address tells, a contract that accepts at 32 bytes
// (spec §5).
func (a Account) Found(prefix string) (Receiver, error) {
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

// The address book, both ways: name → account, address → name. The keys are the
// raw texts behind the namespace, the values JSON. Exported for package check.
var (
	AccountsByName = kv.NewMap("n", kv.TextKey[string](), cw721.StoredJSON[Account]())
	NamesByAddress = kv.NewMap("a", kv.TextKey[cw721.Address](), cw721.StoredJSON[string]())
)

func badName(name string) error {
	return &AccountError{fmt.Sprintf("name: %q cannot name an account, expected 1 to 32 letters, digits, dots, dashes or underscores", name)}
}

func saveAccount(t kv.Txn, prefix string, a Account) error {
	if !IsValidName(a.Name) {
		return badName(a.Name)
	}
	if err := cw721.ValidateAddress(prefix, a.Address); err != nil {
		return &AccountError{fmt.Sprintf("address: %v", err)}
	}
	switch a.Receiver {
	case ReceiverDefault, ReceiverPlain, ReceiverAccepts, ReceiverRejects:
	default:
		return &AccountError{fmt.Sprintf("receiver: %q is no kind of receiver, expected plain, accepts or rejects", a.Receiver)}
	}
	if old, taken, err := NamesByAddress.Load(t, a.Address); err != nil {
		return err
	} else if taken && old != a.Name {
		return &AccountError{fmt.Sprintf("address: %s is named %q already", a.Address, old)}
	}
	if old, taken, err := AccountsByName.Load(t, a.Name); err != nil {
		return err
	} else if taken && old.Address != a.Address {
		return &AccountError{fmt.Sprintf("name: %q is in use, for %s", a.Name, old.Address)}
	}
	return cmp.Or(AccountsByName.Save(t, a.Name, a), NamesByAddress.Save(t, a.Address, a.Name))
}

// AddAccount names an address; without one the account gets the address that
// its name stands for. It fails with an [*AccountError].
func (c *Chain) AddAccount(name string, address cw721.Address, r Receiver) (Account, error) {
	return change(c, func(s *session) (Account, error) { return s.keep(Account{name, address, r}) })
}

func (s *session) keep(a Account) (Account, error) {
	a, err := a.Addressed(s.Prefix)
	if err != nil {
		return a, err
	}
	return a, cmp.Or(saveAccount(s.accounts, s.Prefix, a), s.bump())
}

// SetReceiver says what is at an account's address. A name that is not in use
// yet makes an account of it. It fails with an [*AccountError].
func (c *Chain) SetReceiver(name string, r Receiver) (Account, error) {
	return change(c, func(s *session) (Account, error) {
		known, _, err := AccountsByName.Load(s.accounts, name)
		if err != nil {
			return known, err
		}
		return s.keep(Account{name, known.Address, r})
	})
}

// RemoveAccount forgets a name; the address and what it owns stay. It fails
// with an [*UnknownAccountError].
func (c *Chain) RemoveAccount(name string) error {
	return c.update(func(s *session) error {
		a, ok, err := AccountsByName.Load(s.accounts, name)
		if err != nil {
			return err
		}
		if !ok {
			return &UnknownAccountError{name}
		}
		return cmp.Or(AccountsByName.Remove(s.accounts, name), NamesByAddress.Remove(s.accounts, a.Address), s.bump())
	})
}

// addressBook looks up what "$name" stands for while a message is read, and
// keeps what went wrong there, which the reader has no way to tell.
type addressBook struct {
	accounts kv.Reader
	fault    error
}

func (b *addressBook) lookup(name string) (string, bool) {
	a, ok, err := AccountsByName.Load(b.accounts, name)
	b.fault = cmp.Or(b.fault, err)
	return string(a.Address), ok && err == nil
}

// resolve gives the address that a text means: a name, "$name" or an address.
func resolve(accounts kv.Reader, prefix, who string) (cw721.Address, error) {
	a, ok, err := AccountsByName.Load(accounts, strings.TrimPrefix(who, "$"))
	if err != nil || ok {
		return a.Address, err
	}
	return nameless(prefix, who)
}

// Resolve is [View.Resolve] before there is a chain, among the accounts that it
// will begin with.
func (g Genesis) Resolve(who string) (cw721.Address, error) {
	for _, a := range g.Accounts {
		if a.Name == strings.TrimPrefix(who, "$") {
			return a.Address, nil
		}
	}
	return nameless(g.Prefix, who)
}

// nameless gives the address that a text is, which is nobody's name.
func nameless(prefix, who string) (cw721.Address, error) {
	if err := cw721.ValidateAddress(prefix, cw721.Address(who)); err != nil {
		if e := cw721.AsError(err); strings.HasPrefix(who, prefix+"1") || strings.HasPrefix(who, strings.ToUpper(prefix)+"1") {
			return "", e
		}
		return "", &UnknownAccountError{who}
	}
	return cw721.Address(who), nil
}

// receiverAt tells what is at an address.
func (s *session) receiverAt(a cw721.Address) (Receiver, error) {
	name, _, err := NamesByAddress.Load(s.accounts, a)
	if err != nil {
		return "", err
	}
	known, _, err := AccountsByName.Load(s.accounts, name) // nobody has the empty name
	if err != nil {
		return "", err
	}
	return Account{Address: a, Receiver: known.Receiver}.Found(s.Prefix)
}
