package chain_test

import (
	"crypto/sha256"
	"errors"
	"strconv"
	"strings"
	"testing"

	"ephemera/core/chain"
	. "ephemera/core/chain/chaintest"
	"ephemera/core/cw721"
)

func TestANewNameGetsAnAddressFromItsHash(t *testing.T) {
	w := New(t)
	for name, test := range map[string]struct {
		receiver chain.Receiver
		bytes    int
	}{
		"dave":    {chain.ReceiverDefault, 20},
		"plain":   {chain.ReceiverPlain, 20},
		"market":  {chain.ReceiverAccepts, 32},
		"grumpy":  {chain.ReceiverRejects, 32},
		"ünïcode": {chain.ReceiverDefault, 20},
	} {
		a := Must(w.C.AddAccount(name, "", test.receiver))(t)
		sum := sha256.Sum256([]byte("ephemera/account/" + name))
		want := Must(cw721.NewAddress("cosmos", sum[:test.bytes]))(t)
		Same(t, "the account", chain.Account{Name: name, Address: want, Receiver: test.receiver}, a)
		w.View(func(v *chain.View) {
			Same(t, "the address of the name", want, Must(v.Resolve(name))(t))
			Same(t, "the address of the name with a dollar", want, Must(v.Resolve("$"+name))(t))
			Same(t, "the address of the address", want, Must(v.Resolve(string(want)))(t))
			Same(t, "the name of the address", name, v.NameOf(want))
		})
	}
}

func TestAnInvalidAccountIsRefusedAndChangesNothing(t *testing.T) {
	w := New(t)
	before := w.Everything()
	for what, a := range map[string]chain.Account{
		"a name for another address":  {Name: "alice", Address: Address("bob2")},
		"another name for an address": {Name: "alina", Address: Address("alice")},
		"no name":                     {},
		"a name of blanks":            {Name: "a b"},
		"a foreign address":           {Name: "dave", Address: "osmo1qqqsyqcyq5rqwzqfpg9scrgwpugpzysn3tn9l8"},
		"an unknown receiver":         {Name: "dave", Receiver: "perhaps"},
	} {
		FailsAs[*chain.FieldError](w.C.AddAccount(a.Name, a.Address, a.Receiver))(t, what)
	}
	FailsAs[*chain.FieldError](w.C.SetReceiver("alice", "perhaps"))(t, "an unknown receiver for someone known")
	Same(t, "the store", before, w.Everything())
}

func TestTheSameAccountCanBeAddedAgain(t *testing.T) {
	w := New(t)
	Must(w.C.AddAccount("alice", "", ""))(t)
	w.View(func(v *chain.View) { Same(t, "how many there are", len(People), len(Must(v.Accounts())(t))) })
}

func TestRemovingANameKeepsWhatItsAddressOwns(t *testing.T) {
	w := New(t)
	w.Mint("1", "alice")
	OK(t, w.C.RemoveAccount("alice"))
	var unknown *chain.UnknownAccountError
	if err := w.C.RemoveAccount("alice"); !errors.As(err, &unknown) {
		t.Errorf("removing it again gave %v", err)
	}
	w.View(func(v *chain.View) {
		if _, err := v.Resolve("alice"); !errors.As(err, &unknown) {
			t.Errorf("resolving the removed name gave %v", err)
		}
		Same(t, "the name of the address", "", v.NameOf(Address("alice")))
		Same(t, "the number of the address's tokens", 1, Must(v.Holdings(Address("alice")))(t))
	})
	Must(w.C.AddAccount("alina", Address("alice"), ""))(t)
}

func TestSettingTheReceiverOfANewNameAddsAnAccount(t *testing.T) {
	w := New(t)
	a := Must(w.C.SetReceiver("market", chain.ReceiverRejects))(t)
	raw := Must(cw721.AddressBytes("cosmos", a.Address))(t)
	Same(t, "the size of a contract's address", 32, len(raw))
	a = Must(w.C.SetReceiver("market", chain.ReceiverAccepts))(t)
	Same(t, "the changed receiver", chain.ReceiverAccepts, a.Receiver)

	a = Must(w.C.SetReceiver("dave", chain.ReceiverPlain))(t)
	Same(t, "the address of a plain account", Address("dave"), a.Address)
}

func TestResolvingDistinguishesUnknownNamesFromBrokenAddresses(t *testing.T) {
	w := New(t)
	w.View(func(v *chain.View) {
		for _, who := range []string{"", "nobody", "$nobody", "osmo1xyz"} {
			FailsAs[*chain.UnknownAccountError](v.Resolve(who))(t, strconv.Quote(who))
		}
		for _, who := range []string{"cosmos1xyz", strings.ToUpper(string(Address("alice")))} {
			_, err := v.Resolve(who)
			if e := cw721.AsError(err); e == nil || e.Kind != cw721.KindAddress {
				t.Errorf("%q gave %v, want an error about the address", who, err)
			}
		}
	})
}

func TestANameHasUpTo32LettersDigitsAndFewSigns(t *testing.T) {
	for name, good := range map[string]bool{
		"a": true, "7": true, "alice.b-c_d": true, "日本": true, "Ⅷ": true, strings.Repeat("é", 32): true,
		"": false, ".a": false, "-a": false, "_a": false, "a b": false, "a\n": false, "a\xff": false, "a$": false, "$alice": false,
		strings.Repeat("é", 33): false,
	} {
		_, err := New(t).C.AddAccount(name, "", "")
		if good != (err == nil) {
			t.Errorf("%q: %v", name, err)
		}
	}
}

func TestANameThatCannotBeReadFailsTheView(t *testing.T) {
	w := New(t)
	c := Must(chain.Open(&Trouble{DB: w.DB, After: 2}))(t) // the clock and the history can be read
	err := c.View(func(v *chain.View) error {
		v.NameOf(Address("alice"))
		return nil
	})
	if !errors.Is(err, ErrDisk) {
		t.Errorf("got %v, want the store's own error", err)
	}
}
