package chain

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"ephemera/core/cw721"
	"ephemera/core/kv"
)

// The maps of the stored address book, which are exported for package doctor.
var (
	AccountsByName = kv.NewMap("n", kv.TextKey[string](), cw721.StoredJSON[Account]())
	NamesByAddress = kv.NewMap("a", kv.TextKey[cw721.Address](), cw721.StoredJSON[string]())
)

// Book finds an account by its name.
type Book struct {
	prefix string // of the chain's addresses
	// find returns the account with a name. It fails with the store's errors.
	find func(name string) (account Account, exists bool, err error)
}

// NewBook returns the address book of accounts whose addresses begin with prefix.
func NewBook(prefix string, accounts []Account) Book {
	find := func(name string) (Account, bool, error) {
		for _, account := range accounts {
			if account.Name == name {
				return account, true, nil
			}
		}
		return Account{}, false, nil
	}
	return Book{prefix: prefix, find: find}
}

func storedBook(prefix string, accounts kv.Reader) Book {
	find := func(name string) (Account, bool, error) { return AccountsByName.Load(accounts, name) }
	return Book{prefix: prefix, find: find}
}

// UnknownAccountError reports a text that is neither a name nor an address.
type UnknownAccountError struct{ Text string }

func (e *UnknownAccountError) Error() string {
	return fmt.Sprintf("no account is named %q, and it is not an address of this chain", e.Text)
}

// Resolve returns the address for a text as a person types it: the name of an account, with or
// without a dollar sign, or an address. It fails with a [*cw721.Error] for a mistyped address and
// for one of another chain, with an [*UnknownAccountError] for any other text, and with the
// store's errors.
func (b Book) Resolve(nameOrAddress string) (cw721.Address, error) {
	account, exists, err := b.find(strings.TrimPrefix(nameOrAddress, "$"))
	if err != nil {
		return "", err
	}
	if exists {
		return account.Address, nil
	}

	address := cw721.Address(nameOrAddress)
	addressErr := cw721.ValidateAddress(b.prefix, address)
	if addressErr == nil {
		return address, nil
	}

	// Any text that does not look like an address was meant as a name.
	_, isForeign := cw721.AddressPrefix(address)
	if isForeign || looksLikeAddress(b.prefix, nameOrAddress) {
		return "", addressErr
	}
	return "", &UnknownAccountError{nameOrAddress}
}

// nameLookup returns a function that finds the address for a "$name" in a message. If the store
// fails, that reports an unknown name, and keeps the first error in storeErr.
func (b Book) nameLookup(storeErr *error) cw721.NameLookup {
	return func(name string) (string, bool) {
		account, exists, err := b.find(name)
		*storeErr = cmp.Or(*storeErr, err)
		return string(account.Address), exists && err == nil
	}
}

// ResolveOrAdd is [Book.Resolve] for the accounts of a new chain. If the text is neither a name
// nor an address, it adds an account with that name. It fails with a [*FieldError] if the text
// cannot be a name, or looks like an address of any chain, which may have been meant to show the
// prefix. The genesis must have its prefix.
func (g *Genesis) ResolveOrAdd(nameOrAddress string) (cw721.Address, error) {
	address, err := NewBook(g.Prefix, g.Accounts).Resolve(nameOrAddress)
	if !errors.As(err, new(*UnknownAccountError)) {
		return address, err
	}

	prefix, rest, _ := strings.Cut(nameOrAddress, "1")
	hasPrefix := len(prefix) >= 3 && strings.Trim(prefix, "abcdefghijklmnopqrstuvwxyz") == ""
	isNumber := strings.Trim(rest, "0123456789") == "" // as in user12345
	if hasPrefix && len(rest) >= 5 && !isNumber {
		return "", checkNewName(prefix, nameOrAddress)
	}
	account, err := Account{Name: strings.TrimPrefix(nameOrAddress, "$")}.WithAddress(g.Prefix)
	if err != nil {
		return "", err
	}
	g.Accounts = append(g.Accounts, account)
	return account.Address, nil
}

// saveAccount adds an account to the address book, or replaces the one with the same name and
// address. It fails as [Account.WithAddress] and [Chain.AddAccount] do.
func (s *session) saveAccount(account Account) (Account, error) {
	account, err := account.WithAddress(s.Prefix)
	if err != nil {
		return account, err
	}
	receivers := []Receiver{ReceiverDefault, ReceiverPlain, ReceiverAccepts, ReceiverRejects}
	if err := checkName(account.Name); err != nil {
		return account, err
	}
	if err := cw721.ValidateAddress(s.Prefix, account.Address); err != nil {
		return account, fieldErrorf("address", "%v", err)
	}
	if !slices.Contains(receivers, account.Receiver) {
		return account, fieldErrorf(
			"receiver",
			"%q is no kind of receiver, expected plain, accepts or rejects",
			account.Receiver,
		)
	}

	// Neither the address nor the name may belong to another account.
	name, hasName, err := NamesByAddress.Load(s.accounts, account.Address)
	if err != nil {
		return account, err
	}
	if hasName && name != account.Name {
		return account, fieldErrorf("address", "%s is named %q already", account.Address, name)
	}
	stored, exists, err := AccountsByName.Load(s.accounts, account.Name)
	if err != nil {
		return account, err
	}
	if exists && stored.Address != account.Address {
		return account, fieldErrorf("name", "%q is in use, for %s", account.Name, stored.Address)
	}

	return account, cmp.Or(
		AccountsByName.Save(s.accounts, account.Name, account),
		NamesByAddress.Save(s.accounts, account.Address, account.Name))
}

// AddAccount names an address. An empty address is derived from the name. AddAccount fails
// with a [*FieldError] if a field is invalid, or if the name or the address belongs to another
// account.
func (c *Chain) AddAccount(name string, address cw721.Address, receiver Receiver) (Account, error) {
	return updateWithResult(c, func(s *session) (Account, error) {
		if err := checkNewName(s.Prefix, name); err != nil {
			return Account{}, err
		}
		return s.addAccount(Account{Name: name, Address: address, Receiver: receiver})
	})
}

// addAccount is saveAccount for a commit of its own.
func (s *session) addAccount(account Account) (Account, error) {
	account, err := s.saveAccount(account)
	if err != nil {
		return account, err
	}
	return account, s.countCommit()
}

// SetReceiver sets what the chain finds at the address of the account with a name, which it adds
// if there is none. It fails with a [*FieldError] if the name or the receiver is invalid.
func (c *Chain) SetReceiver(name string, receiver Receiver) (Account, error) {
	return updateWithResult(c, func(s *session) (Account, error) {
		stored, _, err := AccountsByName.Load(s.accounts, name)
		if err != nil {
			return Account{}, err
		}
		return s.addAccount(Account{Name: name, Address: stored.Address, Receiver: receiver})
	})
}

// RemoveAccount removes the account with a name from the address book. Its address keeps
// everything that it owns. It fails with an [*UnknownAccountError] if no account has the name.
func (c *Chain) RemoveAccount(name string) error {
	return c.update(func(s *session) error {
		account, exists, err := AccountsByName.Load(s.accounts, name)
		if err != nil {
			return err
		}
		if !exists {
			return &UnknownAccountError{name}
		}

		return cmp.Or(
			AccountsByName.Remove(s.accounts, name),
			NamesByAddress.Remove(s.accounts, account.Address),
			s.countCommit())
	})
}

// receiverAt returns what is at an address. Without a name it has the default receiver.
func (s *session) receiverAt(address cw721.Address) (Receiver, error) {
	name, _, err := NamesByAddress.Load(s.accounts, address)
	if err != nil {
		return "", err
	}

	account, _, err := AccountsByName.Load(s.accounts, name)
	if err != nil {
		return "", err
	}
	return Account{Address: address, Receiver: account.Receiver}.ResolveReceiver(s.Prefix)
}
