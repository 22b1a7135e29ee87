package cw721_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/btcsuite/btcd/btcutil/bech32"

	"ephemera/core/cw721"
	"ephemera/core/kv/kvtest"
	"ephemera/core/wire"
)

// encodeBech32 encodes bytes with a prefix by one of btcutil's encoders.
func encodeBech32(t *testing.T, hrp string, b []byte, encode func(string, []byte) (string, error)) string {
	t.Helper()
	groups := kvtest.Must(bech32.ConvertBits(b, 8, 5, true))(t)
	return kvtest.Must(encode(hrp, groups))(t)
}

func TestAddressesOfAllLengthsThatChainsAllowAreValid(t *testing.T) {
	for _, n := range []int{1, 20, 32, 64, 100, 140} {
		s := cw721.Address(encodeBech32(t, prefix, make([]byte, n), bech32.Encode))
		if err := cw721.ValidateAddress(prefix, s); err != nil {
			t.Errorf("%d bytes: %v", n, err)
		}
		b, err := cw721.AddressBytes(prefix, s)
		if err != nil || len(b) != n {
			t.Errorf("%d bytes came back as %d, %v", n, len(b), err)
		}
	}
	long := "averyveryveryverylongprefixindeed"
	contract := cw721.Address(encodeBech32(t, long, make([]byte, 32), bech32.Encode))
	if len(contract) <= 90 {
		t.Fatal("the address is too short to show anything")
	}
	if err := cw721.ValidateAddress(long, contract); err != nil {
		t.Errorf("a contract's address of %d letters: %v", len(contract), err)
	}
}

func TestInvalidAddressesAreRefusedWithTheTextOfTheHost(t *testing.T) {
	const wrap, failed = "Generic error: addr_validate errored: ", "Generic error: addr_validate errored: decoding bech32 failed: "
	good := addr("alice")
	wrong := good[:len(good)-1] + "q"
	if wrong == good {
		wrong = good[:len(good)-1] + "p"
	}
	m, plain := encodeBech32(t, prefix, make([]byte, 20), bech32.EncodeM), encodeBech32(t, prefix, make([]byte, 20), bech32.Encode)
	for _, c := range []struct{ name, address, text string }{
		{"nothing", "", wrap + "Input is empty"},
		{"only blanks", "   ", wrap + "empty address string is not allowed"},
		{"too short", "cosmos1", failed + "invalid bech32 string length 7"},
		{"a name", "alicealice", failed + "invalid separator index -1"},
		{"no prefix", "1qqqqqqqqqq", failed + "invalid separator index 0"},
		{"both cases", "Cosmos1qqqqqqqq", failed + "string not all lowercase or all uppercase"},
		{"a letter outside the charset", "cosmos1bbbbbbbbbbbb", failed + "invalid character not part of charset: 98"},
		{"a blank inside", "cosmos1qqq qqqqqq", failed + "invalid character in string: ' '"},
		{"a blank behind", good + " ", failed + "invalid character in string: ' '"},
		{"a letter that is no ASCII", "cosmos1é" + good[8:], "…"},
		{"a wrong checksum", wrong, failed + "invalid checksum (expected " + good[len(good)-6:] + " got " + wrong[len(wrong)-6:] + ")"},
		{"a wrong checksum in upper case", strings.ToUpper(wrong), failed + "invalid checksum (expected " + good[len(good)-6:] + " got " + wrong[len(wrong)-6:] + ")"},
		{"upper case", strings.ToUpper(good), wrap + "address not normalized"},
		{"another chain", encodeBech32(t, "stars", make([]byte, 20), bech32.Encode), wrap + "invalid Bech32 prefix; expected cosmos, got stars"},
		{"another chain in upper case", strings.ToUpper(encodeBech32(t, "stars", make([]byte, 20), bech32.Encode)), wrap + "invalid Bech32 prefix; expected cosmos, got stars"},
		{"an operator's address of the same chain", encodeBech32(t, "cosmosvaloper", make([]byte, 20), bech32.Encode), wrap + "invalid Bech32 prefix; expected cosmos, got cosmosvaloper"},
		{"no bytes", encodeBech32(t, prefix, nil, bech32.Encode), "…"},
		{"bech32m", m, failed + "invalid checksum (expected " + plain[len(plain)-6:] + " got " + m[len(m)-6:] + ")"},
		{"256 letters", strings.Repeat("q", 256), failed + "invalid separator index -1"},
		{"257 letters", strings.Repeat("q", 257), "Generic error: input too long for addr_validate"},
	} {
		t.Run(c.name, func(t *testing.T) {
			err := cw721.ValidateAddress(prefix, cw721.Address(c.address))
			var got *cw721.Error
			if !errors.As(err, &got) || got.Kind != cw721.KindAddress {
				t.Fatalf("%q gives %v", c.address, err)
			}
			if c.text != "…" && got.Text != c.text {
				t.Errorf("%q:\n got %s\nwant %s", c.address, got.Text, c.text)
			}
			if _, err := cw721.AddressBytes(prefix, cw721.Address(c.address)); err == nil {
				t.Errorf("%q has bytes", c.address)
			}
		})
	}
}

func TestThePrefixOfAnAddressEndsAtItsLastOne(t *testing.T) {
	odd := cw721.Address(encodeBech32(t, "a1b", make([]byte, 20), bech32.Encode))
	for address, want := range map[cw721.Address]string{cw721.Address(addr("bob")): prefix, odd: "a1b"} {
		if got, ok := cw721.AddressPrefix(address); !ok || got != want {
			t.Errorf("%s has the prefix %q, %v", address, got, ok)
		}
	}
	for _, s := range []cw721.Address{"", "1", "cosmos", "cosmos1", "cosmos1qqqqqqqq", cw721.Address(strings.ToUpper(addr("bob")))} {
		if got, ok := cw721.AddressPrefix(s); ok {
			t.Errorf("%q has the prefix %q", s, got)
		}
	}
}

func TestANameIsReplacedOnlyInMembersThatAreAddresses(t *testing.T) {
	names := func(name string) (string, bool) { return addr(name), name == "bob" }
	c := cw721.Contract{Rules: cw721.RulesStandard, Flavour: cw721.FlavourOnchain, Prefix: prefix}

	m, read, err := c.DecodeExecute([]byte(`{"approve":{"spender":"$bob","token_id":"$bob"}}`), names)
	if err != nil || !read.HasNames {
		t.Fatalf("read is %v, %v", read, err)
	}
	if got := m.(*cw721.Approve); got.Spender != cw721.Address(addr("bob")) || got.TokenID != "$bob" {
		t.Errorf("read %+v", got)
	}
	q, read, err := c.DecodeQuery([]byte(`{"all_operators":{"owner":"$bob","start_after":"$bob"}}`), names)
	if err != nil || !read.HasNames || *q.(*cw721.AllOperators).StartAfter != cw721.Address(addr("bob")) {
		t.Errorf("read %+v, %v, %v", q, read, err)
	}
	i, read, err := c.DecodeInstantiate([]byte(`{"name":"$bob","symbol":"S","minter":"$bob","collection_info_extension":{"royalty_info":{"payment_address":"$bob","share":"0"}}}`), names)
	if err != nil || !read.HasNames || *i.Minter != cw721.Address(addr("bob")) || i.Name != "$bob" || i.Extension.RoyaltyInfo.PaymentAddress != *i.Minter {
		t.Errorf("read %+v, %v, %v", i, read, err)
	}

	if _, read, err := c.DecodeExecute([]byte(`{"burn":{"token_id":"$bob"}}`), names); err != nil || read.HasNames {
		t.Errorf("a token's id was taken for a name: %v, %v", read, err)
	}
	_, _, err = c.DecodeExecute([]byte(`{"revoke_all":{"operator":"$nobody"}}`), names)
	var unknown *wire.UnknownNameError
	if !errors.As(err, &unknown) || unknown.Name != "nobody" || unknown.Field != "revoke_all.operator" {
		t.Errorf("an unknown name gives %v", err)
	}
	if m, read, err := c.DecodeExecute([]byte(`{"revoke_all":{"operator":"$bob"}}`), nil); err != nil || read.HasNames || m.(*cw721.RevokeAll).Operator != "$bob" {
		t.Errorf("without names: %+v, %v, %v", m, read, err)
	}
}
