package cw721_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"ephemera/core/cw721"
	"ephemera/core/kv"
	"ephemera/core/kv/kvtest"
)

// outcomes counts the outcomes of drawn messages, so that the test fails if too few of
// a kind occur.
type outcomes struct {
	executed int
	refused  int // including denied and broken
	denied   int // refused for want of a permission
	broken   int // refused because they do not decode
}

func TestWhateverIsSentTheCollectionStaysWhole(t *testing.T) {
	var total outcomes
	rapid.Check(t, func(rt *rapid.T) {
		w := newWorld(t, rapid.SampledFrom(cw721.AllRules()).Draw(rt, "rules"),
			rapid.SampledFrom([]cw721.Flavour{cw721.FlavourOnchain, cw721.FlavourBase}).Draw(rt, "flavour"))
		w.mustInstantiate(plainInstantiate)
		for range rapid.IntRange(1, 60).Draw(rt, "messages") {
			w.env.Block.Height += cw721.Height(rapid.IntRange(0, 2).Draw(rt, "blocks"))
			w.env.Block.Time += cw721.Time(rapid.IntRange(0, 10).Draw(rt, "nanoseconds"))
			w.send(rt, drawAccount(rt, "sender"), drawExecute(rt, w.env.Block, w.Contract), &total)
		}
		w.expectTokenCount(rt)
		w.expectGrantLists(rt)
		w.expectValidMinters(rt)
		w.expectReadableRecords()
	})
	least := outcomes{executed: 50, refused: 50, denied: 20, broken: 5}
	if testing.Short() { // a fifth of the draws
		least = outcomes{executed: 10, refused: 10, denied: 4, broken: 1}
	}
	if total.executed < least.executed || total.refused < least.refused || total.denied < least.denied || total.broken < least.broken {
		t.Errorf("too little happened to show anything: %+v", total)
	}
}

// send executes a message. It checks that the outcome agrees with the decision and
// that a refused message changes no record.
func (w *world) send(t *rapid.T, as, msg string, total *outcomes) {
	before := w.dump()
	info := cw721.Info{Sender: cw721.Address(addr(as))}
	var decision *cw721.Decision
	var noDecision error
	m, _, decodes := w.DecodeExecute([]byte(msg), nil)
	if decodes == nil {
		w.read(func(r kv.Reader) error {
			decision, noDecision = w.Decide(r, w.env, info, m)
			return nil
		})
	}
	_, err := w.execute(as, msg)
	refusal := cw721.AsError(err)
	if err == nil {
		total.executed++
		if decodes != nil || noDecision != nil || !decision.Allowed {
			t.Fatalf("%s: %q was carried out; decoding said %v, the decision %+v, %v", as, msg, decodes, decision, noDecision)
		}
		return
	}
	total.refused++
	if refusal == nil {
		t.Fatalf("%s: %q gives %v, which is no refusal", as, msg, err)
	}
	if diff := cmp.Diff(before, w.dump()); diff != "" {
		t.Fatalf("%s: %q was refused and changed\n%s", as, msg, diff)
	}
	switch {
	case decodes != nil:
		total.broken++
		if refusal.Kind != cw721.KindParse || !errors.Is(refusal, decodes) {
			t.Fatalf("%q does not decode, %v, and is refused with %v", msg, decodes, err)
		}
	case noDecision != nil:
		if !errors.Is(refusal, noDecision) || refusal.Decision != nil {
			t.Fatalf("%q has no decision, %v, and is refused with %v", msg, noDecision, err)
		}
	case decision.Allowed != (refusal.Decision == nil):
		t.Fatalf("%s: %q is allowed: %v; it is refused with %v for %+v", as, msg, decision.Allowed, err, refusal.Decision)
	case !decision.Allowed:
		total.denied++
		if !errors.Is(refusal, decision.Refusal) || formatChecks(decision) != formatChecks(refusal.Decision) {
			t.Fatalf("%s: %q is refused with %v; the decision was %v", as, msg, refusal, decision.Refusal)
		}
	}
}

// expectReadableRecords checks that every record can be decoded.
func (w *world) expectReadableRecords() {
	w.Helper()
	for _, p := range w.records() {
		kvtest.OK(w, cw721.CheckRecord(p.Key, p.Value))
	}
}

// expectTokenCount compares the number of tokens and the owner index with the tokens.
func (w *world) expectTokenCount(t *rapid.T) {
	w.read(func(r kv.Reader) error {
		count, err := cw721.LoadTokenCount(r)
		if err != nil {
			return err
		}
		var held, indexed []string
		for rec, err := range cw721.Tokens(r, cw721.Walk{}) {
			if err != nil {
				return err
			}
			held = append(held, fmt.Sprintf("%s %q %d", rec.Value.Owner, rec.Key, len(rec.Key)))
		}
		for _, p := range w.records() {
			if owner, id, ok := cw721.DecodeOwnerIndexKey(p.Key); ok {
				indexed = append(indexed, fmt.Sprintf("%s %q %s", owner, id, p.Value))
			}
		}
		slices.Sort(held)
		slices.Sort(indexed)
		if count != uint64(len(held)) {
			t.Fatalf("there are %d tokens and %d are counted", len(held), count)
		}
		if diff := cmp.Diff(held, indexed); diff != "" {
			t.Fatalf("the tokens and the owner index differ:\n%s", diff)
		}
		return nil
	})
}

// expectValidMinters checks that there are at most ten additional minters, and none
// under rule sets without them.
func (w *world) expectValidMinters(t *rapid.T) {
	w.read(func(r kv.Reader) error {
		all, err := cw721.LoadAdditionalMinters(r, nil, cw721.MaxLimit)
		if len(all) > 10 || len(all) > 0 && !w.Rules.HasAdditionalMinters() {
			t.Fatalf("%v are additional minters under %s", all, w.Rules)
		}
		return err
	})
}

// expectGrantLists compares the approvals and operators that queries answer with the
// grants in the records.
func (w *world) expectGrantLists(t *rapid.T) {
	w.read(func(r kv.Reader) error {
		lists := map[string][]string{}
		for _, g := range w.grants() {
			for _, all := range []bool{true, false} {
				if all || !g.Expires.Expired(w.env.Block) {
					key := fmt.Sprintf("%s %s %q %v", g.Kind, g.Owner, g.Token, all)
					lists[key] = append(lists[key], `{"spender":"`+string(g.Spender)+`","expires":`+string(g.Expires.AppendWire(nil))+`}`)
				}
			}
		}
		holds := func(msg, shape string, key string) {
			got, err := w.Query(r, w.env, []byte(msg))
			want := fmt.Sprintf(shape, strings.Join(lists[key], ","))
			if err != nil || string(got) != want {
				t.Fatalf("%s answers\n%s, %v\nthe records say\n%s", msg, got, err, want)
			}
		}
		for _, all := range []bool{true, false} {
			for _, name := range people {
				holds(fmt.Sprintf(`{"all_operators":{"owner":"%s","include_expired":%v,"limit":1000}}`, addr(name), all), `{"operators":[%s]}`,
					fmt.Sprintf("%s %s %q %v", cw721.GrantOperator, addr(name), "", all))
			}
			for rec, err := range cw721.Tokens(r, cw721.Walk{}) {
				if err != nil {
					return err
				}
				holds(fmt.Sprintf(`{"approvals":{"token_id":"%s","include_expired":%v}}`, rec.Key, all), `{"approvals":[%s]}`,
					fmt.Sprintf("%s %s %q %v", cw721.GrantApproval, rec.Value.Owner, rec.Key, all))
			}
		}
		return nil
	})
}
