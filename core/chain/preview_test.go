package chain_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"ephemera/core/chain"
	. "ephemera/core/chain/chaintest"
	"ephemera/core/chain/history"
	"ephemera/core/cw721"
	"ephemera/core/kv"
)

// readOnly is a store that takes no writes.
type readOnly struct{ kv.DB }

func (readOnly) Update(func(kv.Txn) error) error  { return kv.ErrReadOnly }
func (readOnly) Load(func(kv.Writer) error) error { return kv.ErrReadOnly }

// sealed gives the same chain over the store as it is, for reading.
func sealed(w *World) *chain.Chain {
	w.T.Helper()
	return Must(chain.Open(readOnly{w.DB}))(w.T)
}

func TestAPreviewTellsWhatWouldHappenAndLeavesEveryByteAsItWas(t *testing.T) {
	w := New(t)
	w.Mint("1", "alice")
	for _, msg := range []string{
		`{"transfer_nft":{"recipient":"$bob","token_id":"1"}}`,
		`{"mint":{"token_id":"2","owner":"$bob"}}`,
		`{"send_nft":{"contract":"$bob","token_id":"1","msg":""}}`,
		`not a message`,
	} {
		before := w.Everything()
		preview := Must(sealed(w).Preview(Address("alice"), []byte(msg)))(t)
		Same(t, "the store", before, w.Everything())
		if preview.Node != 0 || preview.Revision != 0 {
			t.Errorf("a preview claims node %d and revision %d", preview.Node, preview.Revision)
		}
		real := w.Run("alice", "%s", msg)
		if diff := cmp.Diff(real, preview, cmpopts.IgnoreFields(chain.Receipt{}, "Node", "Revision")); diff != "" {
			t.Errorf("the preview of %s told something else (-real +preview):\n%s", msg, diff)
		}
	}
}

func TestAFirstMessageCanBePreviewed(t *testing.T) {
	r := Must(chain.PreviewInstantiate(Genesis(), Address("creator"), []byte(Founding)))(t)
	OK(t, r.Err())
	if len(r.Changes) == 0 || r.Node != 0 {
		t.Errorf("got %d changes at node %d", len(r.Changes), r.Node)
	}
	r = Must(chain.PreviewInstantiate(Genesis(), Address("creator"), []byte(`{"name":"Apes"}`)))(t)
	if r.Refusal == nil {
		t.Error("half a message was taken")
	}
	if _, err := chain.PreviewInstantiate(chain.Genesis{Config: chain.Config{Rules: "none"}}, "", nil); err == nil {
		t.Error("a rule set that is none was taken")
	}
}

func TestAQueryAnswersInTheBlockOfTheClock(t *testing.T) {
	w := ends(t, `{"at_height":101}`)
	live := `{"owner":"` + string(Address("alice")) + `","approvals":[{"spender":"` + string(Address("bob")) + `","expires":{"at_height":101}}]}`
	over := `{"owner":"` + string(Address("alice")) + `","approvals":[]}`
	const msg = `{"owner_of":{"token_id":"a"}}`
	Same(t, "before the end", live, w.Ask(msg))
	OK(t, w.C.ViewAtMoment(chain.Moment{Block: cw721.Block{Height: 101}}, func(v *chain.View) error {
		Same(t, "as it will be", over, string(Must(v.Query([]byte(msg)))(t)))
		return nil
	}))
	Must(w.C.Advance(chain.ClockStep{Blocks: 1}))(t)
	Same(t, "at the end", over, w.Ask(msg))
	Same(t, "with what has ended", live, w.Ask(`{"owner_of":{"token_id":"a","include_expired":true}}`))
	Same(t, "on a store for reading", over, string(Must(sealed(w).Query([]byte(msg)))(t)))
}

func TestAQueryKnowsNamesAndRefusesAsTheContractDoes(t *testing.T) {
	w := New(t)
	w.Mint("1", "alice")
	Same(t, "the tokens of a name", `{"tokens":["1"]}`, w.Ask(`{"tokens":{"owner":"$alice"}}`))
	for msg, kind := range map[string]cw721.Kind{
		`{"owner_of":{"token_id":"2"}}`:   cw721.KindNotFound,
		`{"owner_of":{}}`:                 cw721.KindParse,
		`{"tokens":{"owner":"cosmos1x"}}`: cw721.KindAddress,
	} {
		_, err := w.C.Query([]byte(msg))
		if e := cw721.AsError(err); e == nil || e.Kind != kind {
			t.Errorf("%s gave %v, want a refusal of kind %s", msg, err, kind)
		}
	}
}

func TestWritingToAStoreForReadingSaysSo(t *testing.T) {
	w := New(t)
	c := sealed(w)
	_, err := c.Execute(Address("alice"), []byte(`{}`))
	if !errors.Is(err, kv.ErrReadOnly) {
		t.Errorf("execute gave %v", err)
	}
	Fails(c.Undo(1))(t, "undo", kv.ErrReadOnly)
}

func TestAViewOfThePastShowsTheStateThenAndTheRevisionOfNow(t *testing.T) {
	w := ends(t, `{"at_height":103}`)
	then := w.Head()
	Must(w.C.Advance(chain.ClockStep{Blocks: 5}))(t)
	w.Do("alice", `{"transfer_nft":{"recipient":"$carol","token_id":"a"}}`)
	w.View(func(now *chain.View) {
		OK(t, sealed(w).ViewAt(then, func(v *chain.View) error {
			Same(t, "the clock", clockAt(100, 1000), v.Clock)
			Same(t, "the head", then, v.Head)
			Same(t, "the revision", now.Revision, v.Revision)
			Same(t, "what ends next", "a", Must(v.NextExpiry())(t).Token)
			return nil
		}))
	})
	var unknown *history.UnknownNodeError
	if err := w.C.ViewAt(99, func(*chain.View) error { return nil }); !errors.As(err, &unknown) {
		t.Errorf("a node that is none gave %v", err)
	}
}
