package chain_test

import (
	"crypto/sha256"
	"errors"
	"strings"
	"testing"

	"ephemera/core/chain"
	"ephemera/core/cw721"
)

func TestANewNameGetsTheFirstBytesOfItsHash(t *testing.T) {
	w := newWorld(t)
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
		a := must(w.c.AddAccount(name, "", test.receiver))(t)
		sum := sha256.Sum256([]byte("ephemera/account/" + name))
		want := must(cw721.NewAddress("cosmos", sum[:test.bytes]))(t)
		same(t, "the account", chain.Account{Name: name, Address: want, Receiver: test.receiver}, a)
		w.view(func(v *chain.View) {
			same(t, "who the name is", want, must(v.Resolve(name))(t))
			same(t, "who the name with a dollar is", want, must(v.Resolve("$"+name))(t))
			same(t, "who the address is", want, must(v.Resolve(string(want)))(t))
			same(t, "the name of the address", name, v.NameOf(want))
		})
	}
}

func TestANameAndAnAddressBelongToEachOther(t *testing.T) {
	w := newWorld(t)
	before := w.everything()
	for what, add := range map[string]func() error{
		"a name for another address": func() error { _, err := w.c.AddAccount("alice", address("bob2"), ""); return err },
		"another name for an address": func() error {
			_, err := w.c.AddAccount("alina", address("alice"), "")
			return err
		},
		"no name":          func() error { _, err := w.c.AddAccount("", "", ""); return err },
		"a name of blanks": func() error { _, err := w.c.AddAccount("a b", "", ""); return err },
		"a dollar":         func() error { _, err := w.c.AddAccount("$alice", "", ""); return err },
		"a long name":      func() error { _, err := w.c.AddAccount(strings.Repeat("a", 33), "", ""); return err },
		"a foreign address": func() error {
			_, err := w.c.AddAccount("dave", "osmo1qqqsyqcyq5rqwzqfpg9scrgwpugpzysn3tn9l8", "")
			return err
		},
		"an unknown receiver": func() error {
			_, err := w.c.AddAccount("dave", "", "perhaps")
			return err
		},
		"an unknown receiver for someone known": func() error { _, err := w.c.SetReceiver("alice", "perhaps"); return err },
	} {
		t.Run(what, func(t *testing.T) {
			var refused *chain.AccountError
			if err := add(); !errors.As(err, &refused) {
				t.Errorf("got %v, want an account error", err)
			}
			same(t, "the store", before, w.everything())
		})
	}
}

func TestTheSameAccountCanBeAddedAgain(t *testing.T) {
	w := newWorld(t)
	must(w.c.AddAccount("alice", "", ""))(t)
	w.view(func(v *chain.View) { same(t, "how many there are", len(people), len(must(v.Accounts())(t))) })
}

func TestARemovedNameIsForgottenAndWhatTheAddressOwnsStays(t *testing.T) {
	w := newWorld(t)
	w.mint("1", "alice")
	ok(t, w.c.RemoveAccount("alice"))
	var unknown *chain.UnknownAccountError
	if err := w.c.RemoveAccount("alice"); !errors.As(err, &unknown) {
		t.Errorf("removing it again gave %v", err)
	}
	w.view(func(v *chain.View) {
		if _, err := v.Resolve("alice"); !errors.As(err, &unknown) {
			t.Errorf("the name still stands for something: %v", err)
		}
		same(t, "the name of the address", "", v.NameOf(address("alice")))
		same(t, "what the address has", 1, must(v.Holdings(address("alice")))(t))
	})
	must(w.c.AddAccount("alina", address("alice"), ""))(t)
}

func TestAReceiverForANewNameMakesAnAccountOfIt(t *testing.T) {
	w := newWorld(t)
	a := must(w.c.SetReceiver("market", chain.ReceiverRejects))(t)
	raw := must(cw721.AddressBytes("cosmos", a.Address))(t)
	same(t, "the bytes of its address", 32, len(raw))
	a = must(w.c.SetReceiver("market", chain.ReceiverAccepts))(t)
	same(t, "what it became", chain.ReceiverAccepts, a.Receiver)

	a = must(w.c.SetReceiver("dave", chain.ReceiverPlain))(t)
	same(t, "the address of someone who is no contract", address("dave"), a.Address)
}

func TestATextThatIsNobodyIsToldFromABrokenAddress(t *testing.T) {
	w := newWorld(t)
	w.view(func(v *chain.View) {
		var unknown *chain.UnknownAccountError
		for _, who := range []string{"", "nobody", "$nobody", "osmo1xyz"} {
			if _, err := v.Resolve(who); !errors.As(err, &unknown) {
				t.Errorf("%q gave %v, want that nobody has the name", who, err)
			}
		}
		for _, who := range []string{"cosmos1xyz", strings.ToUpper(string(address("alice")))} {
			_, err := v.Resolve(who)
			if e := cw721.AsError(err); e == nil || e.Kind != cw721.KindAddress {
				t.Errorf("%q gave %v, want what is wrong with the address", who, err)
			}
		}
	})
}

func TestANameHasUpTo32LettersDigitsAndFewSigns(t *testing.T) {
	for name, good := range map[string]bool{
		"a": true, "7": true, "alice.b-c_d": true, "日本": true, "Ⅷ": true, strings.Repeat("é", 32): true,
		"": false, ".a": false, "-a": false, "_a": false, "a b": false, "a\n": false, "a\xff": false, "a$": false,
		strings.Repeat("é", 33): false,
	} {
		_, err := newWorld(t).c.AddAccount(name, "", "")
		if good != (err == nil) {
			t.Errorf("%q: %v", name, err)
		}
	}
}

func TestANameThatCannotBeReadFailsTheView(t *testing.T) {
	w := newWorld(t)
	c := must(chain.Open(&trouble{DB: w.db, after: 2}))(t) // the clock and the history can be read
	if err := c.View(func(v *chain.View) error { v.NameOf(address("alice")); return nil }); !errors.Is(err, errDisk) {
		t.Errorf("got %v, expected the store's own error", err)
	}
}
