package app

import (
	"testing"

	"ephemera/core/chain"
)

func TestTheLastWordOfAFilterIsCompletedToAKeyOrAName(t *testing.T) {
	accounts := []chain.Account{{Name: "alice"}, {Name: "Bob"}}
	for text, want := range map[string]string{
		"": "", "o": "owner:", "OW": "owner:", "hat sp": "hat spender:", "hat ": "hat ", "hat": "hat", "can:al": "can:alice", "expires<a": "expires<a",
		"owner:b": "owner:Bob", "hat SPENDER:B": "hat spender:Bob", "owner:c": "owner:c",
	} {
		if got := completeFilter(text, TokenFilterKeys, accounts); got != want {
			t.Errorf("%q is completed to %q, expected %q", text, got, want)
		}
	}
}

func TestOnlyWhatIsWrittenAsAKeyIsTakenForOne(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "ape": "", "owner:bob": "", "OWNER:bob": "", "expires<10": "", "expires<=10": "", "expires < 10": "", "ends<10": "", "ends < 10": "", "spender:": "",
		"ipfs://bafy": "", "hat:red": "hat:", "Hat:": "hat:", "ends>10": "ends>", "ends:10": "ends:", "owner:bob minter=bob": "minter=",
		"12:00": "", "日本:x": "", `"a":1`: "", ":": "", "a b:": "b:",
	} {
		if got := unknownFilterKey(normalizeFilter(text), GrantFilterKeys); got != want {
			t.Errorf("%q: the strange key is %q, expected %q", text, got, want)
		}
	}
}
