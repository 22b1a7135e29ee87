package history

import (
	"testing"

	"ephemera/core/chain"
	"ephemera/core/chain/history"
)

func TestAFilterReadsWhatPeopleType(t *testing.T) {
	burn := history.Node{Kind: history.KindExecute, Sender: "cosmos1abc", Message: `{"burn":{"token_id":"A"}}`}
	refused := burn
	refused.Refusal = &history.Refusal{Text: "Caller is not minter"}
	for _, c := range []struct {
		text string
		node history.Node
		want bool
	}{
		{"", burn, true}, {"burn", burn, true}, {"BURN a", burn, true}, {"mint", burn, false},
		{"refused", burn, false}, {"refused", refused, true}, {"not minter", refused, true},
		{"sender:ali", burn, true}, {"sender:bob", burn, false}, {"sender:cosmos1a", burn, true},
		{"clock", burn, false}, {"sender:ali", history.Node{Kind: history.KindClock}, false},
	} {
		filter, _ := parseFilter(c.text, nil, chain.Book{}) // never fails
		if got := filter.matches(c.node, "alice", "burn A"); got != c.want {
			t.Errorf("%q keeps it: %v", c.text, got)
		}
	}
}
