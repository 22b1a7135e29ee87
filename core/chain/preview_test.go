package chain_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"ephemera/core/chain"
	"ephemera/core/chain/history"
	"ephemera/core/cw721"
	"ephemera/core/kv"
)

// sealed is a store that takes no writes.
type sealed struct{ kv.DB }

func (sealed) Update(func(kv.Txn) error) error  { return kv.ErrReadOnly }
func (sealed) Load(func(kv.Writer) error) error { return kv.ErrReadOnly }

// sealed gives the same chain over the store as it is, for reading.
func (w *world) sealed() *chain.Chain {
	w.t.Helper()
	return must(chain.Open(sealed{w.db}))(w.t)
}

func TestAPreviewTellsWhatWouldHappenAndLeavesEveryByteAsItWas(t *testing.T) {
	w := newWorld(t)
	w.mint("1", "alice")
	for _, msg := range []string{
		`{"transfer_nft":{"recipient":"$bob","token_id":"1"}}`,
		`{"mint":{"token_id":"2","owner":"$bob"}}`,
		`{"send_nft":{"contract":"$bob","token_id":"1","msg":""}}`,
		`not a message`,
	} {
		before := w.everything()
		preview := must(w.sealed().Preview(address("alice"), []byte(msg)))(t)
		same(t, "the store", before, w.everything())
		if preview.Node != 0 || preview.Revision != 0 {
			t.Errorf("a preview claims node %d and revision %d", preview.Node, preview.Revision)
		}
		real := w.run("alice", "%s", msg)
		if diff := cmp.Diff(real, preview, cmpopts.IgnoreFields(chain.Receipt{}, "Node", "Revision")); diff != "" {
			t.Errorf("the preview of %s told something else (-real +preview):\n%s", msg, diff)
		}
	}
}

func TestAFirstMessageCanBePreviewed(t *testing.T) {
	r := must(chain.PreviewInstantiate(genesis(), address("creator"), []byte(founding)))(t)
	ok(t, r.Err())
	if len(r.Changes) == 0 || r.Node != 0 {
		t.Errorf("got %d changes at node %d", len(r.Changes), r.Node)
	}
	r = must(chain.PreviewInstantiate(genesis(), address("creator"), []byte(`{"name":"Apes"}`)))(t)
	if r.Refusal == nil {
		t.Error("half a message was taken")
	}
	if _, err := chain.PreviewInstantiate(chain.Genesis{Config: chain.Config{Rules: "none"}}, "", nil); err == nil {
		t.Error("a rule set that is none was taken")
	}
}

func TestAQueryAnswersInTheBlockOfTheClock(t *testing.T) {
	w := ends(t, `{"at_height":101}`)
	live := `{"owner":"` + string(address("alice")) + `","approvals":[{"spender":"` + string(address("bob")) + `","expires":{"at_height":101}}]}`
	over := `{"owner":"` + string(address("alice")) + `","approvals":[]}`
	const msg = `{"owner_of":{"token_id":"a"}}`
	same(t, "before the end", live, w.ask(msg))
	ok(t, w.c.ViewIn(cw721.Block{Height: 101}, func(v *chain.View) error {
		same(t, "as it will be", over, string(must(v.Query([]byte(msg)))(t)))
		return nil
	}))
	must(w.c.Advance(chain.Step{Blocks: 1}))(t)
	same(t, "at the end", over, w.ask(msg))
	same(t, "with what has ended", live, w.ask(`{"owner_of":{"token_id":"a","include_expired":true}}`))
	same(t, "on a store for reading", over, string(must(w.sealed().Query([]byte(msg)))(t)))
}

func TestAQueryKnowsNamesAndRefusesAsTheContractDoes(t *testing.T) {
	w := newWorld(t)
	w.mint("1", "alice")
	same(t, "the tokens of a name", `{"tokens":["1"]}`, w.ask(`{"tokens":{"owner":"$alice"}}`))
	for msg, kind := range map[string]cw721.Kind{
		`{"owner_of":{"token_id":"2"}}`:   cw721.KindNotFound,
		`{"owner_of":{}}`:                 cw721.KindParse,
		`{"tokens":{"owner":"cosmos1x"}}`: cw721.KindAddress,
	} {
		_, err := w.c.Query([]byte(msg))
		if e := cw721.AsError(err); e == nil || e.Kind != kind {
			t.Errorf("%s gave %v, want a refusal of kind %s", msg, err, kind)
		}
	}
}

func TestWritingToAStoreForReadingSaysSo(t *testing.T) {
	w := newWorld(t)
	c := w.sealed()
	_, err := c.Execute(address("alice"), []byte(`{}`))
	if !errors.Is(err, kv.ErrReadOnly) {
		t.Errorf("execute gave %v", err)
	}
	if _, err := c.Undo(1); !errors.Is(err, kv.ErrReadOnly) {
		t.Errorf("undo gave %v", err)
	}
}

func TestAViewOfThePastShowsTheStateThenAndChangesNothing(t *testing.T) {
	w := newWorld(t)
	first := w.mint("1", "alice")
	w.do("alice", `{"approve":{"spender":"$bob","token_id":"1","expires":{"at_height":103}}}`)
	must(w.c.Advance(chain.Step{Blocks: 5}))(t)
	w.do("alice", `{"transfer_nft":{"recipient":"$carol","token_id":"1"}}`)
	before := w.everything()
	c := w.sealed()
	ok(t, c.ViewAt(first, func(v *chain.View) error {
		same(t, "the clock", clockAt(100, 1000), v.Clock)
		same(t, "the head", first, v.Head)
		same(t, "the tokens of alice", 1, must(v.Holdings(address("alice")))(t))
		checkDerived(t, v)
		return nil
	}))
	ok(t, c.ViewAt(first+1, func(v *chain.View) error {
		next := must(v.NextEnd())(t)
		same(t, "what ends next", cw721.Expiration{Axis: cw721.AtHeight, Value: 103}, next.Expires)
		checkDerived(t, v)
		return nil
	}))
	w.view(func(now *chain.View) {
		ok(t, c.ViewAt(first, func(v *chain.View) error { same(t, "the revision", now.Revision, v.Revision); return nil }))
	})
	var unknown *history.UnknownNodeError
	if err := c.ViewAt(99, func(*chain.View) error { return nil }); !errors.As(err, &unknown) {
		t.Errorf("a node that is none gave %v", err)
	}
	same(t, "the store", before, w.everything())
}
