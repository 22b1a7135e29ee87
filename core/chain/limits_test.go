package chain_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"ephemera/core/chain"
	"ephemera/core/chain/expiry"
	"ephemera/core/chain/history"
	"ephemera/core/cw721"
	"ephemera/core/kv"
)

// longestID is the longest token id of alice's that the owner index has room
// for: behind the part's letter, the namespace and the owner.
const longestID = kv.MaxKey - 1 - (2 + len("tokens__owner")) - (2 + 45)

func limited(t *testing.T, w *world, r chain.Receipt, before map[string]string) {
	t.Helper()
	if r.Refusal == nil || r.Refusal.Kind != chain.KindLimit {
		t.Fatalf("got %v, want a refusal of kind limit", r.Refusal)
	}
	if len(r.Changes)+len(r.Response.Attributes) > 0 {
		t.Errorf("the refusal tells of %d changes and %v", len(r.Changes), r.Response)
	}
	same(t, "the state", before, w.state())
	w.checkDerived()
}

func TestATokenIDBeyondWhatAKeyHoldsIsRefusedAndNothingIsHalfWritten(t *testing.T) {
	w := newWorld(t)
	w.mint("1", "alice")
	before := w.state()
	for _, n := range []int{longestID + 1, longestID + 2, kv.MaxKey - 8, kv.MaxKey, kv.MaxKey + 1, 100_000} {
		r := w.run("creator", `{"mint":{"token_id":%q,"owner":"$alice"}}`, strings.Repeat("x", n))
		limited(t, w, r, before)
		w.view(func(v *chain.View) {
			same(t, "the kind that is remembered", chain.KindLimit, must(v.Node(r.Node))(t).Refusal.Kind)
		})
	}
}

func TestATokenIDUpToWhatAKeyHoldsLivesAWholeLife(t *testing.T) {
	for _, n := range []int{255, 256, 257, 258, 1000, longestID} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			w := newWorld(t)
			id := strings.Repeat("x", n)
			minted := w.mint(id, "alice")
			before := w.state()
			w.do("alice", `{"approve":{"spender":"$bob","token_id":%q,"expires":{"at_height":105}}}`, id)
			w.checkDerived()
			w.view(func(v *chain.View) {
				same(t, "the token that ends next", id, must(v.NextEnd())(t).Token)
				same(t, "the grants from its id on", 1, len(collect(t, v.GrantsOnTokens(id))))
			})
			w.do("bob", `{"transfer_nft":{"recipient":"$carol","token_id":%q}}`, id)
			w.checkDerived()
			w.do("carol", `{"burn":{"token_id":%q}}`, id)
			w.checkDerived()
			must(w.c.Undo(3))(t)
			same(t, "the state after undo", before, w.state())
			must(w.c.Redo(3))(t)
			must(w.c.Goto(fmt.Sprint(minted)))(t)
			same(t, "the state after going there", before, w.state())
		})
	}
}

func TestLongTokenIDsThatBeginAlikeAreToldApart(t *testing.T) {
	w := newWorld(t)
	long := strings.Repeat("x", 300)
	for _, id := range []string{long + "a", long + "b", long[:257], long[:256]} {
		w.mint(id, "alice")
		w.do("alice", `{"approve":{"spender":"$bob","token_id":%q,"expires":{"at_height":105}}}`, id)
	}
	w.checkDerived()
	w.do("alice", `{"revoke":{"spender":"$bob","token_id":%q}}`, long+"a")
	w.checkDerived()
	w.view(func(v *chain.View) { same(t, "how many are left", 3, len(collect(t, v.Grants(expiry.Index{})))) })
}

func TestAValueBeyondTheLimitIsRefusedAndOneBelowIsKept(t *testing.T) {
	w := newWorld(t)
	before := w.state()
	mint := func(n int) chain.Receipt {
		return w.run("creator", `{"mint":{"token_id":"1","owner":"$alice","extension":{"description":%q}}}`, strings.Repeat("x", n))
	}
	limited(t, w, mint(kv.MaxValue), before)
	ok(t, mint(kv.MaxValue-1000).Err())
	r := w.do("alice", `{"burn":{"token_id":"1"}}`)
	must(w.c.Undo(1))(t)
	w.view(func(v *chain.View) {
		same(t, "the size of what the burn took", true, len(must(v.ChangesOf(r.Node))(t)[0].Old) > kv.MaxValue-1000)
		n := must(v.Node(r.Node - 1))(t)
		same(t, "the message that is remembered", true, len(n.Message) > kv.MaxValue-1000)
	})
	w.checkDerived()
}

func TestAMessageThatIsTooLongIsRefusedWithoutBeingKept(t *testing.T) {
	w := newWorld(t)
	before := w.everything()
	r := w.refused("alice", `{"burn":{"token_id":%q}}`, strings.Repeat("x", 300_000))
	same(t, "the kind", chain.KindLimit, r.Refusal.Kind)
	same(t, "the node", history.ID(0), r.Node)
	same(t, "the store", before, w.everything())
	const longest, frame = 160 << 10, len(`{"burn":{"token_id":""}}`)
	for size, kept := range map[int]bool{longest: true, longest + 1: false} {
		r := w.refused("alice", `{"burn":{"token_id":%q}}`, strings.Repeat("x", size-frame))
		same(t, fmt.Sprintf("that a message of %d bytes is kept", size), kept, r.Node != 0)
	}

	c := must(chain.Open(memory(t)))(t)
	_, err := c.Create(genesis(), address("creator"), []byte(strings.Repeat(" ", 300_000)+founding))
	if e := cw721.AsError(err); e == nil || e.Kind != chain.KindLimit {
		t.Errorf("a first message of 300 kB gave %v", err)
	}
}

func TestNamesOfSnapshotsKeepToTheirRules(t *testing.T) {
	w := newWorld(t)
	before := w.everything()
	for _, name := range []string{"", "12", "a\nb", "\x1b[31m", "\xff", strings.Repeat("a", 65)} {
		var refused *history.NameError
		if _, err := w.c.Snapshot(name, 0); !errors.As(err, &refused) {
			t.Errorf("%q gave %v, want that it is no name", name, err)
		}
	}
	same(t, "the store", before, w.everything())
	must(w.c.Snapshot(strings.Repeat("a", 64), 0))(t)
}
