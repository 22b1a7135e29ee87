package chain

import (
	"context"
	"os"
	"testing"

	"ephemera/core/cw721"
	"ephemera/core/kv"
	"ephemera/core/kv/kvtest"
	"ephemera/core/wasm"
)

func TestAReplyIsComparedWithAContractThatAsksForNone(t *testing.T) {
	code := kvtest.Must(os.ReadFile("../wasm/testdata/contract.wasm"))(t)
	binary := kvtest.Must(wasm.Load(context.Background(), code, wasm.Options{Prefix: "cosmos"}))(t)
	defer binary.Close()
	kvtest.OK(t, kv.NewMemory().Update(func(txn kv.Txn) error {
		c := &comparing{compiled: compiled{Contract: binary, meta: txn}}
		_, err := c.reply(txn, cw721.Env{Instantiator: "somebody"}, wasm.Reply{ID: 7})
		if d := c.found; d == nil || string(d.BuiltIn) != `{"attributes":[],"messages":[]}` || len(d.Records) != 1 || d.Records[0].BuiltIn != nil {
			t.Errorf("%+v", d)
		}
		return err
	}))
}
