package chain_test

import (
	"slices"
	"testing"

	"ephemera/core/chain"
)

func TestAKeyIsSplitIntoThePartsThatContractsJoin(t *testing.T) {
	for key, want := range map[string][]string{
		"contract_info":                     {"contract_info"},
		"\x00\x06tokensape-1":               {"tokens", "ape-1"},
		"\x00\x06tokens":                    {"tokens", ""},
		"\x00\x09operators\x00\x05alicebob": {"operators", "alice", "bob"},
		"\x00\x01n\x00\x00\x00\x00\x00\x07": {"n", "\x00\x00\x00\x00\x00\x07"},
		"\x00\x02\x01\x02x":                 {"\x00\x02\x01\x02x"}, // no name
		"\x00\xffshort":                     {"\x00\xffshort"},
		"":                                  {""},
	} {
		if got := chain.KeyParts([]byte(key)); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", key, got, want)
		}
	}
}
