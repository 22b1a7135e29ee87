package chain_test

import (
	"fmt"
	"strings"
	"testing"

	"ephemera/core/chain"
	. "ephemera/core/chain/chaintest"
	"ephemera/core/chain/expiry"
	"ephemera/core/chain/history"
	"ephemera/core/cw721"
	"ephemera/core/kv"
)

// longestID is the longest token id of alice's that the owner index has room
// for: behind the part's letter, the namespace and the owner.
const longestID = kv.MaxKey - 1 - (2 + len("tokens__owner")) - (2 + 45)

func limited(t *testing.T, w *World, r chain.Receipt, before map[string]string) {
	t.Helper()
	if r.Refusal == nil || r.Refusal.Kind != chain.KindLimit {
		t.Fatalf("got %v, want a refusal of kind limit", r.Refusal)
	}
	if len(r.Changes)+len(r.Response.Attributes) > 0 {
		t.Errorf("the refusal tells of %d changes and %v", len(r.Changes), r.Response)
	}
	Same(t, "the state", before, w.State())
	w.CheckDerived()
}

func TestATokenIDBeyondWhatAKeyHoldsIsRefusedAndNothingIsHalfWritten(t *testing.T) {
	w := New(t)
	w.Mint("1", "alice")
	before := w.State()
	for _, n := range []int{longestID + 1, longestID + 2, kv.MaxKey - 8, kv.MaxKey, kv.MaxKey + 1, 100_000} {
		r := w.Run("creator", `{"mint":{"token_id":%q,"owner":"$alice"}}`, strings.Repeat("x", n))
		limited(t, w, r, before)
		w.View(func(v *chain.View) {
			Same(t, "the kind that is remembered", chain.KindLimit, Must(v.Node(r.Node))(t).Refusal.Kind)
		})
	}
}

func TestATokenIDUpToWhatAKeyHoldsLivesAWholeLife(t *testing.T) {
	for _, n := range []int{255, 256, 257, 258, 1000, longestID} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			w := New(t)
			id := strings.Repeat("x", n)
			minted := w.Mint(id, "alice")
			before := w.State()
			w.Do("alice", `{"approve":{"spender":"$bob","token_id":%q,"expires":{"at_height":105}}}`, id)
			w.CheckDerived()
			w.View(func(v *chain.View) {
				Same(t, "the token that ends next", id, Must(v.NextExpiry())(t).Token)
				Same(t, "the grants from its id on", 1, len(Collect(t, v.GrantsOnTokens(id))))
			})
			w.Do("bob", `{"transfer_nft":{"recipient":"$carol","token_id":%q}}`, id)
			w.CheckDerived()
			w.Do("carol", `{"burn":{"token_id":%q}}`, id)
			w.CheckDerived()
			Must(w.C.Undo(3))(t)
			Same(t, "the state after undo", before, w.State())
			Must(w.C.Redo(3))(t)
			Must(w.C.Goto(fmt.Sprint(minted)))(t)
			Same(t, "the state after going there", before, w.State())
		})
	}
}

func TestLongTokenIDsThatBeginAlikeAreToldApart(t *testing.T) {
	w := New(t)
	long := strings.Repeat("x", 300)
	for _, id := range []string{long + "a", long + "b", long[:257], long[:256]} {
		w.Mint(id, "alice")
		w.Do("alice", `{"approve":{"spender":"$bob","token_id":%q,"expires":{"at_height":105}}}`, id)
	}
	w.CheckDerived()
	w.Do("alice", `{"revoke":{"spender":"$bob","token_id":%q}}`, long+"a")
	w.CheckDerived()
	w.View(func(v *chain.View) { Same(t, "how many are left", 3, len(Collect(t, v.Grants(expiry.Index{})))) })
}

func TestAValueBeyondTheLimitIsRefusedAndOneBelowIsKept(t *testing.T) {
	w := New(t)
	before := w.State()
	mint := func(n int) chain.Receipt {
		return w.Run("creator", `{"mint":{"token_id":"1","owner":"$alice","extension":{"description":%q}}}`, strings.Repeat("x", n))
	}
	limited(t, w, mint(kv.MaxValue), before)
	OK(t, mint(kv.MaxValue-1000).Err())
	r := w.Do("alice", `{"burn":{"token_id":"1"}}`)
	Must(w.C.Undo(1))(t)
	w.View(func(v *chain.View) {
		Same(t, "the size of what the burn took", true, len(Must(v.ChangesOf(r.Node))(t)[0].Old) > kv.MaxValue-1000)
		n := Must(v.Node(r.Node - 1))(t)
		Same(t, "the message that is remembered", true, len(n.Message) > kv.MaxValue-1000)
	})
	w.CheckDerived()
}

func TestAMessageThatIsTooLongIsRefusedWithoutBeingKept(t *testing.T) {
	w := New(t)
	before := w.Everything()
	r := w.Refused("alice", `{"burn":{"token_id":%q}}`, strings.Repeat("x", 300_000))
	Same(t, "the kind", chain.KindLimit, r.Refusal.Kind)
	Same(t, "the node", history.ID(0), r.Node)
	Same(t, "the store", before, w.Everything())
	const longest, frame = 160 << 10, len(`{"burn":{"token_id":""}}`)
	for size, kept := range map[int]bool{longest: true, longest + 1: false} {
		r := w.Refused("alice", `{"burn":{"token_id":%q}}`, strings.Repeat("x", size-frame))
		Same(t, fmt.Sprintf("that a message of %d bytes is kept", size), kept, r.Node != 0)
	}

	c := Must(chain.Open(Memory(t)))(t)
	_, err := c.Create(Genesis(), Address("creator"), []byte(strings.Repeat(" ", 300_000)+Founding))
	if e := cw721.AsError(err); e == nil || e.Kind != chain.KindLimit {
		t.Errorf("a first message of 300 kB gave %v", err)
	}
}
