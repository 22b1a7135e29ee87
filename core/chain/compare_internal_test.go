package chain

import (
	"context"
	"os"
	"testing"

	"ephemera/core/cw721"
	"ephemera/core/kv"
	"ephemera/core/kv/kvtest"
	"ephemera/core/wasm"
	"ephemera/core/wire"
)

func TestAReplyIsComparedWithAnEmptyAnswer(t *testing.T) {
	code := kvtest.Must(os.ReadFile("../wasm/testdata/contract.wasm"))(t)
	binary := kvtest.Must(wasm.Load(context.Background(), code, wasm.Options{Prefix: "cosmos"}))(t)
	defer binary.Close()
	kvtest.OK(t, kv.NewMemory().Update(func(txn kv.Txn) error {
		c := &comparedContract{compiled: compiled{Contract: binary, meta: txn}}
		_, err := c.reply(txn, cw721.Env{Instantiator: "somebody"}, wasm.Reply{ID: 7})
		d := c.difference
		if d == nil || string(d.BuiltIn) != `{"attributes":[],"messages":[]}` {
			t.Fatalf("the difference is %+v", d)
		}
		if len(d.Records) != 1 || d.Records[0].BuiltIn != nil {
			t.Errorf("the records differ by %+v", d.Records)
		}
		return err
	}))
}

func TestAllCallsThatFollowFromAMessageShareOneStorageLimit(t *testing.T) {
	code := kvtest.Must(os.ReadFile("../wasm/testdata/contract.wasm"))(t)
	binary := kvtest.Must(wasm.Load(context.Background(), code, wasm.Options{Prefix: "cosmos"}))(t)
	defer binary.Close()
	kvtest.OK(t, kv.NewMemory().Update(func(txn kv.Txn) error {
		c := compiled{Contract: binary, meta: txn, storageBytes: new(int)}
		env := cw721.Env{Instantiator: "somebody"}
		kvtest.Must(c.Execute(call{txn: txn, env: env, msg: Message{JSON: []byte(`{"count":{}}`)}}))(t)
		*c.storageBytes += 32<<20 - 20
		kvtest.Must(c.Query(txn, env, Message{JSON: []byte(`{"count":{}}`)}))(t)
		for _, run := range []func() (Answer, error){
			func() (Answer, error) { return c.reply(kv.NewOverlay(txn), env, wasm.Reply{ID: 7}) },
			func() (Answer, error) {
				return c.Execute(call{txn: txn, env: env, msg: Message{JSON: []byte(`{"count":{}}`)}})
			},
		} {
			if _, err := run(); cw721.AsError(err) == nil || cw721.AsError(err).Kind != KindLimit {
				t.Errorf("%v, expected a refusal of kind limit", err)
			}
		}
		return nil
	}))
}

func TestTheTextOfADifferenceHasBothAnswersAndEachRecord(t *testing.T) {
	difference := Difference{
		Compiled: wire.Raw("1"),
		BuiltIn:  wire.Raw("2"),
		Records:  []RecordDifference{{Key: "6B", Compiled: new("a")}},
	}
	want := "the compiled contract and the built-in one differ\ncompiled: 1\nbuilt in: 2\nrecord 6B\ncompiled: a\nbuilt in: nothing"
	if got := difference.String(); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
