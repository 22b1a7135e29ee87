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

// readOnly is a store that cannot be written.
type readOnly struct{ kv.DB }

// Update fails with [kv.ErrReadOnly].
func (readOnly) Update(func(kv.Txn) error) error { return kv.ErrReadOnly }

// Load fails with [kv.ErrReadOnly].
func (readOnly) Load(func(kv.Writer) error) error { return kv.ErrReadOnly }

// openReadOnly opens the chain of a world again, without writing to its store.
func openReadOnly(w *World) *chain.Chain {
	w.T.Helper()
	return Must(chain.Open(readOnly{w.DB}))(w.T)
}

func TestAPreviewHasTheReceiptOfTheMessageAndWritesNothing(t *testing.T) {
	w := New(t)
	w.Mint("1", "alice")
	for _, msg := range []string{
		`{"transfer_nft":{"recipient":"$bob","token_id":"1"}}`,
		`{"mint":{"token_id":"2","owner":"$bob"}}`,
		`{"send_nft":{"contract":"$bob","token_id":"1","msg":""}}`,
		`not a message`,
	} {
		before := w.Everything()
		preview := Must(openReadOnly(w).Preview(Address("alice"), []byte(msg)))(t)
		Same(t, "the store", before, w.Everything())
		if preview.Node != 0 || preview.Revision != 0 {
			t.Errorf("a preview has node %d and revision %d", preview.Node, preview.Revision)
		}

		executed := w.Run("alice", "%s", msg)
		withoutNode := cmpopts.IgnoreFields(chain.Receipt{}, "Node", "Revision")
		if diff := cmp.Diff(executed, preview, withoutNode); diff != "" {
			t.Errorf("%s (-executed +preview):\n%s", msg, diff)
		}
	}
}

func TestAnInstantiateMessageCanBePreviewed(t *testing.T) {
	r := Must(chain.PreviewInstantiate(Genesis(), Address("creator"), []byte(Founding)))(t)
	OK(t, r.Err())
	if len(r.Changes) == 0 || r.Node != 0 {
		t.Errorf("got %d changes at node %d", len(r.Changes), r.Node)
	}
	r = Must(chain.PreviewInstantiate(Genesis(), Address("creator"), []byte(`{"name":"Apes"}`)))(t)
	if r.Refusal == nil {
		t.Error("a message without a symbol is not refused")
	}
	if _, err := chain.PreviewInstantiate(chain.Genesis{Config: chain.Config{Rules: "none"}}, "", nil); err == nil {
		t.Error("an unknown rule set is accepted")
	}
}

func TestAQueryAnswersInTheBlockOfTheClock(t *testing.T) {
	w := worldWithApprovals(t, `{"at_height":101}`)
	live := `{"owner":"` + string(Address("alice")) + `","approvals":[{"spender":"` + string(Address("bob")) + `","expires":{"at_height":101}}]}`
	expired := `{"owner":"` + string(Address("alice")) + `","approvals":[]}`
	const msg = `{"owner_of":{"token_id":"a"}}`
	Same(t, "before the expiry", live, w.Ask(msg))
	OK(t, w.C.ViewAtMoment(chain.Moment{Block: cw721.Block{Height: 101}}, func(v *chain.View) error {
		Same(t, "in a view of the future", expired, string(Must(v.Query([]byte(msg)))(t)))
		return nil
	}))

	Must(w.C.Advance(chain.ClockStep{Blocks: 1}))(t)
	Same(t, "at the expiry", expired, w.Ask(msg))
	Same(t, "with expired approvals", live, w.Ask(`{"owner_of":{"token_id":"a","include_expired":true}}`))
	Same(t, "on a read-only store", expired, string(Must(openReadOnly(w).Query([]byte(msg)))(t)))
}

func TestAQueryResolvesNamesAndFailsWithTheContractsRefusals(t *testing.T) {
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

func TestWritingToAReadOnlyStoreFails(t *testing.T) {
	w := New(t)
	c := openReadOnly(w)
	_, err := c.Execute(Address("alice"), []byte(`{}`))
	if !errors.Is(err, kv.ErrReadOnly) {
		t.Errorf("execute gave %v", err)
	}
	Fails(c.Undo(1))(t, "undo", kv.ErrReadOnly)
}

func TestAViewOfThePastHasThePastStateAndThePresentRevision(t *testing.T) {
	w := worldWithApprovals(t, `{"at_height":103}`)
	then := w.Head()
	Must(w.C.Advance(chain.ClockStep{Blocks: 5}))(t)
	w.Do("alice", `{"transfer_nft":{"recipient":"$carol","token_id":"a"}}`)
	w.View(func(now *chain.View) {
		OK(t, openReadOnly(w).ViewAt(then, func(v *chain.View) error {
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
