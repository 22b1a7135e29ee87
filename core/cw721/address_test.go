package cw721_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/btcsuite/btcd/btcutil/bech32"

	"ephemera/core/cw721"
	"ephemera/core/kv/kvtest"
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

	// The standard of bech32 allows at most 90 characters; chains don't keep to it.
	longPrefix := "averyveryveryverylongprefixindeed"
	contract := cw721.Address(encodeBech32(t, longPrefix, make([]byte, 32), bech32.Encode))
	if len(contract) <= 90 {
		t.Fatal("the address is too short to show anything")
	}
	if err := cw721.ValidateAddress(longPrefix, contract); err != nil {
		t.Errorf("a contract's address of %d characters: %v", len(contract), err)
	}
}

func TestInvalidAddressesAreRefusedWithTheTextOfTheHost(t *testing.T) {
	const (
		wrap   = "Generic error: addr_validate errored: "
		failed = wrap + "decoding bech32 failed: "
	)
	checksum := func(address string) string { return address[len(address)-6:] }
	wrongChecksum := func(expected, got string) string {
		return failed + "invalid checksum (expected " + checksum(expected) + " got " + checksum(got) + ")"
	}

	good := addr("alice")
	wrong := good[:len(good)-1] + "q"
	if wrong == good {
		wrong = good[:len(good)-1] + "p"
	}
	bech32m := encodeBech32(t, prefix, make([]byte, 20), bech32.EncodeM)
	plain := encodeBech32(t, prefix, make([]byte, 20), bech32.Encode)
	stars := encodeBech32(t, "stars", make([]byte, 20), bech32.Encode)

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
		{"a wrong checksum", wrong, wrongChecksum(good, wrong)},
		{"a wrong checksum in upper case", strings.ToUpper(wrong), wrongChecksum(good, wrong)},
		{"upper case", strings.ToUpper(good), wrap + "address not normalized"},
		{"another chain", stars, wrap + "invalid Bech32 prefix; expected cosmos, got stars"},
		{"another chain in upper case", strings.ToUpper(stars), wrap + "invalid Bech32 prefix; expected cosmos, got stars"},
		{"an operator's address of the same chain", encodeBech32(t, "cosmosvaloper", make([]byte, 20), bech32.Encode), wrap + "invalid Bech32 prefix; expected cosmos, got cosmosvaloper"},
		{"no bytes", encodeBech32(t, prefix, nil, bech32.Encode), "…"},
		{"bech32m", bech32m, wrongChecksum(plain, bech32m)},
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

func TestThePrefixOfAnAddressEndsAtItsLastDigitOne(t *testing.T) {
	withDigit := cw721.Address(encodeBech32(t, "a1b", make([]byte, 20), bech32.Encode))
	for address, want := range map[cw721.Address]string{cw721.Address(addr("bob")): prefix, withDigit: "a1b"} {
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
	bob := cw721.Address(addr("bob"))
	names := func(name string) (string, bool) { return string(bob), name == "bob" }

	execute, info, err := onchain.DecodeExecute([]byte(`{"approve":{"spender":"$bob","token_id":"$bob"}}`), names)
	kvtest.OK(t, err)
	approve := execute.(*cw721.Approve)
	if !info.HasNames || approve.Spender != bob || approve.TokenID != "$bob" {
		t.Errorf("decoded %+v, %+v", approve, info)
	}

	query, info, err := onchain.DecodeQuery([]byte(`{"all_operators":{"owner":"$bob","start_after":"$bob"}}`), names)
	kvtest.OK(t, err)
	operators := query.(*cw721.AllOperators)
	if !info.HasNames || operators.Owner != bob || *operators.StartAfter != bob {
		t.Errorf("decoded %+v, %+v", operators, info)
	}

	instantiate, info, err := onchain.DecodeInstantiate([]byte(`{"name":"$bob","symbol":"S","minter":"$bob","collection_info_extension":{"royalty_info":{"payment_address":"$bob","share":"0"}}}`), names)
	kvtest.OK(t, err)
	payee := instantiate.Extension.RoyaltyInfo.PaymentAddress
	if !info.HasNames || *instantiate.Minter != bob || payee != bob || instantiate.Name != "$bob" {
		t.Errorf("decoded %+v, %+v", instantiate, info)
	}

	_, info, err = onchain.DecodeExecute([]byte(`{"burn":{"token_id":"$bob"}}`), names)
	kvtest.OK(t, err)
	if info.HasNames {
		t.Error("the id of a token was decoded as a name")
	}
}
