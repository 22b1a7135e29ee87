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

// longestID is the length of the longest token id of alice that fits into a key of the owner
// index. Before the id come the letter of the store's part, the name of the index after its
// length in 2 bytes, and alice's address of 45 characters after its length in 2 bytes.
const longestID = kv.MaxKey - 1 - (2 + len("tokens__owner")) - (2 + 45)

// expectLimit expects a refusal of kind limit that changed nothing since a state.
func expectLimit(t *testing.T, w *World, r chain.Receipt, before map[string]string) {
	t.Helper()
	if r.Refusal == nil || r.Refusal.Kind != chain.KindLimit {
		t.Fatalf("got %v, want a refusal of kind limit", r.Refusal)
	}
	if len(r.Changes)+len(r.Response.Attributes) > 0 {
		t.Errorf("the refusal has %d changes and the response %v", len(r.Changes), r.Response)
	}
	Same(t, "the state", before, w.State())
	w.CheckDerived()
}

func TestATokenIDThatIsTooLongForAKeyIsRefusedAndWritesNothing(t *testing.T) {
	w := New(t)
	w.Mint("1", "alice")
	before := w.State()
	for _, n := range []int{longestID + 1, longestID + 2, kv.MaxKey - 8, kv.MaxKey, kv.MaxKey + 1, 100_000} {
		r := w.Run("creator", `{"mint":{"token_id":%q,"owner":"$alice"}}`, strings.Repeat("x", n))
		expectLimit(t, w, r, before)
		w.View(func(v *chain.View) {
			Same(t, "the kind of the refusal in the history", chain.KindLimit, Must(v.Node(r.Node))(t).Refusal.Kind)
		})
	}
}

func TestATokenWithALongIDCanBeApprovedTransferredBurnedAndUndone(t *testing.T) {
	for _, n := range []int{255, 256, 257, 258, 1000, longestID} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			w := New(t)
			id := strings.Repeat("x", n)
			minted := w.Mint(id, "alice")
			before := w.State()
			w.Do("alice", `{"approve":{"spender":"$bob","token_id":%q,"expires":{"at_height":105}}}`, id)
			w.CheckDerived()
			w.View(func(v *chain.View) {
				Same(t, "the token whose approval expires next", id, Must(v.NextExpiry())(t).Token)
				Same(t, "the number of grants from its id on", 1, len(Collect(t, v.GrantsOnTokens(id))))
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

func TestLongTokenIDsWithTheSameBeginningStayDifferent(t *testing.T) {
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

func TestAValueAboveTheLimitIsRefusedAndOneBelowIsStored(t *testing.T) {
	w := New(t)
	before := w.State()
	mint := func(n int) chain.Receipt {
		return w.Run("creator", `{"mint":{"token_id":"1","owner":"$alice","extension":{"description":%q}}}`, strings.Repeat("x", n))
	}
	expectLimit(t, w, mint(kv.MaxValue), before)
	OK(t, mint(kv.MaxValue-1000).Err())
	r := w.Do("alice", `{"burn":{"token_id":"1"}}`)
	Must(w.C.Undo(1))(t)
	w.View(func(v *chain.View) {
		burned := Must(v.ChangesOf(r.Node))(t)[0].OldValue
		minted := Must(v.Node(r.Node - 1))(t).Message
		Same(t, "whether the history has the whole token", true, len(burned) > kv.MaxValue-1000)
		Same(t, "whether the history has the whole message", true, len(minted) > kv.MaxValue-1000)
	})
	w.CheckDerived()
}

func TestAMessageThatIsTooLongIsRefusedAndNotInTheHistory(t *testing.T) {
	w := New(t)
	before := w.Everything()
	r := w.Refused("alice", `{"burn":{"token_id":%q}}`, strings.Repeat("x", 300_000))
	Same(t, "the kind", chain.KindLimit, r.Refusal.Kind)
	Same(t, "the node", history.ID(0), r.Node)
	Same(t, "the store", before, w.Everything())

	const longest = 160 << 10
	const sizeWithoutID = len(`{"burn":{"token_id":""}}`)
	for size, isRecorded := range map[int]bool{longest: true, longest + 1: false} {
		r := w.Refused("alice", `{"burn":{"token_id":%q}}`, strings.Repeat("x", size-sizeWithoutID))
		Same(t, fmt.Sprintf("whether a message of %d bytes is in the history", size), isRecorded, r.Node != 0)
	}

	c := Must(chain.Open(Memory(t)))(t)
	_, err := c.Create(Genesis(), Address("creator"), []byte(strings.Repeat(" ", 300_000)+Founding))
	if e := cw721.AsError(err); e == nil || e.Kind != chain.KindLimit {
		t.Errorf("a first message of 300 kB gave %v", err)
	}
}
