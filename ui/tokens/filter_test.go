package tokens

import (
	"testing"

	"ephemera/ui/app"
)

func TestOnlyWhatIsWrittenAsAKeyIsTakenForOne(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "ape": "", "owner:bob": "", "OWNER:bob": "", "expires<10": "", "expires<=10": "", "expires < 10": "", "ends<10": "", "ends < 10": "", "spender:": "",
		"ipfs://bafy": "", "hat:red": "hat:", "Hat:": "hat:", "ends>10": "ends>", "ends:10": "ends:", "owner:bob minter=bob": "minter=",
		"12:00": "", "日本:x": "", `"a":1`: "", ":": "", "a b:": "b:",
	} {
		if got := app.StrangeKey(respelled(text), tokenKeys); got != want {
			t.Errorf("%q: the strange key is %q, expected %q", text, got, want)
		}
	}
}
