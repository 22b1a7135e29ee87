package chain

import (
	"crypto/sha256"
	"fmt"
	"regexp"
	"strings"

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

var goodName = regexp.MustCompile(`^[\p{L}\p{N}][\p{L}\p{N}_.-]{0,31}$`)

// AddressFor gives the address that a new name gets: the first bytes of a hash
// of the name, so that it is the same on every chain with the prefix.
func AddressFor(prefix, name string, bytes int) (cw721.Address, error) {
	sum := sha256.Sum256([]byte("ephemera/account/" + name))
	return cw721.NewAddress(prefix, sum[:bytes])
}

// Names stand under 'n', addresses under 'a'.
var (
	byName    = kv.NewMap("n", kv.Text[string](), jsonCodec[Account]())
	byAddress = kv.NewMap("a", kv.Text[cw721.Address](), jsonCodec[string]())
)

func saveAccount(t kv.Txn, prefix string, a Account) error {
	if !goodName.MatchString(a.Name) {
		return &AccountError{fmt.Sprintf("name: %q cannot name an account, expected 1 to 32 letters, digits, dots, dashes or underscores", a.Name)}
	}
	if err := cw721.ValidateAddress(prefix, a.Address); err != nil {
		return &AccountError{fmt.Sprintf("address: %v", err)}
	}
	switch a.Receiver {
	case ReceiverDefault, ReceiverPlain, ReceiverAccepts, ReceiverRejects:
	default:
		return &AccountError{fmt.Sprintf("receiver: %q is no kind of receiver, expected plain, accepts or rejects", a.Receiver)}
	}
	if old, taken, err := byAddress.Load(t, a.Address); err != nil {
		return err
	} else if taken && old != a.Name {
		return &AccountError{fmt.Sprintf("address: %s is named %q already", a.Address, old)}
	}
	if old, taken, err := byName.Load(t, a.Name); err != nil {
		return err
	} else if taken && old.Address != a.Address {
		return &AccountError{fmt.Sprintf("name: %q is in use, for %s", a.Name, old.Address)}
	}
	return firstOf(byName.Save(t, a.Name, a), byAddress.Save(t, a.Address, a.Name))
}

// AddAccount names an address; without one the account gets the address that
// its name stands for. It fails with an [*AccountError].
func (c *Chain) AddAccount(name string, address cw721.Address, r Receiver) (a Account, err error) {
	err = c.update(func(s *session) error {
		a = Account{name, address, r}
		if a.Address == "" {
			size := cw721.AccountBytes
			if r == ReceiverAccepts || r == ReceiverRejects {
				size = cw721.ContractBytes
			}
			if a.Address, err = AddressFor(s.Prefix, name, size); err != nil {
				return err
			}
		}
		return firstOf(saveAccount(s.accounts, s.Prefix, a), s.bump())
	})
	return a, err
}

// SetReceiver says what is at an account's address. A name that is not in use
// yet makes an account of it.
func (c *Chain) SetReceiver(name string, r Receiver) (a Account, err error) {
	err = c.update(func(s *session) error {
		var known bool
		if a, known, err = byName.Load(s.accounts, name); err != nil {
			return err
		}
		if !known {
			a.Name = name
			if a.Address, err = AddressFor(s.Prefix, name, cw721.ContractBytes); err != nil {
				return err
			}
		}
		a.Receiver = r
		return firstOf(saveAccount(s.accounts, s.Prefix, a), s.bump())
	})
	return a, err
}

// RemoveAccount forgets a name; the address and what it owns stay.
func (c *Chain) RemoveAccount(name string) error {
	return c.update(func(s *session) error {
		a, ok, err := byName.Load(s.accounts, name)
		if err != nil {
			return err
		}
		if !ok {
			return &UnknownAccountError{name}
		}
		return firstOf(byName.Remove(s.accounts, name), byAddress.Remove(s.accounts, a.Address), s.bump())
	})
}

// addressBook looks up what "$name" stands for while a message is read, and
// keeps what went wrong there, which the reader has no way to tell.
type addressBook struct {
	accounts kv.Reader
	fault    error
}

func (b *addressBook) lookup(name string) (string, bool) {
	a, ok, err := byName.Load(b.accounts, name)
	b.fault = firstOf(b.fault, err)
	return string(a.Address), ok && err == nil
}

// trouble gives what is wrong beyond the message itself: err is what reading
// it gave, and a refusal is none.
func (b *addressBook) trouble(err error) error {
	if b.fault != nil || cw721.AsError(err) != nil {
		return b.fault
	}
	return err
}

// resolve gives the address that a text means: a name, "$name" or an address.
func resolve(accounts kv.Reader, prefix, who string) (cw721.Address, error) {
	a, ok, err := byName.Load(accounts, strings.TrimPrefix(who, "$"))
	if err != nil || ok {
		return a.Address, err
	}
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
	name, ok, err := byAddress.Load(s.accounts, a)
	if err != nil {
		return "", err
	}
	if ok {
		account, _, err := byName.Load(s.accounts, name)
		if err != nil || account.Receiver != ReceiverDefault {
			return account.Receiver, err
		}
	}
	raw, err := cw721.AddressBytes(s.Prefix, a)
	if err != nil {
		return "", err
	}
	if len(raw) == cw721.ContractBytes {
		return ReceiverAccepts, nil
	}
	return ReceiverPlain, nil
}
