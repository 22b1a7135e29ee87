package scenario_test

import (
	"strings"
	"testing"

	"ephemera/core/chain/chaintest"
)

func TestNamesOfSendersAndContractsCanHaveADollarSign(t *testing.T) {
	checkHolds(t, "x.jsonl", `{"accounts":{"alice":null},"contracts":{"$shop":"accepts"}}
{"as":"$alice","instantiate":{"name":"N","symbol":"S"},"expect":"ok"}
{"as":"alice","execute":{"mint":{"token_id":"1","owner":"$alice"}},"expect":"ok"}
{"contracts":{"$shop":"rejects"},"as":"alice","execute":{"send_nft":{"contract":"$shop","token_id":"1","msg":""}},"expect":{"error":"rejected the token"}}
{"contracts":{"shop":"plain"},"as":"alice","execute":{"send_nft":{"contract":"$shop","token_id":"1","msg":""}},"expect":{"error":{"kind":"chain","has":"no such contract"}}}
{"contracts":{"shop":"accepts"},"as":"alice","execute":{"send_nft":{"contract":"$shop","token_id":"1","msg":""}},"expect":"ok"}
`)
}

func TestAnUnknownSenderIsReportedAlikeWithAndWithoutACollection(t *testing.T) {
	const want = `as: no account is named "zoe", and it is not an address of this chain`
	step := `{"as":"zoe","instantiate":{"name":"N","symbol":"S"}}` + "\n"
	_, empty := playOn(chaintest.Must(chaintest.InMemory())(t), "{}\n"+step)
	_, stands := playOn(newCollection(t).C, "{}\n"+strings.Replace(step, `"instantiate":{"name":"N","symbol":"S"}`, `"execute":{"burn":{"token_id":"1"}}`, 1))
	_, own := play("x.jsonl", "{}\n"+step)
	for where, err := range map[string]error{"an empty chain": empty, "a chain as it stands": stands, "a chain of its own": own} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("on %s it is %v, want %s", where, err, want)
		}
	}
}
